"""Committed dice: nobody could have known a face before, and anybody can check every one afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.corrections.undo import declarations, plan_undo
from combatlog.rules.engine.dice.dice_notation import Die, parse
from combatlog.rules.engine.dice.dice_sources import CommittedDice, face_by_event
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.dice_fairness import unfair
from combatlog.rules.verification.verify import verify
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import EncounterClosed, EncounterOpened, Event, Face, FaceOrigin, Rolled
from ledger.store.ledger import LedgerStore
from tests.cases import each
from tests.randomplay import plan_undo_passing, random_fight

SEED = bytes(range(32))
ENCOUNTER = UUID(int=5)
CLOSE = Declaration(actor="gm", action="core:time:close")
D6 = Die.with_sides(6)


def hmac_by_definition(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for a key of 32 bytes."""
    inner = bytes(byte ^ 0x36 for byte in key) + b"\x36" * 32
    outer = bytes(byte ^ 0x5C for byte in key) + b"\x5c" * 32
    return sha256(outer + sha256(inner + message).digest()).digest()


@pytest.mark.parametrize(("number", "index"), [(7, 0), (7, 1), (8, 0)])
def test_a_face_is_the_hmac_of_its_number(number: int, index: int) -> None:
    """Of all numbers with 256 bits, the lowest sixth gives a 1, the next a 2, and so on."""
    digest = hmac_by_definition(SEED, f"{ENCOUNTER}:roll:{number}:{index}".encode())
    expected = int(digest.hex(), 16) * 6 // 2**256 + 1
    assert faces_of([D6], number, after=index) == [expected]


def faces_of(dice: Sequence[Die], number: int, seq: int = 1, after: int = 0) -> list[Face]:
    return CommittedDice(SEED, ENCOUNTER).faces(dice, seq, "attack", after, number)


def test_the_event_s_number_says_nothing() -> None:
    assert faces_of([D6] * 20, 7, seq=12) == faces_of([D6] * 20, 7, seq=13)


def test_no_face_is_favoured() -> None:
    """Of 6000 rolls each of six faces comes 1000 times, give or take four standard deviations (29 each)."""
    faces = [face for number in range(1, 1001) for face in faces_of([D6] * 6, number)]
    assert all(884 <= faces.count(face) <= 1116 for face in D6.faces)


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 100])
def test_a_low_roll_is_low_on_every_die(sides: int) -> None:
    """Otherwise whoever takes a bad roll back could try another die at the same number."""
    twenties = [faces_of([Die.with_sides(20)], number) for number in range(1, 201)]
    others = [faces_of([Die.with_sides(sides)], number) for number in range(1, 201)]
    ranked = sorted(zip(twenties, others, strict=True))
    assert [other for _, other in ranked] == sorted(others)


def test_a_face_of_before_there_were_numbers_is_the_hmac_of_its_event() -> None:
    digest = hmac_by_definition(SEED, f"{ENCOUNTER}:6:7:1:0".encode())
    assert face_by_event(SEED, ENCOUNTER, 6, 7, 1, D6) == int.from_bytes(digest[:8], "big") % 6 + 1


def test_what_would_have_favoured_the_first_faces_was_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With numbers below 256 a d6 may use those below 252 only."""
    drawn = iter([255, 252, 251])
    monkeypatch.setattr("combatlog.rules.engine.dice.dice_sources._ALL_NUMBERS", 256)
    monkeypatch.setattr(
        "combatlog.rules.engine.dice.dice_sources.hmac.digest",
        lambda *_: next(drawn).to_bytes(8, "big") + bytes(24),
    )
    assert face_by_event(SEED, ENCOUNTER, 0, 7, 0, D6) == 251 % 6 + 1


def committed_drill() -> Drill:
    drill = Drill(dice="committed")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 40})
    drill.do("gm", "start")
    return drill


def seed_of(fight: FightEngine) -> bytes:
    assert fight.seed is not None
    return fight.seed


def test_the_commitment_is_recorded_first_and_the_seed_last() -> None:
    fight = committed_drill().fight
    seed = seed_of(fight)
    opened = only(fight.events, EncounterOpened)
    assert opened.commitment == sha256(seed).hexdigest()
    assert not any(seed.hex() in event.model_dump_json() for event in fight.events)
    fight.declare(CLOSE)
    assert only(fight.events, EncounterClosed).seed == seed.hex()
    assert list(unfair(fight.events)) == []


def test_two_encounters_never_share_a_seed() -> None:
    assert committed_drill().fight.seed != committed_drill().fight.seed


def forged(events: Sequence[Event], seq: int, **changes: object) -> list[Event]:
    return [event.model_copy(update=changes) if event.seq == seq else event for event in events]


def test_a_face_that_does_not_follow_is_named() -> None:
    fight = committed_drill().fight
    fight.declare(CLOSE)
    roll = all_of(fight.events, Rolled)[1]
    other = 1 if roll.faces != (1,) else 2
    assert [seq for seq, _ in unfair(forged(fight.events, roll.seq, faces=(other,)))] == [roll.seq]
    foreign = forged(fight.events, roll.seq, dice_source=FaceOrigin.RNG)
    assert [seq for seq, _ in unfair(foreign)] == [roll.seq]


@pytest.mark.parametrize("seed", [None, "00" * 32])
def test_a_closing_that_reveals_nothing_or_another_seed_is_named(seed: str | None) -> None:
    fight = committed_drill().fight
    fight.declare(CLOSE)
    closing = only(fight.events, EncounterClosed)
    assert [seq for seq, _ in unfair(forged(fight.events, closing.seq, seed=seed))] == [closing.seq]


def test_nothing_can_be_said_before_it_closes() -> None:
    fight = committed_drill().fight
    roll = all_of(fight.events, Rolled)[0]
    assert list(unfair(forged(fight.events, roll.seq, faces=(21,)))) == []


def test_dice_of_the_table_are_taken_and_say_so() -> None:
    drill = Drill(dice="committed")
    drill.join("fighter", "Rurik", (1, 1))
    rolled = only(drill.start(dice=[11]), Rolled)
    drill.fight.declare(CLOSE)
    assert rolled.dice_source is FaceOrigin.TABLE
    assert list(unfair(drill.fight.events)) == []


@each("chance", range(12))
def test_fights_at_random_are_fair_through_every_correction(chance: int) -> None:
    fight = random_fight(chance, 25, dice="committed")
    for place in (3, 5, 7):
        seq = declarations(fight)[place].seq
        plan = plan_undo_passing(fight, {seq})
        fight = FightEngine([*fight.events, *plan.new], seed=fight.seed)
    if fight.battle.window is None:
        fight.declare(CLOSE)
        assert [event for event in fight.events if isinstance(event, EncounterClosed)]
    assert list(unfair(fight.events)) == []


def test_extra_dice_of_a_correction_follow_from_the_number_of_their_roll() -> None:
    drill = committed_drill()
    turn = str(drill["turn"])
    other = {"rurik": "snig", "snig": "rurik"}[turn]
    drill.do(turn, "attack")
    struck = drill.do(turn, "strike", target=other)
    first = all_of(struck, Rolled)[0]
    forgotten = Amendment.model_validate(
        {"add": [{"what": "disadvantage", "source": "fog", "owner": turn, "chain": "attack"}]}
    )
    plan = plan_amend(drill.fight, first.seq, forgotten, by="gm", reason="fog")
    again = next(roll for roll in all_of(plan.new, Rolled) if roll.purpose == first.purpose)
    source = CommittedDice(seed_of(drill.fight), drill.fight.battle.id)
    extra = source.faces(parse("1d20").dice, again.seq, "attack", 1, number=first.drawn)
    assert (again.drawn, again.faces) == (first.drawn, (*first.faces, *extra))
    fight = FightEngine([*drill.fight.events, *plan.new], seed=drill.fight.seed)
    fight.declare(CLOSE)
    assert list(unfair(fight.events)) == []


def test_a_misread_die_is_on_record_as_read_by_people() -> None:
    drill = committed_drill()
    roll = all_of(drill.fight.events, Rolled)[0]
    other = 1 if roll.faces != (1,) else 2
    plan = plan_amend(drill.fight, roll.seq, Amendment(faces={roll.seq: (other,)}), by="gm", reason="misread")
    assert all_of(plan.new, Rolled)[0].dice_source is FaceOrigin.TABLE


def test_a_seed_that_the_encounter_did_not_commit_to_is_refused() -> None:
    fight = committed_drill().fight
    with pytest.raises(Problem) as caught:
        FightEngine(fight.events, seed=SEED)
    assert caught.value.code == "dice/wrong-seed"


def test_after_the_seed_is_public_only_real_dice_are_taken() -> None:
    drill = Drill(dice="committed")
    drill.join("fighter", "Rurik", (1, 1))
    drill.fight.declare(CLOSE)
    closed = only(drill.fight.events, EncounterClosed).declaration
    plan = plan_undo(drill.fight, {closed}, by="gm", reason="too early")
    fight = FightEngine([*drill.fight.events, *plan.new], seed=drill.fight.seed)
    with pytest.raises(Refusal) as caught:
        fight.declare(Declaration(actor="gm", action="core:time:start"))
    assert caught.value.code == "dice/revealed"
    assert fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[12])


def test_the_ledger_keeps_the_seed_for_whichever_process_rolls(referee: Referee, ledger: LedgerStore) -> None:
    open_bridge(referee)
    other = Referee(ledger)
    other.declare("bridge", Declaration(actor="gm", action="core:time:start"))
    other.declare("bridge", CLOSE)
    report = verify(ledger, "bridge")
    assert report.findings == []
    assert report.committed == 1


def open_bridge(referee: Referee) -> None:
    from combatlog.rules.engine import ruleset as rulesets

    referee.open(Opening(name="bridge", dice="committed"))
    options = {"sheet": rulesets.find("dnd5e").sheet("fighter"), "name": "Rurik"}
    referee.declare("bridge", Declaration(actor="gm", action="core:time:join", options=options))


def test_an_open_that_is_refused_keeps_the_first_seed(referee: Referee, ledger: LedgerStore) -> None:
    open_bridge(referee)
    before = ledger.seed(referee.fight("bridge").battle.id)
    with pytest.raises(Problem) as caught:
        Referee(ledger).open(Opening(name="bridge", dice="committed"))
    assert caught.value.code == "ledger/name-taken"
    assert ledger.seed(referee.fight("bridge").battle.id) == before


def test_a_fork_commits_itself_to_a_seed_of_its_own(referee: Referee, ledger: LedgerStore) -> None:
    open_bridge(referee)
    referee.fork("bridge", None, "what if", by="gm")
    for name in ("what if", "bridge"):
        Referee(ledger).declare(name, Declaration(actor="gm", action="core:time:start"))
    referee = Referee(ledger)
    referee.declare("what if", CLOSE)
    revealed = only(ledger.find("what if").events, EncounterClosed).seed
    assert revealed is not None
    assert bytes.fromhex(revealed) != ledger.seed(referee.fight("bridge").battle.id)
    assert verify(ledger, "what if").findings == []
    assert verify(ledger, "what if").committed == 1


def test_without_its_seed_an_encounter_takes_real_dice(referee: Referee, ledger: LedgerStore) -> None:
    open_bridge(referee)
    fight = FightEngine(ledger.find("bridge").events)
    with pytest.raises(Refusal) as caught:
        fight.declare(Declaration(actor="gm", action="core:time:start"))
    assert caught.value.code == "dice/no-seed"


def test_a_skirmish_that_is_won_reveals_the_seed() -> None:
    """It closes by itself, and not with the declaration `close`."""
    fight = FightEngine.open(Opening(name="won", ruleset="skirmish", dice="committed"), seed=SEED)
    drill = Drill("skirmish")
    drill.fight = fight
    for side in ("rebels", "empire"):
        drill.join({"kind": "player", "name": side, "deck": []}, side, side=side)
    drill.join("scout", "Scout", (1, 1), side="rebels")
    drill.join("trooper", "Trooper", (5, 1), side="empire")
    drill.do("gm", "start")
    drill.do("gm", "hurt", target="trooper", options={"amount": 99})
    assert only(fight.events, EncounterClosed).seed == SEED.hex()
    assert list(unfair(fight.events)) == []


def test_a_roll_without_dice_needs_no_number() -> None:
    """The damage of an unarmed strike is 1 + Strength: the attack roll has a number, and the damage has none."""
    drill = Drill()
    drill.fight = FightEngine.open(Opening(name="unarmed", dice="committed"), seed=SEED)
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"ac": 1})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", weapon="unarmed strike")
    assert [bool(roll.faces) for roll in all_of(drill.fight.events, Rolled)][-2:] == [True, False]
    assert list(unfair(drill.fight.events)) == []
