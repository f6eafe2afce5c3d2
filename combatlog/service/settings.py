"""The settings of the service. Workers are separate processes, so they get them in one environment variable."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from ledger.errors import Problem

VARIABLE = "COMBATLOG_SERVE"


@dataclass(frozen=True, slots=True)
class Settings:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    database: str | None = None
    """URL of the ledger; None: COMBATLOG_DATABASE_URL, or the embedded server."""
    read_only: bool = False
    """Whether everything that would record something is refused."""
    largest_body: int = 1 << 20
    """Bytes that a request may have."""
    largest_import: int = 64 << 20
    """Bytes of a file with fights, from a GM who has a seat at all of them."""
    rate: float = 50.0
    """Requests a second that each seat, or each address without one, may make over a long time."""
    burst: int = 200
    """Requests that it may make in a burst."""
    receive_within: float = 20.0
    """Seconds that may pass until the next part of a request's body arrives."""
    arriving: int = 20
    """Requests of one sender whose bodies have not arrived yet."""
    at_once: int = 200
    """Requests that are handled at the same time, apart from streams."""
    streams: int = 2000
    """Streams that one process holds open."""
    streams_per_seat: int = 16
    most_waiting: int = 4 << 20
    """Bytes that wait for the reader of a stream before it is disconnected."""
    keep_alive: float = 15.0
    """Seconds after which a silent stream sends a comment."""
    send_within: float = 20.0
    """Seconds that a reader may take to read what it is sent."""
    desks: int = 8
    """Workers with a connection each, which handle fights in parallel."""

    webhook_networks: tuple[str, ...] = ()
    """Private networks that webhooks may reach, such as 10.1.0.0/16; there, encryption is optional."""
    webhook_authority: str | None = None
    """A file with the certificate of an additional authority that webhooks trust."""
    webhook_backoff: float = 1.0
    """Seconds until a delivery is tried again; twice as long after each failure."""

    def publish(self) -> None:
        os.environ[VARIABLE] = TypeAdapter(dict).dump_json(asdict(self)).decode()

    @classmethod
    def published(cls) -> Settings:
        """The settings in the environment, with defaults for the rest."""
        try:
            return TypeAdapter(cls).validate_json(os.environ.get(VARIABLE, "{}"))
        except ValidationError as error:
            wrong = {".".join(map(str, one["loc"])) or VARIABLE: one["msg"] for one in error.errors()}
            raise Problem(
                "serve/settings",
                f"{VARIABLE} must be a JSON object with settings of the service; wrong: {', '.join(wrong)}.",
                found=wrong,
                available=[one.name for one in fields(cls)],
            ) from error
