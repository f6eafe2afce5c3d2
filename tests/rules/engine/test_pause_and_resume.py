"""A window that waits for a person: what was recorded is kept, and the same code goes on past it."""

from __future__ import annotations

import pytest

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import Declared, ReactionDeclined, ReactionWindowOpened, Rolled
from projections.battle.fold import fold
from projections.views.state import battle_state
from tests.support import protected_duel


@pytest.fixture
def waiting() -> Drill:
    """Snig strikes at Rurik and Osric is asked whether he protects him."""
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    return drill


def test_the_resolution_stops_at_the_window_before_any_die(waiting: Drill) -> None:
    assert waiting["waiting"] == "osric"
    strike = [e for e in waiting.fight.events if e.declaration == waiting.fight.events[-1].declaration]
    assert isinstance(strike[0], Declared)
    assert isinstance(strike[-1], ReactionWindowOpened)
    assert all_of(strike, Rolled) == []


def test_the_answer_carries_on_where_it_stopped(waiting: Drill) -> None:
    before = list(waiting.fight.events)
    new = waiting.react("osric", "protection", dice=[15, 8])
    assert waiting.fight.events == [*before, *new]
    assert new[0].seq == before[-1].seq + 1
    assert only(new, Rolled).kept == (8,)
    assert waiting["waiting"] is None


def test_any_process_can_carry_on(waiting: Drill) -> None:
    """What waits is in the log, not in a stack: another process reads it and answers."""
    other = FightEngine(waiting.fight.events)
    new = other.answer(Reply(reactor="osric", reaction=None), dice=[9])
    assert only(new, ReactionDeclined).reactor == "osric"
    assert only(new, Rolled).faces == (9,)


@pytest.mark.parametrize(
    ("actor", "reaction", "code"),
    [
        ("rurik", "protection", "reaction/not-asked"),
        ("osric", "shield_wall", "declaration/unknown-reaction"),
    ],
)
def test_wrong_answers_are_refused(waiting: Drill, actor: str, reaction: str, code: str) -> None:
    before = list(waiting.fight.events)
    with pytest.raises(Problem) as caught:
        waiting.react(actor, reaction, dice=[9])
    assert caught.value.code == code
    assert waiting.fight.events == before
    assert waiting["waiting"] == "osric"


@pytest.mark.parametrize(
    ("dice", "code"), [([9, 4, 3, 2], "dice/too-many"), ([], "dice/too-few"), ([33], "dice/impossible-face")]
)
def test_dice_that_do_not_fit_leave_the_window_open(waiting: Drill, dice: list[int], code: str) -> None:
    before = battle_state(waiting.fight.battle)
    with pytest.raises(Problem) as caught:
        waiting.react("osric", None, dice=dice)
    assert caught.value.code == code
    assert battle_state(waiting.fight.battle) == before


def test_dice_given_before_a_window_are_too_early(waiting: Drill) -> None:
    waiting.react("osric", None, dice=[9])
    waiting.do("gm", "rule", target="snig", options={"set": {"attacks": 1}, "reason": "haste"})
    assert waiting.refusal("snig", "strike", target="rurik", dice=[15]).code == "dice/too-many"


def test_only_the_answer_or_a_ruling_is_taken_while_it_waits(waiting: Drill) -> None:
    assert waiting.refusal("snig", "dash").code == "window/waiting"
    assert waiting.refusal("snig", "end-turn").code == "window/waiting"
    waiting.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "he was hurt before"})
    assert waiting["rurik.hp"] == 3
    assert waiting["waiting"] == "osric"


def test_a_ruling_in_between_counts_for_what_follows_it(waiting: Drill) -> None:
    waiting.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "he was hurt before"})
    waiting.react("osric", None, dice=[15, 4])  # hits for 4 + 2
    assert waiting["rurik.hp"] == 0
    assert waiting["rurik.conditions"] == ["dying", "prone", "unconscious"]
    assert list(check_declarations(waiting.fight.events)) == []


def test_a_policy_answers_by_itself() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2), reactions={"protection": "never"})
    drill.start(dice=[20, 10, 5])
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=[9])
    assert only(events, ReactionDeclined).decided_by == "policy"


def test_an_answer_nobody_asked_for_is_refused(waiting: Drill) -> None:
    waiting.react("osric", None, dice=[9])
    waiting.do("gm", "rule", target="snig", options={"set": {"attacks": 1}, "reason": "haste"})
    code = waiting.refusal("snig", "strike", target="osric", dice=[9], replies={"osric": "protection"}).code
    assert code == "reaction/not-offered"


def test_state_kept_while_playing_equals_a_fold_from_scratch(waiting: Drill) -> None:
    waiting.react("osric", "protection", dice=[15, 8])
    assert battle_state(fold(waiting.fight.events)) == battle_state(waiting.fight.battle)
