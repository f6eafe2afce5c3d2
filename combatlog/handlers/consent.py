"""Propose a command to the players, take their answers, and overrule them. This is for fights opened with `consent:
table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from combatlog.backend import Backend
    from combatlog.messages.message import Message
    from combatlog.rules.engine.corrections.plan import Plan
    from combatlog.rules.engine.resolution.dry_run import Foreseen
    from combatlog.rules.engine.resolution.referee import Outcome
    from ledger.events import Data
    from projections.battle.consent import Proposal
    from projections.battle.fold import Battle

GM = "gm"
MOVED_ON = "correction/moved-on"
_ATTEMPTS = 10
"""How often an agreed correction is planned again because something was recorded meanwhile."""


def asked_about(plan: Plan) -> list[str]:
    """Who has to agree before it is done, by id; empty if the GM decides alone."""
    from combatlog.rules.engine.corrections.consent import affected
    from projections.battle.consent import needs_table

    return affected(plan) if needs_table(plan.before) and not plan.repeated else []


def _last_proposal(backend: Backend) -> Proposal | None:
    from projections.battle.consent import last_proposal

    return last_proposal(backend.history())


def put_to_table(backend: Backend, message: Message, command: UUID | None) -> Outcome:
    """Ask those who have to agree, or do it if nobody has to."""
    if (repeated := backend.repeated(command)) is not None:
        return repeated
    plan = plan_of(backend, message, command)
    plan.require_decided()
    return _ask(backend, message, plan, command)


def take_answer(
    backend: Backend, who: str, agree: bool, reason: str, proposal: int | None, by: str | None, command: UUID | None
) -> Outcome:
    from combatlog.rules.engine.commands import Declaration
    from combatlog.rules.engine.corrections.consent import require_asked, require_open, require_same
    from combatlog.rules.engine.naming import known_id
    from projections.battle.consent import ANSWER

    if (repeated := backend.repeated(command)) is not None:
        return _settled(backend, repeated)
    meant, id = require_open(require_same(_last_proposal(backend), proposal)), known_id(backend.battle, who)
    if id in meant.asked and meant.agreed and meant.answers.get(id) is agree:
        return carry_out(backend)
    require_asked(meant, id)
    said: Data = {"proposal": meant.seq, "agree": agree} | ({"reason": reason} if reason else {})
    answered = Declaration(actor=id, action=ANSWER, options=said, by=by)
    return _settled(backend, backend.declare(answered, command_id=command))


def make_without_consent(
    backend: Backend, reason: str, proposal: int | None, by: str | None, command: UUID | None
) -> Outcome:
    from combatlog.rules.engine.commands import Declaration
    from combatlog.rules.engine.corrections.consent import require_open, require_same
    from projections.battle.consent import OVERRULE

    if (repeated := backend.repeated(command)) is not None:
        return _settled(backend, repeated)
    meant = require_open(require_same(_last_proposal(backend), proposal))
    if meant.overruled:
        return carry_out(backend)
    said = {"proposal": meant.seq, "reason": reason}
    overruling = Declaration(actor=GM, action=OVERRULE, targets=meant.asked, options=said, by=by or GM)
    return _settled(backend, backend.declare(overruling, command_id=command))


def carry_out(backend: Backend) -> Outcome:
    """Carry out what all have agreed to; or ask again, if it would do something else by now."""
    from combatlog.rules.engine.corrections.consent import require_open
    from combatlog.rules.engine.refusal import Refusal

    for attempt in range(_ATTEMPTS):
        try:
            return _make(backend, require_open(_last_proposal(backend)))
        except Refusal as refusal:
            if refusal.code != MOVED_ON or attempt == _ATTEMPTS - 1:
                raise  # otherwise somebody was faster: what was agreed to is planned again
    raise AssertionError("the last attempt returns or raises")


def _make(backend: Backend, proposal: Proposal) -> Outcome:
    from combatlog.rules.engine.corrections.consent import does_the_same, summary
    from combatlog.rules.engine.refusal import Refusal

    if not proposal.agreed:
        raise Refusal("consent/waiting", "Not everybody has agreed yet.", asked=proposal.waiting)
    message = proposed(proposal)
    plan = plan_of(backend, message, proposal.command)
    plan.require_decided()
    if proposal.overruled or plan.repeated or does_the_same(proposal.plan, summary(plan)):
        return _do(backend, message, plan, proposal.command)
    return _ask(backend, message, plan, uuid5(proposal.command, "again"), proposal.seq)


def _settled(backend: Backend, said: Outcome) -> Outcome:
    """What an answer led to: with the last one, what was proposed. Another worker may have carried it out already.

    If it cannot be done now, the answer stands all the same, and the proposal stays open.
    """
    from combatlog.rules.engine.refusal import Refusal
    from combatlog.rules.engine.resolution.referee import Outcome

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
    from combatlog.rules.engine.corrections.consent import require_open

    return plan_of(backend, proposed(require_open(_last_proposal(backend))))


def plan_of(backend: Backend, message: Message, command: UUID | None = None) -> Plan:
    """What a correction or a command would do. Nothing is recorded."""
    from combatlog.messages.corrections import Correcting

    return backend.plan(message, command) if isinstance(message, Correcting) else _tried(backend, message)  # type: ignore[arg-type]


def _tried(backend: Backend, message: Message) -> Plan:
    """What a command would do, up to the first dice: nobody knows before how they fall."""
    from combatlog.handlers.command_handlers import carry_out
    from combatlog.handlers.sender import Sender
    from combatlog.rules.engine.corrections.consent import plan_of_command, plan_of_nothing
    from combatlog.rules.engine.refusal import Refusal
    from projections.battle.journal import copy_of

    before = copy_of(backend.in_memory().battle)
    try:
        foreseen: Foreseen = carry_out(message, Sender(backend, by=_by(message), dry_run=True))
    except Refusal as refusal:
        return plan_of_nothing(before, refusal)
    return plan_of_command(before, foreseen.events, _named(before, message))


def _named(battle: Battle, message: Message) -> frozenset[str]:
    """The combatants that a message names, in any of its fields."""
    from combatlog.rules.engine.naming import known_id
    from ledger.errors import Problem

    found = set()
    for text in _texts(message.as_json()):
        try:
            found.add(known_id(battle, text))
        except Problem:
            continue
    return frozenset(found)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from _texts(part)
    elif isinstance(value, Iterable):
        for part in value:
            yield from _texts(part)


def _ask(backend: Backend, message: Message, plan: Plan, command: UUID | None, again: int | None = None) -> Outcome:
    from combatlog.rules.engine.commands import Declaration
    from combatlog.rules.engine.corrections.consent import affected, summary
    from projections.battle.consent import PROPOSE, needs_table

    asked = affected(plan)
    if not asked or not needs_table(plan.before):
        return _do(backend, message, plan, command)
    message = _pinned(message, plan)
    said: Data = {"message": message.called(), "fields": message.as_json(), "plan": summary(plan)}
    said |= {"again": again} if again is not None else {}
    proposing = Declaration(actor=GM, action=PROPOSE, targets=tuple(asked), options=said, by=_by(message) or GM)
    return backend.declare(proposing, command_id=command)


def _do(backend: Backend, message: Message, plan: Plan, command: UUID | None) -> Outcome:
    from combatlog.handlers.command_handlers import carry_out
    from combatlog.handlers.sender import Sender
    from combatlog.messages.corrections import Correcting

    if isinstance(message, Correcting):
        return backend.apply(plan)
    outcome: Outcome = carry_out(message, Sender(backend, by=_by(message), command=command))
    return outcome


def _by(message: Message) -> str | None:
    return getattr(message, "by", None)


def proposed(proposal: Proposal) -> Message:
    """The message that was proposed; older proposals spell some fields otherwise."""
    from combatlog.messages.requests import proposable_called

    return proposable_called(proposal.message, proposal.fields)


def _pinned(message: Message, plan: Plan) -> Message:
    """The last declaration is the one that is the last now, whatever is declared before all have answered."""
    from combatlog.messages.corrections import Undo
    from combatlog.rules.engine.corrections.plan import PlanVerdict

    if not isinstance(message, Undo) or message.names_what:
        return message
    return message.model_copy(update={"seq": plan.of(PlanVerdict.TAKEN_BACK)[0].declared.seq})
