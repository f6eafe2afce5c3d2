"""The state of a fight as a page shows it: plain data, in words where people read it. Missing values are omitted."""

from __future__ import annotations

from functools import cache
from typing import Any

from combatlog.rules.engine.summary import CombatantSummary, landmarks, summaries
from ledger.events import Data, Position
from projections.battle.clock_and_map import Clock, ReactionWindow
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle
from projections.review.explanation import name_in_ref
from projections.story.names import CombatantNames
from projections.story.phrases import name_of, until_in_words
from projections.story.text import clean
from projections.views.state import CombatantOutline, SeenBattle


def page_state(battle: Battle, cast: CombatantNames) -> Data:
    clock, seen = battle.clock, summaries(battle) if battle.opened is not None else {}
    return _present(
        {
            "round": clock.round,
            "turn": clock.turn,
            "closed": clock.closed,
            "order": [[entry.combatant, entry.value] for entry in clock.order],
            "map": {str(y): row for y, row in enumerate(battle.map or ())},
            "marks": _marks(battle),
            "window": _window(battle.window, cast) if battle.window is not None else None,
            "who": {one.id: _combatant(one, seen[one.id], clock, cast) for one in battle.combatants.values()},
        }
    )


def _present(data: Data) -> Data:
    """Without empty values: a page treats missing ones as empty."""
    return {name: value for name, value in data.items() if value not in (None, False, [], {}, "")}


def _marks(battle: Battle) -> Data:
    """Landmarks are part of the map, which every seat sees."""
    whole = battle.whole if isinstance(battle, SeenBattle) else battle
    found: dict[Position, str] = landmarks(whole) if whole.opened is not None else {}
    return {f"{x},{y}": mark for (x, y), mark in found.items()}


def _window(window: ReactionWindow, cast: CombatantNames) -> Data | None:
    offer = window.waiting
    if offer is None:
        return None
    names = [name_in_ref(ref) for ref in offer.reactions]
    reactions = [clean(name_of(ref.rsplit(":", 1)[-1])) for ref in offer.reactions]
    return {"who": offer.reactor, "reactions": reactions, "names": names}


def _combatant(one: Combatant, glance: CombatantSummary, clock: Clock, cast: CombatantNames) -> Data:
    return _present(
        {
            "name": clean(one.name),
            "side": clean(one.side),
            "at": list(one.position) if one.position is not None else None,
            "spaces": [list(space) for space in glance.spaces or ()],
            "gone": not one.present,
            "fallen": glance.fallen,
            "health": one.health.value if isinstance(one, CombatantOutline) and one.health is not None else None,
            "vitals": {_named(name): [vital.current, vital.maximum] for name, vital in one.pools().items()},
            "conditions": {ref: _condition(held, clock, cast) for ref, held in one.conditions.items()},
            "figures": {clean(title): clean(value) for title, value in glance.figures.items()},
            "left": list(map(clean, glance.left)),
            "resources": list(map(clean, glance.resources)),
            "notes": list(map(clean, glance.notes)),
            "economy": _economy(one),
            "cards": {_named(name): len(cards) for name, cards in one.piles.items() if cards},
        }
    )


def _economy(one: Combatant) -> dict[str, list[Any]]:
    return {
        _named(name): [pool.current, pool.maximum, pool.spent, pool.locked]
        for name, pool in one.economy.items()
        if pool.current or pool.maximum or pool.spent or pool.locked
    }


def _condition(held: Condition, clock: Clock, cast: CombatantNames) -> str:
    level = f" {held.level}" if held.level is not None else ""
    until = clock.dated(held.until) if held.until is not None else None
    if until is not None and until.whose is not None:
        until = until.model_copy(update={"whose": cast.name(until.whose)})
    return clean(f"{name_of(held.name)}{level}{until_in_words(until)}")


@cache
def _named(name: str) -> str:
    return clean(name_of(name))
