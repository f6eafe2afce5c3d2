"""Features of the paladin: Divine Smite and Lay on Hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.boons_and_healing import UNHEALABLE
from combatlog.rules.dnd5e.attack.damage import HIT
from combatlog.rules.dnd5e.combatant_state import end_condition, is_dead
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import ACTION, require, slot
from combatlog.rules.dnd5e.enums import CreatureType, DamageType
from combatlog.rules.dnd5e.hit_points import HP, heal, maximum_hp
from combatlog.rules.dnd5e.modifiers import dice
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, Reaction, piece
from combatlog.rules.dnd5e.spells.casting import HIGHEST_SLOT, with_other_slots
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

MOST_DICE = 5
UNHOLY = (CreatureType.UNDEAD, CreatureType.FIEND)
WORTH_A_SLOT = 8
"""The least hit points of a target that is worth a slot, as a rule of thumb."""


class SmiteOptions(Options):
    slot: int | None = Field(
        default=None, ge=1, le=HIGHEST_SLOT, description="the level of the slot to spend; the lowest left if omitted"
    )


@piece
class DivineSmite(Feature, Reaction[Attack]):
    """Spend a slot after a hit in melee for 2d8 radiant damage; 1d8 more per slot level, and against undead and fiends.

    It takes no reaction.
    """

    name = "divine_smite"
    moments = (HIT,)
    reaction_options = SmiteOptions

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {slot(_lowest(reactor)): 1}

    def price_said(self, reactor: Combatant, said: Data) -> dict[str, int]:
        return {slot(SmiteOptions.read(said).slot or _lowest(reactor)): 1}

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        return with_other_slots(self, reactor, _lowest(reactor))

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.attacker is not reactor:
            return f"{reactor.name} is not the attacker"
        if not context.melee or context.spell is not None:
            return "the attack is not made with a melee weapon"
        has_smitten = any(extra.source == self.ref for extra in context.extras)
        return "this attack already has Divine Smite" if has_smitten else None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.natural == 20 or context.target.vitals[HP].current >= WORTH_A_SLOT

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        notation = f"{smite_dice(_level(paid), sheet_of(context.target).creature_type)}d8"
        context.extras.append(dice("features", self.ref, reactor.id, "Divine Smite", notation, DamageType.RADIANT))


def smite_dice(level: int, target: CreatureType) -> int:
    """2d8 for a level 1 slot, 1d8 more for each level above, at most 5d8; 1d8 more against undead and fiends."""
    return min(MOST_DICE, 1 + level) + (target in UNHOLY)


def _lowest(paladin: Combatant) -> int:
    levels = range(1, HIGHEST_SLOT + 1)
    return next((level for level in levels if paladin.economy.left(slot(level))), 1)


def _level(paid: dict[str, int]) -> int:
    return next(level for name, level in _levels().items() if name in paid)


@cache
def _levels() -> dict[str, int]:
    return {slot(level): level for level in range(1, HIGHEST_SLOT + 1)}


REACH = 5
CURE = 5
"""The cost in points of curing a poison."""
POISONED = "dnd5e:condition:poisoned"


class LayOnHandsOptions(Options):
    points: int | None = Field(
        default=None, ge=1, le=100, description="hit points to restore; all that are missing if omitted"
    )
    cure: bool = Field(default=False, description="spend 5 points to cure a poison instead")


@piece
class LayOnHands(ActiveFeature):
    """Spend the action to touch a creature and restore hit points from a pool, or cure a poison for 5 points."""

    name = "lay_on_hands"
    cost = {ACTION: 1}
    tags = ("healing",)
    options = LayOnHandsOptions
    parts = frozenset({Part.TARGET})

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 5 * sheet.level}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        require(actor, {self.name: 1})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        patient, said = _patient(table, actor, declared), LayOnHandsOptions.read(declared.options)
        if said.cure and not patient.has(POISONED):
            raise _in_vain("not-poisoned", f"{patient.name} is not poisoned", actor, patient)
        if not said.cure and not _missing(patient):
            raise _in_vain("unhurt", f"{patient.name} has all of its hit points", actor, patient)
        require(actor, {self.name: self._points(actor, patient, said)})

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        patient, said = _patient(table, actor, declared), LayOnHandsOptions.read(declared.options)
        points = self._points(actor, patient, said)
        table.spend(actor, self.name, points, self.name, self.ref)
        if said.cure:
            end_condition(table, patient, POISONED, "cured")
        else:
            heal(table, patient, points, "Lay on Hands", self.ref)

    def _points(self, actor: Combatant, patient: Combatant, said: LayOnHandsOptions) -> int:
        if said.cure:
            return CURE
        return said.points or min(_missing(patient), actor.economy.left(self.name))


def _missing(patient: Combatant) -> int:
    return max(0, maximum_hp(patient) - patient.vitals[HP].current)


def _patient(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The creature to touch: the actor, unless another target is named."""
    if len(declared.targets) > 1:
        raise Refusal(
            "lay-on-hands/one-target",
            "Lay on Hands takes one target.",
            who=actor.id,
            needed=1,
            found=list(declared.targets),
        )
    patient = table.combatant(declared.targets[0]) if declared.targets else actor
    feet = feet_between(actor, patient)
    if feet > REACH:
        raise Refusal(
            "lay-on-hands/out-of-reach",
            f"{patient.name} is {feet} feet away and has to be touched; move closer.",
            who=actor.id,
            target=patient.id,
            distance=feet,
            reach=REACH,
        )
    if is_dead(patient):
        raise _in_vain("dead", f"{patient.name} is dead", actor, patient)
    kind = sheet_of(patient).creature_type
    if kind in UNHEALABLE:
        raise _in_vain("no-effect", f"{patient.name}'s creature type is {kind}", actor, patient)
    return patient


def _in_vain(code: str, why: str, actor: Combatant, patient: Combatant) -> Refusal:
    return Refusal(f"lay-on-hands/{code}", f"{why}; Lay on Hands would do nothing.", who=actor.id, target=patient.id)
