"""A command that is repeated with the same id does nothing, whatever happened in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import combatlog
from combatlog import Amend, Plan, RecordedFight, Redo, Undo
from combatlog.messages.commands import Rule
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.referee import Outcome, Referee
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Commanded, Event
from tests.attacks.bridge import NAME, attack, begin
from tests.effort import examples
from tests.support import protected_duel

X = UUID(int=10)


@pytest.fixture
def fight(database: str, referee: Referee) -> Iterator[RecordedFight]:
    begin(referee)
    with combatlog.open(database) as opened:
        yield opened.fight(NAME)


NOTE = Rule(reason="it rains", note="rain")


def note(fight: combatlog.Fight, command: UUID) -> Outcome:
    outcome: Outcome = fight.send(NOTE, command_id=command)
    return outcome


def times_recorded(events: list[Event], key: UUID) -> int:
    """How often something was carried out under a key. What a correction declares again has the correction as cause."""
    first_half = NOTE.command(key).bytes[:8]
    return sum(isinstance(e, Commanded) and e.command.bytes[:8] == first_half and e.cause is None for e in events)


def test_a_ruling_that_was_undone_while_a_window_was_open(fight: RecordedFight, referee: Referee) -> None:
    attack(referee)
    assert note(fight, X).events
    fight.apply(fight.plan(Undo()))
    fight.react("osric", "protection")
    assert note(fight, X).repeated
    assert times_recorded(fight.history(), X) == 1


def test_the_same_in_memory() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    note(drill, X)
    drill.apply(drill.plan(Undo()))
    drill.react("osric", None, dice=[2])
    assert note(drill, X).repeated


Planner = Callable[[combatlog.Fight, UUID], Plan]
CORRECTIONS: dict[str, Planner] = {
    "undo": lambda fight, command: fight.plan(Undo(), command_id=command),
    "undo one": lambda fight, command: fight.plan(Undo(_second_note(fight)), command_id=command),
    "undo turn": lambda fight, command: fight.plan(Undo(turn=True), command_id=command),
    "amend": lambda fight, command: fight.plan(
        Amend(_second_note(fight), options={"note": "snow"}, reason="cold"), command_id=command
    ),
}


def _second_note(fight: combatlog.Fight) -> int:
    command = NOTE.command(UUID(int=12))
    return next(event.seq for event in fight.history() if isinstance(event, Commanded) and event.command == command)


def _last_note(fight: combatlog.Fight) -> int:
    return [event.seq for event in fight.events(kinds=["declared"])][-1]


@pytest.mark.parametrize("plan", CORRECTIONS.values(), ids=CORRECTIONS)
def test_a_correction_that_is_planned_anew(fight: RecordedFight, plan: Planner) -> None:
    note(fight, UUID(int=11))
    note(fight, UUID(int=12))
    first = fight.apply(plan(fight, X))
    assert first.events
    before = fight.history()
    again = plan(fight, X)
    assert again.repeated
    assert (again.correction, again.entries, again.new, again.state_changes()) == (first.events[0], [], [], [])
    assert fight.apply(again).repeated
    assert fight.history() == before


def test_a_redo_that_is_planned_anew(fight: RecordedFight) -> None:
    note(fight, UUID(int=11))
    fight.apply(fight.plan(Undo()))
    assert fight.apply(fight.plan(Redo(), command_id=X)).events
    assert fight.apply(fight.plan(Redo(), command_id=X)).repeated


def test_a_plan_that_is_applied_twice(fight: RecordedFight) -> None:
    note(fight, UUID(int=11))
    plan = fight.plan(Undo(), command_id=X)
    fight.apply(plan)
    again = fight.apply(plan)
    assert again.repeated
    assert again.state.seq == len(fight.history())


def test_a_plan_that_is_applied_twice_in_memory() -> None:
    drill = protected_duel()
    note(drill, UUID(int=11))
    plan = drill.plan(Undo(), command_id=X)
    drill.apply(plan)
    assert drill.apply(plan).repeated
    assert drill.apply(drill.plan(Undo(), command_id=X)).repeated


def test_the_same_correction_by_two_at_once(fight: RecordedFight, database: str) -> None:
    note(fight, UUID(int=11))
    with combatlog.open(database) as elsewhere:
        other = elsewhere.fight(NAME)
        plans = [fight.plan(Undo(), command_id=X), other.plan(Undo(), command_id=X)]
        assert [fight.apply(plans[0]).repeated, other.apply(plans[1]).repeated] == [False, True]
    assert times_recorded(fight.history(), X) == 1


def test_a_correction_under_the_id_of_something_else(fight: RecordedFight) -> None:
    note(fight, X)
    with pytest.raises(Refusal) as refused:
        fight.plan(Undo(), command_id=X)
    assert refused.value.code == "command/key-reused"


def _amend_last(fight: combatlog.Fight, command: UUID) -> Outcome:
    return fight.apply(
        fight.plan(Amend(_last_note(fight), options={"note": "x"}, impossible="drop"), command_id=command)
    )


STEPS: dict[str, Callable[[combatlog.Fight, UUID], Outcome]] = {
    "rule": note,
    "end turn": lambda fight, command: fight.end_turn(fight.state().clock.turn or "", command_id=command),
    "attack": lambda fight, command: fight.do("snig", "attack", command_id=command),
    "strike": lambda fight, command: fight.do("snig", "strike", target="rurik", command_id=command),
    "react": lambda fight, command: fight.react("osric", "protection", command_id=command),
    "pass": lambda fight, command: fight.react("osric", None, command_id=command),
    "undo": lambda fight, command: fight.apply(fight.plan(Undo(impossible="drop"), command_id=command)),
    "redo": lambda fight, command: fight.apply(fight.plan(Redo(), command_id=command)),
    "amend": _amend_last,
}


COMMANDS = {(step, number): UUID(int=100 * kind + number) for kind, step in enumerate(STEPS) for number in (1, 2)}
Step = tuple[tuple[str, int], bool]
"""A step under one of its ids, and which of two workers takes it."""
sequences = st.lists(st.tuples(st.sampled_from(list(COMMANDS)), st.booleans()), min_size=10, max_size=30)
AROUND_AN_ANSWER: list[Step] = [((step, 1), True) for step in ("rule", "undo", "react", "rule", "undo", "redo")]


def check_each_is_carried_out_once(workers: dict[bool, combatlog.Fight], steps: list[Step]) -> None:
    carried_out: set[UUID] = set()
    for chosen, worker in steps:
        command = COMMANDS[chosen]
        try:
            outcome = STEPS[chosen[0]](workers[worker], command)
        except Problem as problem:
            # "The last note" and "whose turn it is" may mean something else by now.
            refused_anew = command in carried_out and problem.code != "command/key-reused"
            if refused_anew:
                raise
            continue
        assert outcome.repeated == (command in carried_out)
        assert bool(outcome.events) != outcome.repeated
        carried_out.add(command)
    events = workers[True].history()
    assert all(times_recorded(events, command) <= 1 for command in carried_out)


@examples(15)
@example(steps=AROUND_AN_ANSWER)
@given(steps=sequences)
def test_each_command_is_carried_out_once_by_two_workers(database: str, steps: list[Step]) -> None:
    name = f"fight {uuid4()}"
    with combatlog.open(database) as one, combatlog.open(database) as two:
        begin(one.referee, name)
        attack(one.referee, name)
        check_each_is_carried_out_once({True: one.fight(name), False: two.fight(name)}, steps)
        assert one.fight(name).verify().findings == []


@examples(150)
@example(steps=AROUND_AN_ANSWER)
@given(steps=sequences)
def test_each_command_is_carried_out_once_in_memory(steps: list[Step]) -> None:
    drill = Drill(dice="seed:1")
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 10, 5])
    drill.do("snig", "attack")
    assert drill.do("snig", "strike", target="rurik").window is not None
    check_each_is_carried_out_once({True: drill, False: drill}, steps)
    assert list(check_declarations(drill.fight.events)) == []


def test_the_drill_follows_the_same_rule() -> None:
    drill = Drill()
    assert note(drill, X).events
    assert note(drill, X).repeated
