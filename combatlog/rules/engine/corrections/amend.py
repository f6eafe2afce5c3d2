"""Amend: the declaration was right, but something in it was forgotten, wrong or misread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID, uuid4

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections.forgotten import Forgotten, ForgottenDefence, addition, defended
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Rebase, Remedies, Restatement, first_affected
from combatlog.rules.engine.corrections.undo import standing_declaration
from combatlog.rules.engine.dice import parse
from combatlog.rules.engine.fight import Fight, stamped
from combatlog.rules.engine.naming import id_of, known_id
from combatlog.rules.engine.options import option_fields
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.tape import Tape
from ledger.events import (
    Adjustment,
    Amended,
    ChainModified,
    Data,
    Declared,
    Event,
    Face,
    FaceOrigin,
    Position,
    ReactionWindowOpened,
    Rolled,
)
from projections.battle import Battle

T = TypeVar("T", Forgotten, ForgottenDefence)


class Amendment(BaseModel):
    """What was forgotten, wrong or misread. Whatever is not given stays as it was."""

    model_config = ConfigDict(frozen=True)

    targets: tuple[str, ...] | None = None
    destination: Position | None = None
    weapon: str | None = None
    options: Data = Field(default_factory=dict)
    add: tuple[Forgotten, ...] = ()
    defences: tuple[ForgottenDefence, ...] = ()
    drop: tuple[str, ...] = ()
    faces: dict[int, tuple[Face, ...]] = Field(default_factory=dict, description="the right faces, by the roll's seq")
    replies: tuple[Reply, ...] = Field(default=(), description="what should have been answered")

    def with_ids(self, battle: Battle) -> Amendment:
        """The amendment with the ids of those whom it names."""
        named = {
            "targets": tuple(id_of(battle, target) for target in self.targets) if self.targets is not None else None,
            "add": tuple(_with_ids(battle, one, "owner", "of") for one in self.add),
            "defences": tuple(_with_ids(battle, one, "owner") for one in self.defences),
            "replies": tuple(
                reply.model_copy(update={"reactor": known_id(battle, reply.reactor)}) for reply in self.replies
            ),
        }
        return self.model_copy(update=named)

    def with_owner(self, actor: str) -> Amendment:
        """Modifiers without an owner belong to the actor."""
        owned = (forgotten.model_copy(update={"owner": forgotten.owner or actor}) for forgotten in self.add)
        return self.model_copy(update={"add": tuple(owned)})


def _with_ids(battle: Battle, forgotten: T, *fields: str) -> T:
    named = {field: id_of(battle, name) for field in fields if (name := getattr(forgotten, field)) is not None}
    return forgotten.model_copy(update=named)


def plan_amend(
    fight: Fight,
    seq: int,
    amendment: Amendment,
    *,
    by: str,
    reason: str,
    remedies: Remedies | None = None,
    command: UUID | None = None,
) -> Plan:
    """The plan for correcting a declaration."""
    declared = standing_declaration(fight, seq)
    amendment = amendment.with_owner(declared.actor).with_ids(fight.battle)
    changes = amendment.model_dump(mode="json", exclude_defaults=True)
    if not changes:
        raise Refusal(
            "amend/nothing",
            "An amendment has to change something: targets, destination, weapon, options, modifiers, defences, "
            "faces or answers.",
            seq=declared.seq,
        )
    _check_said(fight, declared, amendment)
    group = fight.course.group(declared.seq)
    restated = Restatement(_differing(fight, declared, group, amendment, reason), _tape(group, amendment))
    amended = stamped(
        fight,
        Amended,
        amends=declared.seq,
        retracts=(),
        changes=changes,
        reason=reason,
        by=by,
        command=command or uuid4(),
    )
    remedies = remedies or Remedies()
    replies = {**remedies.replies, declared.seq: [*amendment.replies, *remedies.replies.get(declared.seq, ())]}
    decided = Remedies(remedies.impossible, remedies.dice, replies)
    first = first_affected(fight, {declared.seq})
    return Rebase(fight, amended, decided).run(first, (), {declared.seq: restated})


def _check_said(fight: Fight, declared: Declared, amendment: Amendment) -> None:
    """Refuse what the action does not take. Options that an older version recorded without effect may stay."""
    signature = fight.signature(declared.action, declared.actor)
    restates = amendment.targets or amendment.destination or amendment.weapon or amendment.options
    if signature is None or not restates:
        return
    known = option_fields(signature.options)
    recorded = {name: value for name, value in declared.options.items() if name in known}
    said = Declaration(
        actor=declared.actor,
        action=declared.action,
        targets=amendment.targets or (),
        destination=amendment.destination,
        weapon=amendment.weapon,
        options={**recorded, **amendment.options},
    )
    fight.check_said(declared.action, said)


def _differing(
    fight: Fight, declared: Declared, group: Sequence[Event], amendment: Amendment, reason: str
) -> dict[str, Any]:
    given: dict[str, Any] = {
        "targets": amendment.targets,
        "destination": amendment.destination,
        "weapon": amendment.weapon,
        "options": {**declared.options, **amendment.options} if amendment.options else None,
    }
    adjustments = [
        *declared.adjustments,
        *(addition(fight, group, forgotten, reason) for forgotten in amendment.add),
        *(defended(fight, _restated(declared, amendment), group, one, reason) for one in amendment.defences),
        *(_omission(group, source, reason) for source in amendment.drop),
    ]
    return {**{key: value for key, value in given.items() if value is not None}, "adjustments": tuple(adjustments)}


def _restated(declared: Declared, amendment: Amendment) -> Declared:
    """The declaration at whom it should have been aimed."""
    return declared if amendment.targets is None else declared.model_copy(update={"targets": amendment.targets})


def _omission(group: Sequence[Event], source: str, reason: str) -> Adjustment:
    """A modifier that must not count, found among those that did."""
    counted = [event for event in group if isinstance(event, ChainModified)]
    wanted = source.lower().replace(" ", "_")
    for event in counted:
        if wanted in (event.source, event.source.rsplit(":", 1)[1]):
            return Adjustment(chain=event.chain, source=event.source, owner=event.owner, reason=reason)
    names = list(dict.fromkeys(event.source.rsplit(":", 1)[1] for event in counted))
    sentence = f"{source!r} did not count in this declaration; {choices(names)} did."
    raise unknown("amend/no-modifier", sentence, source, names)


def _tape(group: Sequence[Event], amendment: Amendment) -> Tape:
    """The tape with the right faces, without the answers that are to be given again."""
    rolls = {event.seq for event in group if isinstance(event, Rolled)}
    for seq in amendment.faces:
        if seq not in rolls:
            known = f"its rolls are {listing(map(str, sorted(rolls)))}" if rolls else "it has none"
            raise Refusal(
                "amend/no-roll",
                f"Event {seq} is not a roll of this declaration; {known}.",
                seq=seq,
                available=sorted(rolls),
            )
    moments = {event.seq: event.moment for event in group if isinstance(event, ReactionWindowOpened)}
    tape = Tape([_reread(event, amendment) for event in group], moments)
    for reply in amendment.replies:
        tape.without_answers_of(reply.reactor)
    return tape


def _reread(event: Event, amendment: Amendment) -> Event:
    if not isinstance(event, Rolled) or event.seq not in amendment.faces:
        return event
    faces = amendment.faces[event.seq]
    if not parse(event.notation).fits(faces):
        raise Refusal(
            "amend/faces",
            f"{', '.join(map(str, faces))} cannot be the faces of {event.notation}; "
            f"{', '.join(map(str, event.faces))} was recorded.",
            seq=event.seq,
            needed=event.notation,
            found=list(faces),
        )
    return event.model_copy(update={"faces": faces, "dice_source": FaceOrigin.TABLE})
