"""Sheets of every ruleset: the first byte picks one, the others are the file."""

from __future__ import annotations

from pathlib import Path

from combatlog.rules.content.files import read_yaml_text
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Problem
from ledger.registry import decode, encode

_RULESETS = ("dnd5e", "action_points", "skirmish")
_RULES = Path(__file__).parents[3] / "combatlog" / "rules"
SEEDS = tuple(
    bytes([number]) + path.read_bytes()
    for number, name in enumerate(_RULESETS)
    for path in sorted((_RULES / name / "data" / "sheets").glob("*.yaml"))
)


def target(data: bytes) -> None:
    if not data:
        return
    fight = FightEngine.open(Opening(name="fuzz", ruleset=_RULESETS[data[0] % len(_RULESETS)], dice="seed:1"))
    try:
        sheet = read_yaml_text(data[1:].decode("utf-8", "replace"), "file")
        options = {"sheet": sheet, "name": "Fuzz"}
        fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    except Problem:
        assert len(fight.events) == 1
        return
    for event in fight.events:
        assert decode(*encode(event)) == event
