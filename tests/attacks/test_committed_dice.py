"""Committed dice under attack, by people who may do everything in a fight but cannot read the database.

Whatever they try, they get the same faces in the same order, and what they have seen and taken back is on record.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import combatlog
from combatlog import RecordedFight
from combatlog.testing import all_of
from ledger.errors import Problem
from ledger.events import Event, Face, FaceOrigin, ReactionDeclined, Rolled
from ledger.restore import restore_backup
from ledger.store import Ledger, encounter_id
from ledger.upkeep import back_up
from projections.battle import fold
from projections.course import Course
from projections.timeline import standing
from rules.engine import ruleset as rulesets
from rules.engine.commands import Declaration, Opening, Reply
from rules.engine.corrections.amend import Amendment, Forgotten, plan_amend
from rules.engine.corrections.plan import Verdict
from rules.engine.corrections.rebase import Impossible, Remedies
from rules.engine.corrections.undo import declarations, last, plan_redo, plan_undo
from rules.engine.dice import CommittedDice, Die
from rules.engine.fairness import unfair
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal
from rules.engine.roll_numbering import wrong_numbers
from rules.engine.taken_back import TakenBack, taken_back
from rules.engine.verify import check_declarations, verify
from tests.attacks.test_many_corrections import steps
from tests.cli.conftest import Run

SEED = bytes(range(32))
NAME = "Attacked dice"
D20, D6 = Die.with_sides(20), Die.with_sides(6)
CLOSE = Declaration(actor="gm", action="core:time:close")
NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
STRIKE = Declaration(actor="rurik", action="strike", targets=("snig",))
FOG = Forgotten(what="disadvantage", source="fog")
PEOPLE = (("fighter", "Rurik", "heroes", (1, 1), 12), ("goblin", "Snig", "foes", (2, 1), 200))


def face(number: int, die: Die = D20, index: int = 0, seed: bytes = SEED) -> Face:
    """The face that a number has in the fight of these tests."""
    return CommittedDice(seed, encounter_id(NAME)).face(seed, die, number, index)


def joining(people: Sequence[tuple[str, str, str, tuple[int, int], int]] = PEOPLE) -> Iterator[Declaration]:
    sheets = rulesets.find("dnd5e")
    for sheet, who, side, place, hp in people:
        options = {"sheet": sheets.sheet(sheet), "name": who, "side": side, "position": place, "overrides": {"hp": hp}}
        yield Declaration(actor="gm", action="core:time:join", options=options)


def opened(foe: str = "goblin", seed: bytes = SEED) -> Fight:
    """It is the turn of Rurik, who has attacked and may strike at Snig: real dice decided who begins."""
    fight = Fight.open(Opening(name=NAME, dice="committed"), seed=seed)
    rurik, (_, *snig) = PEOPLE
    for declaration in joining([rurik, (foe, *snig)]):
        fight.declare(declaration)
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    fight.declare(Declaration(actor="rurik", action="attack"))
    return fight


def rolls(events: Sequence[Event]) -> list[tuple[int | None, tuple[Face, ...]]]:
    return [(roll.drawn, roll.faces) for roll in all_of(events, Rolled)]


def strike(fight: Fight) -> list[tuple[int | None, tuple[Face, ...]]]:
    return rolls(fight.declare(STRIKE))


def undo(fight: Fight, what: set[int] | None = None) -> None:
    plan = plan_undo(fight, what or last(fight), by="gm", reason="test", remedies=Remedies(Impossible.DROP))
    fight.take_in(plan.new)


def noted(fight: Fight) -> None:
    fight.declare(NOTE)


def ruled(fight: Fight) -> None:
    options = {"set": {"hp": 11}, "reason": "a mistake"}
    fight.declare(Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=options))


def refused(fight: Fight) -> None:
    with pytest.raises(Refusal):
        fight.declare(Declaration(actor="snig", action="strike", targets=("rurik",)))


def taken_back_and_again(fight: Fight) -> None:
    fight.declare(STRIKE)
    undo(fight)


def planned(fight: Fight) -> None:
    noted(fight)
    plan_undo(fight, last(fight), by="gm", reason="test")


def real_dice(fight: Fight) -> None:
    fight.declare(STRIKE, dice=[1])
    undo(fight)


@pytest.mark.parametrize("times", [1, 2, 7])
@pytest.mark.parametrize("attempt", [noted, ruled, refused, taken_back_and_again, planned, real_dice])
def test_nothing_moves_the_next_roll(attempt: Callable[[Fight], None], times: int) -> None:
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
    recorded.apply(recorded.plan_undo())
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
    (first, *_) = taken_back(fight.events, fight.battle.id)
    seqs = [all_of(events, Rolled)[0].seq for events in struck]
    assert (first.number, first.times, first.stands_as, first.by_hand) == (1, 2, seqs[2], False)
    assert [(roll.seq, roll.roller, roll.faces) for roll in first.rolls] == [
        (seqs[0], "rurik", (face(1),)),
        (seqs[1], "rurik", (face(1),)),
    ]


def of_number(fight: Fight, number: int) -> TakenBack | None:
    return next((taken for taken in taken_back(fight.events, fight.battle.id) if taken.number == number), None)


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
    assert taken_back(fight.events, fight.battle.id) == []


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
    assert taken_back(fight.events, fight.battle.id) == []


def forged(events: Sequence[Event], seq: int, **changes: object) -> list[Event]:
    return [event.model_copy(update=changes) if event.seq == seq else event for event in events]


@pytest.mark.parametrize(
    ("drawn", "problem"),
    [
        (3, "it is committed roll 3, and roll 1 was next"),
        (10**15, "it is committed roll 1000000000000000, and roll 1 was next"),
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
    assert found[roll.seq] == "it has no number, although committed rolls before it have one"


def struck_and_taken_back(times: int) -> list[Event]:
    fight = opened()
    for _ in range(times):
        struck = fight.declare(STRIKE)[0].seq
        fight.declare(NOTE)
        undo(fight, {struck})
        undo(fight)
    return fight.events


@pytest.mark.parametrize("work", [wrong_numbers, taken_back])
def test_twice_the_rolls_taken_back_take_at_most_twice_the_steps(
    work: Callable[[Sequence[Event], UUID], Iterable[object]],
) -> None:
    few, many = struck_and_taken_back(25), struck_and_taken_back(50)

    def check(events: Sequence[Event]) -> list[object]:
        return list(work(events, encounter_id(NAME)))

    check(few)
    assert steps(check, many) <= 2.05 * steps(check, few)


# Plans


@pytest.fixture
def recorded(cli_database: str, ledger_at: Callable[[str], Ledger]) -> RecordedFight:
    """The same fight in a ledger, where the seed is SEED. Rurik struck at Snig, and then a note was made."""
    store = ledger_at(cli_database)
    fight = opened()
    store.append(fight.events, seed=SEED)
    public = combatlog.Ledger(store).fight(NAME)
    public.declare(STRIKE)
    return public


@pytest.fixture
def ledger_at() -> Iterator[Callable[[str], Ledger]]:
    opened: list[Ledger] = []

    def at(url: str) -> Ledger:
        opened.append(Ledger.open(url))
        return opened[-1]

    yield at
    for ledger in opened:
        ledger.close()


def struck_at(fight: RecordedFight) -> int:
    return declarations(fight._in_memory())[-1].seq


def test_a_plan_shows_no_face_that_was_not_rolled(recorded: RecordedFight) -> None:
    seq = struck_at(recorded)
    for _ in range(3):
        plan = recorded.plan_amend(seq, add=[FOG])
        assert plan.needs is not None
        assert (plan.needs.declaration, plan.needs.purpose, plan.needs.dice) == (seq, "attack", ("d20",))
        assert [entry.verdict for entry in plan.entries] == [Verdict.NEEDS_DICE]
        assert (plan.new, plan.after, plan.state_changes()) == ([], plan.before, [])
    assert recorded.history()[-1].declaration == seq


def test_what_it_needs_is_rolled_when_it_is_carried_out(recorded: RecordedFight) -> None:
    """However often it was planned before."""
    seq = struck_at(recorded)
    plans = [recorded.plan_amend(seq, add=[FOG]) for _ in range(3)]
    outcome = recorded.apply(plans[0])
    assert rolls(outcome.events)[0] == (1, (face(1), face(1, index=1)))
    assert recorded.apply(plans[0]).repeated
    assert all_of(plans[0].complete().new, Rolled)[0].faces == (face(1), face(1, index=1))
    assert verify(recorded.ledger.store, NAME).findings == []


def test_what_to_do_with_later_declarations_is_decided_first(recorded: RecordedFight) -> None:
    """A correction that is refused after a die was rolled would tell how it fell."""
    seq = struck_at(recorded)
    recorded.declare(Declaration(actor="rurik", action="core:time:end-turn"))
    with pytest.raises(Refusal) as caught:
        recorded.plan_amend(seq, add=[FOG])
    assert caught.value.code == "correction/decide-first"
    plan = recorded.plan_amend(seq, add=[FOG], impossible="drop")
    assert [entry.verdict for entry in plan.entries] == [Verdict.NEEDS_DICE, Verdict.OPEN]
    recorded.apply(plan)
    assert recorded.state().clock.turn == "snig"
    assert verify(recorded.ledger.store, NAME).findings == []


def test_dice_of_the_table_can_be_seen_in_a_plan(recorded: RecordedFight) -> None:
    plan = recorded.plan_amend(struck_at(recorded), add=[FOG], dice=[1])
    assert plan.needs is None
    assert rolls(plan.new)[0] == (1, (face(1), 1))


def test_a_dry_run_shows_nothing_new_however_often(run: Run, recorded: RecordedFight) -> None:
    seq = str(struck_at(recorded))
    shown = {run("amend", NAME, seq, "--add", "disadvantage", "--source", "fog", "--dry-run") for _ in range(3)}
    (ran,) = shown
    assert "The attack roll needs a d20, which is rolled when the plan is applied." in ran.out
    assert "now:" not in ran.out
    as_data = json.loads(run("amend", NAME, seq, "--add", "disadvantage", "--dry-run", "--json").out)
    assert as_data["needs"] == {"declaration": int(seq), "purpose": "attack", "dice": ["d20"]}
    assert as_data["state"] == []


def test_a_plan_that_is_applied_shows_what_came_up(run: Run, recorded: RecordedFight) -> None:
    ran = run("amend", NAME, str(struck_at(recorded)), "--add", "disadvantage", "--yes", "--json")
    (shown,) = json.loads(f"[{ran.out}]")
    (declaration,) = shown["declarations"]
    faces = [change["now"]["faces"] for change in declaration["changes"] if (change["now"] or {}).get("drawn") == 1]
    assert faces == [[face(1), face(1, index=1)]]


def test_verify_lists_what_was_taken_back(run: Run, recorded: RecordedFight) -> None:
    recorded.apply(recorded.plan_undo())
    ran = run("verify", NAME)
    assert ran.status == 0
    assert f"Roll 1 was taken back once: Rurik's attack, {face(1)} (event " in ran.out
    report = json.loads(run("verify", NAME, "--json").out)
    (found,) = [taken for entry in report for taken in entry["taken_back"] if taken["number"] == 1]
    assert (found["times"], found["stands_as"]) == (1, None)


# Refusals and answers that would tell how a die fell


def test_an_answer_given_in_advance_is_no_test_of_the_dice() -> None:
    """If it were refused when nobody is asked, nothing would be recorded, and everybody would know why."""
    fight = opened()
    struck = fight.declare(STRIKE, replies=[Reply(reactor="snig", reaction=None)])
    assert rolls(struck)[0] == (1, (face(1),))


def test_a_modifier_whose_chain_depends_on_the_dice_is_refused_before_they_are_rolled(recorded: RecordedFight) -> None:
    bonus = Forgotten(what="+2", source="bless", chain="damage")
    with pytest.raises(Refusal) as caught:
        recorded.plan_amend(struck_at(recorded), add=[FOG, bonus])
    assert caught.value.code == "amend/undecided-chain"


def seed_where(miss_then_hit: bool) -> bytes:
    """A seed with which Rurik misses with the first die of the first roll, and then hits with the second one or not."""
    seeds = (number.to_bytes(32, "big") for number in count(1))
    first, second = (range(2, 4), range(17, 20) if miss_then_hit else range(2, 4))
    return next(s for s in seeds if face(1, seed=s) in first and face(1, index=1, seed=s) in second)


@pytest.fixture
def dodging(ledger_at: Callable[[str], Ledger], database: str, request: pytest.FixtureRequest) -> RecordedFight:
    """Rurik missed Snig, a rogue who may halve the damage of a hit with Uncanny Dodge, and is asked then."""
    seed = seed_where(miss_then_hit=request.param)
    fight = opened("rogue", seed)
    store = ledger_at(database)
    fight.declare(STRIKE)
    assert not fight.battle.window
    store.append(fight.events, seed=seed)
    return combatlog.Ledger(store).fight(NAME)


BLESSED = Forgotten(what="advantage", source="a familiar")


@pytest.mark.parametrize("dodging", [True], indirect=True)
def test_a_reaction_that_comes_up_at_the_end_is_waited_for(dodging: RecordedFight) -> None:
    dodging.apply(dodging.plan_amend(struck_at(dodging), add=[BLESSED]))
    window = dodging.state().window
    assert window is not None
    assert window.waiting is not None
    dodging.react("snig", None)
    assert verify(dodging.ledger.store, NAME).findings == []


@pytest.mark.parametrize("dodging", [True], indirect=True)
def test_a_reaction_that_comes_up_in_the_middle_is_declined(dodging: RecordedFight) -> None:
    """Asking for it would tell that the attack hits, with nothing on record."""
    seq = struck_at(dodging)
    dodging.declare(NOTE)
    outcome = dodging.apply(dodging.plan_amend(seq, add=[BLESSED], impossible="drop"))
    assert [event.reactor for event in all_of(outcome.events, ReactionDeclined)] == ["snig"]
    assert dodging.state().window is None
    assert verify(dodging.ledger.store, NAME).findings == []


@pytest.mark.parametrize("dodging", [True, False], indirect=True)
def test_an_answer_given_in_advance_is_taken_or_not_without_a_word(dodging: RecordedFight) -> None:
    """If the answer to a window that never opens were refused, that would tell that the attack misses."""
    seq = struck_at(dodging)
    dodging.declare(NOTE)
    later = {"snig": "uncanny dodge"}
    dodging.apply(dodging.plan_amend(seq, add=[BLESSED], replies=later, impossible="drop"))
    assert verify(dodging.ledger.store, NAME).findings == []


# Backups


def test_a_backup_holds_no_seed_and_rolls_nothing_elsewhere(
    recorded: RecordedFight, cli_database: str, embedded: str, make_database: Callable[[str], str], tmp_path: Path
) -> None:
    file, other = tmp_path / "ledger.jsonl", make_database(embedded)
    back_up(cli_database, file)
    content = file.read_text()
    assert SEED.hex() not in content
    assert b64encode(SEED).decode() not in content
    restore_backup(other, file)
    with Ledger.open(other) as copy:
        restored = combatlog.Ledger(copy).fight(NAME)
        restored.apply(restored.plan_undo())
        with pytest.raises(Problem) as caught:
            restored.declare(STRIKE)
    assert caught.value.code == "dice/no-seed"


# Whatever is done


STEPS = st.lists(
    st.sampled_from(["fight", "fight", "note", "end turn", "undo", "undo early", "redo", "amend", "refused"]),
    min_size=3,
    max_size=14,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
    assert Course(fight.events).battle.roll_numbers == fight.battle.roll_numbers == fold(fight.events).roll_numbers
    lowest = next(number for number in range(1, 1000) if number not in numbers)
    assert fight.battle.roll_numbers.lowest_free == lowest
    assert list(check_declarations(fight.events)) == []


def take(fight: Fight, step: str) -> None:
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
            fight.declare(Declaration(actor="gm", action="core:time:end-turn"))
        case "undo":
            undo(fight)
        case "undo early":
            known = declarations(fight)
            undo(fight, {known[min(4, len(known) - 1)].seq})
        case "redo":
            fight.take_in(plan_redo(fight, by="gm", reason="test").new)
        case "amend":
            amend(fight)
        case _:
            fight.declare(Declaration(actor=other, action="strike", targets=(turn,)))


def amend(fight: Fight) -> None:
    strikes = [declared for declared in declarations(fight) if declared.action.endswith("strike")]
    if strikes:
        remedies = Remedies(Impossible.DROP)
        plan = plan_amend(fight, strikes[0].seq, Amendment(add=(FOG,)), by="gm", reason="fog", remedies=remedies)
        fight.take_in(plan.new)
