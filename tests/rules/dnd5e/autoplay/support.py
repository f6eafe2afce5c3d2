"""A fight to choose in: the one whose turn it is, and what it could do."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import Score, rank
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.option_table import options_of
from combatlog.rules.dnd5e.battlemap.space import full_width
from combatlog.testing import Drill
from ledger.events import Declared, Event, Moved, Position
from projections.battle.fold import Battle

PILLARS = """
................
....##....#.....
....#.....#..#..
.......#........
..#........##...
..#..##.........
.........#......
................
"""
"""Ground with much to go around and to hide behind."""


def duel(sheet: str = "fighter", foe: str = "goblin", *, map: str | None = None, **more: Any) -> Drill:
    """Somebody at 1,1 whose turn it is, and an enemy on its right, next to it."""
    drill = Drill(map=map)
    drill.join(sheet, "Hero", (1, 1), overrides=more)
    drill.join(foe, "Foe", (1 + full_width(drill.fight.battle.combatants["hero"]), 1), side="foes")
    drill.start(dice=[20, 1])
    return drill


def option(drill: Drill, name: str, weapon: str | None = None, actor: str = "hero") -> Dnd5eOption:
    battle = drill.fight.battle
    found = [known for known in options_of(battle, battle.combatants[actor]) if known.name == name]
    (match,) = [known for known in found if weapon in (None, known.weapon)]
    return match


def ranked(drill: Drill) -> list[Score]:
    battle = drill.fight.battle
    assert battle.clock.turn is not None
    rules = drill.fight.ruleset
    return rank(rules.options(battle, battle.combatants[battle.clock.turn]), rules.metrics())


def measured(drill: Drill, name: str, aim: OptionAim, metric: str, weapon: str | None = None) -> float:
    metrics = drill.fight.ruleset.metrics()
    return metrics[metric].measure(option(drill, name, weapon), aim)


def snapshot(battle: Battle) -> dict[str, Any]:
    """Everything a battle is, to see that an answer changed nothing."""
    fields = ("seq", "clock", "window", "actions", "combatants")
    return deepcopy({field: getattr(battle, field) for field in fields})


def walked_back(events: Iterable[Event]) -> list[tuple[str, Position]]:
    """Who walked back to a square that it had left, without having done anything else in between."""
    found: list[tuple[str, Position]] = []
    left: set[Position] = set()
    goal: Position | None = None
    for event in events:
        if isinstance(event, Declared):
            goal = event.destination if event.action == "dnd5e:action:move" else None
            left = left if goal is not None else set()
        elif isinstance(event, Moved) and goal is not None:
            left.update(filter(None, [event.origin]) if event.cost else [])
            if event.to == goal in left:
                found.append((event.mover, goal))
    return found
