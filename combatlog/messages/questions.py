"""The questions about a ledger. The table of all of them is `QUESTIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import quote

from pydantic import Field

from combatlog.messages.message import Message, Name
from combatlog.messages.rights import Right
from ledger.events import Data
from ledger.json_shapes import LazyType
from ledger.store.ledger import encounter_id
from projections.statistics.statistic_names import By, Figure, Statistic

PAGE = 500
"""Encounters on the largest page."""
ZIP = "application/zip"
Encounter = Annotated[str, Field(max_length=200, description="The encounter's id, or its name.")]
Campaign = Annotated[Name, Field(description="as given when a fight was opened")]
Ruleset = Annotated[str, Field(max_length=100, description="the rules that it is for")]


class LedgerMessage(Message):
    """A message to a ledger rather than to a fight. Documents quote its docstring."""

    path: ClassVar[str]
    """Its address below /v1; fields can be in it."""
    method: ClassVar[str]
    tag: ClassVar[str]
    """The part of the OpenAPI document in which it is."""
    answer: ClassVar[Any]
    """The type of the answer. Bytes are a file; anything else is written as JSON."""

    def request(self) -> tuple[str, Data]:
        path, said = type(self).path, self.as_json()
        placed = {name: segment(name, str(value)) for name, value in said.items() if f"{{{name}}}" in path}
        return f"/{path.format(**placed)}", {name: value for name, value in said.items() if name not in placed}

    def content(self) -> bytes | None:
        """The file that is sent with it, if there is one. Then its fields are in the address."""
        return None


def segment(name: str, value: str) -> str:
    """A part of an address. If the name of an encounter cannot be one, its id is used."""
    fits = name != "encounter" or ("/" not in value and value.strip(".") != "")
    return quote(value if fits else str(encounter_id(value)), safe="")


class LedgerQuestion(LedgerMessage):
    """A question. Nothing is recorded."""

    right = Right.KNOW
    method = "GET"
    tag = "asking"
    about: ClassVar[str | None] = None
    """A description of the answer, if the summary does not say it."""
    media_types: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Of an answer that is a file: its type, by the format that is asked for."""
    any_seat: ClassVar[bool] = False
    """Whether a seat at one fight can ask it, whichever fight that is."""

    @property
    def fight_meant(self) -> str | None:
        """Its only fight; a seat at that fight can ask the question. None: it is about all fights."""
        return getattr(self, "encounter", None)


class ContentQuestion(LedgerQuestion):
    """A question about what ships with the rules or the program. Every seat can ask it."""

    right = Right.LOOK
    tag = "content"
    any_seat = True


class FightFilter(Message):
    """Which fights a statistic is about; by default all but forks, practice and archived ones."""

    fight: Annotated[tuple[str, ...], Field(max_length=1000, description="only these encounters")] = ()
    campaign: Annotated[str | None, Field(max_length=200, description="only fights of this campaign")] = None
    since: Annotated[date | None, Field(description="the first day on which they may have begun, in UTC")] = None
    until: Annotated[date | None, Field(description="the last day")] = None
    undone: Annotated[bool, Field(description="also count what was taken back")] = False
    forks: Annotated[bool, Field(description="also count forks; fights that are named always count")] = False
    practice: Annotated[bool, Field(description="also count practice fights")] = False
    archived: Annotated[bool, Field(description="also count archived fights")] = False

    @property
    def fight_meant(self) -> str | None:
        return self.fight[0] if len(self.fight) == 1 else None


class ListFights(LedgerQuestion):
    """List the encounters of the seat, newest first: one or all of them."""

    path = "encounters"
    tag = "encounters"
    right = Right.LOOK
    any_seat = True
    answer = LazyType("ledger.store.encounters:Page")
    about = "A page of the encounters, newest first."

    limit: Annotated[int, Field(ge=1, le=PAGE, description="how many on a page")] = 50
    after: Annotated[str | None, Field(max_length=200, description="`next` of the page before")] = None
    archived: Annotated[bool, Field(description="also list archived ones")] = False


class Statistics(FightFilter, LedgerQuestion):
    """Compute a statistic of the named encounters, or of all that count.

    A seat at one encounter has to name that one.
    """

    path = "statistics/{statistic}"
    answer = LazyType("projections.statistics.question:Report", many=True)

    statistic: Annotated[Statistic, Field(description="which statistic")]
    by: Annotated[By, Field(description="the breakdown")] = By.ACTOR


class DrawFigure(FightFilter, LedgerQuestion):
    """Draw a figure of the statistics of the named encounters, or of all that count."""

    path = "figures/{figure}"
    answer = bytes
    media_types = MappingProxyType({"svg": "image/svg+xml", "png": "image/png"})

    figure: Annotated[Figure, Field(description="which figure")]
    format: Annotated[Literal["svg", "png"], Field(description="the type of the file")] = "svg"


class ReportCampaign(LedgerQuestion):
    """Report the fights of a campaign.

    It needs a seat at all encounters, like every question about several of them.
    """

    path = "campaigns/{campaign}/report"
    answer = LazyType("projections.report.models:CampaignReport")

    campaign: Campaign


class ListCharacters(LedgerQuestion):
    """List the characters of a campaign."""

    path = "campaigns/{campaign}/characters"
    answer = LazyType("combatlog.rules.engine.status:Member", many=True)

    campaign: Campaign


class VerifyLedger(LedgerQuestion):
    """Check the ledger as a whole.

    It needs a GM's or auditor's seat at all encounters. Each encounter is verified separately.
    """

    path = "verification"
    tag = "verifying"
    answer = LazyType("combatlog.handlers.ledger_answers:LedgerVerification")
    about = "The findings, and the encounters that can be verified."


class ExportTables(LedgerQuestion):
    """Export the tables of all fights.

    It needs a seat at all encounters that sees everything.
    """

    path = "exports"
    tag = "exchange"
    answer = bytes
    media_types = MappingProxyType({"csv": ZIP, "parquet": ZIP})

    format: Annotated[Literal["csv", "parquet"], Field(description="the type of the files")]


class ListCreatures(ContentQuestion):
    """List the creatures that can join by name."""

    path = "sheets"
    answer = LazyType("combatlog.rules.content.bestiary:Creature", many=True)

    search: Annotated[str | None, Field(max_length=200, description="a part of the name")] = None
    type: Annotated[str | None, Field(max_length=100, description="the type, such as `beast`")] = None
    ruleset: Ruleset = "dnd5e"


class ShowCreature(ContentQuestion):
    """Show a creature's stat block."""

    path = "sheets/{name}"
    answer = LazyType("combatlog.rules.content.bestiary:Card")

    name: Annotated[str, Field(max_length=200, description="the name of the creature")]
    ruleset: Ruleset = "dnd5e"


class ListArchetypes(ContentQuestion):
    """List the archetypes of a pack's entries."""

    path = "packs/archetypes"
    answer = LazyType("combatlog.rules.content.reference:ArchetypeData", many=True)

    name: Annotated[str | None, Field(max_length=200, description="only this archetype or section")] = None
    ruleset: Ruleset = "dnd5e"


class ListMessages(ContentQuestion):
    """List the messages that this seat can send, with their fields; the page draws its forms from them."""

    path = "messages"
    answer = LazyType("combatlog.message_reference:MessageData", many=True)


class ListSeats(LedgerQuestion):
    """List the seats at a fight."""

    path = "encounters/{encounter}/seats"
    tag = "seats"
    right = Right.OVERSEE
    answer = LazyType("combatlog.seats:HeldSeat", many=True)

    encounter: Encounter


class ListWebhooks(LedgerQuestion):
    """List the webhooks of a fight."""

    path = "encounters/{encounter}/webhooks"
    tag = "webhooks"
    right = Right.OVERSEE
    answer = LazyType("combatlog.webhooks:Webhook", many=True)

    encounter: Encounter


QUESTIONS: tuple[type[LedgerQuestion], ...] = (
    ListFights,
    Statistics,
    DrawFigure,
    ReportCampaign,
    ListCharacters,
    VerifyLedger,
    ExportTables,
    ListCreatures,
    ShowCreature,
    ListArchetypes,
    ListMessages,
    ListSeats,
    ListWebhooks,
)
