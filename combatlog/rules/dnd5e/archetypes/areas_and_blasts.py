"""Damage in an area or to named targets, less on a successful save."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.consequences import Consequence
from combatlog.rules.dnd5e.archetypes.registry import DiceText, Feet, Few, Size, archetype, options
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import GrowingSpell, MadePower, SavedSpecialAction
from combatlog.rules.dnd5e.attack.damage import inflict, roll_damage, taken_chain, types_of
from combatlog.rules.dnd5e.attack.targeting import check_harmful, chosen_place, chosen_targets, damage_of
from combatlog.rules.dnd5e.battlemap.areas import Extent, Shape, affect, caught_in, covered
from combatlog.rules.dnd5e.battlemap.movement import push
from combatlog.rules.dnd5e.battlemap.space import nearest_square, squares_of
from combatlog.rules.dnd5e.combatant_state import is_hostile, is_turned_aside
from combatlog.rules.dnd5e.contexts import Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import ExtraDamage
from combatlog.rules.dnd5e.enums import AbilityScore, CreatureType, DamageType
from combatlog.rules.dnd5e.saves_and_checks import throw_save
from combatlog.rules.dnd5e.spells.casting import Spell, concentrate
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import DamagePart, Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

MOST_CAUGHT = 50


@options
class AreaPower(MadePower):
    shape: Shape
    size: Annotated[Size, Field(description="in feet: radius of a sphere, side of a cube, length of a cone or line")]
    save: AbilityScore
    damage: Annotated[DiceText | None, Field(description="dice, such as 8d6")] = None
    damage_type: DamageType | None = None
    saved: Annotated[Literal["half", "nothing"], Field(description="the damage on a successful save")] = "half"
    extra: Annotated[tuple[ExtraDamage, ...], Field(max_length=3, description="damage of other types with it")] = ()
    not_on: Annotated[
        tuple[CreatureType, ...], Field(max_length=14, description="creature types that it does not affect")
    ] = ()
    hard_on: Annotated[
        tuple[CreatureType, ...], Field(max_length=14, description="creature types that save with disadvantage")
    ] = ()
    push: Annotated[Feet, Field(description="feet by which a failed save pushes targets away")] = 0
    then: Annotated[Consequence | None, Field(description="a condition on a failed save")] = None
    spreads: Annotated[bool, Field(description="it spreads around corners")] = False
    around: Annotated[bool, Field(description="it surrounds its user, who is spared; it is not aimed")] = False
    spares: Annotated[Literal["nobody", "oneself", "friends"], Field(description="whom it spares")] = "nobody"
    parts = frozenset({Part.DESTINATION, Part.TARGET})

    @model_validator(mode="after")
    def _does_something(self) -> AreaPower:
        if (self.damage is None) != (self.damage_type is None):
            raise ValueError("damage and damage_type have to be given together")
        if self.damage is None and self.then is None and not self.push:
            raise ValueError("give it damage, a condition (then) or push")
        if self.around and self.shape is not Shape.SPHERE:
            raise ValueError("only a sphere can surround its user")
        return self

    @property
    def extent(self) -> Extent:
        return Extent(self.shape, self.size, self.spreads)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if actor.position is None:
            self._named(table, actor, declared)
            return
        if declared.targets and not self.around:
            raise Refusal(
                f"{self.type}/aim-at-square",
                f"{self.title} affects an area; name a square instead of targets.",
                who=actor.id,
                what=self.name,
                found=list(declared.targets),
            )
        self.check_direction(actor, self.place(table, actor, declared))

    def place(self, table: Table, actor: Combatant, declared: Declared) -> Position:
        """The square at which it is aimed."""
        return (
            actor.position
            if self.around and actor.position
            else chosen_place(table.battle, actor, self, declared.destination)
        )

    def check_direction(self, actor: Combatant, place: Position) -> None:
        """Refuse the actor's own square, except for a sphere."""
        if self.shape is not Shape.SPHERE and place in squares_of(actor):
            raise Refusal(
                f"{self.type}/direction",
                f"{self.title} cannot be aimed at {actor.name}'s own square; choose another one.",
                who=actor.id,
                what=self.name,
                destination=place,
            )

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if actor.position is None:
            origin, caught = None, table.battle.by_initiative(self._named(table, actor, declared))
        else:
            place = self.place(table, actor, declared)
            origin = self.extent.source(nearest_square(actor, place), place)
            caught = affect(table, actor, self.ref, self.extent, place, spared=self.spared(table.battle, actor, place))
        if caught:
            self._harm(table, actor, declared, caught, origin)

    def caught_at(self, battle: Battle, actor: Combatant, place: Position) -> list[Combatant]:
        """The combatants that it would harm if aimed at a square, in initiative order."""
        squares = covered(grid_of(battle.map), self.extent, nearest_square(actor, place), place)
        unharmed = self.spared(battle, actor, place)
        return [other for other in caught_in(battle, squares) if other not in unharmed]

    def spared(self, battle: Battle, actor: Combatant, place: Position) -> list[Combatant]:
        """The combatants that it does not harm, even in its area."""
        unfit = [other for other in battle.present() if sheet_of(other).creature_type in self.not_on]
        if self.spares == "friends":
            return [*unfit, *(other for other in battle.present() if not is_hostile(actor, other))]
        own = [actor] if self.spares == "oneself" or self.around else []
        return [*unfit, *own, *self._sculpted_around(battle, actor, place)]

    def _sculpted_around(self, battle: Battle, actor: Combatant, place: Position) -> list[Combatant]:
        """The friends whom one of the caster's features protects from its spells, in initiative order."""
        if not isinstance(self, Spell) or self.damage is None:
            return []
        number = sum(feature.friends_spared(self.level) for feature in sheet_of(actor).loadout.features)
        if not number:
            return []
        squares = covered(grid_of(battle.map), self.extent, nearest_square(actor, place), place)
        friends = [other for other in caught_in(battle, squares) if not is_hostile(actor, other)]
        return [friend for friend in friends if friend is not actor][:number]

    def _named(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        """The targets in the area, which are named when there are no positions."""
        return chosen_targets(table, actor, self, declared, most=MOST_CAUGHT)

    def _harm(
        self, table: Table, actor: Combatant, declared: Declared, caught: list[Combatant], origin: Position | None
    ) -> None:
        chain = self._damage(actor, declared.options)
        parts: list[DamagePart] = []
        if chain is not None:
            chain.record(table)
            parts = roll_damage(table, actor.id, chain)
        for target in caught:
            against = self.difficulty(actor)
            save = throw_save(
                table,
                target,
                self.save,
                against,
                self.ref,
                origin=origin,
                threat=self.threat,
                hindrance=self._hard(target),
            )
            if chain is not None and (not save.succeeded or self.saved == "half"):
                harm = Harm(table.battle, target, actor, self.ref, types_of(chain), saved=save.succeeded)
                harm.halved_by = self.save if self.saved == "half" else None
                taken = taken_chain(harm)
                taken.record(table)
                inflict(table, harm, parts, taken)
            if not save.succeeded:
                self._befall(table, actor, target, save)

    def _hard(self, target: Combatant) -> str | None:
        """Why a target saves with disadvantage, if it does."""
        kind = sheet_of(target).creature_type
        return f"harder to resist for the creature type {kind}" if kind in self.hard_on else None

    @property
    def threat(self) -> tuple[str, ...]:
        return self.then.threat if self.then is not None else ()

    def _damage(self, actor: Combatant, options: Data) -> ModifierChain | None:
        notation = self.notation(actor, options)
        return damage_of(self, actor, notation, self.damage_type, self.extra) if notation and self.damage_type else None

    def notation(self, actor: Combatant, options: Data) -> str | None:
        """The damage dice when it is used with these options; None if it deals no damage."""
        return self.dice(actor, options, self.damage).notation if self.damage is not None else None

    def _befall(self, table: Table, actor: Combatant, target: Combatant, save: Save) -> None:
        if actor.position is not None:
            push(table, target, actor, self.push)
        if self.then is not None:
            self.then.befall(table, target, actor, self.ref, self.save, save.against, save.missed_by)


@archetype("area", "spells")
@options
class AreaSpell(AreaPower, GrowingSpell):
    """Deal damage in an area; a successful save halves or prevents it."""

    concentration: Annotated[bool, Field(description="its conditions last as long as its caster concentrates")] = False
    tags = ("spell", "area", "harm")

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.concentration and not self.is_again(actor, declared.options):
            concentrate(table, actor, self)
        super().take_effect(table, actor, declared)
        self.sustain(table, actor, declared.options)


@archetype("area", "actions", "features")
@options
class SpecialArea(AreaPower, SavedSpecialAction):
    """Deal damage in an area, as with a dragon's breath; a successful save halves or prevents it."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("area", "harm")


@options
class BlastPower(MadePower):
    damage: Annotated[DiceText, Field(description="dice, such as 4d8")]
    damage_type: DamageType
    save: AbilityScore
    saved: Annotated[Literal["half", "nothing"], Field(description="the damage on a successful save")] = "half"
    extra: Annotated[tuple[ExtraDamage, ...], Field(max_length=3, description="damage of other types with it")] = ()
    targets: Annotated[Few, Field(description="the highest number of targets")] = 1
    ignores_cover: Annotated[bool, Field(description="cover does not help the targets to save")] = False
    then: Annotated[Consequence | None, Field(description="a condition on a failed save")] = None
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=self.targets))

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        targets = chosen_targets(table, actor, self, declared, most=self.targets)
        chain = damage_of(self, actor, self.notation(actor, declared.options), self.damage_type, self.extra)
        chain.record(table)
        parts = roll_damage(table, actor.id, chain)
        threat = self.then.threat if self.then is not None else ()
        for target in table.battle.by_initiative(targets):
            if is_turned_aside(table, actor, target):
                continue
            origin = None if self.ignores_cover else actor.position
            save = throw_save(table, target, self.save, self.difficulty(actor), self.ref, origin=origin, threat=threat)
            if not save.succeeded or self.saved == "half":
                harm = Harm(table.battle, target, actor, self.ref, types_of(chain), saved=save.succeeded)
                harm.halved_by = self.save if self.saved == "half" else None
                taken = taken_chain(harm)
                taken.record(table)
                inflict(table, harm, parts, taken)
            if not save.succeeded and self.then is not None:
                self.then.befall(table, target, actor, self.ref, self.save, save.against, save.missed_by)

    def notation(self, actor: Combatant, options: Data) -> str:
        """The damage dice when it is used with these options."""
        return self.dice(actor, options, self.damage).notation


@archetype("blast", "spells")
@options
class BlastSpell(BlastPower, GrowingSpell):
    """Deal damage to the named targets; a successful save halves or prevents it."""

    tags = ("spell", "harm")


@archetype("blast", "actions", "features")
@options
class SpecialBlast(BlastPower, SavedSpecialAction):
    """Deal damage to the named targets, as with a glare; a successful save halves or prevents it."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("harm",)
