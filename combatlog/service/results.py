"""The types of answers that only the service gives."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.autoplay.auto import AutoStep
from combatlog.rules.content.scenario import ScriptStep
from combatlog.rules.engine.status import AskedData
from combatlog.seats import SeatData
from ledger.json_shapes import EventData
from projections.snapshot import WindowState


class RecordedData(TypedDict):
    encounter: str
    seq: Annotated[int, Field(description="the last event that the seat sees")]
    events: Annotated[list[EventData], Field(description="what the command recorded, as the seat sees it")]
    repeated: Annotated[
        bool, Field(description="true: the command was carried out before, and nothing new was recorded")
    ]
    window: Annotated[WindowState | None, Field(description="the reaction that the fight waits for")]
    asked: Annotated[AskedData | None, Field(description="until when, and what each choice costs")]


class EventPage(TypedDict):
    events: list[EventData]
    last: Annotated[int, Field(description="the last event that the seat sees")]
    next: Annotated[int | None, Field(description="give it as `after` to get the next page; null: this is the last")]


class InvitedData(SeatData):
    token: Annotated[str, Field(description="the secret that whoever sits there has to send; shown once")]
    link: Annotated[str, Field(description="where to sit down in a browser")]


class Steps(TypedDict):
    steps: list[AutoStep]
    seq: int
    repeated: bool


class Scripted(TypedDict):
    encounter: str
    steps: list[ScriptStep]


class Health(TypedDict):
    status: str


class Readiness(TypedDict):
    status: Annotated[str, Field(description="`ready`, or `not ready`")]
    database: bool
    follower: Annotated[bool, Field(description="whether what others record is passed on")]
    streams: int
