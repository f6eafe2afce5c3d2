"""The corrections: each says what was wrong, and plans what happens to every later declaration."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from combatlog.messages.message import AttributedMessage, Count, Dice, Name, Prose, Replies, Square, Targets, Who
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.corrections import insert, undo
from combatlog.rules.engine.corrections.amend import Amendment, Forgotten, ForgottenDefence, plan_amend
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.declarations.core_actions import core_ref
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset_types import Defence
from ledger.events import Data, Face

Names = Annotated[tuple[Name, ...], Field(max_length=100)]
Kind = Field(description="tells corrections apart")
Reason = Annotated[Prose, Field(description="why; recorded with the correction")]
Weapon = Annotated[Name | None, Field(description="the weapon, as the sheet calls it")]
Options = Annotated[Data, Field(description="other options of the action")]


def _example(**fields: Any) -> ConfigDict:
    """In JSON, `correction` tells corrections apart, so it is always there."""

    def complete(schema: dict[str, Any]) -> None:
        schema["examples"] = [fields]
        schema["required"] = ["correction", *(name for name in schema.get("required", []) if name != "correction")]

    return ConfigDict(json_schema_extra=complete)


class Correcting(AttributedMessage):
    """What every correction has."""

    path: ClassVar[str] = "corrections"

    correction: str

    @abstractmethod
    def plan(self, fight: FightEngine, command: UUID | None = None) -> Plan:
        """What it would do to a fight. Nothing is recorded."""

    def request(self) -> tuple[str, Data]:
        return self.path, {"correction": self.correction, **self.as_json()}

    @property
    def speaker(self) -> str:
        return self.by or GM


class Rebasing(Correcting):
    """A correction that resolves later declarations again, with the dice that they had."""

    impossible: Annotated[
        Literal["drop", "keep", "stop"],
        Field(description="how to treat later declarations that are no longer possible"),
    ] = "stop"
    later_replies: Annotated[
        dict[int, Replies], Field(max_length=1000, description="answers in later declarations, by their seq")
    ] = Field(default_factory=dict)
    dice: Dice = None

    @property
    def remedies(self) -> Remedies:
        known = {seq: [reply.to_engine() for reply in replies] for seq, replies in self.later_replies.items()}
        return Remedies(Impossible(self.impossible), self.dice, known)


class Undo(Rebasing):
    """Take back a declaration, a turn, a round, or everything after an event; otherwise the last declaration."""

    model_config = _example(correction="undo", reason="Snig only feints")

    correction: Annotated[Literal["undo"], Kind] = "undo"
    seq: Annotated[Count | None, Field(description="the declaration that this event belongs to")] = None
    turn: Annotated[bool, Field(description="everything in this turn")] = False
    round: Annotated[bool, Field(description="everything in this round")] = False
    back_to: Annotated[Count | None, Field(description="everything declared after this event")] = None
    reason: Reason = "taken back"

    def plan(self, fight: FightEngine, command: UUID | None = None) -> Plan:
        return undo.plan_undo(
            fight, self._chosen(fight), by=self.speaker, reason=self.reason, remedies=self.remedies, command=command
        )

    @property
    def names_what(self) -> bool:
        return self.seq is not None or self.back_to is not None or self.turn or self.round

    def _chosen(self, fight: FightEngine) -> set[int]:
        if sum((self.seq is not None, self.back_to is not None, self.turn, self.round)) > 1:
            raise Refusal("undo/ambiguous", "Name one thing to take back: a declaration, a turn, a round, or a moment.")
        if self.seq is not None:
            return undo.one(fight, self.seq)
        if self.back_to is not None:
            return undo.back_to(fight, self.back_to)
        return (undo.turn if self.turn else undo.round_ if self.round else undo.last)(fight)


class Redo(Correcting):
    """Take back the last correction, as long as nothing new was declared after it."""

    model_config = _example(correction="redo")

    correction: Annotated[Literal["redo"], Kind] = "redo"
    reason: Reason = "it was right after all"

    def plan(self, fight: FightEngine, command: UUID | None = None) -> Plan:
        return undo.plan_redo(fight, by=self.speaker, reason=self.reason, command=command)


class Amend(Rebasing):
    """Correct a declaration. Fields that are not given stay as they were."""

    model_config = _example(correction="amend", seq=22, targets=["osric"], reason="he meant Osric")

    correction: Annotated[Literal["amend"], Kind] = "amend"
    seq: Annotated[Count, Field(description="the declaration that this event belongs to")]
    targets: Annotated[Targets | None, Field(description="the right targets")] = None
    to: Annotated[Square, Field(description="the right square, as column and row")] = None
    weapon: Weapon = None
    options: Options = Field(default_factory=dict)
    add: Annotated[tuple[Forgotten, ...], Field(max_length=100, description="modifiers that were forgotten")] = ()
    drop: Annotated[Names, Field(description="sources of modifiers that must not count")] = ()
    resist: Annotated[Names, Field(description="types of damage, or all, that should have hurt half as much")] = ()
    vulnerable: Annotated[Names, Field(description="types of damage that should have hurt twice as much")] = ()
    immune: Annotated[Names, Field(description="types of damage that should not have hurt")] = ()
    whose: Annotated[Who | None, Field(description="the owner of the defence, if it is not the only target")] = None
    faces: Annotated[
        dict[int, Annotated[tuple[Face, ...], Field(max_length=1000)]],
        Field(max_length=1000, description="the right faces, by the seq of the roll"),
    ] = Field(default_factory=dict)
    replies: Annotated[Replies, Field(description="what should have been answered")] = ()
    reason: Reason = "amended"

    def plan(self, fight: FightEngine, command: UUID | None = None) -> Plan:
        return plan_amend(
            fight,
            self.seq,
            self._amendment(),
            by=self.speaker,
            reason=self.reason,
            remedies=self.remedies,
            command=command,
        )

    def _amendment(self) -> Amendment:
        return Amendment(
            targets=self.targets or None,
            destination=self.to,
            weapon=self.weapon,
            options=self.options,
            add=self.add,
            drop=self.drop,
            defences=tuple(self._defences()),
            faces=self.faces,
            replies=tuple(reply.to_engine() for reply in self.replies),
        )

    def _defences(self) -> list[ForgottenDefence]:
        kinds = {
            Defence.RESISTANCE: self.resist,
            Defence.VULNERABILITY: self.vulnerable,
            Defence.IMMUNITY: self.immune,
        }
        return [
            ForgottenDefence(defence=kind, against=against, owner=self.whose)
            for kind, types in kinds.items()
            for against in types
        ]


class Insert(Rebasing):
    """Declare what was forgotten, before or after the declaration that an event belongs to.

    Its own rolls use the dice first, then later rolls that need more faces.
    """

    model_config = _example(correction="insert", who="osric", action="dodge", before=22, reason="it was forgotten")

    formerly = {"actor": "who", "target": "targets"}

    correction: Annotated[Literal["insert"], Kind] = "insert"
    who: Annotated[Who, Field(description="who acts")]
    action: Annotated[Name, Field(description="the action; as the menu calls it", examples=["dodge"])]
    before: Annotated[Count | None, Field(description="the event that it comes before")] = None
    after: Annotated[Count | None, Field(description="the event that it comes after")] = None
    targets: Annotated[Targets, Field(description="the targets")] = ()
    to: Square = None
    weapon: Weapon = None
    options: Options = Field(default_factory=dict)
    replies: Annotated[Replies, Field(description="answers to reactions to it")] = ()
    reason: Reason = "forgotten"

    def plan(self, fight: FightEngine, command: UUID | None = None) -> Plan:
        return insert.plan_insert(
            fight,
            self._place(fight),
            self._declaration(),
            by=self.speaker,
            reason=self.reason,
            replies=[reply.to_engine() for reply in self.replies],
            remedies=self.remedies,
            command=command,
        )

    def _declaration(self) -> Declaration:
        return Declaration(
            actor=self.who,
            action=core_ref(self.action),
            targets=self.targets,
            destination=self.to,
            weapon=self.weapon,
            options=self.options,
        )

    def _place(self, fight: FightEngine) -> int | None:
        if self.before is not None and self.after is None:
            return insert.before(fight, self.before)
        if self.after is not None and self.before is None:
            return insert.after(fight, self.after)
        raise Refusal("insert/where", "Say either before or after which event it belongs.")


CORRECTIONS: dict[str, type[Correcting]] = {kind.called(): kind for kind in (Undo, Redo, Amend, Insert)}
Correction = Annotated[Undo | Redo | Amend | Insert, Field(discriminator="correction")]


def read_correction(kind: str, said: Data) -> Correction:
    """A correction as it was recorded with a proposal; older proposals named some fields differently."""
    given = {name: value for name, value in said.items() if value is not None}
    if kind == "undo" and "replies" in given:
        given["later_replies"] = given.pop("replies")
    if "target" in given:
        given["targets"] = given.pop("target")
    if "replies" in given:
        given["replies"] = _without_view(given["replies"])
    if "later_replies" in given:
        given["later_replies"] = {seq: _without_view(one) for seq, one in given["later_replies"].items()}
    found: Correction = validated(
        Correction,  # type: ignore[arg-type]
        {**given, "correction": kind},
        "consent/unknown",
        "In the proposed correction, the field",
    )
    return found


def _without_view(replies: Any) -> Any:
    """Recorded answers once named the view that they came from; now the seat of the message decides that."""
    if not isinstance(replies, list):
        return replies
    return [{name: value for name, value in one.items() if name != "as_seen"} for one in replies]
