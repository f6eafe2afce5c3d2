"""What an encounter can be opened with besides a map: hazards, lights and optional rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from combatlog.rules.dnd5e.creatures.weapons_and_armor import SheetPart, damage_dice
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.engine.options_and_validation import EncounterOptions
from combatlog.rules.engine.refusal import choices
from ledger.events import Position
from projections.battle.fold import Battle

Square = Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}$")]
"""A square of the map, as people write it: `4,2`."""


class HazardTiming(StrEnum):
    """When a hazard affects a combatant."""

    ENTER = "enter"
    START = "start"
    END = "end"


class HazardEffect(SheetPart):
    """What a hazard or zone does to the combatants it affects."""

    when: tuple[HazardTiming, ...] = Field(
        default=(HazardTiming.ENTER, HazardTiming.START), description="at what moments: enter, start, end"
    )
    damage: str | None = Field(default=None, max_length=20, description="dice of damage")
    damage_type: DamageType = DamageType.FIRE
    save: AbilityScore | None = Field(default=None, description="the save against it; no save if omitted")
    dc: int | None = Field(default=None, ge=1, le=40, description="the DC of the save; 10 if omitted")
    saved: Literal["half", "nothing"] = Field(default="half", description="the damage taken on a successful save")
    condition: str | None = Field(default=None, max_length=40, description="a condition imposed on a failed save")
    lasts_a_turn: bool = Field(default=False, description="the condition ends at the end of the target's turn")
    escape: bool = Field(default=False, description="an action and a Strength check against the dc end the condition")
    difficult: bool = Field(default=False, description="the squares are difficult terrain; for spells only")
    spares_friends: bool = Field(default=False, description="it affects only enemies of its creator")
    each_step: bool = Field(default=False, description="every step in it counts as entering it")

    unsettles: bool = Field(
        default=False, description="starting a turn there forces a Constitution save to keep concentrating"
    )
    spent_after: int | None = Field(
        default=None, ge=1, le=1000, description="it ends once it has dealt this much damage; for spells only"
    )

    @field_validator("damage")
    @classmethod
    def _is_dice(cls, damage: str | None) -> str | None:
        return damage_dice(damage) if damage else damage

    @field_validator("condition")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        from combatlog.rules.dnd5e.pieces import Dnd5eCondition, pieces_of

        if name is not None and name not in (known := pieces_of(Dnd5eCondition)):
            raise ValueError(f"there is no condition {name!r}; choose {choices(sorted(known))}")
        return name

    @property
    def difficulty(self) -> int:
        """The DC of saves and checks against it."""
        return self.dc or 10


class Hazard(HazardEffect):
    """Squares of the map that affect the combatants in them."""

    squares: tuple[Square, ...] = Field(min_length=1, max_length=400, description="where it is")
    hidden: bool = Field(default=False, description="whether the players cannot see it, such as a trap")
    becomes: Literal[".", "~", ":", "w"] | None = Field(
        default=None, description="the terrain its squares turn into when it is triggered, which ends it"
    )


class Lamp(SheetPart):
    """A light source with a fixed place."""

    at: Square = Field(description="where it stands")
    bright: int = Field(default=20, ge=0, le=500, description="how far it gives bright light, in feet")
    dim: int = Field(default=20, ge=0, le=500, description="how much farther it gives dim light, in feet")


class Light(StrEnum):
    """The ambient light."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


def read_square(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)


class Diagonals(StrEnum):
    """What diagonal steps cost, in feet."""

    FIVE = "5"
    ALTERNATING = "5-10-5"


def _as_text(value: Any) -> Any:
    """Accept a plain 5, which YAML and JSON read as a number."""
    return str(value) if type(value) is int else value


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Dnd5eOptions(EncounterOptions):
    """The optional rules of an encounter."""

    diagonals: Annotated[Diagonals, BeforeValidator(_as_text)] = Field(
        default=Diagonals.FIVE,
        description="what diagonal steps cost, in feet: always 5, or 10 for every second one of a turn",
    )

    locked: tuple[Square, ...] | None = Field(
        default=None, max_length=400, description="doors of the map that are locked, such as 4,2"
    )

    hazards: dict[Name, Hazard] | None = Field(
        default=None,
        max_length=100,
        description="squares that affect the combatants in them, by name: traps, burning ground",
    )

    light: Light | None = Field(default=None, description="the ambient light; bright by default")

    lights: tuple[Lamp, ...] | None = Field(
        default=None, max_length=100, description="lamps and fires: at, bright and dim, in feet"
    )

    delay: bool | None = Field(
        default=None, description="whether combatants can delay their turns; by default, they cannot"
    )


def is_locked(battle: Battle, square: Position) -> bool:
    return f"{square[0]},{square[1]}" in (battle.encounter.options.get("locked") or ())


def allows_delay(battle: Battle) -> bool:
    return bool(battle.encounter.options.get("delay"))


def has_costly_diagonals(battle: Battle) -> bool:
    """Whether every second diagonal step costs double. Older encounters recorded only the options they were given."""
    return bool(battle.encounter.options.get("diagonals") == Diagonals.ALTERNATING)
