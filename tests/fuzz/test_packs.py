"""Packs that people write: whatever is in one, it is used or refused, never a traceback; what is used can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.autoplay.player import PlayLimits, play
from combatlog.rules.content.pack_files import examine, read_packs
from combatlog.rules.content.reference import fields_of
from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from ledger.errors import Problem
from tests.effort import examples

VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-10, 130)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.text(max_size=12)
    | st.sampled_from(["1d6", "2d4+1", "99d99", "0d6", "dex", "con", "fire", "cone", "prone", "poisoned", "action"])
)
RULESETS = ("dnd5e", "action_points", "skirmish")
SECTIONS = [section for name in RULESETS for section in rulesets.find(name).pack_sections()]
FORMS = [form for section in SECTIONS for form in section.forms.values()]
OPTIONS = sorted({field.name for form in FORMS for field in fields_of(form)})
NAMES = st.sampled_from(["own", "fire_bolt", "dodge", "slot_1", "Own", "a b", "\u202e", "x" * 61])
ENTRY = st.dictionaries(
    st.sampled_from([*OPTIONS, "archetype", "name", "label", "type", "when", "to"]),
    st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(OPTIONS), inner)),
    max_size=8,
)
FILES = st.dictionaries(
    st.sampled_from(
        [*(f"{section.name}.yaml" for section in SECTIONS), "sheets/x.yaml", "creatures/y.yaml", "other.yaml"]
    ),
    st.dictionaries(NAMES, ENTRY | VALUES, max_size=3) | VALUES | ENTRY,
    max_size=4,
)


@examples(300)
@given(files=FILES, ruleset=st.sampled_from(RULESETS))
def test_any_pack_is_used_or_refused(tmp_path_factory: pytest.TempPathFactory, files: Any, ruleset: str) -> None:
    folder = tmp_path_factory.mktemp("pack")
    for name, content in files.items():
        write(folder / name, content)
    rules = rulesets.find(ruleset)
    report = examine(rules, folder)
    try:
        read_packs([folder], rules)
    except Problem as problem:
        assert problem.sentence
        assert report.findings
    else:
        assert not report.findings


def write(path: Path, data: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(data, allow_unicode=True), "utf-8", "replace")


# Definitions that are mostly right

LIKELY: dict[str, list[Any]] = {
    "level": [0, 1, 3],
    "ask": [None, "what becomes of the door"],
    "range": [0, 5, 30, 120],
    "casting": ["action", "bonus_action"],
    "more_per_slot": [0, 1, 2],
    "damage": ["1d6", "20d20", "2d4+3", "1d4-9"],
    "damage_type": ["fire", "poison", "radiant"],
    "shape": ["sphere", "cone", "cube", "line"],
    "size": [5, 30, 200],
    "spreads": [True, False],
    "save": ["dex", "wis"],
    "saved": ["half", "nothing"],
    "push": [0, 15, 1000],
    "melee": [True, False],
    "darts": [1, 20],
    "healing": ["1d8", "5d20+999"],
    "condition": ["poisoned", "paralyzed", "exhaustion", "hidden", "frightened", "helped", "raging", "unconscious"],
    "targets": [1, 20],
    "only": [[], ["humanoid"], ["undead"]],
    "save_again": [True, False],
    "lasts": ["minute", "next_turn"],
    "concentration": [True, False],
    "takes": ["action", "bonus_action", "nothing"],
    "uses": [1, 20],
    "recharge": [2, 6],
    "back_after": ["short", "long", "never"],
    "dc": [1, 30, "con"],
    "plus": ["level", "wis"],
    "weapon": ["dagger"],
    "once_a_turn": [True, False],
    "when": [
        {},
        {"by": "melee"},
        {"bloodied": True},
        {"target": ["humanoid"]},
        {"ability": "dex"},
        ["enter"],
        ["start", "end"],
    ],
    "then": [{"condition": "prone"}, {"condition": "stunned", "save": "con", "dc": 12, "save_again": True}],
    "reason": ["why not"],
    "around": [True, False],
    "spares": ["nobody", "oneself", "friends"],
    "text": ["whatever it says"],
    "temporary": ["1d4+4", "5d20"],
    "plus_per_slot": [0, 5],
    "at_once": [True, False],
    "obscures": [True, False],
    "darkness": [True, False],
    "pool": [None],  # two entries that each bring the same pool are refused
    "spends": [1, 20],
    "amount": [1, 100],
    "stopped_by": [[], ["fire", "acid"]],
    "most": [1, 200],
    "at": ["turn_start", "own_start", "own_end"],
    "resists": [[], ["slashing"]],
    "immune_to": [["piercing"]],
    "again": [None, "action", "bonus_action"],
    "extra": [[], [{"damage": "1d6", "damage_type": "cold"}]],
    "not_on": [[], ["undead", "construct"]],
    "of_ability": [True, False],
    "hit_points": [1, 50, 1000],
    "otherwise": [None, "stunned", "poisoned"],
    "unseen": [True, False],
    "brings": [0, 1, 20],
    "fixed": [0, 20],
    "unsettles": [True, False],
    "spent_after": [1, 60],
    "shields": [True, False],
    "once": [True, False],
    "hard_on": [[], ["fiend"]],
    "floats": [0, 20],
    "drawn": [True, False],
    "splashes": [True, False],
    "count": [1, 20],
    "fleeting": [True, False],
    "lasts_a_turn": [True, False],
    "escape": [True, False],
    "ignores_cover": [True, False],
    "minutes": [1, 10, 1440],
    "plus_modifier": [True, False],
    "difficult": [True, False],
    "spares_friends": [True, False],
    "each_step": [True, False],
    "follows": [True, False],
    "first_type": [None, "cold"],
    "rams": [True, False],
    "drifts": [0, 10],
    "moves": [0, 60],
    "not_while": [None, "sunlit"],
    "undying": [True, False],
    "bright": [0, 20, 500],
    "dim": [0, 20],
    "share": ["half", "full"],
    "gait": [None, "walk", "fly"],
    "slips": [True, False],
    "contributes": [
        [{"to": "attack", "dice": "1d4"}, {"to": "speed", "bonus": -50}],
        [{"to": "attacks", "bonus": 5}, {"to": "maximum_hp", "bonus": -50}],
        [{"to": "save", "minus_dice": "1d4"}, {"to": "attacks_on", "advantage": True}],
        [{"to": "attacks", "bonus": -50}, {"to": "armor_class", "bonus": -50, "when": {"by": "melee"}}],
    ],
}


@st.composite
def definitions(draw: st.DrawFn, section: str, name: str) -> dict[str, Any]:
    archetype, form = draw(st.sampled_from(list(ARCHETYPES.of(section).items())))
    fields = [field for field in fields_of(form) if field.required or draw(st.booleans())]
    return {
        "name": name,
        "archetype": archetype,
        **{field.name: draw(st.sampled_from(LIKELY[field.name])) for field in fields},
    }


MADE = ("spells", "features", "actions")


def test_every_option_has_likely_values() -> None:
    forms = [form for section in MADE for form in ARCHETYPES.of(section).values()]
    assert {field.name for form in forms for field in fields_of(form)} - set(LIKELY) == set()


@examples(20)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_what_is_taken_can_be_played(data: st.DataObject, seed: int) -> None:
    fight = FightEngine.open(Opening(name="fuzz", dice=f"seed:{seed}"))
    for number, place in enumerate([(2, 2), (4, 2)]):
        drawn = {section: [data.draw(definitions(section, f"{section}_{n}")) for n in range(2)] for section in MADE}
        own = {section: [one for one in entries if is_taken(section, one)] for section, entries in drawn.items()}
        side = "heroes" if number == 0 else "foes"
        options = {"sheet": fight.ruleset.sheet("wizard"), "name": f"c{number}", "side": side, "position": place}
        join = {**options, "overrides": {"hp": 60, **own}}
        fight.declare(Declaration(actor="gm", action="core:time:join", options=join))
    fight.declare(Declaration(actor="gm", action="core:time:start"))
    for _ in play(fight, PlayLimits(turns=3)):
        for combatant in fight.battle.present():
            assert fight.ruleset.menu(fight.battle, combatant)
    assert list(check_declarations(fight.events)) == []


def is_taken(section: str, definition: dict[str, Any]) -> bool:
    try:
        ARCHETYPES.made_from(section, definition["name"], definition)
    except Refusal as refusal:
        assert refusal.code == "archetype/invalid"
        return False
    return True
