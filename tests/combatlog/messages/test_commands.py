"""The table of commands, and what is derived from it: nothing can be added in one place and forgotten in another."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from uuid import uuid4

import pytest

import combatlog
from combatlog.fight import Fight
from combatlog.handlers.command_handlers import HANDLERS
from combatlog.messages.commands import COMMANDS, Command, Conclude, Declare, Label, Leave, Note, React, Rule
from combatlog.messages.fight_questions import ExportFight, FightQuestion, RateDifficulty, VerifyFight
from combatlog.rules.engine.commands import Declaration
from tests.cases import each
from tests.service.calls import OPERATIONS
from tests.support import protected_duel

METHODS = {"Declare": "do"}
"""Methods that are not called like their message."""


@each("kind", COMMANDS)
def test_each_has_a_route_that_takes_it(kind: type[Command]) -> None:
    operation = OPERATIONS[f"POST /v1/encounters/{{encounter}}/{kind.path}"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["$ref"].rpartition("/")[2] == kind.__name__
    assert operation["summary"] == kind.summary()


def test_every_command_is_in_the_table_and_is_carried_out() -> None:
    ours = {kind for kind in Command.__subclasses__() if kind.__module__ == Command.__module__}
    assert {kind.__name__ for kind in ours} == {kind.__name__ for kind in COMMANDS}
    assert set(COMMANDS) <= set(HANDLERS)


@each("kind", COMMANDS)
def test_a_method_of_a_command_takes_its_fields(kind: type[Command]) -> None:
    """The commands that are given most have a method; the others are sent."""
    method = METHODS.get(kind.__name__, "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__)[1:])
    if not hasattr(Fight, method):
        return
    taken = inspect.signature(getattr(Fight, method)).parameters
    named = {name for name, one in taken.items() if one.kind is not inspect.Parameter.VAR_KEYWORD}
    assert named <= {*kind.model_fields, "self", "command_id", "packs", "target", "labels"}


def test_a_fight_is_small() -> None:
    methods = [name for name in dir(combatlog.RecordedFight) if not name.startswith("_")]
    assert len([name for name in methods if callable(getattr(combatlog.RecordedFight, name))]) <= 35


@each("kind", COMMANDS)
def test_each_says_what_it_does_and_has_an_example_that_is_valid(kind: type[Command]) -> None:
    assert kind.summary().endswith(".")
    for example in kind.model_json_schema()["examples"]:
        assert kind.model_validate(example).as_json() == example


@each(
    ("kind", "old", "new"),
    [
        (Declare, {"actor": "snig", "action": "strike", "target": "rurik"}, {"who": "snig", "targets": ["rurik"]}),
        (React, {"reactor": "osric"}, {"who": "osric"}),
        (Rule, {"subject": "rurik", "reason": "rain"}, {"who": "rurik"}),
        (Leave, {"who": "snig", "why": "ran"}, {"reason": "ran"}),
        (Conclude, {"why": "a truce"}, {"reason": "a truce"}),
        (Label, {"add": ["boss"], "why": "big"}, {"reason": "big"}),
    ],
)
def test_old_names_of_fields_are_understood_for_a_release(
    kind: type[Command], old: dict[str, object], new: dict[str, object]
) -> None:
    assert new.items() <= kind.model_validate(old).as_json().items()


def test_the_same_key_with_another_message_is_refused() -> None:
    duel, key = protected_duel(), uuid4()
    note = Note(text="it rains")
    once = duel.send(note, command_id=key)
    assert duel.send(note, command_id=key).repeated
    for other in (Note(text="it snows"), Conclude(), combatlog.Undo()):
        with pytest.raises(combatlog.Problem) as refused:
            duel.send(other, command_id=key)
        assert refused.value.code == "command/key-reused"
    assert duel.history()[-1] == once.events[-1]


def test_a_dry_run_records_nothing_and_tells_what_would_follow() -> None:
    duel = protected_duel()
    before = duel.history()
    foreseen = duel.send(Note(text="it rains"), dry_run=True)
    assert [event.kind for event in foreseen.events] == ["declared", "noted"]
    plan = duel.send(combatlog.Undo(reason="a feint"), dry_run=True)
    assert isinstance(plan, combatlog.Plan)
    assert duel.history() == before


@each(
    "ask",
    [
        lambda view: view.ways_to_hit("snig", actor="rurik"),
        lambda view: view.way_to_cast("fireball", actor="rurik"),
        lambda view: view.way_to_move((1, 2), actor="rurik"),
        lambda view: view.foresee(Declaration(actor="rurik", action="dodge")),
        lambda view: view.needed_rolls(Declaration(actor="rurik", action="dodge")),
    ],
)
def test_what_takes_everything_is_not_answered_from_a_seat(ask: Callable[[combatlog.View], object]) -> None:
    with pytest.raises(combatlog.Problem) as refused:
        ask(protected_duel().seen_by("rurik"))
    assert refused.value.code == "view/whole-only"


@each(
    "question",
    [RateDifficulty(), VerifyFight(), ExportFight(format="csv")],
)
def test_a_seat_asks_only_what_it_may(question: FightQuestion) -> None:
    with pytest.raises(combatlog.Problem) as refused:
        protected_duel().send(question, seat="rurik")
    assert refused.value.code == "seat/not-allowed"


def test_a_seat_says_only_what_it_may() -> None:
    duel = protected_duel()
    with pytest.raises(combatlog.Problem) as refused:
        duel.send(Conclude(), seat="player:rurik")
    assert refused.value.code == "seat/not-allowed"
    with pytest.raises(combatlog.Problem) as refused:
        duel.send(Declare(who="snig", action="dodge"), seat="player:rurik")
    assert refused.value.code == "seat/not-yours"
