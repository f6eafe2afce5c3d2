from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.archetype_registry import archetype, options
from rules.dnd5e.archetypes.casting import GrowingSpell
from rules.dnd5e.archetypes.parts import DiceText, Feet, Size
from rules.dnd5e.areas import Extent, Shape, affect, covered
from rules.dnd5e.magic import concentrate
from rules.dnd5e.powers import chosen_place
from rules.dnd5e.space import nearest_square
from rules.dnd5e.state import afflict
from rules.dnd5e.surroundings import Effect, When
from rules.dnd5e.words import AbilityScore, DamageType
from rules.dnd5e.zones import ZONE, affect_by, zones_of
from rules.engine.grid import grid_of
from rules.engine.options import Part
from rules.engine.refusal import Refusal
from rules.engine.table import Table


@archetype("zone", "spells")
@options
class ZoneSpell(GrowingSpell):
    """Leave an effect on squares of the map for as long as the caster concentrates: a wall of fire, a cloud of fog."""

    range: Annotated[Feet, Field(description="its range in feet")]
    shape: Shape
    size: Annotated[Size, Field(description="in feet: radius of a sphere, side of a cube, length of a cone or line")]
    when: Annotated[tuple[When, ...], Field(description="moments at which it affects somebody")] = (
        When.ENTER,
        When.START,
    )
    damage: DiceText | None = None
    damage_type: DamageType = DamageType.FIRE
    save: AbilityScore | None = None
    saved: Annotated[Literal["half", "nothing"], Field(description="what is left after a successful save")] = "half"
    at_once: Annotated[bool, Field(description="it also affects those who are there when it is cast")] = False
    obscures: Annotated[bool, Field(description="nobody sees into it or out of it")] = False
    darkness: Annotated[bool, Field(description="it obscures as magical darkness does: truesight sees in it")] = False
    concentration = True
    parts = frozenset({Part.DESTINATION})
    tags = ("spell", "area", "harm")

    then = None
    """Nothing else follows from a failed save, as it can for an area that is over at once."""
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
        chosen_place(table.battle, actor, self, declared.destination)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        place = chosen_place(table.battle, actor, self, declared.destination)
        concentrate(table, actor, self)
        caught, squares = affect(table, actor, self.ref, self.extent, place), self._squares(table, actor, place)
        afflict(table, actor, ZONE, source=self.ref, owner=actor.id, data=self._data(actor, declared, squares))
        if self.at_once:
            zone = next(one for one in zones_of(table.battle) if one.source == self.ref and one.owner is actor)
            for target in caught:
                affect_by(table, zone, target)

    def _squares(self, table: Table, actor: Combatant, place: Position) -> list[Position]:
        return covered(grid_of(table.battle.map), self.extent, nearest_square(actor, place), place)

    def _data(self, actor: Combatant, declared: Declared, squares: list[Position]) -> dict[str, Any]:
        damage = self.notation(actor, declared.options) if self.damage else None
        effect = Effect(
            when=self.when,
            damage=damage,
            damage_type=self.damage_type,
            save=self.save,
            dc=self.difficulty(actor) if self.save else None,
            saved=self.saved,
        )
        data: dict[str, Any] = {
            "squares": [list(square) for square in squares],
            "effect": effect.model_dump(mode="json", exclude_defaults=True),
        }
        if self.obscures or self.darkness:
            data["obscures"] = "darkness" if self.darkness else "fog"
        return data


def _require_map(battle: Battle, actor: Combatant) -> None:
    if actor.position is None:
        raise Refusal(
            "spell/no-map", f"{actor.name} is not on the map, so the GM decides what this does.", who=actor.id
        )
