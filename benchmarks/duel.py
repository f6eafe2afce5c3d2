"""The fight that is measured: a goblin strikes at a fighter whom a paladin protects, over and over."""

from __future__ import annotations

from uuid import uuid4

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.referee import Referee

_ENOUGH = 1_000_000
STRIKE = Declaration(actor="snig", action="strike", targets=("rurik",))
READY = Declaration(
    actor="gm",
    action="core:ruling:rule",
    targets=("osric",),
    options={"set": {"reaction": _ENOUGH}, "reason": "so that Protection can be used again"},
)
TIRELESS = Declaration(
    actor="gm",
    action="core:ruling:rule",
    targets=("snig",),
    options={"set": {"attacks": _ENOUGH}, "reason": "so that there is always another strike"},
)


def open_duel(referee: Referee) -> str:
    """A new encounter where it is the goblin's turn, with attacks and reactions that do not run out."""
    name = f"duel {uuid4()}"
    sheets = rulesets.find("dnd5e")
    referee.open(Opening(name=name, dice="seed:1"))
    for sheet, who, side, place, more in (
        ("goblin", "Snig", "foes", (2, 1), {}),
        ("fighter", "Rurik", "heroes", (1, 1), {"overrides": {"hp": 1000, "ac": 30}}),
        ("paladin", "Osric", "heroes", (1, 2), {"policies": {"protection": "always"}}),
    ):
        options = {"sheet": sheets.sheet(sheet), "name": who, "side": side, "position": place, **more}
        referee.declare(name, Declaration(actor="gm", action="core:time:join", options=options))
    referee.declare(name, Declaration(actor="gm", action="core:time:start"), dice=[20, 2, 1])
    referee.declare(name, TIRELESS)
    referee.declare(name, READY)
    return name
