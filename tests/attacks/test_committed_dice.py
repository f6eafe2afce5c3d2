"""Committed dice under attack, by people who may do everything in a fight but cannot read the database.

Whatever they try, they get the same faces in the same order, and what they have seen and taken back is on record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

import pytest

from combatlog import RecordedFight, Undo
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.corrections.rebase import Remedies
from combatlog.rules.engine.corrections.undo import declarations, last, plan_redo, plan_undo
from combatlog.rules.engine.dice.dice_sources import CommittedDice
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.dice_fairness import unfair, wrong_numbers
from combatlog.rules.verification.retracted_rolls import RetractedRoll, retracted_rolls
from combatlog.rules.verification.verify import verify
from combatlog.testing import all_of
from ledger.events import Event, Rolled
from ledger.store.ledger import encounter_id
from projections.battle.timeline import standing
from tests.attacks.committed import D20, FOG, NAME, NOTE, SEED, STRIKE, face, opened, rolls, strike, undo
from tests.attacks.test_many_corrections import steps
from tests.cases import each


def noted(fight: FightEngine) -> None:
    fight.declare(NOTE)


def ruled(fight: FightEngine) -> None:
    options = {"set": {"hp": 11}, "reason": "a mistake"}
    fight.declare(Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=options))


def refused(fight: FightEngine) -> None:
    with pytest.raises(Refusal):
        fight.declare(Declaration(actor="snig", action="strike", targets=("rurik",)))


def taken_back_and_again(fight: FightEngine) -> None:
    fight.declare(STRIKE)
    undo(fight)


def planned(fight: FightEngine) -> None:
    noted(fight)
    plan_undo(fight, last(fight), by="gm", reason="test")


def real_dice(fight: FightEngine) -> None:
    fight.declare(STRIKE, dice=[1])
    undo(fight)


@each("times", [1, 2, 7])
@each("attempt", [noted, ruled, refused, taken_back_and_again, planned, real_dice])
def test_nothing_moves_the_next_roll(attempt: Callable[[FightEngine], None], times: int) -> None:
    fight = opened()
    for _ in range(times):
        attempt(fight)
    assert strike(fight)[0] == (1, (face(1),))


def test_a_roll_taken_back_comes_again_for_whoever_rolls_next() -> None:
    fight = opened()
    seen = strike(fight)
    undo(fight)
    fight.declare(Declaration(actor="rurik", action="core:time:end-turn"))
    fight.declare(Declaration(actor="snig", action="attack"))
    struck = fight.declare(Declaration(actor="snig", action="strike", targets=("rurik",)))
    assert rolls(struck)[0] == seen[0] == (1, (face(1),))


def test_a_roll_taken_back_below_others_is_the_next_one() -> None:
    """The rolls that stay keep their numbers, and what was bad cannot be skipped."""
    fight = opened()
    first = fight.declare(STRIKE)
    fight.declare(Declaration(actor="rurik", action="core:time:end-turn"))
    fight.declare(Declaration(actor="snig", action="attack"))
    later = rolls(fight.declare(Declaration(actor="snig", action="strike", targets=("rurik",))))
    undo(fight, {first[0].seq})
    stays = [number for number, _ in rolls(standing(fight.events)) if number is not None]
    assert stays == [number for number, _ in later]
    fight.declare(Declaration(actor="snig", action="core:time:end-turn"))
    fight.declare(Declaration(actor="rurik", action="attack"))
    assert strike(fight)[0] == (1, (face(1),))


def test_an_amendment_that_is_made_again_and_again_rolls_the_same_die() -> None:
    fight = opened()
    seq = fight.declare(STRIKE)[0].seq
    for _ in range(3):
        plan = plan_amend(fight, declarations(fight)[-1].seq, Amendment(add=(FOG,)), by="gm", reason="fog")
        assert rolls(plan.new)[0] == (1, (face(1), face(1, index=1)))
        fight.take_in(plan.new)
        fight.take_in(plan_redo(fight, by="gm", reason="no fog").new)
    assert declarations(fight)[-1].seq == seq


def test_a_fork_foretells_nothing(recorded: RecordedFight) -> None:
    """It shares the past, but neither the seed nor the numbers."""
    recorded.apply(recorded.plan(Undo()))
    fork = recorded.fork("What if")
    struck = fork.declare(STRIKE)
    store, roll = recorded.ledger.store, all_of(struck.events, Rolled)[0]
    seed = store.seed(fork.id)
    assert seed is not None
    assert seed != SEED
    assert (roll.drawn, roll.faces) == (1, (CommittedDice(seed, fork.id).face(seed, D20, 1, 0),))
    assert rolls(recorded.declare(STRIKE).events)[0] == (1, (face(1),))
    assert verify(store, "What if").findings == []


# What is on record


def test_verify_says_what_was_taken_back_and_how_often() -> None:
    fight = opened()
    struck = [fight.declare(STRIKE)]
    for _ in range(2):
        undo(fight)
        struck.append(fight.declare(STRIKE))
    (first, *_) = retracted_rolls(fight.events, fight.battle.id)
    seqs = [all_of(events, Rolled)[0].seq for events in struck]
    assert (first.number, first.times, first.stands_as, first.by_hand) == (1, 2, seqs[2], False)
    assert [(roll.seq, roll.roller, roll.faces) for roll in first.rolls] == [
        (seqs[0], "rurik", (face(1),)),
        (seqs[1], "rurik", (face(1),)),
    ]


def of_number(fight: FightEngine, number: int) -> RetractedRoll | None:
    return next((taken for taken in retracted_rolls(fight.events, fight.battle.id) if taken.number == number), None)


def test_a_roll_that_was_not_made_again_is_listed_too() -> None:
    fight = opened()
    fight.declare(STRIKE)
    undo(fight)
    taken = of_number(fight, 1)
    assert taken is not None
    assert (taken.times, taken.stands_as) == (1, None)


def test_an_undo_that_is_taken_back_leaves_nothing_to_list() -> None:
    fight = opened()
    fight.declare(STRIKE)
    undo(fight)
    fight.take_in(plan_redo(fight, by="gm", reason="it was right").new)
    assert retracted_rolls(fight.events, fight.battle.id) == []


def test_a_face_that_people_corrected_is_listed() -> None:
    fight = opened()
    roll = all_of(fight.declare(STRIKE), Rolled)[0]
    other = 1 if face(1) != 1 else 2
    right = Amendment(faces={roll.seq: (other,)})
    remedies = Remedies(dice=None)
    fight.take_in(plan_amend(fight, roll.seq, right, by="gm", reason="misread", remedies=remedies).new)
    taken = of_number(fight, 1)
    assert taken is not None
    assert (taken.times, taken.by_hand) == (1, True)


def test_a_roll_that_stays_through_a_correction_is_not_listed() -> None:
    fight = opened()
    noted(fight)
    note = fight.events[-1].declaration
    fight.declare(STRIKE)
    undo(fight, {note})
    assert retracted_rolls(fight.events, fight.battle.id) == []


def forged(events: Sequence[Event], seq: int, **changes: object) -> list[Event]:
    return [event.model_copy(update=changes) if event.seq == seq else event for event in events]


@pytest.mark.parametrize(
    ("drawn", "problem"),
    [
        (3, "it is committed roll 3, but roll 1 was next"),
        (10**15, "it is committed roll 1000000000000000, but roll 1 was next"),
    ],
)
def test_a_number_that_was_not_next_is_found_before_the_seed_is_public(drawn: int, problem: str) -> None:
    fight = opened()
    roll = all_of(fight.declare(STRIKE), Rolled)[0]
    assert (roll.seq, problem) in list(unfair(forged(fight.events, roll.seq, drawn=drawn)))


def test_a_roll_that_goes_back_to_the_event_s_number_is_found() -> None:
    """With those, notes before a roll would move it."""
    fight = opened()
    fight.declare(STRIKE)
    undo(fight)
    roll = all_of(fight.declare(STRIKE), Rolled)[0]
    found = dict(unfair(forged(fight.events, roll.seq, drawn=None)))
    assert found[roll.seq] == "it has no number, although earlier committed rolls have one"


def struck_and_taken_back(times: int) -> list[Event]:
    fight = opened()
    for _ in range(times):
        struck = fight.declare(STRIKE)[0].seq
        fight.declare(NOTE)
        undo(fight, {struck})
        undo(fight)
    return fight.events


@pytest.mark.parametrize("work", [wrong_numbers, retracted_rolls])
def test_twice_the_rolls_taken_back_take_at_most_twice_the_steps(
    work: Callable[[Sequence[Event], UUID], Iterable[object]],
) -> None:
    few, many = struck_and_taken_back(25), struck_and_taken_back(50)

    def check(events: Sequence[Event]) -> list[object]:
        return list(work(events, encounter_id(NAME)))

    check(few)
    assert steps(check, many) <= 2.05 * steps(check, few)
