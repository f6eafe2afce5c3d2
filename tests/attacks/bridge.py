"""The fight that the attacks are made on."""

from __future__ import annotations

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee

NAME = "Attacked bridge"
END_TURN = "core:time:end-turn"
RULE = "core:ruling:rule"
NOTE = Declaration(actor="gm", action=RULE, options={"note": "rain", "reason": "it rains"})
_PEOPLE = (
    ("goblin", "Snig", "foes", (2, 1)),
    ("fighter", "Rurik", "heroes", (1, 1)),
    ("paladin", "Osric", "heroes", (1, 2)),
)


def begin(referee: Referee, name: str = NAME) -> str:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect."""
    referee.open(Opening(name=name, dice="seed:1"))
    sheets = rulesets.find("dnd5e")
    for sheet, who, side, place in _PEOPLE:
        options = {"sheet": sheets.sheet(sheet), "name": who, "side": side, "position": place}
        referee.declare(name, Declaration(actor="gm", action="core:time:join", options=options))
    referee.declare(name, Declaration(actor="gm", action="core:time:start"), dice=[20, 10, 5])
    return name


def attack(referee: Referee, name: str = NAME) -> None:
    """Snig strikes at Rurik, and Osric is asked whether he protects him."""
    referee.declare(name, Declaration(actor="snig", action="attack"))
    struck = referee.declare(name, Declaration(actor="snig", action="strike", targets=("rurik",)))
    assert struck.window is not None
