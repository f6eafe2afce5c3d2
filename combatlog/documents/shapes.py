"""The types of documents that commands put together themselves."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Union

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from ledger.guards import GuardFinding
from ledger.listing import Page
from ledger.registry import KINDS
from projections.report.models import CampaignReport, FightReport, SeenReport
from projections.snapshot import State
from projections.statistics.report import StatisticData
from rules.content.bestiary import Card
from rules.engine.glance import Glance
from rules.engine.importing import Imported
from rules.engine.ruleset import Choice, Section
from rules.engine.verify import Report

__all__ = ["StatisticData"]
CardData = Card
ImportedData = Imported
ListingData = Page
"""These documents are what Python gives, written as JSON."""

AnyEvent: Any = Annotated[Union[tuple(KINDS.values())], Field(discriminator="kind")]  # noqa: UP007 - a list of types
EventData = Annotated[dict[str, Any], WithJsonSchema({"$document": "event"})]
"""An event as it is in the document `event`, which the others refer to; a field without a value is absent."""


LoggedEvent = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "allOf": [
                {"$document": "event"},
                {
                    "type": "object",
                    "properties": {
                        "taken_back_by": {
                            "description": "seq of the correction that took it back; absent if it stands",
                            "type": "integer",
                        }
                    },
                },
            ]
        }
    ),
]


GlanceData = Annotated[dict[str, Any], WithJsonSchema(Glance.model_json_schema(mode="serialization"))]


class CostData(TypedDict):
    resource: Annotated[str, Field(description="what is used up, as the events name it: a resource, a pool, or a ref")]
    amount: int
    words: Annotated[str, Field(description="the same for people")]


class PriceData(TypedDict):
    options: Annotated[dict[str, Any], Field(description="what has to be said with the answer to pay in this way")]
    costs: Annotated[list[CostData], Field(description="empty: it is free")]


class ChoiceData(TypedDict):
    reaction: str
    prices: Annotated[
        list[PriceData], Field(description="the ways to pay, the usual one first; empty: the ruleset does not tell")
    ]


class AskedData(TypedDict):
    window: Annotated[int, Field(description="seq of the window")]
    moment: str
    reactor: Annotated[str, Field(description="who has to answer")]
    reactions: list[str]
    choices: Annotated[list[ChoiceData], Field(description="what each of them costs")]
    until: Annotated[str | None, Field(description="when the time to answer is up; null: there is no limit")]
    binding: NotRequired[Annotated[str, Field(description="of a roll of shared dice: SHA-256 of the link of the host")]]


class StatusData(State):
    asked: Annotated[AskedData | None, Field(description="what the fight waits for somebody to answer")]
    labels: Annotated[list[str], Field(description="`practice`, `archived` and others, sorted")]
    glances: Annotated[
        dict[str, GlanceData],
        Field(description="each combatant as its ruleset sums it up for a screen, by id: armour class, what is left"),
    ]


class ExplainedEvent(TypedDict):
    event: EventData
    words: str
    remarks: list[str]
    effects: list[ExplainedEvent]


class ExplanationData(TypedDict):
    seq: int
    path: Annotated[list[int], Field(description="from the declaration to the event, each the cause of the next")]
    retracted: bool
    taken_back_by: Annotated[int | None, Field(description="seq of the correction that took it back")]
    successor: Annotated[int | None, Field(description="seq of the event that it is now")]
    tree: ExplainedEvent


class OptionData(TypedDict):
    """An option of an action, or of an entry in a pack."""

    name: str
    required: bool
    takes: Annotated[str, Field(description="what values it takes, in words")]
    values: Annotated[list[Any], Field(description="the possible values, if there are only a few")]
    default: Any
    about: str
    options: Annotated[list[OptionData], Field(description="what is inside, if it is a mapping")]


class EntryData(TypedDict):
    kind: Annotated[str, Field(description="`action`, `reaction`, `core action` or `encounter`")]
    name: str
    ref: str | None
    about: str
    declared: Annotated[bool, Field(description="false: the rules do not say what it takes")]
    parts: Annotated[list[str], Field(description="what a declaration names besides options, such as a target")]
    options: list[OptionData]


class MenuChoice(Choice):
    takes: EntryData | None


class MenuSection(Section):
    choices: list[MenuChoice]  # type: ignore[assignment]


class ProblemData(TypedDict):
    code: Annotated[str, Field(description="what is wrong, for programs: `turn/other`")]
    sentence: Annotated[str, Field(description="what is wrong, for people")]
    facts: Annotated[dict[str, Any], Field(description="who and what it is about")]
    hint: Annotated[str | None, Field(description="what to type next")]


# Corrections


class DifferenceData(TypedDict):
    aspect: Annotated[str, Field(description="what differs: `vital`, `condition`, `position` and so on")]
    who: Annotated[str | None, Field(description="the combatant it is about; null: the fight")]
    name: Annotated[str | None, Field(description="which vital, resource, condition, action, pile or question")]
    before: Any
    after: Any


class EventChangeData(TypedDict):
    recorded: EventData | None
    now: Annotated[EventData | None, Field(description="what it would be; null: it would not happen")]


class PlannedDeclaration(TypedDict):
    seq: int
    action: str
    actor: str
    verdict: Annotated[str, Field(description="what becomes of it: `kept`, `changed`, `taken back` and so on")]
    why: str | None
    replaced_by: Annotated[int | None, Field(description="seq of the declaration in its place")]
    changes: list[EventChangeData]


class NeededDice(TypedDict):
    declaration: int
    purpose: str
    dice: list[str]


class PlanData(TypedDict):
    correction: EventData
    declarations: list[PlannedDeclaration]
    state: Annotated[list[DifferenceData], Field(description="how the state would differ")]
    words: Annotated[list[str], Field(description="the same for people, a sentence each")]
    dice_added: Annotated[int, Field(description="how many dice are rolled anew")]
    undecided: Annotated[str | None, Field(description="the code of what has to be decided before it can be applied")]
    needs: Annotated[NeededDice | None, Field(description="committed dice that are rolled when the plan is applied")]
    repeated: Annotated[bool, Field(description="true: this command was carried out before")]
    asked: Annotated[list[str], Field(description="who has to agree before it is applied; empty: nobody")]


class ProposalData(TypedDict):
    proposal: Annotated[int | None, Field(description="seq of the proposal; null: there is none")]
    correction: Annotated[str | None, Field(description="what is proposed: `undo`, `hurt` or another message")]
    asked: Annotated[list[str], Field(description="the combatants whose players have to agree")]
    answers: Annotated[dict[str, bool], Field(description="whether they agree, by combatant")]
    open: Annotated[bool, Field(description="false: it was applied or refused, or another one took its place")]
    overruled: Annotated[bool, Field(description="whether the GM did it without everybody's consent")]
    applied: bool
    plan: Annotated[PlanData | None, Field(description="what it would do now")]


class ComparisonData(TypedDict):
    common: Annotated[int, Field(description="how many events both have at the beginning")]
    only_first: list[EventData]
    only_second: list[EventData]
    state: list[DifferenceData]


class CorrectionData(TypedDict):
    correction: EventData
    put_in_place: Annotated[list[int], Field(description="seqs of the declarations that it recorded")]
    taken_back_by: Annotated[int | None, Field(description="seq of the correction that took it back")]
    changes: list[DifferenceData]


# Sharing the table


class SeatData(TypedDict):
    seat: Annotated[str, Field(description="its id; not a secret")]
    encounter: Annotated[str | None, Field(description="the encounter that it is at; null: all of them")]
    role: Annotated[str, Field(description="`gm`, `player`, `spectator` or `auditor`")]
    combatants: Annotated[list[str], Field(description="the ids of those whom a player plays")]
    name: Annotated[str | None, Field(description="the person who sits there")]
    delay: Annotated[int, Field(description="how many seconds later a spectator sees what happens")]
    created_at: str
    expires_at: str
    revoked_at: Annotated[str | None, Field(description="when it was taken away; null: it was not")]


class WebhookData(TypedDict):
    webhook: Annotated[str, Field(description="its id")]
    encounter: str
    url: str
    role: Annotated[str, Field(description="the seat whose view is delivered")]
    combatants: Annotated[list[str], Field(description="the ids of those whom that seat plays")]
    by: Annotated[str, Field(description="who registered it")]
    created_at: str
    delivered: Annotated[int, Field(description="the last event that was delivered, as the seat counts")]
    failures: Annotated[int, Field(description="how many attempts in a row have failed")]
    problem: Annotated[str | None, Field(description="why the last attempt failed; null: it did not")]
    due_at: Annotated[str | None, Field(description="when it is tried again; null: the last attempt did not fail")]


class NewWebhookData(WebhookData):
    secret: Annotated[str, Field(description="what deliveries are signed with; shown once")]


class InvitationData(SeatData):
    token: Annotated[str, Field(description="the secret that whoever sits there has to send; shown once")]
    link: Annotated[str, Field(description="where to sit down in a browser")]


# Playing


class AutoStep(TypedDict):
    who: str
    what: str
    why: str
    events: list[EventData]


class ScriptStep(TypedDict):
    step: int
    events: list[EventData]
    refused: Annotated[str | None, Field(description="the code of the refusal")]
    differences: Annotated[list[str], Field(description="what is not as the scenario expects, in words")]


# The ledger


class WriterData(TypedDict):
    user: str | None
    since: str | None


class LeftOut(TypedDict):
    encounter: str
    seq: int
    events: int
    reason: str


class NodePosition(TypedDict):
    node: Annotated[int, Field(description="the number of a server that writes the ledger; 0 if it is the only one")]
    position: Annotated[int, Field(description="the notification of this node up to which events are in")]
    head: Annotated[int, Field(description="this node's last notification")]


class ReadModelStatus(TypedDict):
    position: Annotated[int, Field(description="the notification up to which events are in; of the first node")]
    head: Annotated[int, Field(description="the ledger's last notification; of the first node")]
    nodes: Annotated[list[NodePosition], Field(description="the same of every node that writes; usually one")]
    behind: Annotated[int, Field(description="how many events are not in yet")]
    writer: Annotated[WriterData | None, Field(description="the transaction that they wait for")]
    tables: Annotated[dict[str, int], Field(description="rows by table")]
    set_aside: Annotated[list[LeftOut], Field(description="what cannot be read and is left out")]


class LakeWritten(TypedDict):
    events: Annotated[int, Field(description="how many new ones were written")]
    encounters: Annotated[int, Field(description="how many have any of them")]
    files: Annotated[int, Field(description="how many new ones there are")]
    position: Annotated[
        int,
        Field(description="the notification up to which every event is in the lake; a count if nodes write the ledger"),
    ]


class LakeCompacted(TypedDict):
    files_before: int
    files_after: int
    rows_dropped: Annotated[int, Field(description="rows that had been replaced by newer ones")]


class LakeStatus(TypedDict):
    position: Annotated[
        int, Field(description="the notification up to which every event is in; a count if nodes write the ledger")
    ]
    nodes: Annotated[
        dict[str, int],
        Field(description="if several nodes write the ledger: the notification of each up to which every event is in"),
    ]
    events: int
    files: int
    tables: Annotated[dict[str, int], Field(description="rows by table")]


class DatabaseStatus(TypedDict, total=False):
    database: Literal["server", "embedded"]
    place: str
    running: bool
    postgres: Annotated[str | int, Field(description="only if it is running, like what follows")]
    schema: int
    encounters: int
    events: int


class ClusterNode(TypedDict):
    node: Annotated[int, Field(description="its number; 0 is the coordinator")]
    host: str
    port: int
    shards: Annotated[int, Field(description="how many of the events' shards it has")]


class ClusterData(TypedDict):
    citus: Annotated[str, Field(description="the version of Citus")]
    distributed: Annotated[bool, Field(description="false if it is not distributed yet")]
    shards: Annotated[int, Field(description="how many there are, or would be")]
    nodes: list[ClusterNode]


class LedgerFindings(TypedDict):
    """What `verify --all` found beside the encounters; it comes last."""

    name: None
    findings: list[GuardFinding]


Verified = Report | LedgerFindings
AnyReport = FightReport | CampaignReport | SeenReport


# Packs and abilities


class ArchetypeData(TypedDict):
    section: str
    archetype: str | None
    about: str
    options: list[OptionData]


class PackProblem(TypedDict):
    where: str
    code: str
    problem: str
    suggestions: Annotated[list[str], Field(description="what may have been meant")]


class PackReport(TypedDict):
    pack: str
    brings: dict[str, list[str]]
    problems: list[PackProblem]
    unchecked: Annotated[list[str], Field(description="what could not be checked because of them")]


class AbilityPart(TypedDict):
    name: str
    value: Any
    does: str
    by_engine: bool


class AbilityData(TypedDict):
    id: str
    type: str
    label: str
    status: Annotated[str, Field(description="`wired`, `partial` or `unwired`")]
    parts: list[AbilityPart]
    unknown: list[str]


class UnknownProperty(TypedDict):
    ability: str
    property: str


class LibraryReport(TypedDict):
    problems: Annotated[list[str], Field(description="what is wrong with the file as a whole")]
    left_out: Annotated[list[str], Field(description="what is wrong with entries that are therefore left out")]
    unknown: list[UnknownProperty]
    abilities: list[AbilityData]


# Statistics


class ColumnData(TypedDict):
    name: str
    type: str
    meaning: str


class TableData(TypedDict):
    table: str
    meaning: str
    columns: list[ColumnData]


Record = dict[str, Any]
"""A row of an answer in SQL, by column."""
Sentence = str
