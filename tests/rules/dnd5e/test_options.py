"""What every declared action, spell, feature and reaction takes. Anything else is refused, and with a suggestion."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.options_and_validation import Part, option_fields
from combatlog.rules.engine.resolution.fight_engine import FightEngine, Opening, Reply
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, only
from ledger.errors import Problem, choices
from ledger.events import Declared, Event
from tests.cases import each

RULES = rulesets.find("dnd5e")

# By name: its options, then the parts of a declaration that it takes.
ACTIONS: dict[str, tuple[list[str], str]] = {
    # abilities
    "attack": (["multiattack"], ""),
    "dash": ([], ""),
    "delay": ([], "target"),
    "disengage": ([], ""),
    "dodge": ([], ""),
    "escape": ([], ""),
    "help": ([], "target"),
    "hide": ([], ""),
    "ready": (["trigger", "action", "slot", "for"], "target destination weapon"),
    "search": ([], ""),
    "blindness_deafness": (["slot"], "target"),
    "sunburst": (["slot"], "destination target"),
    "hold_monster": (["slot"], "target"),
    "faerie_fire": (["slot"], "destination target"),
    "slow": (["slot"], "target"),
    "divine_favor": (["slot"], "target"),
    "blur": (["slot"], "target"),
    "invisibility": (["slot"], "target"),
    "greater_invisibility": (["slot"], "target"),
    "light": ([], "target"),
    "hunters_mark": (["slot"], "target"),
    "inflict_wounds": (["slot"], "target"),
    "scorching_ray": (["slot"], "target"),
    "acid_arrow": (["slot"], "target"),
    "vampiric_touch": (["slot"], "target"),
    "spiritual_weapon": (["slot"], "target"),
    "arcane_sword": (["slot"], "target"),
    "call_lightning": (["slot"], "destination target"),
    "sunbeam": (["slot"], "destination target"),
    "moonbeam": (["slot"], "destination"),
    "insect_plague": (["slot"], "destination"),
    "sleet_storm": (["slot"], "destination"),
    "web": (["slot"], "destination"),
    "grease": (["slot"], "destination"),
    "spike_growth": (["slot"], "destination"),
    "blade_barrier": (["slot"], "destination"),
    "black_tentacles": (["slot"], "destination"),
    "spirit_guardians": (["slot"], "destination"),
    "cloudkill": (["slot"], "destination"),
    "incendiary_cloud": (["slot"], "destination"),
    "stinking_cloud": (["slot"], "destination"),
    "flaming_sphere": (["slot"], "destination"),
    "wall_of_thorns": (["slot"], "destination"),
    "flame_blade": (["slot"], "target"),
    "branding_smite": (["slot"], "target"),
    "phantasmal_killer": (["slot"], "target"),
    "weird": (["slot"], "destination target"),
    "vitriolic_sphere": (["slot"], "destination target"),
    "stabilize": ([], "target"),
    "put_out": ([], "target"),
    "wake": ([], "target"),
    # actions
    "grapple": ([], "target"),
    "shove": (["as"], "target"),
    "drop_prone": ([], ""),
    "let_go": ([], "target"),
    "flurry_strike": (["technique"], "target"),
    "drop_shield": ([], ""),
    "melee_attack": (["knock_out", "two_hands"], "target weapon"),
    "martial_strike": ([], "target"),
    "move": (["by", "altitude", "drag", "via"], "destination"),
    "open_door": ([], "destination"),
    "close_door": ([], "destination"),
    "force": (["dc"], "destination"),
    "torch": ([], ""),
    "mount": (["independent"], "target"),
    "dismount": ([], ""),
    "off_hand_strike": ([], "target"),
    "ranged_attack": ([], "target weapon"),
    "stand_up": ([], ""),
    "pick_up": ([], "weapon"),
    "strike": (["knock_out", "two_hands", "thrown"], "target weapon"),
    "take_shield": ([], ""),
    # features
    "action_surge": ([], ""),
    "bardic_inspiration": ([], "target"),
    "cunning_action": (["as"], ""),
    "lay_on_hands": (["points", "cure"], "target"),
    "sacred_weapon": ([], ""),
    "turn_undead": ([], "target"),
    "potion_of_healing": ([], "target"),
    "flurry_of_blows": ([], ""),
    "patient_defense": ([], ""),
    "aggressive": ([], "destination"),
    "frenzy": ([], "target weapon"),
    "nimble_escape": (["as"], ""),
    "deathless_agility": (["as"], ""),
    "follow_up": ([], "target"),
    "rage": ([], ""),
    "reckless_attack": ([], ""),
    "second_wind": ([], ""),
    "step_of_the_wind": (["as"], ""),
    # spells
    "bane": (["slot"], "target"),
    "bless": (["slot"], "target"),
    "dimension_door": (["slot"], "destination target"),
    "protection_from_evil_and_good": (["slot"], "target"),
    "beacon_of_hope": (["slot"], "target"),
    "holy_aura": (["slot"], "target"),
    "sanctuary": (["slot"], "target"),
    "mirror_image": (["slot"], "target"),
    "blink": (["slot"], "target"),
    "hex": (["slot", "ability"], "target"),
    "flesh_to_stone": (["slot"], "target"),
    "guardian_of_faith": (["slot"], "destination"),
    "burning_hands": (["slot"], "destination target"),
    "cure_wounds": (["slot"], "target"),
    "false_life": (["slot"], "target"),
    "acid_splash": ([], "target"),
    "chill_touch": ([], "target"),
    "poison_spray": ([], "target"),
    "sacred_flame": ([], "target"),
    "vicious_mockery": ([], "target"),
    "counterspell": ([], ""),
    "eldritch_blast": ([], "target"),
    "fire_bolt": ([], "target"),
    "guiding_bolt": (["slot"], "target"),
    "produce_flame": ([], "target"),
    "ray_of_frost": ([], "target"),
    "shocking_grasp": ([], "target"),
    "fireball": (["slot"], "destination target"),
    "healing_word": (["slot"], "target"),
    "hellish_rebuke": ([], ""),
    "hold_person": (["slot"], "target"),
    "lightning_bolt": (["slot"], "destination target"),
    "magic_missile": (["slot"], "target"),
    "misty_step": (["slot"], "destination"),
    "shield": ([], ""),
    "thunderwave": (["slot"], "destination target"),
    "wall_of_fire": (["slot"], "destination"),
    "fog_cloud": (["slot"], "destination"),
    "darkness": (["slot"], "destination"),
    "dominate_person": (["slot"], "target"),
}

REACTIONS: dict[str, list[str]] = {
    "counterspell": ["slot"],
    "cutting_words": [],
    "deflect_missiles": [],
    "divine_smite": ["slot"],
    "hellish_rebuke": [],
    "lair_action": ["action", "target", "to", "move"],
    "legendary_action": ["action", "target", "to", "move"],
    "legendary_resistance": [],
    "inspired": [],
    "lucky": [],
    "opportunity_attack": ["weapon"],
    "parry": [],
    "protection": [],
    "readied": [],
    "sentinel": [],
    "stunning_strike": [],
    "shield": [],
    "uncanny_dodge": [],
}

SPELL = {"level": 1, "range": 60}
SAVED = {"dc": 12, "range": 30}
DAMAGE = {"damage": "1d6", "damage_type": "cold"}
CONE = {**DAMAGE, "shape": "cone", "size": 15, "save": "dex"}
PRONE = {"condition": "prone", "save": "str"}

# What a pack or a sheet can bring: section, archetype, definition; then its options and parts, as above.
MADE: list[tuple[str, str, dict[str, Any], list[str], str]] = [
    ("spells", "affliction", {**SPELL, **PRONE}, ["slot"], "target"),
    ("spells", "affliction", {**SPELL, **PRONE, "level": 0}, [], "target"),
    ("spells", "area", {**SPELL, **CONE}, ["slot"], "destination target"),
    ("spells", "zone", {**SPELL, "shape": "sphere", "size": 10}, ["slot"], "destination"),
    ("spells", "beams", {**SPELL, **DAMAGE, "level": 0}, [], "target"),
    ("spells", "blast", {**SPELL, **DAMAGE, "save": "dex"}, ["slot"], "target"),
    ("spells", "bolt", {**SPELL, **DAMAGE}, ["slot"], "target"),
    ("spells", "rays", {**SPELL, **DAMAGE}, ["slot"], "target"),
    ("spells", "bolt", {**SPELL, **DAMAGE, "level": 0}, [], "target"),
    ("spells", "boon", {**SPELL, "condition": "blessed"}, ["slot"], "target"),
    ("spells", "by_hand", {**SPELL, "text": "A door opens."}, ["slot"], "destination target"),
    ("spells", "darts", {**SPELL, **DAMAGE, "darts": 3}, ["slot"], "target"),
    ("spells", "healing", {**SPELL, "healing": "1d8"}, ["slot"], "target"),
    ("spells", "power_word", {**SPELL, "hit_points": 100}, ["slot"], "target"),
    ("spells", "teleport", SPELL, ["slot"], "destination"),
    ("spells", "temporary_hit_points", {**SPELL, "temporary": "1d4+4"}, ["slot"], "target"),
    *[
        row
        for section in ("actions", "features")
        for row in (
            (section, "affliction", {**SAVED, **PRONE}, list[str](), "target"),
            (section, "temporary_hit_points", {"temporary": "1d4"}, list[str](), "target"),
            (section, "area", {**SAVED, **CONE}, list[str](), "destination target"),
            (section, "blast", {**SAVED, **DAMAGE, "save": "dex"}, list[str](), "target"),
            (section, "by_hand", {"text": "It changes its shape."}, list[str](), "destination target"),
            (section, "teleport", {"range": 30}, list[str](), "destination"),
            (section, "stride", {}, list[str](), "destination"),
            (section, "healing", {"healing": "1d8"}, list[str](), ""),
            (section, "healing", {"healing": "1d8", "range": 30}, list[str](), "target"),
            (section, "stance", {"condition": "dodging"}, list[str](), ""),
            (section, "strike", {"damage": "1d6"}, list[str](), "target weapon"),
        )
    ],
]

FOUND: dict[str, Any] = {"target": ("ugh",), "destination": (5, 5), "weapon": "dagger"}


def duel(**sheet: Any) -> Drill:
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides=sheet)
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    return drill


def refused(drill: Drill, action: str, **said: Any) -> Problem:
    before = list(drill.fight.events)
    with pytest.raises(Problem) as problem:
        drill.do("mila", action, **said)
    assert drill.fight.events == before
    return problem.value


def check_refusals(drill: Drill, action: str, options: list[str], parts: str) -> None:
    """An option that nothing has is refused, and so is each part that the action does not take."""
    problem = refused(drill, action, options={"loudness": 2})
    takes = choices(options) if options else "none"
    assert problem.code == "declaration/unknown-option"
    assert problem.sentence == f"{action} has no option 'loudness'; it takes {takes}."
    assert problem.facts == {"what": action, "option": "loudness", "available": options, "suggestions": []}
    for part, argument in (("target", "target"), ("destination", "to"), ("weapon", "weapon")):
        if part not in parts.split():
            problem = refused(drill, action, **{argument: FOUND[part]})
            assert problem.code == f"declaration/takes-no-{part}"
            assert problem.facts == {"what": action, "part": part, "found": FOUND[part]}


@each(("action", "options", "parts"), [(name, *row) for name, row in ACTIONS.items()])
def test_actions_take_what_they_declare_and_nothing_else(action: str, options: list[str], parts: str) -> None:
    signature = RULES.signature(RULES.action_ref(action))
    assert signature is not None
    assert list(option_fields(signature.options)) == options
    assert signature.parts == {Part(part) for part in parts.split()}
    check_refusals(duel(), action, options, parts)


@each(("section", "archetype", "definition", "options", "parts"), MADE)
def test_what_a_sheet_brings_takes_what_it_declares_and_nothing_else(
    section: str, archetype: str, definition: dict[str, Any], options: list[str], parts: str
) -> None:
    own = {"name": "own", "archetype": archetype, **definition}
    check_refusals(duel(**{section: [own]}), "own", options, parts)


@each(("reaction", "options"), REACTIONS.items())
def test_reactions_take_what_they_declare_and_nothing_else(reaction: str, options: list[str]) -> None:
    signature = RULES.reaction_signature(RULES.reaction_ref(reaction))
    assert signature is not None
    assert (list(option_fields(signature.options)), signature.parts) == (options, frozenset())
    with pytest.raises(Problem) as problem:
        duel().fight.answer(Reply(reactor="mila", reaction=reaction, options={"loudness": 2}))
    assert problem.value.code == "declaration/unknown-option"
    assert problem.value.facts == {"what": reaction, "option": "loudness", "available": options, "suggestions": []}


def test_every_piece_that_can_be_declared_has_a_row() -> None:
    assert set(ACTIONS) == set(RULES.action_refs())
    assert set(REACTIONS) == set(RULES.reaction_refs())
    declared = [
        (section, archetype)
        for section in ARCHETYPES.types
        for archetype, piece in ARCHETYPES.of(section).items()
        if issubclass(piece, Activity)
    ]
    assert set(declared) == {row[:2] for row in MADE}


def test_every_piece_and_every_option_says_what_it_is() -> None:
    signatures = [RULES.signature(ref) for ref in RULES.action_refs().values()]
    signatures += [RULES.reaction_signature(ref) for ref in RULES.reaction_refs().values()]
    for signature in signatures:
        assert signature is not None
        assert signature.about.endswith(".")
        assert all(info.description for info in option_fields(signature.options).values())


def test_an_option_that_is_nearly_right_is_suggested() -> None:
    problem = refused(duel(), "magic_missile", target="ugh", options={"level": 2})
    assert problem.sentence == "magic_missile has no option 'level'; it takes slot."
    assert refused(duel(), "magic_missile", target="ugh", options={"slto": 2}).facts["suggestions"] == ["slot"]


@pytest.mark.parametrize(
    ("action", "said", "code"),
    [
        ("ready", {}, "declaration/missing-option"),
        ("ready", {"options": {"trigger": "sneezes"}}, "declaration/invalid-option"),
        ("step_of_the_wind", {"options": {"as": "dodge"}}, "declaration/invalid-option"),
        ("magic_missile", {"target": "ugh", "options": {"slot": "high"}}, "declaration/invalid-option"),
        ("magic_missile", {"target": "ugh", "options": {"slot": 10}}, "spell/slot"),
        ("magic_missile", {"target": ["ugh", "ugh", "ugh", "mila"]}, "spell/targets"),
        ("hold_person", {"target": ["ugh", "ugh"]}, "declaration/target-twice"),
    ],
)
def test_values_that_mean_nothing_are_refused(action: str, said: dict[str, Any], code: str) -> None:
    assert refused(duel(), action, **said).code == code


# Encounters


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"diagonal": "5-10-5"}, "declaration/unknown-option"),
        ({"flanking": "on"}, "declaration/unknown-option"),
        ({"diagonals": "5-5"}, "declaration/invalid-option"),
    ],
)
def test_an_encounter_takes_no_optional_rule_that_there_is_not(options: dict[str, Any], code: str) -> None:
    with pytest.raises(Problem) as problem:
        FightEngine.open(Opening(name="hall", options=options))
    assert (problem.value.code, problem.value.facts["what"]) == (code, "dnd5e")


@pytest.mark.parametrize(
    ("given", "recorded"),
    [
        ({}, {"diagonals": "5"}),
        ({"diagonals": 5}, {"diagonals": "5"}),
        ({"diagonals": "5-10-5", "campaign": "riverlands"}, {"diagonals": "5-10-5", "campaign": "riverlands"}),
    ],
)
def test_an_encounter_records_its_optional_rules_in_full(given: dict[str, Any], recorded: dict[str, Any]) -> None:
    conceals = {"unseen": ["dnd5e:condition:hidden"], "unnoticed": ["dnd5e:condition:readied"]}
    opened = FightEngine.open(Opening(name="hall", options=given))
    assert opened.battle.encounter.options == recorded | {"conceals": conceals}


# Fights from before options were declared


def recorded_with(events: list[Event], action: str, **said: Any) -> list[Event]:
    """The events as if somebody had declared an action in these words."""
    ref = RULES.action_ref(action)
    old = only([event for event in events if isinstance(event, Declared) and event.action == ref], Declared)
    return [event.model_copy(update=said) if event is old else event for event in events]


def test_older_fights_that_recorded_options_without_effect_still_verify() -> None:
    drill = duel()
    drill.do("mila", "fire_bolt", target="ugh", dice=(2, 2))
    drill.next_turn()
    drill.do("ugh", "ready", options={"trigger": "approaches"})
    events = recorded_with(drill.fight.events, "fire_bolt", options={"slot": 3, "level": 2}, weapon="dagger")
    events = recorded_with(events, "ready", options={"foo": "bar"})
    assert list(check_declarations(events)) == []
