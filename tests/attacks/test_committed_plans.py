"""Plans of corrections that need committed dice: they show no face that was not rolled, however often they are made."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

import combatlog
from combatlog import Amend, Insert, RecordedFight, Undo
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections.amend import Forgotten
from combatlog.rules.engine.corrections.plan import PlanVerdict
from combatlog.rules.engine.corrections.undo import declarations
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.verification.verify import verify
from combatlog.testing import all_of
from ledger.errors import Problem
from ledger.events import ReactionDeclined, Rolled
from ledger.exchange.backup import back_up, restore_backup
from ledger.store.ledger import LedgerStore
from tests.attacks.committed import FOG, NAME, NOTE, SEED, STRIKE, face, opened, rolls
from tests.cli.conftest import Run


def struck_at(fight: RecordedFight) -> int:
    return declarations(fight.backend.in_memory())[-1].seq


def test_a_plan_shows_no_face_that_was_not_rolled(recorded: RecordedFight) -> None:
    seq = struck_at(recorded)
    for _ in range(3):
        plan = recorded.plan(Amend(seq, add=[FOG]))
        assert plan.needs is not None
        assert (plan.needs.declaration, plan.needs.purpose, plan.needs.dice) == (seq, "attack", ("d20",))
        assert [entry.verdict for entry in plan.entries] == [PlanVerdict.NEEDS_DICE]
        assert (plan.new, plan.after, plan.state_changes()) == ([], plan.before, [])
    assert recorded.history()[-1].declaration == seq


def test_what_it_needs_is_rolled_when_it_is_carried_out(recorded: RecordedFight) -> None:
    """However often it was planned before."""
    seq = struck_at(recorded)
    plans = [recorded.plan(Amend(seq, add=[FOG])) for _ in range(3)]
    outcome = recorded.apply(plans[0])
    assert rolls(outcome.events)[0] == (1, (face(1), face(1, index=1)))
    assert recorded.apply(plans[0]).repeated
    assert all_of(plans[0].complete().new, Rolled)[0].faces == (face(1), face(1, index=1))
    assert verify(recorded.ledger.store, NAME).findings == []


def test_what_to_do_with_later_declarations_is_decided_first(recorded: RecordedFight) -> None:
    """A correction that is refused after a die was rolled would tell how it fell."""
    seq = struck_at(recorded)
    recorded.declare(Declaration(actor="rurik", action="core:time:end-turn"))
    before = recorded.history()
    with pytest.raises(Refusal) as caught:
        recorded.apply(recorded.plan(Amend(seq, add=[FOG])))
    assert recorded.history() == before
    assert caught.value.code == "correction/decide-first"
    plan = recorded.plan(Amend(seq, add=[FOG], impossible="drop"))
    assert [entry.verdict for entry in plan.entries] == [PlanVerdict.NEEDS_DICE, PlanVerdict.OPEN]
    recorded.apply(plan)
    assert recorded.state().clock.turn == "snig"
    assert verify(recorded.ledger.store, NAME).findings == []


def test_an_insertion_shows_no_face_before_it_is_carried_out(recorded: RecordedFight) -> None:
    """A second strike before the recorded one, which then is the second of one attack and no longer possible."""
    seq = struck_at(recorded)
    insertion = {"before": seq, "target": "snig", "impossible": "drop"}
    for _ in range(2):
        plan = recorded.plan(Insert("rurik", "strike", **insertion))
        assert plan.needs is not None
        assert (plan.needs.purpose, plan.needs.dice) == ("attack", ("d20",))
        assert plan.needs.declaration == plan.before.seq + 2
        assert [entry.verdict for entry in plan.entries] == [PlanVerdict.NEEDS_DICE, PlanVerdict.OPEN]
        assert (plan.new, plan.after) == ([], plan.before)
    taken = [number for number, _ in rolls(recorded.history()) if number is not None]
    outcome = recorded.apply(plan)
    assert rolls(outcome.events)[0] == (max(taken) + 1, (face(max(taken) + 1),))
    assert [entry.verdict for entry in plan.complete().entries] == [PlanVerdict.INSERTED, PlanVerdict.IMPOSSIBLE]
    assert verify(recorded.ledger.store, NAME).findings == []


def test_dice_of_the_table_can_be_seen_in_a_plan(recorded: RecordedFight) -> None:
    plan = recorded.plan(Amend(struck_at(recorded), add=[FOG], dice=[1]))
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
    recorded.apply(recorded.plan(Undo()))
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
        recorded.plan(Amend(struck_at(recorded), add=[FOG, bonus]))
    assert caught.value.code == "amend/undecided-chain"


def seed_where(miss_then_hit: bool) -> bytes:
    """A seed with which Rurik misses with the first die of the first roll, and then hits with the second one or not."""
    seeds = (number.to_bytes(32, "big") for number in count(1))
    first, second = (range(2, 4), range(17, 20) if miss_then_hit else range(2, 4))
    return next(s for s in seeds if face(1, seed=s) in first and face(1, index=1, seed=s) in second)


@pytest.fixture
def dodging(ledger_at: Callable[[str], LedgerStore], database: str, request: pytest.FixtureRequest) -> RecordedFight:
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
    dodging.apply(dodging.plan(Amend(struck_at(dodging), add=[BLESSED])))
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
    outcome = dodging.apply(dodging.plan(Amend(seq, add=[BLESSED], impossible="drop")))
    assert [event.reactor for event in all_of(outcome.events, ReactionDeclined)] == ["snig"]
    assert dodging.state().window is None
    assert verify(dodging.ledger.store, NAME).findings == []


@pytest.mark.parametrize("dodging", [True, False], indirect=True)
def test_an_answer_given_in_advance_is_taken_or_not_without_a_word(dodging: RecordedFight) -> None:
    """If the answer to a window that never opens were refused, that would tell that the attack misses."""
    seq = struck_at(dodging)
    dodging.declare(NOTE)
    later = {"snig": "uncanny dodge"}
    dodging.apply(dodging.plan(Amend(seq, add=[BLESSED], replies=later, impossible="drop")))
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
    with LedgerStore.open(other) as copy:
        restored = combatlog.Ledger(copy).fight(NAME)
        restored.apply(restored.plan(Undo()))
        with pytest.raises(Problem) as caught:
            restored.declare(STRIKE)
    assert caught.value.code == "dice/no-seed"
