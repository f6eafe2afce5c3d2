"""What pieces can see of an attack, damage, a step, a spell, a saving throw or a check in progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from combatlog.rules.dnd5e.battlemap.space import steps_between
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.enums import AbilityScore, Skill
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from ledger.events import ChangeOp, DamagePart, Data, Position, Rolled
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def feet_between(one: Combatant, other: Combatant) -> int:
    """The distance in feet between the edges of their spaces; 0 without positions."""
    return 5 * steps_between(one, other)


@dataclass(slots=True)
class Context:
    """Something in progress that others can react to."""

    battle: Battle
    said: Data = field(default_factory=dict, kw_only=True)
    """The options given with the reaction in progress."""
    as_seen: Literal[True] | None = field(default=None, kw_only=True)
    """Whether the reaction picks its path and any unnamed target from the map as the reactor's side sees it."""

    @property
    def subject(self) -> Combatant:
        """The combatant who is doing it."""
        raise NotImplementedError


@dataclass(slots=True)
class D20Test(Context):
    """A d20 roll that decides something, and later changes to its total."""

    roll: Rolled | None = field(default=None, kw_only=True)
    natural: int = field(default=0, kw_only=True)
    """The natural roll that counts."""
    adjustments: list[Modifier] = field(default_factory=list, kw_only=True)

    @property
    def total(self) -> int:
        rolled = self.roll.total if self.roll else 0
        return rolled + sum([modifier.change.amount or 0 for modifier in self.adjustments])


@dataclass(slots=True)
class Attack(D20Test):
    """An attack in progress."""

    attacker: Combatant
    target: Combatant
    weapon: Weapon
    ability: AbilityScore
    melee: bool
    chosen: dict[str, str] = field(default_factory=dict)
    """Reactions that a chain will consume: the reaction's ref by reactor."""
    off_hand: bool = False
    spell: str | None = None
    """The spell's ref, for a spell attack."""
    part_of: str | None = None
    """The ref of the special action that the attack is part of."""
    opportunity: bool = False
    knock_out: bool = False
    """Knock the target out instead of killing it, if this melee attack brings it to 0 hit points."""
    close: bool = False
    """Resolved as if the attacker were next to the target, whatever their positions."""
    chain: ModifierChain | None = None
    armor_class: int = 0
    hit: bool = False
    dealt: tuple[DamagePart, ...] = ()
    """The damage that reached the target, once it has."""
    reductions: list[Modifier] = field(default_factory=list)
    """Subtracted from the damage by reactions."""
    extras: list[Modifier] = field(default_factory=list)
    """Added to the damage by reactions."""

    @property
    def subject(self) -> Combatant:
        return self.attacker

    @property
    def range(self) -> int:
        """The distance in feet. Without positions, a melee attack is made from 5 feet away."""
        if self.close:
            return 0
        if self.attacker.position is None or self.target.position is None:
            return 5 if self.melee or self.weapon.range is None else self.weapon.range[0]
        return feet_between(self.attacker, self.target)

    @property
    def hits(self) -> bool:
        """Whether it hits as things stand. A tie hits; a natural 1 always misses and a natural 20 always hits."""
        return self.natural != 1 and (self.natural == 20 or self.total >= self.armor_class)

    def has_flag(self, label: str) -> bool:
        return self.chain is not None and bool(self.chain.of(ChangeOp.FLAG, label))


@dataclass(slots=True)
class Harm(Context):
    """Damage on its way to its target."""

    target: Combatant
    dealer: Combatant | None
    """None if the damage does not come from a combatant but, for example, from a burning floor."""
    source: str
    """The ref of the weapon or spell."""
    types: tuple[str, ...]
    critical: bool = False
    attack: Attack | None = None
    saved: bool = False
    """Whether a saving throw halves it."""
    halved_by: AbilityScore | None = None
    """The ability of the saving throw that halves the damage on a success; None if there is no such saving throw."""
    parts: tuple[DamagePart, ...] = ()
    amount: int = 0
    """The final damage."""

    @property
    def dealt_by(self) -> str:
        return self.dealer.id if self.dealer is not None else GM

    @property
    def subject(self) -> Combatant:
        return self.dealer or self.target


@dataclass(slots=True)
class MovementStep(Context):
    """One step of a voluntary movement."""

    mover: Combatant
    origin: Position
    to: Position
    in_tow: tuple[str, ...] = ()
    """The creatures that the mover drags along."""

    @property
    def subject(self) -> Combatant:
        return self.mover


@dataclass(slots=True)
class Casting(Context):
    """A spell being cast."""

    caster: Combatant
    spell: str
    targets: tuple[str, ...] = ()
    level: int = 0
    """The level it is cast at; 0 for a cantrip."""
    countered: bool = False
    """Whether it has been interrupted."""

    @property
    def subject(self) -> Combatant:
        return self.caster


@dataclass(slots=True)
class TurnEnding(Context):
    """The end of a turn."""

    whose: Combatant

    @property
    def subject(self) -> Combatant:
        return self.whose


@dataclass(slots=True)
class LairCount(Context):
    """Initiative count 20, when lair actions happen."""

    lord: Combatant
    """The owner of the lair; the first in initiative order if there are several."""

    @property
    def subject(self) -> Combatant:
        return self.lord


@dataclass(slots=True)
class Save(D20Test):
    """A saving throw in progress."""

    saver: Combatant
    ability: AbilityScore | None
    """None for a death save."""
    against: int
    source: str
    origin: Position | None = None
    """The square where the effect originates, if any; cover counts from there."""
    threat: tuple[str, ...] = ()
    """The names of the conditions that a failure causes. Some creatures save better against some of them."""
    resisted: bool = False
    """The save failed, but the saver chose to succeed instead."""
    succeeded: bool = False
    """The outcome."""

    @property
    def missed_by(self) -> int:
        """By how much it failed; 0 if it succeeded, or failed without a roll."""
        return 0 if self.succeeded or self.roll is None else self.against - self.total

    @property
    def subject(self) -> Combatant:
        return self.saver


@dataclass(slots=True)
class Check(D20Test):
    """An ability check in progress."""

    checker: Combatant
    ability: AbilityScore
    name: Skill | None
    """None for a plain ability check."""
    against: int

    @property
    def subject(self) -> Combatant:
        return self.checker
