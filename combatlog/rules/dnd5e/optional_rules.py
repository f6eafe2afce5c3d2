"""Optional rules: what a D&D 5e encounter can be opened with."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from combatlog.rules.dnd5e.surroundings import Hazard, Lamp, Light, Square
from combatlog.rules.engine.options import EncounterOptions
from ledger.events import Position
from projections.battle import Battle


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
