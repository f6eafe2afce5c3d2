"""Other requests: a fork, automatic play, proposals and consent, files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field, PlainSerializer, PlainValidator, Tag

from combatlog.messages.corrections import CORRECTIONS, Amend, Insert, Redo, Undo, read_correction
from combatlog.messages.message import AttributedMessage, Count, Message, Name, Prose, Who, example
from combatlog.messages.rights import Right
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import unknown
from ledger.events import Data
from ledger.exchange.seal import Seal

Proposal = Annotated[Count | None, Field(description="the seq of the proposal; by default the last one")]


class Auto(Message):
    """Let sides play themselves for some turns or rounds; by default, for one turn."""

    model_config = example(sides=["foes"], rounds=1)
    can_be_tried = False
    path: ClassVar[str] = "auto"

    sides: Annotated[tuple[Name, ...], Field(max_length=20, description="which sides; by default all")] = ()
    turns: Annotated[int | None, Field(ge=1, le=50, description="for how many turns")] = None
    rounds: Annotated[int | None, Field(ge=1, le=20, description="for how many rounds")] = None


class Fork(AttributedMessage):
    """Open a new fight that shares the past of this one up to an event."""

    model_config = example(name="What if Snig had fled", at=12)
    can_be_tried = False
    path: ClassVar[str] = "forks"

    name: Annotated[Name, Field(description="the name of the fork")]
    at: Annotated[Count | None, Field(description="the last event that they share; by default the last one")] = None


def proposable() -> dict[str, type[Message]]:
    """The messages that can be proposed, by name: corrections and commands, including those of plug-ins."""
    from combatlog.plugins import commands

    return {kind.called(): kind for kind in (*CORRECTIONS.values(), *commands()) if kind.can_be_tried}


def proposable_called(name: str, fields: Data) -> Message:
    """A message by its name, as a proposal has it; older proposals name some fields differently."""
    if name in CORRECTIONS:
        return read_correction(name, fields)
    if (kind := proposable().get(name)) is None:
        raise unknown("consent/unknown", f"There is no message {name!r} to propose.", name, sorted(proposable()))
    return validated(kind, {**fields}, "consent/unknown", f"In the proposed {name.replace('_', ' ')}, the field")


class ProposedMessage(BaseModel):
    """A message by its name and its fields."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"message": "hurt", "fields": {"who": ["rurik"], "amount": 5}}]},
    )

    message: Annotated[Name, Field(description="a command or a correction, such as `hurt`")]
    fields: Annotated[Data, Field(description="its fields, as at its own address")] = Field(default_factory=dict)

    def read(self) -> Message:
        return proposable_called(self.message, self.fields)


def _proposed_in(given: Any) -> Message:
    """A message, or its name and fields."""
    if isinstance(given, Mapping):
        return ProposedMessage.model_validate(given).read()
    if not isinstance(given, Message) or given.called() not in proposable():
        raise ValueError("it must be a correction, or a command that can be tried")
    return given


def _by_name(message: Message) -> Data:
    return {"message": message.called(), "fields": message.as_json()}


def _form_of(given: Any) -> str:
    """In a request, a correction can be given directly."""
    if isinstance(given, Mapping):
        return "message" if "message" in given else str(given.get("correction"))
    return "message" if isinstance(given, ProposedMessage) else str(getattr(given, "correction", None))


ToPropose = Annotated[
    Annotated[Undo, Tag("undo")]
    | Annotated[Redo, Tag("redo")]
    | Annotated[Amend, Tag("amend")]
    | Annotated[Insert, Tag("insert")]
    | Annotated[ProposedMessage, Tag("message")],
    Discriminator(_form_of),
]
"""The body of a request that proposes something."""


class Propose(AttributedMessage):
    """Propose a command or a correction to the players whose combatants it affects; without any, it is done at once."""

    model_config = example(message={"message": "hurt", "fields": {"who": ["rurik"], "amount": 5}})
    formerly = {"correction": "message"}
    path: ClassVar[str] = "proposals"

    message: Annotated[
        Any,
        PlainValidator(_proposed_in, json_schema_input_type=ProposedMessage),
        PlainSerializer(_by_name, return_type=dict),
        Field(description="the proposed message: its name and its fields"),
    ]

    def request(self) -> tuple[str, Data]:
        return self.path, _by_name(self.message)


class Consent(AttributedMessage):
    """Agree to a proposal or not, for a combatant that it affects. With the last answer it is carried out.

    If it would do something else by then, it is proposed again instead.
    """

    model_config = example(who="rurik", agree=True)
    can_be_tried = False
    right = Right.CONSENT
    path: ClassVar[str] = "proposals/{proposal}/answers"

    who: Annotated[Who, Field(description="the combatant that is asked", examples=["rurik"])]
    agree: Annotated[bool, Field(description="false: then nothing is changed", examples=[True])] = True
    reason: Annotated[Prose, Field(description="why")] = ""
    proposal: Proposal = None


class Overrule(AttributedMessage):
    """Carry out a proposal as the GM, even if not all have agreed. That is recorded."""

    can_be_tried = False
    path: ClassVar[str] = "proposals/{proposal}/overruling"

    model_config = example(reason="the rules are clear")

    reason: Annotated[str, Field(min_length=1, max_length=2000, description="why", examples=["the rules are clear"])]
    proposal: Proposal = None


class Seals(Message):
    model_config = example(
        seals=[
            {
                "encounter": "ea2930ea-a62d-52b4-af66-58200bf01a75",
                "name": "Bridge ambush",
                "seq": 24,
                "head": "9d" * 32,
                "sealed_at": "2026-07-01T12:00:00Z",
                "public_key": "1b" * 32,
                "signature": "7e" * 64,
            }
        ]
    )

    seals: Annotated[list[Seal], Field(max_length=1000, description="as `GET .../seal` gave them, at any time")]


class Script(Message):
    model_config = example(
        scenario={
            "encounter": "Duel",
            "dice": "seed:7",
            "combatants": [
                {"sheet": "fighter", "as": "Rurik", "at": [1, 1]},
                {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [2, 1]},
            ],
            "script": [{"do": "start"}],
        }
    )

    scenario: Annotated[dict[str, Any], Field(description="a scenario, as docs/scenarios.md describes it")]
    name: Name | None = None


class PackFiles(Message):
    model_config = example(
        files={"spells.yaml": "ice_bolt: {archetype: bolt, level: 0, range: 90, damage: 1d8, damage_type: cold}"}
    )

    files: Annotated[
        dict[Annotated[str, Field(pattern=r"^[\w-][\w.-]*(/[\w-][\w.-]*){0,3}$", max_length=200)], str],
        Field(min_length=1, max_length=200, description="the files of a pack, by their names in its folder"),
    ]
    name: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")] = "pack"
    ruleset: Name = "dnd5e"
