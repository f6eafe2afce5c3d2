"""A cache of estimates, keyed by everything that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from combatlog.rules.dnd5e.archetypes.on_hit_and_gm_rulings import OnHit
from combatlog.rules.dnd5e.archetypes.traits import Trait, TraitCircumstances
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import ZONE
from combatlog.rules.dnd5e.battlemap.space import AIRBORNE
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.features.barbarian import RECKLESS
from combatlog.rules.dnd5e.hit_points import is_bloodied
from combatlog.rules.dnd5e.pieces import PIECES, Contributor
from combatlog.rules.engine.pieces import Piece
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle

MOST = 20_000
"""The entries that a cache holds before it is cleared; a fight of several rounds needs a few thousand."""

T = TypeVar("T")


class EstimateCache:
    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._numbers: dict[Hashable, int] = {}
        self._next = 0

    def recall(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """The cached value for this key, computed if it is missing."""
        try:
            known: T = self._known[key]
        except KeyError:
            known = work_out()
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = known
        return known

    def number_of(self, state: Hashable) -> int:
        """A number that identifies a state, to keep keys short."""
        number = self._numbers.get(state)
        if number is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            self._next += 1
            number = self._numbers[state] = self._next
        return number


def estimate_cache_of(battle: Battle) -> EstimateCache:
    """The cache shared by all battles with the same sheets on the same map, such as those of a simulation."""
    joined, drawn, memory = _KNOWN.get(battle, (0, None, None))
    if memory is None or joined != len(battle.combatants) or drawn is not battle.map:
        memory = _memory(_cast(battle))
        _KNOWN[battle] = (len(battle.combatants), battle.map, memory)
    return memory


_KNOWN: WeakKeyDictionary[Battle, tuple[int, tuple[str, ...] | None, EstimateCache]] = WeakKeyDictionary()
"""The cache of each battle, with the number of combatants and the map for which it is valid."""


@lru_cache(maxsize=4)
def _memory(cast: Hashable) -> EstimateCache:
    return EstimateCache()


def clear_estimates() -> None:
    """Clear all caches, as in a new process."""
    _KNOWN.clear()
    _memory.cache_clear()


def _cast(battle: Battle) -> Hashable:
    """Everything about a battle that changes only when a combatant joins or a door opens."""
    opened = battle.encounter
    sheets = tuple((one.id, one.side, repr(one.sheet)) for one in battle.combatants.values())
    return battle.map, repr(opened.options), sheets


ASKED = (
    Contributor.on_attack,
    Contributor.on_attack_collected,
    Contributor.on_armor_class,
    Contributor.on_damage,
    Contributor.on_harm,
    Contributor.on_attack_count,
)
"""The methods of `Contributor` that affect odds."""


ABOUT_SPACE = frozenset({AIRBORNE, ZONE})
"""Conditions whose data says where a combatant is or which squares block sight."""

MINDING_THE_TURN = frozenset({RECKLESS})
"""Conditions whose effect depends on whether it is their owner's turn."""


def state_of(battle: Battle, combatant: Combatant) -> Hashable:
    """Everything that odds can depend on, apart from sheets and positions.

    Features can depend on their own pools and, if they are made from data, on whether their owner is bloodied.
    """
    asked = {piece.name: piece for hook in ASKED for piece in sheet_of(combatant).loadout.those_with[hook]}
    if not asked and not combatant.conditions:
        return combatant.id
    held = tuple(_content(held) for held in combatant.conditions.values())
    pools = tuple(combatant.economy.left(name) for name in asked)
    bloodied = any(map(_minds_blood, asked.values())) and is_bloodied(combatant)
    own_turn = battle.clock.turn == combatant.id and not MINDING_THE_TURN.isdisjoint(combatant.conditions)
    return combatant.id, held, pools, bloodied, own_turn


def _minds_blood(piece: Contributor) -> bool:
    return any(when.bloodied is not None for when in _circumstances(piece))


def _circumstances(piece: Contributor) -> list[TraitCircumstances]:
    """The circumstances in which a piece made from data contributes."""
    if isinstance(piece, Trait):
        return [given.when for given in piece.contributes]
    return [piece.when] if isinstance(piece, OnHit) else []


def _content(held: Condition) -> Hashable:
    """The part of a condition that matters; for one that affects no odds, only its presence."""
    if held.ref in ABOUT_SPACE:
        return held.ref, repr(held.data)
    if not _is_asked(PIECES.get(held.ref)):
        return held.ref
    return held.ref, held.source, held.owner, held.level, repr(held.data) if held.data else ""


def _is_asked(piece: Piece | None) -> bool:
    return isinstance(piece, Contributor) and any(piece.implements(hook) for hook in ASKED)
