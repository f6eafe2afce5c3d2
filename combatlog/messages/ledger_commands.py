"""Commands to a ledger as a whole: open and import fights, give seats, and register webhooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainSerializer

from combatlog.messages.message import AttributedMessage, Message, Name, Who, example
from combatlog.messages.questions import Encounter, LedgerMessage
from combatlog.messages.rights import Right
from ledger.events import Data
from ledger.json_shapes import LazyType

Role = Literal["gm", "player", "spectator", "auditor"]


class LedgerCommand(LedgerMessage):
    right = Right.DIRECT
    method = "POST"


def _installed(schema: dict[str, Any]) -> None:
    """Rulesets are plug-ins, so which ones there are is looked up."""
    from combatlog.rules.engine import pieces
    from combatlog.rules.engine.ruleset import GROUP

    schema["enum"] = pieces.plugin_names(GROUP)


class Open(AttributedMessage, LedgerCommand):
    """Open a fight under a name that is not taken."""

    model_config = example(name="Bridge ambush", ruleset="dnd5e", map=["......", "..~~..", "......"])
    path = "encounters"
    tag = "encounters"
    answer = LazyType("combatlog.recorded:RecordedFight")

    name: Annotated[Name, Field(description="the name", examples=["Bridge ambush"])]
    ruleset: Annotated[Name, Field(description="the rules", json_schema_extra=_installed)] = "dnd5e"
    dice: Annotated[
        Name,
        Field(
            description="where the dice come from; `seed:WORD` for dice that follow from a word",
            examples=["random", "table", "committed", "shared"],
        ),
    ] = "random"
    map: Annotated[
        tuple[Annotated[str, Field(max_length=1000)], ...] | None,
        Field(max_length=1000, description="the map; a letter for each square: . is open, # a wall, ~ difficult"),
    ] = None
    options: Annotated[Data, Field(description="options of the fight", examples=[{"consent": "table"}])] = Field(
        default_factory=dict
    )
    labels: Annotated[tuple[Name, ...], Field(max_length=20, description="its labels")] = ()

    @classmethod
    def asked_for(cls) -> list[str]:
        """`dice` are no faces here."""
        return [name for name in cls.model_fields if name != "by"]


class NewSeat(Message):
    model_config = example(role="player", combatants=["rurik"], name="Anna")

    role: Annotated[Role, Field(description="as what")]
    combatants: Annotated[tuple[Who, ...], Field(max_length=100, description="the player's combatants")] = ()
    name: Annotated[Name | None, Field(description="the name of the person")] = None
    delay: Annotated[
        int, Field(ge=0, le=24 * 3600, description="how many seconds later a spectator sees everything")
    ] = 0
    days: Annotated[int, Field(ge=1, le=3650, description="for how many days")] = 30


class Invite(NewSeat, LedgerCommand):
    """Create a seat. Its token is shown once, in this answer."""

    path = "encounters/{encounter}/seats"
    tag = "seats"
    answer = LazyType("combatlog.seats:Invitation")

    encounter: Annotated[Encounter | None, Field(description="The encounter's id, or its name.")] = None
    """None: a seat at all fights, which cannot be created over HTTP."""


class RevokeSeat(LedgerCommand):
    """Revoke a seat at once. Its streams end."""

    path = "encounters/{encounter}/seats/{seat}"
    tag = "seats"
    method = "DELETE"
    answer = LazyType("combatlog.seats:HeldSeat")

    encounter: Annotated[Encounter | None, Field(description="The encounter's id, or its name.")] = None
    seat: Annotated[UUID, Field(description="the id of the seat")]


class NewWebhook(AttributedMessage):
    model_config = example(url="https://example.org/hook", role="spectator")

    url: Annotated[
        str, Field(min_length=1, max_length=2000, description="where to send it", examples=["https://example.org/hook"])
    ]
    role: Annotated[Role, Field(description="the seat whose view is delivered")] = "spectator"
    combatants: Annotated[tuple[Name, ...], Field(max_length=100, description="the combatants of that player")] = ()
    from_start: Annotated[bool, Field(description="from the first event of the fight; otherwise from now on")] = False


class AddWebhook(NewWebhook, LedgerCommand):
    """Deliver the events of the fight to a URL. The secret is shown once."""

    path = "encounters/{encounter}/webhooks"
    tag = "webhooks"
    answer = LazyType("combatlog.webhooks:WebhookWithSecret")

    encounter: Encounter


class RemoveWebhook(LedgerCommand):
    """Remove a webhook. A delivery that is under way may still arrive."""

    path = "encounters/{encounter}/webhooks/{webhook}"
    tag = "webhooks"
    method = "DELETE"
    answer = LazyType("combatlog.webhooks:Webhook")

    encounter: Encounter
    webhook: Annotated[UUID, Field(description="the id of the webhook")]


def _renames_in(given: Any) -> Any:
    """From an address: `OLD` or `OLD=NEW`, several times."""
    if isinstance(given, Mapping):
        return given
    return {old.strip(): new.strip() or None for old, _, new in (one.partition("=") for one in given)}


def _in_address(renames: Mapping[str, str | None]) -> list[str]:
    return [old if new is None else f"{old}={new}" for old, new in renames.items()]


Renames = Annotated[Mapping[str, str | None], BeforeValidator(_renames_in), PlainSerializer(_in_address)]


class ImportFights(LedgerCommand):
    """Import fights that another ledger exported. It needs a seat at all encounters; a repetition does nothing."""

    path = "imports"
    tag = "exchange"
    answer = LazyType("combatlog.rules.exchange.importing:ImportedEvents")

    rename: Annotated[Renames, Field(description="new names of fights, by their old ones")] = Field(
        default_factory=dict
    )
    rename_taken: Annotated[bool, Field(description="choose new names for fights whose names are taken")] = False
    skip_existing: Annotated[bool, Field(description="pass over fights that are here already")] = False
    file: Annotated[Any, Field(exclude=True)]
    """It is read as bytes."""

    def content(self) -> bytes:
        return bytes(self.file.read())


class ImportLogs(LedgerCommand):
    """Import fights from logs of another tool. It needs a seat at all encounters; a repetition adds what is new."""

    path = "imports/logs"
    tag = "exchange"
    answer = LazyType("combatlog.importers.logs.import_logs:ImportedLog")

    format: Annotated[str, Field(max_length=100, description="the tool that wrote it, such as `foundry`")]
    name: Annotated[str, Field(max_length=100, description="the name of the file")] = "log"
    campaign: Annotated[str | None, Field(max_length=200, description="the campaign that they belong to")] = None
    dry_run: Annotated[bool, Field(description="only find out what is in them")] = False
    packed: Annotated[bool, Field(description="whether they are sent in one ZIP")] = False
    files: Annotated[tuple[Path, ...], Field(exclude=True)]
    progress: Annotated[Callable[[int, int], None], Field(exclude=True)] = lambda done, total: None

    def content(self) -> bytes:
        """All files in one ZIP, because some of what they have in common only shows when they are read together."""
        from combatlog.zip_files import packed_logs

        content = packed_logs(self.files)
        self.progress(len(content), len(content))
        return content


LEDGER_COMMANDS: tuple[type[LedgerCommand], ...] = (
    Open,
    Invite,
    RevokeSeat,
    AddWebhook,
    RemoveWebhook,
    ImportFights,
    ImportLogs,
)
