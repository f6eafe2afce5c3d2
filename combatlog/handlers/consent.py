"""Propose a command to the players, take their answers, and overrule them, in fights opened with `consent: table`."""

from __future__ import annotations

from uuid import UUID, uuid5

from combatlog.backend import Backend
from combatlog.handlers.sender import Sender, texts_in
from combatlog.messages.corrections import Correcting, Undo
from combatlog.messages.message import Message
from combatlog.messages.requests import proposable_called
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections.consent import (
    affected,
    does_the_same,
    plan_of_command,
    plan_of_nothing,
    require_asked,
    require_open,
    require_same,
    summary,
)
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.dry_run import Foreseen
from combatlog.rules.engine.resolution.referee import Outcome
from ledger.errors import Problem
from ledger.events import Data
from projections.battle.consent import ANSWER, OVERRULE, PROPOSE, Proposal, last_proposal, needs_table
from projections.battle.fold import Battle
from projections.battle.journal import copy_of

GM = "gm"
MOVED_ON = "correction/moved-on"
_ATTEMPTS = 10
"""How often a proposal that all agreed to is planned again because something else was recorded meanwhile."""


def asked_about(plan: Plan) -> list[str]:
    """The combatants whose players have to agree, by id; empty if the GM decides alone."""
    return affected(plan) if needs_table(plan.before) and not plan.repeated else []


def _last_proposal(backend: Backend) -> Proposal | None:
    return last_proposal(backend.history())


def put_to_table(backend: Backend, message: Message, command: UUID | None) -> Outcome:
    """Ask the players who have to agree, or carry it out if there are none."""
    if (repeated := backend.repeated(command)) is not None:
        return repeated
    plan = plan_of(backend, message, command)
    plan.require_decided()
    return _ask(backend, message, plan, command)


def take_answer(
    backend: Backend, who: str, agree: bool, reason: str, proposal: int | None, by: str | None, command: UUID | None
) -> Outcome:
    if (repeated := backend.repeated(command)) is not None:
        return _settled(backend, repeated)
    meant, id = require_open(require_same(_last_proposal(backend), proposal)), known_id(backend.battle, who)
    if id in meant.asked and meant.agreed and meant.answers.get(id) is agree:
        return carry_out(backend)
    require_asked(meant, id)
    said: Data = {"proposal": meant.seq, "agree": agree} | ({"reason": reason} if reason else {})
    answered = Declaration(actor=id, action=ANSWER, options=said, by=by)
    return _settled(backend, backend.record(answered, command_id=command))


def make_without_consent(
    backend: Backend, reason: str, proposal: int | None, by: str | None, command: UUID | None
) -> Outcome:
    if (repeated := backend.repeated(command)) is not None:
        return _settled(backend, repeated)
    meant = require_open(require_same(_last_proposal(backend), proposal))
    if meant.overruled:
        return carry_out(backend)
    said = {"proposal": meant.seq, "reason": reason}
    overruling = Declaration(actor=GM, action=OVERRULE, targets=meant.asked, options=said, by=by or GM)
    return _settled(backend, backend.record(overruling, command_id=command))


def carry_out(backend: Backend) -> Outcome:
    """Carry out what all have agreed to, or ask again if it would now do something else."""
    for attempt in range(_ATTEMPTS):
        try:
            return _make(backend, require_open(_last_proposal(backend)))
        except Refusal as refusal:
            if refusal.code != MOVED_ON or attempt == _ATTEMPTS - 1:
                raise  # otherwise something else was recorded first: plan it again
    raise AssertionError("the last attempt returns or raises")


def _make(backend: Backend, proposal: Proposal) -> Outcome:
    if not proposal.agreed:
        raise Refusal("consent/waiting", "Not everybody has agreed yet.", asked=proposal.waiting)
    message = proposed(proposal)
    plan = plan_of(backend, message, proposal.command)
    plan.require_decided()
    if proposal.overruled or plan.repeated or does_the_same(proposal.plan, summary(plan)):
        return _do(backend, message, plan, proposal.command)
    return _ask(backend, message, plan, uuid5(proposal.command, "again"), proposal.seq)


def _settled(backend: Backend, said: Outcome) -> Outcome:
    """The outcome of an answer. The last answer carries out the proposal, unless another worker has already done it.

    If it cannot be carried out now, the answer counts all the same, and the proposal stays open.
    """
    proposal = _last_proposal(backend)
    if proposal is None or not proposal.is_open or not proposal.agreed:
        return said
    try:
        made = carry_out(backend)
    except Refusal:
        if said.repeated:
            raise
        return said
    return Outcome.ending_in(made.state, [*said.events, *made.events], repeated=said.repeated and made.repeated)


def proposed_plan(backend: Backend) -> Plan:
    """What the proposal would do now."""
    return plan_of(backend, proposed(require_open(_last_proposal(backend))))


def plan_of(backend: Backend, message: Message, command: UUID | None = None) -> Plan:
    """What a correction or a command would do. Nothing is recorded."""
    return backend.plan(message, command) if isinstance(message, Correcting) else _tried(backend, message)  # type: ignore[arg-type]


def _tried(backend: Backend, message: Message) -> Plan:
    """What a command would do, up to the first roll, whose result is not known yet."""
    from combatlog.handlers.command_handlers import carry_out

    before = copy_of(backend.in_memory().battle)
    try:
        foreseen: Foreseen = carry_out(message, Sender(backend, by=_by(message), dry_run=True))
    except Refusal as refusal:
        return plan_of_nothing(before, refusal)
    return plan_of_command(before, foreseen.events, _named(before, message))


def _named(battle: Battle, message: Message) -> frozenset[str]:
    """The combatants that a message names, in any of its fields."""
    found = set()
    for text in texts_in(message.as_json()):
        try:
            found.add(known_id(battle, text))
        except Problem:
            continue
    return frozenset(found)


def _ask(backend: Backend, message: Message, plan: Plan, command: UUID | None, again: int | None = None) -> Outcome:
    asked = affected(plan)
    if not asked or not needs_table(plan.before):
        return _do(backend, message, plan, command)
    message = _pinned(message, plan)
    said: Data = {"message": message.called(), "fields": message.as_json(), "plan": summary(plan)}
    said |= {"again": again} if again is not None else {}
    proposing = Declaration(actor=GM, action=PROPOSE, targets=tuple(asked), options=said, by=_by(message) or GM)
    return backend.record(proposing, command_id=command)


def _do(backend: Backend, message: Message, plan: Plan, command: UUID | None) -> Outcome:
    from combatlog.handlers.command_handlers import carry_out

    if isinstance(message, Correcting):
        return backend.apply(plan)
    return carry_out(message, Sender(backend, by=_by(message), command=command))


def _by(message: Message) -> str | None:
    return getattr(message, "by", None)


def proposed(proposal: Proposal) -> Message:
    """The message that was proposed; older proposals name some fields differently."""
    return proposable_called(proposal.message, proposal.fields)


def _pinned(message: Message, plan: Plan) -> Message:
    """To undo the last declaration means the one that is the last now, even if more is declared before all answer."""
    if not isinstance(message, Undo) or message.names_what:
        return message
    return message.model_copy(update={"seq": plan.of(PlanVerdict.TAKEN_BACK)[0].declared.seq})
