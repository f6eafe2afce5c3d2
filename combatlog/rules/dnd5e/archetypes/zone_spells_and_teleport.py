"""Spells that leave an effect on squares of the map, and teleporting."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.registry import ConditionName, DiceText, Feet, Size, archetype, options
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import (
    GrowingSpell,
    MadePower,
    MadeSpell,
    SpecialAction,
)
from combatlog.rules.dnd5e.attack.targeting import chosen_place
from combatlog.rules.dnd5e.battlemap.areas import Extent, Shape, affect, covered
from combatlog.rules.dnd5e.battlemap.movement import STEP, nearest_free, teleport
from combatlog.rules.dnd5e.battlemap.paths import require_room
from combatlog.rules.dnd5e.battlemap.space import nearest_square
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import AROUND
from combatlog.rules.dnd5e.battlemap.zones import ZONE, affect_by, zones_of
from combatlog.rules.dnd5e.combatant_state import afflict, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import for_minutes
from combatlog.rules.dnd5e.conditions.instances import SHIELDS
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hazards_and_optional_rules import HazardEffect, HazardTiming
from combatlog.rules.dnd5e.spells.casting import concentrate
from combatlog.rules.engine.grid.squares import distance, grid_of
from combatlog.rules.engine.options_and_validation import DeclaredParts, Part, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@archetype("zone", "spells")
@options
class ZoneSpell(GrowingSpell):
    """Leave an effect on squares of the map while the caster concentrates, such as a wall of fire or a cloud of fog."""

    range: Annotated[Feet, Field(description="its range in feet")]
    shape: Shape
    size: Annotated[Size, Field(description="in feet: radius of a sphere, side of a cube, length of a cone or line")]
    when: Annotated[tuple[HazardTiming, ...], Field(description="the moments when it affects a combatant")] = (
        HazardTiming.ENTER,
        HazardTiming.START,
    )
    damage: DiceText | None = None
    fixed: Annotated[int, Field(ge=0, le=500, description="damage that is not rolled, instead of dice")] = 0
    damage_type: DamageType = DamageType.FIRE
    save: AbilityScore | None = None
    saved: Annotated[Literal["half", "nothing"], Field(description="the damage on a successful save")] = "half"
    at_once: Annotated[bool, Field(description="it also affects the combatants in it when it is cast")] = False
    obscures: Annotated[bool, Field(description="it blocks sight into it and out of it")] = False
    darkness: Annotated[bool, Field(description="it obscures like magical darkness, in which truesight works")] = False
    condition: Annotated[ConditionName | None, Field(description="a condition imposed on a failed save")] = None
    lasts_a_turn: Annotated[bool, Field(description="the condition ends at the end of the target's turn")] = False
    escape: Annotated[bool, Field(description="an action and a Strength check against dc end the condition")] = False
    difficult: Annotated[bool, Field(description="the squares are difficult terrain")] = False
    spares_friends: Annotated[bool, Field(description="it affects only enemies of the caster")] = False
    each_step: Annotated[bool, Field(description="every step in it counts as entering it")] = False
    follows: Annotated[bool, Field(description="it surrounds the caster and moves along; it is not aimed")] = False
    concentration: Annotated[bool, Field(description="it lasts while its caster concentrates")] = True
    first_type: Annotated[
        DamageType | None, Field(description="the type of the damage when it is cast, if different")
    ] = None
    rams: Annotated[bool, Field(description="it immediately affects combatants onto whom it is moved")] = False
    drifts: Annotated[Feet, Field(description="how far it moves away from its caster each turn, in feet")] = 0
    moves: Annotated[Feet, Field(description="how far it can be moved when it is used again, in feet")] = 0
    unsettles: Annotated[
        bool, Field(description="starting a turn there forces a Constitution save to keep concentrating")
    ] = False
    spent_after: Annotated[
        int | None, Field(ge=1, le=1000, description="it ends once it has dealt this much damage")
    ] = None
    shields: Annotated[bool, Field(description="it gives three-quarters cover to combatants behind it")] = False
    parts = frozenset({Part.DESTINATION})
    tags = ("spell", "area", "harm")

    then = None
    """Unlike an instantaneous area, it has no further effects on a failed save."""
    around = False
    """It is always aimed at a square."""

    def spared(self, battle: Battle, actor: Combatant, place: Position) -> list[Combatant]:
        return []

    def notation(self, actor: Combatant, options: Data) -> str:
        """The damage dice when it is cast with these options."""
        return self.dice(actor, options, self.damage).notation if self.damage else "0"

    @property
    def extent(self) -> Extent:
        return Extent(self.shape, self.size)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _require_map(table.battle, actor)
        self._check_moved(actor, self._place(table, actor, declared), declared.options)

    def _place(self, table: Table, actor: Combatant, declared: Declared) -> Position:
        if self.follows and actor.position is not None:
            return actor.position
        return chosen_place(table.battle, actor, self, declared.destination)

    def _check_moved(self, actor: Combatant, place: Position, options: Data) -> None:
        held = self.sustained(actor) if self.is_again(actor, options) else None
        if held is not None and 5 * distance((held.data["at"][0], held.data["at"][1]), place) > self.moves:
            raise Refusal(
                "spell/moves-too-far",
                f"{self.title} can be moved only {self.moves} feet; choose a nearer square.",
                who=actor.id,
                what=self.name,
                destination=place,
                reach=self.moves,
            )

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        place, again = self._place(table, actor, declared), self.is_again(actor, declared.options)
        if self.concentration and not again:
            concentrate(table, actor, self)
        self._lay(table, actor, declared, place, at_once=self.at_once or (self.rams and again))
        self.sustain(table, actor, declared.options, {"at": list(place)})

    def _lay(self, table: Table, actor: Combatant, declared: Declared, place: Position, *, at_once: bool) -> None:
        caught, squares = affect(table, actor, self.ref, self.extent, place), self._squares(table, actor, place)
        until = None if self.concentration else for_minutes(table.battle, actor, self.minutes)
        data = self._data(actor, declared, squares)
        afflict(table, actor, ZONE, source=self.ref, owner=actor.id, until=until, data=data)
        if at_once:
            zone = next(one for one in zones_of(table.battle) if one.source == self.ref and one.owner is actor)
            if self.first_type is not None:
                zone = replace(zone, effect=zone.effect.model_copy(update={"damage_type": self.first_type}))
            for target in filter(zone.holds, caught):
                affect_by(table, zone, target)

    def _squares(self, table: Table, actor: Combatant, place: Position) -> list[Position]:
        return covered(grid_of(table.battle.map), self.extent, nearest_square(actor, place), place)

    def _data(self, actor: Combatant, declared: Declared, squares: list[Position]) -> dict[str, Any]:
        rolled = self.notation(actor, declared.options) if self.damage else None
        damage = str(self.fixed) if self.fixed else rolled
        effect = HazardEffect(
            when=self.when,
            damage=damage,
            damage_type=self.damage_type,
            save=self.save,
            dc=self.difficulty(actor) if self.save or self.escape else None,
            saved=self.saved,
            condition=self.condition,
            lasts_a_turn=self.lasts_a_turn,
            escape=self.escape,
            difficult=self.difficult,
            spares_friends=self.spares_friends,
            each_step=self.each_step,
            unsettles=self.unsettles,
            spent_after=self.spent_after,
        )
        data: dict[str, Any] = {
            "squares": [] if self.follows else [list(square) for square in squares],
            **({AROUND: self.size} if self.follows else {}),
            "effect": effect.model_dump(mode="json", exclude_defaults=True),
        }
        if self.drifts:
            data |= {"drifts": self.drifts, "at": list(declared.destination or actor.position or (0, 0))}
        if self.shields:
            data[SHIELDS] = True
        if self.obscures or self.darkness:
            data["obscures"] = "darkness" if self.darkness else "fog"
        return data


def _require_map(battle: Battle, actor: Combatant) -> None:
    if actor.position is None:
        raise Refusal(
            "spell/no-map",
            f"{actor.name} is not on the map, so the GM has to decide what the spell does.",
            who=actor.id,
        )


@options
class TeleportPower(MadePower):
    unseen: Annotated[bool, Field(description="also to squares out of sight")] = False
    brings: Annotated[int, Field(ge=0, le=20, description="the number of adjacent friends that it can take along")] = 0

    @property
    def signature(self) -> Signature:
        parts = {Part.DESTINATION, Part.TARGET} if self.brings else {Part.DESTINATION}
        return replace(super().signature, parts=frozenset(parts))

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        require_room(table.battle, actor, self._place(table, actor, declared))
        self.companions(table, actor, declared)

    def _place(self, table: Table, actor: Combatant, declared: Declared) -> Position:
        return chosen_place(table.battle, actor, self, declared.destination, unseen=self.unseen)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        companions = self.companions(table, actor, declared)
        place = self._place(table, actor, declared)
        teleport(table, actor, place)
        for companion in companions:
            teleport(table, companion, nearest_free(table.battle, companion, place))

    def companions(self, table: Table, actor: Combatant, declared: Declared) -> list[Combatant]:
        """The adjacent friends that the teleporting combatant takes along."""
        named = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
        for one in named:
            if one is actor or is_hostile(actor, one) or feet_between(actor, one) > STEP or is_dead(one):
                raise Refusal(
                    f"{self.type}/companion",
                    f"{self.title} can take along only living friends within {STEP} feet, not {one.name}.",
                    who=actor.id,
                    what=self.name,
                    target=one.id,
                )
        return named

    def check_said(self, said: DeclaredParts) -> None:
        super().check_said(said)
        if len(said.targets) > self.brings:
            raise Refusal(
                f"{self.type}/targets",
                f"{self.title} can take along {self.brings}, but {len(said.targets)} were named.",
                what=self.name,
                needed=self.brings,
                found=len(said.targets),
            )


@archetype("teleport", "spells")
@options
class TeleportSpell(TeleportPower, MadeSpell):
    """Teleport to a free square in range and in sight."""

    tags = ("spell", "movement")


@archetype("teleport", "actions", "features")
@options
class SpecialTeleport(TeleportPower, SpecialAction):
    """Teleport to a free square in range and in sight, without a slot."""

    range: Annotated[Feet, Field(description="its range in feet")]
    tags = ("movement",)
