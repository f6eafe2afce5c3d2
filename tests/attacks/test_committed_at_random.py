"""Committed dice, whatever is done: every number has one face, and every roll the number that was next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.corrections.insert import before, plan_insert
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import declarations, plan_redo
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.dice_fairness import wrong_numbers
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import all_of
from ledger.errors import Problem
from ledger.events import FaceOrigin, Rolled
from projections.battle.event_history import EventHistory
from projections.battle.fold import fold
from projections.battle.timeline import standing
from tests.attacks.committed import D20, FOG, NOTE, face, opened, undo
from tests.effort import examples

STEPS = st.lists(
    st.sampled_from(["fight", "fight", "note", "end turn", "undo", "undo early", "redo", "amend", "insert", "refused"]),
    min_size=3,
    max_size=14,
)


@examples(150)
@given(STEPS)
def test_whatever_is_done_every_number_has_one_face_and_every_roll_the_next_number(steps: list[str]) -> None:
    fight = opened()
    for step in steps:
        try:
            take(fight, step)
        except Problem:
            assert fold(fight.events).roll_numbers == fight.battle.roll_numbers
    numbers = [roll.drawn for roll in all_of(standing(fight.events), Rolled) if roll.drawn is not None]
    assert len(numbers) == len(set(numbers))
    for roll in all_of(fight.events, Rolled):
        if roll.dice_source is FaceOrigin.COMMITTED:
            assert roll.drawn is not None
            die = D20 if "d20" in roll.notation else Die.with_sides(int(roll.notation.split("d")[1].split("+")[0]))
            assert roll.faces == tuple(face(roll.drawn, die, index) for index in range(len(roll.faces)))
    assert list(wrong_numbers(fight.events, fight.battle.id)) == []
    assert (
        EventHistory(fight.events).battle.roll_numbers == fight.battle.roll_numbers == fold(fight.events).roll_numbers
    )
    lowest = next(number for number in range(1, 1000) if number not in numbers)
    assert fight.battle.roll_numbers.lowest_free == lowest
    assert list(check_declarations(fight.events)) == []


def take(fight: FightEngine, step: str) -> None:
    turn = fight.battle.clock.turn or "rurik"
    other = "snig" if turn == "rurik" else "rurik"
    match step:
        case "fight":
            attack = Declaration(actor=turn, action="attack")
            try:
                fight.declare(Declaration(actor=turn, action="strike", targets=(other,)))
            except Problem:
                fight.declare(attack)
        case "note":
            fight.declare(NOTE)
        case "end turn":
            fight.declare(Declaration(actor=turn, action="core:time:end-turn"))
        case "undo":
            undo(fight)
        case "undo early":
            known = declarations(fight)
            undo(fight, {known[min(4, len(known) - 1)].seq})
        case "redo":
            fight.take_in(plan_redo(fight, by="gm", reason="test").new)
        case "amend":
            amend(fight)
        case "insert":
            insert(fight)
        case _:
            fight.declare(Declaration(actor=other, action="strike", targets=(turn,)))


def amend(fight: FightEngine) -> None:
    strikes = [declared for declared in declarations(fight) if declared.action.endswith("strike")]
    if strikes:
        remedies = Remedies(Impossible.DROP)
        plan = plan_amend(fight, strikes[0].seq, Amendment(add=(FOG,)), by="gm", reason="fog", remedies=remedies)
        fight.take_in(plan.new)


def insert(fight: FightEngine) -> None:
    """One strike more, before the first one: it needs dice of its own."""
    strikes = [declared for declared in declarations(fight) if declared.action.endswith("strike")]
    if strikes:
        first, remedies = strikes[0], Remedies(Impossible.DROP)
        said = Declaration(actor=first.actor, action="strike", targets=first.targets)
        plan = plan_insert(fight, before(fight, first.seq), said, by="gm", reason="forgotten", remedies=remedies)
        fight.take_in(plan.new)
