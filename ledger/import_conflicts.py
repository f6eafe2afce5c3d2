"""Fights of an import that cannot be taken in, because this ledger has something else in their place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple
from uuid import UUID

from pydantic import Field, WithJsonSchema

from ledger.errors import Problem
from ledger.events import Event


class Why(StrEnum):
    NAME_TAKEN = "name_taken"
    """Another fight has its name here."""
    DIVERGED = "diverged"
    """It is the same fight, but it went on differently here."""
    PARENT_LEFT_OUT = "parent_left_out"
    """It is a fork, or a fork of a fork, of a fight that is left out."""
    COPY_DIFFERS = "copy_differs"
    """It was imported under another name before, and has gone on since."""


class Conflict(NamedTuple):
    why: Why
    problem: Problem


@dataclass(frozen=True, slots=True)
class LeftOut:
    name: str
    encounter: UUID
    why: Annotated[
        Why,
        WithJsonSchema({"type": "string"}),  # programs have to expect other reasons
        Field(description="`name_taken`, `diverged`, `copy_differs` or `parent_left_out`"),
    ]


def differs(event: Event, name: str) -> Problem:
    return Problem(
        "import/differs",
        f"This ledger has another event {event.seq} of {name!r}: the fight went on differently in the two ledgers, so "
        "nothing was imported.",
        encounter=str(event.encounter),
        seq=event.seq,
        name=name,
        why=Why.DIVERGED,
    )


def name_taken(event: Event, name: str) -> Problem:
    return Problem(
        "import/differs",
        f"This ledger has another fight named {name!r}, so nothing was imported.",
        encounter=str(event.encounter),
        seq=event.seq,
        name=name,
        why=Why.NAME_TAKEN,
    )


def copy_differs(encounter: UUID, name: str, copy: str) -> Problem:
    return Problem(
        "import/copy-differs",
        f"{name!r} was imported under the name {copy!r} before. It has gone on since, and a copy cannot follow it, so "
        "nothing was imported.",
        encounter=str(encounter),
        name=name,
        found=copy,
    )
