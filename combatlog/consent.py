"""Consent to corrections: proposing one, answering, overruling. For fights that were opened with `consent: table`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from combatlog.corrections import Corrections

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.events import Data
    from projections.consent import Proposal
    from rules.engine.corrections.plan import Plan
    from rules.engine.outcome import Outcome

GM = "gm"


class Consenting(Corrections):
    """A correction is carried out when all agree who play somebody that it affects, or when the GM overrules them. If
    something else happened meanwhile that makes it another correction, it is planned and asked again."""

    def proposal(self) -> Proposal | None:
        """The correction that was proposed last, if any: who is asked, what they answered, whether it was applied."""
        from projections.consent import last_proposal

        return last_proposal(self.history())

    def asked_about(self, plan: Plan) -> list[str]:
        """Who has to agree before a correction is made, by id; nobody, if the GM decides alone."""
        from projections.consent import needs_table
        from rules.engine.corrections.consent import affected

        return affected(plan) if needs_table(plan.before) and not plan.repeated else []

    def propose(self, correction: str, *, by: str = GM, command_id: UUID | None = None, **what: Any) -> Outcome:
        """Propose to `undo`, `redo`, `amend` or `insert`, with what the function of that name (`plan_undo` ...) takes.

        If it affects none of the players' combatants, it is carried out at once.
        """
        plan = self._planned(correction, what | {"by": by})
        plan.require_decided()
        return self._ask(correction, what | {"by": by}, plan, by, command_id)

    def consent(
        self, who: str, agree: bool = True, *, reason: str = "", by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Answer for a combatant that is asked. With the last answer, the correction is carried out."""
        from projections.consent import ANSWER
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_asked, require_open
        from rules.engine.naming import known_id

        proposal, id = require_open(self.proposal()), known_id(self.battle, who)
        if id in proposal.asked and proposal.agreed and proposal.answers.get(id) is agree:
            return self.carry_out()
        require_asked(proposal, id)
        said: Data = {"proposal": proposal.seq, "agree": agree} | ({"reason": reason} if reason else {})
        outcome = self.declare(Declaration(actor=id, action=ANSWER, options=said, by=by), command_id=command_id)
        answered = self.proposal()
        return self.carry_out() if answered is not None and answered.agreed else outcome

    def overrule(self, reason: str, *, by: str = GM, command_id: UUID | None = None) -> Outcome:
        """Carry out what is proposed without the consent of all, as the GM and on record."""
        from projections.consent import OVERRULE
        from rules.engine.commands import Declaration
        from rules.engine.corrections.consent import require_open

        proposal = require_open(self.proposal())
        if not proposal.overruled:
            said = {"proposal": proposal.seq, "reason": reason}
            overruling = Declaration(actor=GM, action=OVERRULE, targets=proposal.asked, options=said, by=by)
            self.declare(overruling, command_id=command_id)
        return self.carry_out()

    def carry_out(self) -> Outcome:
        """Carry out the correction that all have agreed to; or ask again, if it has become another one."""
        from rules.engine.corrections.consent import require_open, summary
        from rules.engine.refusal import Refusal

        proposal = require_open(self.proposal())
        if not proposal.agreed:
            raise Refusal("consent/waiting", "Not everybody has agreed yet.", asked=proposal.waiting)
        plan = self._planned(proposal.correction, proposal.what, proposal.command)
        plan.require_decided()
        if proposal.overruled or summary(plan) == proposal.plan:
            return self._apply(plan)
        return self._ask(proposal.correction, proposal.what, plan, str(proposal.what.get("by", GM)), None, proposal.seq)

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
        for name in ("replies", "later_replies", "faces"):
            if isinstance(given.get(name), dict):
                given[name] = {int(key) if str(key).isdecimal() else key: said for key, said in given[name].items()}
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
