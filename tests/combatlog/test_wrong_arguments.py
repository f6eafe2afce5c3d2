"""Wrong types are refused in a sentence that names the argument; no call ends with an error of Python's."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import combatlog
from combatlog import Problem

WRONG: tuple[Any, ...] = (3, None, object(), ["a", 3], "x", b"x", 1.5, {"a": 1}, -1, 10**400)
FINE: dict[str, Any] = {
    "who": "rurik",
    "actor": "rurik",
    "action": "dodge",
    "target": "snig",
    "to": (3, 3),
    "spell": "bless",
    "sheet": "goblin",
    "notation": "1d6",
    "amount": 1,
    "kind": "short",
    "seq": 3,
    "number": 1,
    "name": "protection",
    "statistic": "hits",
    "figure": "hits",
    "query": "SELECT 1",
    "fight": "bridge",
    "reference": "bridge",
    "seat": "players",
}
"""By name, what a call may be given besides the wrong argument."""
OTHERWISE = {"follow", "stream", "watch", "broadcast", "keep", "close", "share_memory"}
"""They wait, or change what the other calls need."""

Call = tuple[Callable[..., Any], list[Any], dict[str, Any]]


def wrong_calls(subject: object) -> Iterator[Call]:
    """Every public method with one wrong argument, for each argument and each wrong value."""
    for name, method in inspect.getmembers(type(subject), lambda member: isinstance(member, FunctionType)):
        if name.startswith("_") or name in OTHERWISE:
            continue
        parameters = list(inspect.signature(method).parameters.values())[1:]
        asked = [one for one in parameters if one.kind is not one.VAR_KEYWORD and not one.name.startswith("progress")]
        for wrong in asked:
            for value in WRONG:
                given = {one.name: FINE.get(one.name, "x") for one in asked if one.default is one.empty}
                given[wrong.name] = value
                several = [given.pop(one.name) for one in asked if one.kind is one.VAR_POSITIONAL and one.name in given]
                before = [given.pop(one.name) for one in asked if several and one.name in given and not _named(one)]
                yield getattr(subject, name), [*before, *several], given


def _named(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.KEYWORD_ONLY


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["fight", "gm", "players", "ledger", "seats", "webhooks"])
def test_whatever_is_given_no_call_ends_with_an_error_of_pythons(
    opened: combatlog.Ledger,
    fight: combatlog.RecordedFight,
    whose: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    subjects: dict[str, Callable[[], object]] = {
        "fight": lambda: fight,
        "ledger": lambda: opened,
        "seats": lambda: opened.seats,
        "webhooks": lambda: opened.webhooks,
    }
    subject = subjects[whose]() if whose in subjects else fight.seen_by(whose)
    for method, arguments, named in wrong_calls(subject):
        with suppress(Problem):
            result = method(*arguments, **named)
            if isinstance(result, Iterator):
                next(result, None)


@pytest.mark.parametrize(
    ("call", "code", "sentence"),
    [
        (lambda fight: fight.seen_by(3), "message/invalid", "In seen_by, the argument seat is not valid"),
        (lambda fight: fight.send("note"), "message/invalid", "In send, the argument message is not valid"),
        (lambda fight: fight.events(kinds=3), "message/invalid", "In events, the argument kinds is not valid"),
        (lambda fight: fight.events(kinds=["bogus"]), "log/unknown-kind", "There is no kind of event called 'bogus'"),
        (lambda fight: fight.state(at=0), "state/no-event", "There is no event 0; the last one is"),
        (lambda fight: fight.state(at=9999), "state/no-event", "There is no event 9999; the last one is"),
        (lambda fight: fight.do("snig", "attack", dice=15), "message/invalid", "the field dice is not valid"),
        (lambda fight: fight.do("snig", "attack", command_id="abc"), "message/invalid", "it must be a UUID"),
        (lambda fight: fight.seen_by().aim("snig", "attack", 3), "message/invalid", "In aim, the argument to"),
        (lambda fight: fight.seen_by("players").recorded(0), "state/no-event", "There is no event 0"),
        (lambda fight: fight.ledger.statistics(3), "message/invalid", "In statistics, the argument statistic"),
        (lambda fight: fight.ledger.plot("x.svg"), "message/words", "missing a required argument: 'statistic'"),
        (lambda fight: fight.ledger.new("b", labels=["a", 3]), "message/invalid", "In new, the argument labels"),
        (lambda fight: fight.ledger.sql("SELECT 1", seconds=-1), "message/invalid", "In sql, the argument seconds"),
        (lambda fight: fight.ledger.names(limit=-1), "message/invalid", "In names, the argument limit"),
        (lambda fight: fight.ledger.export_tables("x", "xml"), "export/unknown-format", "csv or parquet, not as xml"),
    ],
)
def test_the_refusal_says_which_argument_is_wrong(
    fight: combatlog.RecordedFight, call: Callable[[Any], Any], code: str, sentence: str
) -> None:
    with pytest.raises(Problem) as refused:
        call(fight)
    assert refused.value.code == code
    assert sentence in refused.value.sentence


def test_an_error_of_our_own_is_not_blamed_on_the_caller(
    fight: combatlog.RecordedFight, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError("ours")

    monkeypatch.setattr(fight.backend, "view", broken)
    with pytest.raises(LookupError, match="ours"):
        fight.seen_by("players")


def test_a_figure_can_be_drawn_into_a_file_by_its_name(fight: combatlog.RecordedFight, tmp_path: Path) -> None:
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    fight.ledger.plot(str(tmp_path / "hits.svg"), "hits")
    assert (tmp_path / "hits.svg").read_text().startswith("<?xml")
