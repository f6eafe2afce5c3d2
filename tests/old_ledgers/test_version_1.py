"""A fight recorded in version 1 of every kind goes on, is explained, corrected and verified as if it were of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.corrections.plan import PlanVerdict
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import one, plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.events import UNRECORDED, AttackResolved, ChainModified, Event, ResourceChanged, Rolled
from projections.readmodels.facts import attack_facts
from projections.review.explanation import ExplanationNode, explain
from tests.cases import each
from tests.old_ledgers.version_1 import as_version_1, recorded_before
from tests.rules.skirmish.arena import Arena
from tests.support import protected_duel

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*/*.yaml"))


@pytest.mark.slow
@each("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_verifies(path: Path) -> None:
    fight, _ = play_in_memory(read_scenario(path))
    old = as_version_1(fight.events)
    assert {change.source for change in all_of(old, ResourceChanged)} == {UNRECORDED}
    assert list(check_declarations(old)) == []


def test_a_second_spell_in_a_turn_is_refused_all_the_same() -> None:
    drill = Drill()
    drill.join("cleric", "Mila", (1, 1))
    drill.join("fighter", "Rurik", (2, 1))
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 5}, "reason": "hurt"})
    drill.do("mila", "healing_word", target="rurik", dice=[3])
    recorded_before(drill)
    assert drill.refusal("mila", "cure_wounds", target="rurik").code == "spell/one-a-turn"


def test_a_bonus_for_next_attacks_counts_in_the_attack_after_it() -> None:
    arena = Arena(hand=["Beatdown"])
    arena.do("hero", "activate")
    arena.play("hero", "Beatdown")
    recorded_before(arena)
    assert arena.fight.battle.combatants["rebels"].conditions["skirmish:condition:next_attacks"].data == {
        "bonuses": [{"source": "skirmish:card:beatdown", "left": 2, "hits": 1}]
    }
    events = arena.do("hero", "attack", target="foe", dice=["0/1/0", "0/0"])
    assert arena["foe.health"] == 8  # 1 hit and 1 of the card
    (bonus,) = [event for event in all_of(events, ChainModified) if event.source == "skirmish:card:beatdown"]
    assert bonus.reason == "Beatdown"
    assert list(check_declarations(arena.fight.events)) == []


def test_a_bonus_for_the_round_counts_in_the_defence_after_it() -> None:
    arena = Arena(hand=["Take Position"])
    arena.do("hero", "activate")
    arena.play("hero", "Take Position")
    arena.end("hero")
    recorded_before(arena)
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=["0/2/0", "0/0"])
    recorded_before(arena)
    assert list(check_declarations(arena.fight.events)) == []


@pytest.fixture
def drill() -> Drill:
    """Rurik attacks and strikes Snig twice over, and the GM says something in between."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 30})
    drill.start(dice=[20, 5])
    drill.do("gm", "rule", options={"note": "it rains", "reason": "mood"})
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 4])
    return drill


def declared(drill: Drill, action: str) -> set[int]:
    found = [event.seq for event in drill.fight.events if getattr(event, "action", "").endswith(f":{action}")]
    return one(drill.fight, found[0])


def test_an_undo_in_the_middle_finds_nothing_changed(drill: Drill) -> None:
    recorded_before(drill)
    plan = plan_undo(drill.fight, declared(drill, "rule"), by="gm", reason="it does not")
    assert [entry.verdict for entry in plan.entries] == [PlanVerdict.TAKEN_BACK, PlanVerdict.KEPT, PlanVerdict.KEPT]
    assert plan.new == [plan.correction]
    assert list(check_declarations([*drill.fight.events, *plan.new])) == []


def test_what_a_ruling_kept_comes_out_as_recorded(drill: Drill) -> None:
    """Its outcomes are in the declaration's options, as version 1 of their kinds had them."""
    plan = plan_undo(drill.fight, declared(drill, "attack"), by="gm", reason="no", remedies=Remedies(Impossible.KEEP))
    assert plan.of(PlanVerdict.UPHELD)
    before = as_version_1([*drill.fight.events, *plan.new])
    assert FightEngine(before).battle.combatants["snig"].vitals["hp"].current == 23  # 4 + 3
    assert list(check_declarations(before)) == []


# Explanations and statistics


def test_a_roll_is_explained_by_the_modifiers_of_its_chain() -> None:
    today = protected_duel()
    today.do("snig", "attack")
    events = today.do("snig", "strike", target="rurik", dice=[15, 8], replies={"osric": "protection"})
    roll = only(events, Rolled)
    counted = [_counted(of, roll.seq) for of in (today.fight.events, as_version_1(today.fight.events))]
    assert counted[0] == ["dex", "proficiency", "protection"]
    assert counted[1] == counted[0]


def _counted(events: list[Event], roll: int) -> list[str]:
    found: dict[int, ExplanationNode] = {}

    def collect(node: ExplanationNode) -> None:
        found[node.event.seq] = node
        for effect in node.effects:
            collect(effect)

    collect(explain(events, roll).tree)
    return [modifier.source.rsplit(":", 1)[1] for modifier in found[roll].counted]


def test_the_same_sources_are_told_of_an_attack() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    strike = drill.do("snig", "strike", target="rurik", dice=[15, 8], replies={"osric": "protection"})
    facts = [list(attack_facts(only(group, AttackResolved), group[::-1])) for group in (strike, as_version_1(strike))]
    assert facts[0] == facts[1]
    sources = [row[6] for table, row in facts[0] if table == "attack_sources"]
    assert sources == ["dnd5e:score:dex", "dnd5e:score:proficiency", "dnd5e:feature:protection"]
