"""Amend: the declaration was right, but something in it was forgotten, wrong or misread.

What was forgotten can be a modifier, or a resistance, vulnerability or immunity of a target.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID, uuid4

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections.correction_events import stamped
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Rebase, Remedies, Restatement, first_affected
from combatlog.rules.engine.corrections.undo import standing_declaration
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.naming import id_of, known_id
from combatlog.rules.engine.options_and_validation import option_fields
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.resolution.chain import chain_of
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.tape import Tape
from combatlog.rules.engine.ruleset_types import Defence
from ledger.events import (
    Adjustment,
    Amended,
    ChainModified,
    Change,
    ChangeOp,
    Damaged,
    Data,
    Declared,
    Event,
    Face,
    FaceOrigin,
    Position,
    ReactionWindowOpened,
    Rolled,
)
from projections.battle.fold import Battle

ALL = "all"
"""Damage of every type."""


class Forgotten(BaseModel):
    """A modifier that should have counted."""

    model_config = ConfigDict(frozen=True)

    what: str = Field(description="`advantage`, `disadvantage`, a number with its sign, or dice")
    source: str = Field(description="where it comes from")
    owner: str | None = Field(default=None, description="the combatant that it belongs to; None: the actor")
    chain: str = Field(default="attack", description="what it modifies")
    of: str | None = Field(default=None, description="the combatant whose save or check it modifies; None: the first")
    label: str | None = None


class ForgottenDefence(BaseModel):
    """A resistance, vulnerability or immunity that should have counted."""

    model_config = ConfigDict(frozen=True)

    defence: Defence
    against: str = Field(default=ALL, description="the type of damage, or `all`")
    owner: str | None = Field(default=None, description="the combatant that has it; None: the only target")


def addition(fight: FightEngine, group: Sequence[Event], forgotten: Forgotten, reason: str) -> Adjustment:
    """The adjustment that adds a forgotten modifier to its chain."""
    assert forgotten.owner is not None
    said = read_change(forgotten.what, forgotten.label)
    change = fight.ruleset.forgotten_modifier(forgotten.chain, said, group)
    return Adjustment(
        chain=chain_of(forgotten.chain, _known(fight, forgotten.of) if forgotten.of else None),
        source=_amendment(fight, forgotten.source),
        owner=_known(fight, forgotten.owner),
        reason=f"{forgotten.source} ({reason})",
        change=change,
    )


def defended(
    fight: FightEngine, declared: Declared, group: Sequence[Event], forgotten: ForgottenDefence, reason: str
) -> Adjustment:
    """The adjustment that adds a forgotten defence to the chain of the combatant who was hurt."""
    owner = _known(fight, forgotten.owner) if forgotten.owner else _only_target(declared)
    against = None if forgotten.against == ALL else forgotten.against
    chain, change = fight.ruleset.forgotten_defence(forgotten.defence, against)
    if against is not None:
        _check_dealt(group, owner, against)
    return Adjustment(
        chain=chain_of(chain, owner),
        source=_amendment(fight, forgotten.defence.value),
        owner=owner,
        reason=f"{forgotten.defence.value} to {against or 'all damage'} ({reason})",
        change=change,
    )


def read_change(what: str, label: str | None = None) -> Change:
    """`advantage`, `disadvantage`, a number with its sign, or dice."""
    if what in (ChangeOp.ADVANTAGE, ChangeOp.DISADVANTAGE):
        return Change(op=ChangeOp(what))
    if re.fullmatch(r"[+-][0-9]{1,4}", what):
        return Change(op=ChangeOp.BONUS, amount=int(what), label=label)
    if are_dice(what):
        parse(what)
        return Change(op=ChangeOp.DICE, dice=what, label=label)
    raise Refusal(
        "amend/change",
        f"{what!r} is not a modifier; it is advantage, disadvantage, a number with a sign such as +2, or dice.",
        what=what,
    )


def are_dice(what: str) -> bool:
    return re.fullmatch(r"[0-9]*d[0-9]+", what) is not None


def _amendment(fight: FightEngine, source: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", source.lower()).strip("_") or "forgotten"
    return f"{fight.battle.encounter.ruleset}:amendment:{slug}"


def _known(fight: FightEngine, owner: str) -> str:
    if owner not in fight.battle.combatants:
        names = list(fight.battle.combatants)
        raise unknown("amend/owner", f"There is no combatant {owner!r} in this fight.", owner, names)
    return owner


def _check_dealt(group: Sequence[Event], owner: str, against: str) -> None:
    """Refuse a defence against a type of damage that was not dealt."""
    parts = [part for event in group if isinstance(event, Damaged) and event.target == owner for part in event.parts]
    types = list(dict.fromkeys(part.damage_type for part in parts if part.damage_type is not None))
    if types and against not in types:
        sentence = f"{owner} took no {against} damage in this declaration, but {listing(types)} damage."
        raise Refusal("amend/other-damage", sentence, who=owner, name=against, available=types)


def _only_target(declared: Declared) -> str:
    if len(declared.targets) != 1:
        raise Refusal(
            "amend/whose",
            "Say whose resistance, vulnerability or immunity was forgotten: the declaration does not have exactly one "
            "target.",
            seq=declared.seq,
            available=list(declared.targets),
        )
    return declared.targets[0]


T = TypeVar("T", Forgotten, ForgottenDefence)


class Amendment(BaseModel):
    """What was forgotten, wrong or misread. Fields that are not given stay as they were."""

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
        """The amendment with names of combatants replaced by their ids."""
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
        """The amendment with the actor as the owner of modifiers that have none."""
        owned = (forgotten.model_copy(update={"owner": forgotten.owner or actor}) for forgotten in self.add)
        return self.model_copy(update={"add": tuple(owned)})


def _with_ids(battle: Battle, forgotten: T, *fields: str) -> T:
    named = {field: id_of(battle, name) for field in fields if (name := getattr(forgotten, field)) is not None}
    return forgotten.model_copy(update=named)


def plan_amend(
    fight: FightEngine,
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
    differing = _differing(fight, declared, group, amendment, reason)
    rolls = [reread for event in group if isinstance(reread := _reread(event, amendment), Rolled)]
    restated = Restatement(differing, _tape(group, amendment), rolls)
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


def _check_said(fight: FightEngine, declared: Declared, amendment: Amendment) -> None:
    """Refuse fields that the action does not take. Recorded options that it never used may stay."""
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
    fight: FightEngine, declared: Declared, group: Sequence[Event], amendment: Amendment, reason: str
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
    """The declaration with its corrected targets."""
    return declared if amendment.targets is None else declared.model_copy(update={"targets": amendment.targets})


def _omission(group: Sequence[Event], source: str, reason: str) -> Adjustment:
    """The adjustment that removes a modifier that counted but should not have."""
    counted = [event for event in group if isinstance(event, ChainModified)]
    wanted = source.lower().replace(" ", "_")
    for event in counted:
        if wanted in (event.source, event.source.rsplit(":", 1)[1]):
            return Adjustment(chain=event.chain, source=event.source, owner=event.owner, reason=reason)
    names = list(dict.fromkeys(event.source.rsplit(":", 1)[1] for event in counted))
    sentence = f"{source!r} did not count in this declaration; {choices(names)} did."
    raise unknown("amend/no-modifier", sentence, source, names)


def _tape(group: Sequence[Event], amendment: Amendment) -> Tape:
    """The tape with the corrected faces, and without the answers that the amendment replaces."""
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
