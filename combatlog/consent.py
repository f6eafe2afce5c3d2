"""Consent to corrections: proposing one, answering, overruling. For fights that were opened with `consent: table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from combatlog.corrections import Corrections

if TYPE_CHECKING:
    from combatlog.messages.corrections import Correction
    from ledger.events import Data
    from projections.consent import Proposal
    from rules.engine.corrections.plan import Plan
    from rules.engine.outcome import Outcome

GM = "gm"
MOVED_ON = "correction/moved-on"
_ATTEMPTS = 10
"""How often an agreed correction is planned again because somebody recorded something meanwhile."""


class Consenting(Corrections):
    """A correction is carried out when all agree who play somebody that it affects, or when the GM overrules them. If
    something else happened meanwhile that makes it another correction, it is planned and asked again."""

    def proposal(self) -> Proposal | None:
        """The correction that was proposed last, if any: who is asked, what they answered, whether it was applied."""
        from projections.consent import last_proposal

        return last_proposal(self.history())

    def proposals(self) -> list[Proposal]:
        """Every correction that was ever proposed, oldest first."""
        from projections.consent import Proposals

        return Proposals(self.history()).all

    def asked_about(self, plan: Plan) -> list[str]:
        """Who has to agree before a correction is made, by id; nobody, if the GM decides alone."""
        from projections.consent import needs_table
        from rules.engine.corrections.consent import affected

        return affected(plan) if needs_table(plan.before) and not plan.repeated else []

    def propose(self, correction: Correction, *, command_id: UUID | None = None) -> Outcome:
        """Propose an `Undo`, `Redo`, `Amend` or `Insert` to the table.

        If it affects none of the players' combatants, it is carried out at once.
        """
        from combatlog.messages.requests import Propose

        outcome: Outcome = self.send(Propose(correction=correction, by=correction.by), command_id=command_id)
        return outcome

    def consent(self, who: str, agree: bool = True, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Answer for a combatant that is asked, with a `reason`. With the last answer, the correction is carried out.

        `proposal` is the seq of the proposal that is meant: the answer is refused if another one has taken its place.
        """
        from combatlog.messages.message import message
        from combatlog.messages.requests import Consent

        outcome: Outcome = self.send(message(Consent, who=who, agree=agree, **fields), command_id=command_id)
        return outcome

    def overrule(self, reason: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Carry out what is proposed without the consent of all, as the GM and on record."""
        from combatlog.messages.message import message
        from combatlog.messages.requests import Overrule

        outcome: Outcome = self.send(message(Overrule, reason=reason, **fields), command_id=command_id)
        return outcome

    def put_to_table(self, correction: Correction, command: UUID | None) -> Outcome:
        """Ask those who have to agree, or make the correction if nobody has to."""
        if (repeated := self.repeated(command)) is not None:
            return repeated
        plan = self.plan_as(correction, command)
        plan.require_decided()
        return self._ask(correction, plan, command)

    def take_answer(
        self, who: str, agree: bool, reason: str, proposal: int | None, by: str | None, command: UUID | None
    ) -> Outcome:
        from projections.consent import ANSWER
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_asked, require_open, require_same
        from rules.engine.naming import known_id

        if (repeated := self.repeated(command)) is not None:
            return self._settled(repeated)
        meant, id = require_open(require_same(self.proposal(), proposal)), known_id(self.battle, who)
        if id in meant.asked and meant.agreed and meant.answers.get(id) is agree:
            return self.carry_out()
        require_asked(meant, id)
        said: Data = {"proposal": meant.seq, "agree": agree} | ({"reason": reason} if reason else {})
        answered = Declaration(actor=id, action=ANSWER, options=said, by=by)
        return self._settled(self.declare(answered, command_id=command))

    def make_without_consent(self, reason: str, proposal: int | None, by: str | None, command: UUID | None) -> Outcome:
        from projections.consent import OVERRULE
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_open, require_same

        if (repeated := self.repeated(command)) is not None:
            return self._settled(repeated)
        meant = require_open(require_same(self.proposal(), proposal))
        if meant.overruled:
            return self.carry_out()
        said = {"proposal": meant.seq, "reason": reason}
        overruling = Declaration(actor=GM, action=OVERRULE, targets=meant.asked, options=said, by=by or GM)
        return self._settled(self.declare(overruling, command_id=command))

    def carry_out(self) -> Outcome:
        """Carry out the correction that all have agreed to; or ask again, if it has become another one."""
        from rules.engine.corrections.consent import require_open
        from rules.engine.refusal import Refusal

        for attempt in range(_ATTEMPTS):
            try:
                return self._carry_out(require_open(self.proposal()))
            except Refusal as refusal:
                if refusal.code != MOVED_ON or attempt == _ATTEMPTS - 1:
                    raise  # otherwise somebody was faster: what was agreed to is planned again
        raise AssertionError("the last attempt returns or raises")

    def _carry_out(self, proposal: Proposal) -> Outcome:
        from rules.engine.corrections.consent import same_correction, summary
        from rules.engine.refusal import Refusal

        if not proposal.agreed:
            raise Refusal("consent/waiting", "Not everybody has agreed yet.", asked=proposal.waiting)
        correction = _proposed(proposal)
        plan = self.plan_as(correction, proposal.command)
        plan.require_decided()
        if proposal.overruled or plan.repeated or same_correction(proposal.plan, summary(plan)):
            return self._apply(plan)
        return self._ask(correction, plan, uuid5(proposal.command, "again"), proposal.seq)

    def _settled(self, said: Outcome) -> Outcome:
        """What an answer led to: with the last one, the correction. Somebody else may have carried it out already.

        If it cannot be made now, the answer stands all the same, and the proposal stays open.
        """
        from rules.engine.outcome import Outcome
        from rules.engine.refusal import Refusal

        proposal = self.proposal()
        if proposal is None or not proposal.is_open or not proposal.agreed:
            return said
        try:
            made = self.carry_out()
        except Refusal:
            if said.repeated:
                raise
            return said
        return Outcome.ending_in(made.state, [*said.events, *made.events], repeated=said.repeated and made.repeated)

    def proposed_plan(self) -> Plan:
        """What the proposal would do now."""
        from rules.engine.corrections.consent import require_open

        return self.plan(_proposed(require_open(self.proposal())))

    def _ask(self, correction: Correction, plan: Plan, command: UUID | None, again: int | None = None) -> Outcome:
        from combatlog.messages.corrections import as_json
        from projections.consent import PROPOSE, needs_table
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import affected, summary

        asked = affected(plan)
        if not asked or not needs_table(plan.before):
            return self._apply(plan)
        what = as_json(_pinned(correction, plan))
        said: Data = {"correction": what.pop("correction"), "what": what, "plan": summary(plan)}
        said |= {"again": again} if again is not None else {}
        proposing = Declaration(actor=GM, action=PROPOSE, targets=tuple(asked), options=said, by=correction.speaker)
        return self.declare(proposing, command_id=command)


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
