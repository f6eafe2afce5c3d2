"""The time family: an encounter opens, combatants join, rounds and turns pass, the encounter closes."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import (
    Commanded,
    Controller,
    Data,
    Event,
    Gauge,
    Hex32,
    Key,
    Name,
    Notation,
    Policy,
    Position,
    Prose,
    Value,
    Who,
)


class EncounterOpened(Commanded):
    """A fight begins. Always event 1."""

    written_by: ClassVar[str] = "the command that opens an encounter"
    read_by: ClassVar[str] = "every fold, the list of encounters"

    kind: Literal["encounter_opened"] = "encounter_opened"
    name: Name = Field(description="the encounter's name, unique in the ledger; accepted wherever the id is")
    ruleset: Key = Field(description="the ruleset that resolves its declarations")
    ruleset_version: Notation = Field(description="the version of that ruleset when the fight was opened")
    dice: Notation = Field(
        description="where faces come from: `random`, `seed:N`, `table`, `committed`, `shared` or `recorded` (by "
        "another tool); with different sources for sides or combatants: `heroes=table,foes=random`"
    )
    commitment: Hex32 | None = Field(
        default=None,
        description="with committed dice: SHA-256 of the secret seed that decides every face; with shared dice: of the "
        "seed from which the host's links are derived",
    )
    map: tuple[Notation, ...] | None = Field(default=None, description="the grid, one text per row")
    options: Data = Field(
        default_factory=dict,
        description="the optional rules in force, the content packs, what players see, which conditions conceal, and "
        "the salt of proofs",
    )


class CombatantJoined(Event):
    """A combatant joins the fight, with everything that its ruleset needs to know about it."""

    written_by: ClassVar[str] = "the declaration `join`"
    read_by: ClassVar[str] = "combatants, vitals, the action economy, positions"

    kind: Literal["combatant_joined"] = "combatant_joined"
    combatant: Who = Field(description="its id in this encounter")
    name: Name = Field(description="the name people call it by")
    side: Name = Field(description="the side it fights on; everyone on another side is hostile")
    controller: Controller = Field(description="who decides for it: a player or the GM")
    position: Position | None = Field(default=None, description="where it stands; absent: not on the map")
    sheet: Data = Field(description="its sheet, as its ruleset validated it")
    vitals: dict[Key, Gauge] = Field(description="the pools that damage and healing change, by name")
    resources: dict[Key, Gauge] = Field(description="the pools that actions spend, by name")
    policies: dict[Key, Policy] = Field(
        default_factory=dict, description="its policies by reaction name; `*` means all others"
    )


class PoliciesSet(Event):
    """A combatant's policies for reactions change during the fight."""

    written_by: ClassVar[str] = "the declaration `policies`"
    read_by: ClassVar[str] = "windows that open later"

    kind: Literal["policies_set"] = "policies_set"
    combatant: Who = Field(description="the combatant")
    policies: dict[Key, Policy] = Field(description="the changed policies by reaction name; `*` means all others")


class CombatantLeft(Event):
    """A combatant leaves the fight: it fled, was dismissed or was carried off."""

    written_by: ClassVar[str] = "the declaration `leave`; rules that take the defeated off the map"
    read_by: ClassVar[str] = "combatants, the clock"

    kind: Literal["combatant_left"] = "combatant_left"
    combatant: Who = Field(description="the combatant that leaves")
    why: Prose = Field(description="why it leaves")


class InitiativeEntry(Value):
    """One combatant's place in the order."""

    combatant: Who = Field(description="the combatant")
    value: int = Field(description="its initiative")


class InitiativeSet(Event):
    """The order in which combatants act is set."""

    written_by: ClassVar[str] = (
        "the declarations `start`, `initiative` and `join`; rules that change the order of turns"
    )
    read_by: ClassVar[str] = "the clock"

    kind: Literal["initiative_set"] = "initiative_set"
    order: tuple[InitiativeEntry, ...] = Field(description="all combatants in the order of their turns")


class RoundStarted(Event):
    """A new round begins."""

    written_by: ClassVar[str] = "the declarations `start` and `end-turn`"
    read_by: ClassVar[str] = "the clock"

    kind: Literal["round_started"] = "round_started"
    number: int = Field(description="the number of the round, from 1")


class TurnStarted(Event):
    """A combatant's turn begins."""

    written_by: ClassVar[str] = "the declarations `start` and `end-turn`; the activation of a figure"
    read_by: ClassVar[str] = "the clock"

    kind: Literal["turn_started"] = "turn_started"
    combatant: Who = Field(description="the combatant whose turn begins")


class TurnEnded(Event):
    """A combatant's turn is over."""

    written_by: ClassVar[str] = "the declaration `end-turn`"
    read_by: ClassVar[str] = "the clock, statistics"

    kind: Literal["turn_ended"] = "turn_ended"
    combatant: Who = Field(description="the combatant whose turn is over")


class RoundEnded(Event):
    """Everyone has had a turn in this round."""

    written_by: ClassVar[str] = "the declaration `end-turn`"
    read_by: ClassVar[str] = "the log"

    kind: Literal["round_ended"] = "round_ended"
    number: int = Field(description="the number of the round")


class EncounterLabelled(Event):
    """The fight is labelled: from now on it has exactly these labels."""

    written_by: ClassVar[str] = "the declaration `label`, also after the fight is over"
    read_by: ClassVar[str] = "the list of encounters, statistics"

    kind: Literal["encounter_labelled"] = "encounter_labelled"
    labels: tuple[Key, ...] = Field(
        description="all labels, sorted; `practice` and `archived` keep it out of statistics, others are free-form"
    )
    why: Prose | None = Field(default=None, description="why; absent: no reason was given")


class Original(Value):
    """An imported fight as it was in the ledger that it came from."""

    here: UUID = Field(description="its id in this ledger; its first event has its name")
    encounter: UUID = Field(
        description="its id in the other ledger; the same if only the name of a fight it was forked from changed"
    )
    name: Name = Field(description="its name in the other ledger")


class EncounterImported(Commanded):
    """The fight was imported under another name: all of its events before this one were copied from another ledger.

    An id is derived from a name, so the copies have other ids and hashes. With the old ids and names put back, the
    events have their original hashes again, and the last of them is `head`.
    """

    written_by: ClassVar[str] = "an import that gives fights another name"
    read_by: ClassVar[str] = "verification, later imports of the same fight"

    kind: Literal["encounter_imported"] = "encounter_imported"
    originals: tuple[Original, ...] = Field(
        description="the fight in the other ledger, then the fights it was forked from, if they were copied too"
    )
    head: Hex32 = Field(description="the hash that the event before this one had in the other ledger")


class EncounterClosed(Event):
    """The fight is over; nothing more can be declared."""

    written_by: ClassVar[str] = "the declaration `close`; rules that know when a fight is won"
    read_by: ClassVar[str] = "the clock, the check of committed dice"

    kind: Literal["encounter_closed"] = "encounter_closed"
    why: Prose = Field(description="how it ended")
    seed: Hex32 | None = Field(
        default=None, description="with committed or shared dice: the seed, so that everyone can check the faces"
    )
