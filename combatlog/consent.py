"""Consent to corrections: proposing one, answering, overruling. For fights that were opened with `consent: table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from combatlog.corrections import Corrections

if TYPE_CHECKING:
    from collections.abc import Callable

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

    def propose(self, correction: str, *, by: str = GM, command_id: UUID | None = None, **what: Any) -> Outcome:
        """Propose to `undo`, `redo`, `amend` or `insert`, with what the function of that name (`plan_undo` ...) takes.

        If it affects none of the players' combatants, it is carried out at once.
        """
        if (repeated := self._repeated(command_id)) is not None:
            return repeated
        plan = self._planned(correction, what | {"by": by}, command_id)
        plan.require_decided()
        return self._ask(correction, what | {"by": by}, plan, by, command_id)

    def consent(
        self,
        who: str,
        agree: bool = True,
        *,
        reason: str = "",
        proposal: int | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Answer for a combatant that is asked. With the last answer, the correction is carried out.

        `proposal` is the seq of the proposal that is meant: the answer is refused if another one has taken its place.
        """
        from projections.consent import ANSWER
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_asked, require_open, require_same
        from rules.engine.naming import known_id

        if (repeated := self._repeated(command_id)) is not None:
            return self._settled(repeated)
        meant, id = require_open(require_same(self.proposal(), proposal)), known_id(self.battle, who)
        if id in meant.asked and meant.agreed and meant.answers.get(id) is agree:
            return self.carry_out()
        require_asked(meant, id)
        said: Data = {"proposal": meant.seq, "agree": agree} | ({"reason": reason} if reason else {})
        answered = Declaration(actor=id, action=ANSWER, options=said, by=by)
        return self._settled(self.declare(answered, command_id=command_id))

    def overrule(
        self, reason: str, *, proposal: int | None = None, by: str = GM, command_id: UUID | None = None
    ) -> Outcome:
        """Carry out what is proposed without the consent of all, as the GM and on record."""
        from projections.consent import OVERRULE
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_open, require_same

        if (repeated := self._repeated(command_id)) is not None:
            return self._settled(repeated)
        meant = require_open(require_same(self.proposal(), proposal))
        if meant.overruled:
            return self.carry_out()
        said = {"proposal": meant.seq, "reason": reason}
        overruling = Declaration(actor=GM, action=OVERRULE, targets=meant.asked, options=said, by=by)
        return self._settled(self.declare(overruling, command_id=command_id))

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
        plan = self._planned(proposal.correction, proposal.what, proposal.command)
        plan.require_decided()
        if proposal.overruled or plan.repeated or same_correction(proposal.plan, summary(plan)):
            return self._apply(plan)
        by, again = str(proposal.what.get("by", GM)), uuid5(proposal.command, "again")
        return self._ask(proposal.correction, proposal.what, plan, by, again, proposal.seq)

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

        proposal = require_open(self.proposal())
        return self._planned(proposal.correction, proposal.what)

    def _ask(
        self, correction: str, what: Data, plan: Plan, by: str, command: UUID | None, again: int | None = None
    ) -> Outcome:
        from projections.consent import PROPOSE, needs_table
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import affected, summary

        asked = affected(plan)
        if not asked or not needs_table(plan.before):
            return self._apply(plan)
        what = self._pinned(correction, what, plan)
        said: Data = {"correction": correction, "what": what, "plan": summary(plan)}
        said |= {"again": again} if again is not None else {}
        return self.declare(
            Declaration(actor=GM, action=PROPOSE, targets=tuple(asked), options=said, by=by), command_id=command
        )

    def _planned(self, correction: str, what: Data, command: UUID | None = None) -> Plan:
        from rules.engine.corrections.forgotten import Forgotten
        from rules.engine.refusal import unknown

        plans: dict[str, Callable[..., Plan]]
        plans = {"undo": self.plan_undo, "redo": self.plan_redo, "amend": self.plan_amend, "insert": self.plan_insert}
        if correction not in plans:
            raise unknown("consent/unknown", f"There is no correction called {correction!r}.", correction, list(plans))
        given = {name: value for name, value in what.items() if name != "add"}
        if what.get("add"):
            given["add"] = [one if isinstance(one, Forgotten) else Forgotten(**one) for one in what["add"]]
        if isinstance(given.get("replies"), list):
            given["replies"] = _revived(given["replies"])
        for name in ("replies", "later_replies", "faces"):
            if isinstance(given.get(name), dict):
                given[name] = {
                    int(key) if str(key).isdecimal() else key: _revived(said) for key, said in given[name].items()
                }
        return plans[correction](**given, command_id=command)

    @staticmethod
    def _pinned(correction: str, what: Data, plan: Plan) -> Data:
        """What is proposed, as data: the last declaration is the one that is the last now."""
        from pydantic_core import to_jsonable_python

        from rules.engine.corrections.plan import Verdict

        kept: Data = to_jsonable_python(
            {name: value for name, value in what.items() if value not in (None, (), [], {})}
        )
        chosen = any(kept.get(name) for name in ("seq", "turn", "round", "back_to"))
        if correction == "undo" and not chosen:
            kept["seq"] = plan.of(Verdict.TAKEN_BACK)[0].declared.seq
        return kept


def _revived(said: Any) -> Any:
    """Answers that were recorded as data, as answers again."""
    from rules.engine.commands import Reply

    is_listed = isinstance(said, list) and all(isinstance(one, dict) for one in said)
    return [Reply(**one) for one in said] if is_listed else said
