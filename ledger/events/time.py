"""The time family: an encounter opens, people join, rounds and turns pass, it closes."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Commanded, Controller, Data, Event, Gauge, Hex32, Policy, Position, Value


class EncounterOpened(Commanded):
    """A fight begins to be recorded. Always event 1."""

    written_by: ClassVar[str] = "`combatlog new`, `combatlog run`"
    read_by: ClassVar[str] = "every fold; `combatlog list`"

    kind: Literal["encounter_opened"] = "encounter_opened"
    name: str = Field(description="unique in the ledger; may be used wherever the id may")
    ruleset: str = Field(description="the ruleset that resolves its declarations")
    ruleset_version: str
    dice: str = Field(description="where faces come from: `random`, `seed:N`, `table` or `committed`")
    commitment: Hex32 | None = Field(
        default=None, description="with committed dice: SHA-256 of the secret seed that every face follows from"
    )
    map: tuple[str, ...] | None = Field(default=None, description="the grid, one string a row")
    options: Data = Field(default_factory=dict, description="the ruleset's optional rules")


class CombatantJoined(Event):
    """A creature enters the fight with everything its ruleset needs to know of it."""

    written_by: ClassVar[str] = "the declaration `join`"
    read_by: ClassVar[str] = "combatants, vitals, economy, positions"

    kind: Literal["combatant_joined"] = "combatant_joined"
    combatant: str = Field(description="its id within the encounter")
    name: str
    side: str = Field(description="who fights together; everyone on another side is hostile")
    controller: Controller
    position: Position | None = None
    sheet: Data = Field(description="the validated sheet, as its ruleset wrote it")
    vitals: dict[str, Gauge] = Field(description="pools that damage and healing change")
    resources: dict[str, Gauge] = Field(description="pools that actions spend")
    policies: dict[str, Policy] = Field(
        default_factory=dict, description="settings by reaction name; `*` stands for all others"
    )


class CombatantLeft(Event):
    """A creature is out of the fight: fled, dismissed, carried off."""

    written_by: ClassVar[str] = "the declaration `leave`"
    read_by: ClassVar[str] = "combatants, clock"

    kind: Literal["combatant_left"] = "combatant_left"
    combatant: str
    why: str


class InitiativeEntry(Value):
    combatant: str
    value: int


class InitiativeSet(Event):
    """The order in which combatants act, highest first."""

    written_by: ClassVar[str] = "the declaration `start`; a ruleset that orders each round anew"
    read_by: ClassVar[str] = "clock"

    kind: Literal["initiative_set"] = "initiative_set"
    order: tuple[InitiativeEntry, ...]


class RoundStarted(Event):
    """A new round."""

    written_by: ClassVar[str] = "the declarations `start` and `end-turn`"
    read_by: ClassVar[str] = "clock"

    kind: Literal["round_started"] = "round_started"
    number: int


class TurnStarted(Event):
    """A combatant's turn begins."""

    written_by: ClassVar[str] = "the declarations `start` and `end-turn`"
    read_by: ClassVar[str] = "clock"

    kind: Literal["turn_started"] = "turn_started"
    combatant: str


class TurnEnded(Event):
    """A combatant's turn is over."""

    written_by: ClassVar[str] = "the declaration `end-turn`"
    read_by: ClassVar[str] = "clock"

    kind: Literal["turn_ended"] = "turn_ended"
    combatant: str


class RoundEnded(Event):
    """Everybody has had a turn."""

    written_by: ClassVar[str] = "the declaration `end-turn`"
    read_by: ClassVar[str] = "clock"

    kind: Literal["round_ended"] = "round_ended"
    number: int


class EncounterClosed(Event):
    """The fight is over; nothing more is declared."""

    written_by: ClassVar[str] = "the declaration `close`"
    read_by: ClassVar[str] = "clock"

    kind: Literal["encounter_closed"] = "encounter_closed"
    why: str
    seed: Hex32 | None = Field(
        default=None, description="with committed dice: the seed, so that all can check the faces"
    )
