"""What an encounter can be opened with besides a map: hazards, lamps, and optional rules."""

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
    """When somebody is affected."""

    ENTER = "enter"
    START = "start"
    END = "end"


class HazardEffect(SheetPart):
    """What happens to whoever is affected."""

    when: tuple[HazardTiming, ...] = Field(
        default=(HazardTiming.ENTER, HazardTiming.START), description="at what moments: enter, start, end"
    )
    damage: str | None = Field(default=None, max_length=20, description="dice of damage")
    damage_type: DamageType = DamageType.FIRE
    save: AbilityScore | None = Field(default=None, description="the save against it; nobody saves if omitted")
    dc: int | None = Field(default=None, ge=1, le=40, description="what the save has to reach; 10 if omitted")
    saved: Literal["half", "nothing"] = Field(default="half", description="what is left of the damage after a save")
    condition: str | None = Field(default=None, max_length=40, description="a condition for those who fail the save")
    lasts_a_turn: bool = Field(default=False, description="the condition ends with the turn it begins in")
    escape: bool = Field(default=False, description="an action frees from the condition: Strength against the dc")
    difficult: bool = Field(default=False, description="the squares are difficult terrain; for spells only")
    spares_friends: bool = Field(default=False, description="it affects only enemies of whoever made it")
    each_step: bool = Field(default=False, description="every step in it counts as entering it")

    unsettles: bool = Field(
        default=False, description="those who start their turn there save with Constitution to keep concentrating"
    )
    spent_after: int | None = Field(
        default=None, ge=1, le=1000, description="it is over once it has dealt so much damage; for spells only"
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
        """What a save or a check against it has to reach."""
        return self.dc or 10


class Hazard(HazardEffect):
    """Squares of the map that do something to those in them."""

    squares: tuple[Square, ...] = Field(min_length=1, max_length=400, description="where it is")
    hidden: bool = Field(default=False, description="whether nobody knows of it, such as a trap")
    becomes: Literal[".", "~", ":", "w"] | None = Field(
        default=None, description="what its squares turn into when it springs; it is over then"
    )


class Lamp(SheetPart):
    """A light that stays where it is."""

    at: Square = Field(description="where it stands")
    bright: int = Field(default=20, ge=0, le=500, description="how far it gives bright light, in feet")
    dim: int = Field(default=20, ge=0, le=500, description="how much farther it gives dim light, in feet")


class Light(StrEnum):
    """How light it is."""

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
    """YAML and JSON read a plain 5 as a number."""
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
        description="squares that do something to those in them, by name: traps, burning ground",
    )

    light: Light | None = Field(default=None, description="how light it is; bright by default")

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
    """Whether every second diagonal step of a turn costs double. Older encounters recorded only what was given."""
    return bool(battle.encounter.options.get("diagonals") == Diagonals.ALTERNATING)
