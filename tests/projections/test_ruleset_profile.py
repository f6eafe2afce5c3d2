"""What rulesets declare about their fights, and the sentences that come of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.engine.ruleset import find
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Change, Event
from projections.review.replay import Selection
from projections.ruleset_profile import Naturals, RulesetProfile, profile_of, profiles, read_profile
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import condition_in_words, no_longer, the_side
from projections.story.telling import tell
from tests.cases import each
from tests.projections.test_story import last
from tests.projections.test_words import sample

RULESETS = ("action_points", "dnd5e", "skirmish")


@each("ruleset", RULESETS)
def test_a_profile_names_only_what_its_ruleset_has(ruleset: str) -> None:
    profile, rules = profile_of(ruleset), find(ruleset)
    assert set(profile.conditions) <= set(rules.condition_names())
    assert set(profile.actions) <= set(rules.action_refs())
    assert profile.untold <= set(rules.action_refs().values())
    assert profile.falls <= set(rules.condition_names())
    assert set(profile.reactions) <= set(rules.reaction_refs())
    named = {action for words in profile.conditions.values() for action in words.said_by}
    assert named <= set(rules.action_refs())


def test_a_ruleset_without_a_profile_gets_the_defaults() -> None:
    assert profile_of("no-such-ruleset") == RulesetProfile()
    assert set(RULESETS) < set(profiles())


@pytest.mark.parametrize("text", ["attack: [", "no_such_field: 1", "conditions: {prone: {told: false}}"])
def test_a_profile_that_cannot_be_used_is_a_problem(tmp_path: Path, text: str) -> None:
    file = tmp_path / "profile.yaml"
    file.write_text(text)
    with pytest.raises(Problem) as caught:
        read_profile(file)
    assert caught.value.code == "ruleset/profile"
    assert str(file) in caught.value.sentence


def test_no_rules_are_loaded_for_a_profile() -> None:
    program = (
        "import sys; from projections.ruleset_profile import profile_of; "
        "assert profile_of('dnd5e').difficulty == 'DC'; assert 'combatlog.rules' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@each(
    ("condition", "holds", "ends"),
    [
        ("dnd5e:condition:prone", "is prone", "is no longer prone"),
        ("dnd5e:condition:blending_in", "is blending in", "is no longer blending in"),
        ("dnd5e:condition:exhaustion", "has exhaustion", "no longer has exhaustion"),
        ("dnd5e:condition:zone", "keeps up an effect on the map", "no longer keeps up an effect on the map"),
        (
            "dnd5e:condition:sustaining",
            "can use a spell again without casting it anew",
            "can no longer use a spell again",
        ),
        (
            "dnd5e:condition:scathed",
            "has been affected by the terrain this turn",
            "can be affected by the terrain again",
        ),
        ("dnd5e:condition:shieldless", "has put its shield down", "has its shield up again"),
        ("action_points:condition:aimed", "has taken aim", "loses its aim"),
        ("skirmish:condition:no_cards", "cannot play Command cards", "can play Command cards again"),
        ("core:condition:unrevealed", "stays unseen by the players", "comes into sight"),
        ("elsewhere:condition:off_guard", "is off guard", "is no longer off guard"),
    ],
)
def test_words_for_conditions(condition: str, holds: str, ends: str) -> None:
    assert (condition_in_words(condition), no_longer(condition)) == (holds, ends)


@pytest.mark.parametrize(
    ("reaction", "words"),
    [
        ("dnd5e:feature:protection", "uses protection"),
        ("dnd5e:spell:counterspell", "casts counterspell"),
        ("dnd5e:action:opportunity_attack", "makes an opportunity attack"),
        ("action_points:reaction:shield_block", "blocks with the shield"),
        ("elsewhere:reaction:roll_away", "uses roll away"),
        ("duck", "uses duck"),
    ],
)
def test_words_for_reactions(reaction: str, words: str) -> None:
    assert profile_of(reaction.partition(":")[0]).reaction(reaction) == words


@pytest.mark.parametrize(
    ("side", "words"), [("heroes", "the heroes"), ("empire", "the empire"), ("neutral", "the neutral side")]
)
def test_sides(side: str, words: str) -> None:
    assert the_side(side) == words


@pytest.mark.parametrize(
    ("face", "reached", "hits"),
    [(20, False, True), (1, True, False), (12, True, True), (12, False, False), (None, True, True)],
)
def test_natural_rolls(face: int | None, reached: bool, hits: bool) -> None:
    assert Naturals(hits=20, misses=1).hit(face, reached=reached) is hits


# In play


def test_a_spell_that_fills_squares_is_told_once() -> None:
    drill = Drill(map=[".........."] * 4)
    drill.join("wizard", "Mila", (0, 1), overrides={"spells": ["fog_cloud"]})
    drill.join("goblin", "Snig", (9, 3), side="foes")
    drill.start(dice=[20, 1])
    drill.do("mila", "fog_cloud", to=(2, 1))
    assert last(drill) == "Mila casts fog cloud at 2,1"


def test_the_readied_action_is_not_told_twice() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (0, 0))
    drill.join("goblin", "Snig", (6, 0), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "ready", options={"trigger": "approaches", "action": "strike"})
    assert last(drill) == "Rurik readies an action"


def test_what_ends_together_is_joined_with_or() -> None:
    """A death save of 20 brings Rurik back with 1 hit point."""
    drill = Drill()
    drill.join("fighter", "Rurik", (0, 0))
    drill.join("goblin", "Snig", (6, 0), side="foes")
    drill.start(dice=[1, 20])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 0}, "reason": "a trap"})
    assert last(drill).endswith("(a trap); Rurik falls unconscious and prone, and is dying")
    drill.end_turn("snig", dice=[20])
    assert last(drill) == (
        "Rurik makes a death save (20 against DC 10), regains 1 hp (now 1), and is no longer dying or unconscious"
    )


def test_an_attack_without_an_outcome_is_only_declared() -> None:
    """Its defender has not answered yet."""
    attack: dict[str, Any] = {"action": "action_points:action:attack", "targets": ("bor",), "options": {}}
    declared = sample("declared", seq=1, declaration=1, weapon=None, destination=None, **attack)
    assert told([declared], "action_points") == "Snig declares attack on Bor"


def told(events: Sequence[Event], ruleset: str) -> str:
    return tell(events, Selection().declarations(events), CombatantNames(ruleset=ruleset))[-1].text


def test_somebody_moves_to_the_neutral_side() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (0, 0), side="foes")
    drill.do("gm", "rule", target="snig", options={"side": "neutral", "reason": "bribed"})
    assert last(drill) == "The GM rules on Snig: now fights for the neutral side (bribed)"


def test_the_story_of_an_action_that_its_ruleset_leaves_to_the_check() -> None:
    drill = Drill("action_points")
    drill.join("duelist", "Ana")
    drill.join("brigand", "Bor", side="foes")
    drill.start()
    drill.do("ana", "use_skill", options={"skill": "athletics", "tv": 10}, dice=[0, 0, 0, 0])
    assert "declares" not in last(drill)
    assert last(drill).startswith("Ana makes an athletics check (")


def test_refs_that_are_none_are_told_as_they_are() -> None:
    """As in events that another program wrote."""
    declared = sample("declared", seq=1, declaration=1, action="juggle", weapon=None, destination=None, options={})
    assert told([declared], "dnd5e") == "Snig declares juggle on Rurik"
    granted = sample("action_granted", action="juggle", weapon=None, until=None)
    assert "may use juggle (" in in_words(granted)


def test_modifiers_of_conditions_and_amendments() -> None:
    prone = sample("chain_modified", source="dnd5e:condition:prone", owner="snig", reason="snig is prone")
    assert in_words(prone) == "The attack has disadvantage because Snig is prone (snig is prone)"
    forgotten = sample(
        "chain_modified",
        source="dnd5e:amendment:he_tripped",
        owner="vex",
        reason="he tripped (amended)",
        change=Change(op="advantage"),
    )
    assert in_words(forgotten) == "The attack has advantage for Vex: he tripped (amended)"
    worse = sample("chain_modified", change=Change(op="bonus", amount=-2), chain="damage_taken", reason="a shield")
    assert in_words(worse) == "Osric's protection subtracts 2 from the damage taken (a shield)"


def test_a_condition_that_begins_and_ends() -> None:
    """Where there is nothing but the events."""
    declared = sample("declared", seq=1, declaration=1, action="dnd5e:ability:dodge", targets=(), options={})
    mirrored = {"condition": "dnd5e:condition:mirrored", "declaration": 1}
    applied = sample("condition_applied", seq=2, until=None, level=None, **mirrored)
    removed = sample("condition_removed", seq=3, **mirrored)
    events = [declared, applied, removed]
    assert told(events, "dnd5e").endswith(": Rurik has mirror images and no longer has mirror images")
