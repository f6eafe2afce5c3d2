"""What a seat may see at one moment of a fight, and the names that decide it: options, conditions and piles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from ledger.events import Data, InitiativeEntry
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.ruleset_profile import profile_of
from projections.views.redacted_events import ApparentHealth, health_of
from projections.views.seats import Role, Seat


class ShownDetail(StrEnum):
    """What a fight can show, if it is opened that way, of combatants that are known by sight only."""

    HIT_POINTS = "hit_points"
    """Exact numbers instead of a word, and how much damage was dealt."""
    ARMOUR_CLASS = "armour_class"
    """The number that an attack has to reach."""
    DICE = "dice"
    """Rolls, totals and modifiers."""
    INITIATIVE = "initiative"
    """The initiative numbers, not only the order."""
    SHEETS = "sheets"
    """Everything on the sheets, the resources, hit points and armour class."""
    REASONS = "reasons"
    """What people wrote: reasons, rulings and notes. They may name any combatant."""


PLAYERS_SEE = "players_see"
"""The option of an encounter that says what is shown; see `ShownDetail`."""

SALT = "salt"
"""The option of an encounter with the salt for proofs of what was shown; see `seat_view`."""

FOR_THE_GM = "secret"
"""The option of a declaration that is for the GM alone: a roll, a ruling, a note."""
NOTE = "core:note:note"
NOTE_TEXT = "text"
ROLL_ASIDE = "core:note:roll"
ROLLED_ALOUD = frozenset({"dice", "purpose"})
"""Options of a note or a free roll, which everyone hears unless they are secret."""

UNREVEALED = "core:condition:unrevealed"
"""Only the GM knows so far that the combatant is there."""

JOIN = "core:time:join"
ARRIVES_HIDDEN = "hidden"
"""The option of `join` for combatants that join unrevealed."""

RULE = "core:ruling:rule"
SETTLES = "answers"
"""The option of a ruling with the number of the question that it settles."""
INITIATIVE = "core:time:initiative"
PLACES = "values"
"""The option of a declaration that sets initiative: the new values, by combatant."""

CONCEALS = "conceals"
"""The option of an encounter that lists the concealing conditions its ruleset declared when the fight was opened."""


@dataclass(frozen=True, slots=True)
class Concealing:
    """The conditions of a ruleset that keep something from other sides, by ref."""

    unseen: frozenset[str] = frozenset()
    """A combatant with one of these is not seen, nor is anything that it does."""
    unnoticed: frozenset[str] = frozenset()
    """These do not show: only the combatant's own side knows of them."""

    def as_option(self) -> Data:
        """What is recorded with a fight, so that its views stay the same even if the ruleset changes."""
        declared = {"unseen": sorted(self.unseen), "unnoticed": sorted(self.unnoticed)}
        return {CONCEALS: declared} if self.unseen or self.unnoticed else {}

    @classmethod
    def in_force(cls, ruleset: str, options: Data) -> Concealing:
        """What conceals in a fight that was opened with these options. Old fights did not record it."""
        recorded = options.get(CONCEALS)
        if recorded is None:
            profile = profile_of(ruleset)
            return cls(profile.conceals_unrecorded, profile.unnoticed_unrecorded)
        return cls(frozenset(recorded["unseen"]), frozenset(recorded["unnoticed"]))


def public_options(options: Data) -> Data:
    """Which options of a fight every seat may know."""
    return {CONCEALS: options[CONCEALS]} if CONCEALS in options else {}


SAID_ALOUD = frozenset({"spell", "card", "item"})
"""Options of a declaration that everyone notices: which spell is cast, which card is played."""

CHOSEN_FACE_DOWN = "secret"
"""The type of a choice made face down: others learn that it was made, but not what it is."""

FACE_DOWN = "deck"
"""The pile whose order is unknown even to its owner."""
FACE_UP = "discard"
"""The pile whose cards everyone sees."""
A_CARD = "?"
"""Stands for a card that is not seen."""


GM = "gm"
"""Stands for no combatant in particular, and for those that must not be named."""


@dataclass(frozen=True, slots=True)
class Viewer:
    sees_all: bool = False
    own: frozenset[str] = frozenset()
    """Combatants whose details are seen in full."""
    by_sight: frozenset[str] = frozenset()
    """Combatants that are seen as any onlooker would see them."""
    unseen: frozenset[str] = frozenset()
    """Combatants that are not seen."""
    health: Mapping[str, ApparentHealth] = field(default_factory=dict)
    """How the combatants look that are known by sight only."""
    told: AbstractSet[int] = frozenset()
    """Declarations and corrections of which something was seen. The retraction of any other is not seen."""
    secret: AbstractSet[int] = frozenset()
    """Declarations that are for the GM alone. Their effects on others are seen, but not their cause."""
    aloud: AbstractSet[int] = frozenset()
    """Declarations of open rolls, which everyone sees."""
    shown: frozenset[ShownDetail] = frozenset()
    """What this fight shows of combatants that are known by sight only."""
    order: tuple[InitiativeEntry, ...] = ()
    """The order of turns before the event. A new order is not seen if only unseen combatants moved in it."""
    unnoticed: AbstractSet[str] = frozenset()
    """Conditions that do not show in this fight."""

    def knows(self, combatant: str, what: ShownDetail) -> bool:
        """Whether the viewer sees a detail of a combatant that is hidden by default."""
        return combatant in self.own or (what in self.shown and combatant in self.by_sight)

    def sees(self, combatant: str) -> bool:
        return combatant in self.own or combatant in self.by_sight or combatant == GM

    def of(self, combatants: Iterable[str]) -> tuple[str, ...]:
        """Those of them that are seen."""
        return tuple(combatant for combatant in combatants if self.sees(combatant))

    def masked(self, combatant: str) -> str:
        return combatant if self.sees(combatant) else GM

    def sees_roll(self, roller: str, declaration: int) -> bool:
        """Whether a roll in a declaration is seen."""
        is_seen = self.knows(roller, ShownDetail.DICE) or declaration in self.aloud
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
        """What a seat may see in this state. `arriving` are combatants that are joining unseen, before a condition
        says so."""
        everybody, concealing = battle.combatants.values(), concealing_in(battle)
        own = frozenset(combatant.id for combatant in everybody if _is_own(combatant, seat, battle))
        others = [combatant for combatant in everybody if combatant.id not in own]
        seen = [one for one in others if one.id not in arriving and not _is_unseen(one, concealing)]
        by_sight = frozenset(one.id for one in seen)
        unseen = frozenset(one.id for one in others if one.id not in by_sight) | arriving
        health = {one.id: looks for one in seen if (looks := health_of(one)) is not None}
        shown, unnoticed = _shown(battle), concealing.unnoticed
        return cls(seat.sees_all, own, by_sight, unseen, health, told, secret, aloud, shown, order, unnoticed)


def _shown(battle: Battle) -> frozenset[ShownDetail]:
    options = battle.opened.options if battle.opened is not None else {}
    shown = frozenset(ShownDetail(name) for name in options.get(PLAYERS_SEE) or () if name in [*ShownDetail])
    return shown | {ShownDetail.HIT_POINTS, ShownDetail.ARMOUR_CLASS} if ShownDetail.SHEETS in shown else shown


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
    """The combatants that a side does not see."""
    return [one for one in battle.combatants.values() if is_unseen_by(battle, side, one)]


def is_unseen_by(battle: Battle, side: str, combatant: Combatant) -> bool:
    """Whether a side does not see a combatant. Most have no condition at all, so that is looked at first."""
    return combatant.side != side and bool(combatant.conditions) and _is_unseen(combatant, concealing_in(battle))


def concealing_in(battle: Battle) -> Concealing:
    """The conditions that conceal in this fight."""
    opened = battle.opened
    return Concealing.in_force(opened.ruleset, opened.options) if opened is not None else Concealing()


def _is_unseen(combatant: Combatant, concealing: Concealing) -> bool:
    return UNREVEALED in combatant.conditions or not concealing.unseen.isdisjoint(combatant.conditions)
