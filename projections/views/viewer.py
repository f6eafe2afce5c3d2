"""What a seat may see at one moment of a fight, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from ledger.events import InitiativeEntry
from projections.battle import Battle
from projections.combatant import Combatant
from projections.views.health import Health, health_of
from projections.views.seats import Role, Seat
from projections.views.secrets import PLAYERS_SEE, UNREVEALED, Concealing, Shown

GM = "gm"
"""Stands in an event where nobody in the fight is meant, and where it may not be said who is."""


@dataclass(frozen=True, slots=True)
class Viewer:
    sees_all: bool = False
    own: frozenset[str] = frozenset()
    """Combatants that are seen as they are."""
    by_sight: frozenset[str] = frozenset()
    """Combatants that are seen as anybody would see them."""
    unseen: frozenset[str] = frozenset()
    """Combatants that are not to be seen."""
    health: Mapping[str, Health] = field(default_factory=dict)
    """How those look who are seen as anybody would see them."""
    told: AbstractSet[int] = frozenset()
    """Declarations and corrections of which anything came out: whether others are taken back is not seen."""
    secret: AbstractSet[int] = frozenset()
    """Declarations that are for the GM alone. What they do to others is seen, not how it came about."""
    aloud: AbstractSet[int] = frozenset()
    """Declarations of rolls that are made for everybody to see, whoever rolls."""
    shown: frozenset[Shown] = frozenset()
    """What this fight shows of those who are known by sight only."""
    order: tuple[InitiativeEntry, ...] = ()
    """The order of turns before the event: a new one in which only unseen combatants moved is not seen."""
    unnoticed: AbstractSet[str] = frozenset()
    """Conditions that do not show in this fight."""

    def knows(self, combatant: str, what: Shown) -> bool:
        """Whether something is seen of a combatant that is hidden as a rule."""
        return combatant in self.own or (what in self.shown and combatant in self.by_sight)

    def sees(self, combatant: str) -> bool:
        return combatant in self.own or combatant in self.by_sight or combatant == GM

    def of(self, combatants: Iterable[str]) -> tuple[str, ...]:
        """Those of them that are seen."""
        return tuple(combatant for combatant in combatants if self.sees(combatant))

    def masked(self, combatant: str) -> str:
        return combatant if self.sees(combatant) else GM

    def sees_roll(self, roller: str, declaration: int) -> bool:
        """Whether a roll is seen that somebody makes in a declaration."""
        is_seen = self.knows(roller, Shown.DICE) or declaration in self.aloud
        return is_seen and declaration not in self.secret

    @classmethod
    def at(
        cls,
        battle: Battle,
        seat: Seat,
        *,
        arriving: AbstractSet[str] = frozenset(),
        told: AbstractSet[int] = frozenset(),
        secret: AbstractSet[int] = frozenset(),
        aloud: AbstractSet[int] = frozenset(),
        order: tuple[InitiativeEntry, ...] = (),
    ) -> Viewer:
        """What a seat may see in this state; `arriving` are joining unseen, which no condition says yet."""
        everybody, concealing = battle.combatants.values(), concealing_in(battle)
        own = frozenset(combatant.id for combatant in everybody if _is_own(combatant, seat, battle))
        others = [combatant for combatant in everybody if combatant.id not in own]
        seen = [one for one in others if one.id not in arriving and not _is_unseen(one, concealing)]
        by_sight = frozenset(one.id for one in seen)
        unseen = frozenset(one.id for one in others if one.id not in by_sight) | arriving
        health = {one.id: looks for one in seen if (looks := health_of(one)) is not None}
        shown, unnoticed = _shown(battle), concealing.unnoticed
        return cls(seat.sees_all, own, by_sight, unseen, health, told, secret, aloud, shown, order, unnoticed)


def _shown(battle: Battle) -> frozenset[Shown]:
    options = battle.opened.options if battle.opened is not None else {}
    shown = frozenset(Shown(name) for name in options.get(PLAYERS_SEE) or () if name in [*Shown])
    return shown | {Shown.HIT_POINTS, Shown.ARMOUR_CLASS} if Shown.SHEETS in shown else shown


def _is_own(combatant: Combatant, seat: Seat, battle: Battle) -> bool:
    match seat.role:
        case Role.GM | Role.AUDITOR:
            return True
        case Role.PLAYERS:
            return combatant.side == seat.side
        case Role.PLAYER:
            played = (battle.combatants[one] for one in seat.combatants if one in battle.combatants)
            return combatant.side in {one.side for one in played}
        case Role.SPECTATOR:
            return False


def unseen_by(battle: Battle, side: str) -> list[Combatant]:
    """Those whom a side does not see."""
    return [one for one in battle.combatants.values() if is_unseen_by(battle, side, one)]


def is_unseen_by(battle: Battle, side: str, combatant: Combatant) -> bool:
    """Whether a side does not see a combatant. Most have no condition at all, so that is looked at first."""
    return combatant.side != side and bool(combatant.conditions) and _is_unseen(combatant, concealing_in(battle))


def concealing_in(battle: Battle) -> Concealing:
    """The conditions that conceal in this fight."""
    return Concealing.in_force(battle.opened.options if battle.opened is not None else {})


def _is_unseen(combatant: Combatant, concealing: Concealing) -> bool:
    return UNREVEALED in combatant.conditions or not concealing.unseen.isdisjoint(combatant.conditions)
