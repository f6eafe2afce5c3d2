"""The types of JSON documents that only commands produce. Other types are defined beside the values they describe."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.verification.verify import VerificationReport
from ledger.registry import KINDS
from ledger.store.integrity_checks import GuardFinding
from projections.report.models import CampaignReport, FightReport, SeenReport

AnyEvent: Any = Annotated[Union[tuple(KINDS.values())], Field(discriminator="kind")]  # noqa: UP007 - a list of types


class ProblemData(TypedDict):
    code: Annotated[str, Field(description="what is wrong, for programs: `turn/other`")]
    sentence: Annotated[str, Field(description="what is wrong, for people")]
    facts: Annotated[dict[str, Any], Field(description="who and what it is about")]
    hint: Annotated[str | None, Field(description="what to type next")]


# The ledger


class WriterData(TypedDict):
    user: str | None
    since: str | None


class SetAsideData(TypedDict):
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
    nodes: Annotated[list[NodePosition], Field(description="the same for every node that writes; usually there is one")]
    behind: Annotated[int, Field(description="number of events that are not in yet")]
    writer: Annotated[WriterData | None, Field(description="the transaction that these events wait for")]
    tables: Annotated[dict[str, int], Field(description="rows by table")]
    set_aside: Annotated[list[SetAsideData], Field(description="events that cannot be read and are left out")]


class LakeWritten(TypedDict):
    events: Annotated[int, Field(description="number of events written")]
    encounters: Annotated[int, Field(description="number of encounters that they belong to")]
    files: Annotated[int, Field(description="number of new files")]
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


class LedgerFindings(TypedDict):
    """The findings of `verify --all` about the ledger itself. It is the last item."""

    name: None
    findings: list[GuardFinding]


Verified = VerificationReport | LedgerFindings
AnyReport = FightReport | CampaignReport | SeenReport


# Abilities


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


class LibraryCheckData(TypedDict):
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
