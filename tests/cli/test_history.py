"""`log` and `replay`: what they mark, what they refuse, and how little they read."""

from __future__ import annotations

import json

import pytest

import combatlog
from combatlog.recorded import LedgerBackend
from ledger.store.ledger import LedgerStore
from tests.cases import each
from tests.cli.conftest import Run


@pytest.fixture
def corrected(bridge: Run) -> Run:
    """Snig dodges and moves; the dodge is taken back, the move stays as it is."""
    bridge("do", "bridge", "snig", "dodge")
    bridge("do", "bridge", "snig", "move", "--to", "5,2", "--reply", "rurik=pass", "--reply", "osric=pass")
    assert bridge("undo", "bridge", str(dodge_of(bridge)), "--yes", "--reason", "a slip").status == 0
    return bridge


def dodge_of(run: Run) -> int:
    events = json.loads(run("log", "bridge", "--kind", "declared", "--json").out)
    return int(next(event["seq"] for event in events if event["action"] == "dnd5e:ability:dodge"))


def correction_of(run: Run) -> int:
    (undone,) = json.loads(run("log", "bridge", "--kind", "undone", "--json").out)
    return int(undone["seq"])


@pytest.mark.parametrize("how", [(), ("--all",), ("--to", "{dodge}"), ("--kind", "declared")])
def test_what_was_taken_back_is_marked_in_words_without_a_terminal(corrected: Run, how: tuple[str, ...]) -> None:
    dodge, undone = dodge_of(corrected), correction_of(corrected)
    shown = corrected("log", "bridge", *(part.format(dodge=dodge) for part in how)).out
    (line,) = [line for line in shown.splitlines() if line.split()[:1] == [str(dodge)]]
    assert line.endswith(f"(taken back by {undone})")


def test_plain_replays_mark_it_too(corrected: Run) -> None:
    undone = correction_of(corrected)
    for how in ((), ("--all",)):
        assert f"(taken back by {undone})" in corrected("replay", "bridge", "--plain", *how).out
        assert "taken back" not in corrected("replay", "bridge", "--plain", "--no-undone", *how).out


def test_json_has_a_field_for_it(corrected: Run) -> None:
    dodge, undone = dodge_of(corrected), correction_of(corrected)
    for events in (
        json.loads(corrected("log", "bridge", "--json").out),
        json.loads(corrected("log", "bridge", "--json", "--last", "30").out),
    ):
        marked = {event["declaration"]: event["taken_back_by"] for event in events if "taken_back_by" in event}
        assert marked[dodge] == undone
        assert undone not in marked


def test_standing_leaves_out_what_does_not_count(corrected: Run) -> None:
    shown = corrected("log", "bridge", "--standing").out
    assert "Snig moves to 5,2" in shown
    assert "dodges" not in shown
    assert "takes back" not in shown


def test_a_number_shows_the_whole_declaration(corrected: Run) -> None:
    dodge = dodge_of(corrected)
    shown = corrected("log", "bridge", str(dodge + 1)).out
    assert shown.splitlines()[0].startswith(f"   {dodge}  Snig declares dodge")
    assert shown.splitlines()[-1] == "It was not recorded again."
    data = json.loads(corrected("log", "bridge", str(dodge + 1), "--json").out)
    assert {event["declaration"] for event in data} == {dodge}


@each("command", ["log", "replay"])
@each(
    ("arguments", "code", "says"),
    [
        (("--kind", "atack_resolved"), "log/unknown-kind", "Did you mean attack_resolved"),
        (("--kind", "hits"), "log/unknown-kind", "attack_resolved"),
        (("--actor", "Osrik"), "declaration/unknown-combatant", "Did you mean osric"),
        (("--from", "5000"), "log/no-event", "there are "),
        (("--from", "9", "--to", "3"), "log/range", "from 9 to 3"),
    ],
)
def test_what_cannot_be_there_is_refused(
    bridge: Run, command: str, arguments: tuple[str, ...], code: str, says: str
) -> None:
    refused = bridge(command, "bridge", *arguments)
    assert (refused.status, refused.code, refused.out) == (1, code, "")
    assert says in refused.err


def test_an_empty_selection_says_so_apart_from_the_result(bridge: Run) -> None:
    for arguments in (("--actor", "rurik"), ("--kind", "forked"), ("--kind", "forked", "--json")):
        empty = bridge("log", "bridge", *arguments)
        assert empty.status == 0
        assert empty.out in ("", "[]\n")
        assert empty.err == "Nothing in this fight matches.\n"


def test_the_latest_are_read_without_the_rest(bridge: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the whole fight was read")

    bridge("do", "bridge", "snig", "dash")
    monkeypatch.setattr(LedgerBackend, "history", never)
    monkeypatch.setattr(LedgerStore, "read", never)
    assert bridge("log", "bridge", "--last", "1").out.splitlines()[-1].endswith("Snig dashes")
    assert len(bridge("log", "bridge", "--last", "2", "--all").out.splitlines()) == 2
    assert len(json.loads(bridge("log", "bridge", "--last", "3", "--json").out)) == 3


def test_the_story_of_the_latest_is_the_end_of_the_whole_story(bridge: Run) -> None:
    for who in ("snig", "rurik", "osric") * 2:
        assert bridge("end-turn", "bridge", who).status == 0
    whole = bridge("log", "bridge").out.splitlines()
    assert whole[-2:] == ["   44  Round 3", "   45    Snig's turn"]
    assert bridge("log", "bridge", "--last", "1").out.splitlines() == whole[-2:]


def test_a_fork_after_something_that_was_corrected_says_so(corrected: Run) -> None:
    dodge, undone = dodge_of(corrected), correction_of(corrected)
    end = max(e["seq"] for e in json.loads(corrected("log", "bridge", str(dodge), "--json").out))
    forked = corrected("fork", "bridge", "--at", str(end), "--as", "what if")
    assert f"Event {end} was taken back by {undone} later on" in forked.err


def test_introductions_are_what_a_story_needs(bridge: Run) -> None:
    with combatlog.open() as ledger:
        kinds = {event.kind for event in ledger.fight("bridge").backend.introductions()}
    assert kinds >= {"encounter_opened", "combatant_joined", "initiative_set"}
    assert "chain_modified" not in kinds
