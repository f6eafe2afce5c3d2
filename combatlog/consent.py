"""Consent to corrections: proposing one, answering, overruling. For fights that were opened with `consent: table`.

A correction is carried out when all agree who play a combatant that it affects, or when the GM overrules them. If
something else happened meanwhile that makes it another correction, it is planned and asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from combatlog.backend import Backend
    from combatlog.messages.corrections import Correction
    from ledger.events import Data
    from projections.consent import Proposal
    from rules.engine.corrections.plan import Plan
    from rules.engine.outcome import Outcome

GM = "gm"
MOVED_ON = "correction/moved-on"
_ATTEMPTS = 10
"""How often an agreed correction is planned again because something was recorded meanwhile."""


def asked_about(plan: Plan) -> list[str]:
    """Who has to agree before a correction is made, by id; empty if the GM decides alone."""
    from projections.consent import needs_table
    from rules.engine.corrections.consent import affected

    return affected(plan) if needs_table(plan.before) and not plan.repeated else []


def _last_proposal(backend: Backend) -> Proposal | None:
    from projections.consent import last_proposal

    return last_proposal(backend.history())


def put_to_table(backend: Backend, correction: Correction, command: UUID | None) -> Outcome:
    """Ask those who have to agree, or make the correction if nobody has to."""
    if (repeated := backend.repeated(command)) is not None:
        return repeated
    plan = backend.plan(correction, command)
    plan.require_decided()
    return _ask(backend, correction, plan, command)


def take_answer(
    backend: Backend, who: str, agree: bool, reason: str, proposal: int | None, by: str | None, command: UUID | None
) -> Outcome:
    from projections.consent import ANSWER
    from rules.engine.commands import Declaration
    from rules.engine.corrections.consent import require_asked, require_open, require_same
    from rules.engine.naming import known_id

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
    from projections.consent import OVERRULE
    from rules.engine.commands import Declaration
    from rules.engine.corrections.consent import require_open, require_same

    if (repeated := backend.repeated(command)) is not None:
        return _settled(backend, repeated)
    meant = require_open(require_same(_last_proposal(backend), proposal))
    if meant.overruled:
        return carry_out(backend)
    said = {"proposal": meant.seq, "reason": reason}
    overruling = Declaration(actor=GM, action=OVERRULE, targets=meant.asked, options=said, by=by or GM)
    return _settled(backend, backend.declare(overruling, command_id=command))


def carry_out(backend: Backend) -> Outcome:
    """Carry out the correction that all have agreed to; or ask again, if it has become another one."""
    from rules.engine.corrections.consent import require_open
    from rules.engine.refusal import Refusal

    for attempt in range(_ATTEMPTS):
        try:
            return _make(backend, require_open(_last_proposal(backend)))
        except Refusal as refusal:
            if refusal.code != MOVED_ON or attempt == _ATTEMPTS - 1:
                raise  # otherwise somebody was faster: what was agreed to is planned again
    raise AssertionError("the last attempt returns or raises")


def _make(backend: Backend, proposal: Proposal) -> Outcome:
    from rules.engine.corrections.consent import same_correction, summary
    from rules.engine.refusal import Refusal

    if not proposal.agreed:
        raise Refusal("consent/waiting", "Not everybody has agreed yet.", asked=proposal.waiting)
    correction = _proposed(proposal)
    plan = backend.plan(correction, proposal.command)
    plan.require_decided()
    if proposal.overruled or plan.repeated or same_correction(proposal.plan, summary(plan)):
        return backend.apply(plan)
    return _ask(backend, correction, plan, uuid5(proposal.command, "again"), proposal.seq)


def _settled(backend: Backend, said: Outcome) -> Outcome:
    """What an answer led to: with the last one, the correction. Somebody else may have carried it out already.

    If it cannot be made now, the answer stands all the same, and the proposal stays open.
    """
    from rules.engine.outcome import Outcome
    from rules.engine.refusal import Refusal

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
    from rules.engine.corrections.consent import require_open

    return backend.plan(_proposed(require_open(_last_proposal(backend))))


def _ask(
    backend: Backend, correction: Correction, plan: Plan, command: UUID | None, again: int | None = None
) -> Outcome:
    from combatlog.messages.corrections import as_json
    from projections.consent import PROPOSE, needs_table
    from rules.engine.commands import Declaration
    from rules.engine.corrections.consent import affected, summary

    asked = affected(plan)
    if not asked or not needs_table(plan.before):
        return backend.apply(plan)
    what = as_json(_pinned(correction, plan))
    said: Data = {"correction": what.pop("correction"), "what": what, "plan": summary(plan)}
    said |= {"again": again} if again is not None else {}
    proposing = Declaration(actor=GM, action=PROPOSE, targets=tuple(asked), options=said, by=correction.speaker)
    return backend.declare(proposing, command_id=command)


def _proposed(proposal: Proposal) -> Correction:
    from combatlog.messages.corrections import read_correction

    return read_correction(proposal.correction, proposal.what)


def _pinned(correction: Correction, plan: Plan) -> Correction:
    """The last declaration is the one that is the last now, whatever is declared before all have answered."""
    from combatlog.messages.corrections import Undo
    from rules.engine.corrections.plan import Verdict

    if not isinstance(correction, Undo) or correction.names_what:
        return correction
    return correction.model_copy(update={"seq": plan.of(Verdict.TAKEN_BACK)[0].declared.seq})
