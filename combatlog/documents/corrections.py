"""Documents about corrections: what one would do, what those that were made did, and how fights differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from combatlog.documents.fights import event_data, events_data

if TYPE_CHECKING:
    from combatlog.documents.shapes import (
        ComparisonData,
        CorrectionData,
        DifferenceData,
        NeededDice,
        PlanData,
        ProposalData,
    )
    from combatlog.view import View
    from projections.audit import Audited
    from projections.comparison import Comparison
    from projections.consent import Proposal
    from projections.difference import Difference
    from rules.engine.corrections.plan import DiceNeeded, Plan


def plan_data(plan: Plan) -> PlanData:
    from projections.consent import needs_table
    from projections.difference_words import say_difference
    from projections.naming import names_in
    from rules.engine.corrections.consent import affected

    changes, names = plan.state_changes(), names_in(plan.before, plan.after)
    return {
        "correction": event_data(plan.correction),
        "declarations": [
            {
                "seq": entry.declared.seq,
                "action": entry.declared.action,
                "actor": entry.declared.actor,
                "verdict": entry.verdict.value,
                "why": entry.why,
                "replaced_by": entry.replaced_by,
                "changes": [
                    {
                        "recorded": change.recorded.model_dump(mode="json") if change.recorded else None,
                        "now": change.now.model_dump(mode="json") if change.now else None,
                    }
                    for change in entry.changes
                ],
            }
            for entry in plan.entries
        ],
        "state": [difference_data(change) for change in changes],
        "words": [f"{say_difference(change, names)}." for change in changes],
        "dice_added": plan.dice_added,
        "needs": _as_data(plan.needs),
        "undecided": plan.undecided.code if plan.undecided is not None else None,
        "repeated": plan.repeated,
        "asked": affected(plan) if needs_table(plan.before) else [],
    }


def proposal_data(view: View, found: Proposal | None) -> ProposalData:
    """A proposal as a seat sees it; nothing, if it does not."""
    number = found.seq if found is not None and view.sees_all else view.numbers.of(found.seq if found else None)
    if found is None or number is None:
        return {**_NOTHING_PROPOSED}
    asked = [who for who in found.asked if view.sees_all or view.viewer.sees(who)]
    is_last = (last := view.proposal()) is not None and last.seq == found.seq
    plan = view.seen_plan(view.proposed_plan()) if is_last and not found.applied else None
    return {
        "proposal": number,
        "correction": found.message,
        "asked": asked,
        "answers": {who: found.answers[who] for who in asked if who in found.answers},
        "open": is_last and found.is_open,
        "overruled": found.overruled,
        "applied": found.applied,
        "plan": plan_data(plan) if plan is not None else None,
    }


_NOTHING_PROPOSED: ProposalData = {
    "proposal": None,
    "correction": None,
    "asked": [],
    "answers": {},
    "open": False,
    "overruled": False,
    "applied": False,
    "plan": None,
}


def _as_data(needs: DiceNeeded | None) -> NeededDice | None:
    if needs is None:
        return None
    return {"declaration": needs.declaration, "purpose": needs.purpose, "dice": list(needs.dice)}


def difference_data(difference: Difference) -> DifferenceData:
    return cast("DifferenceData", difference.as_data())


def correction_data(entry: Audited) -> CorrectionData:
    return {
        "correction": event_data(entry.correction),
        "put_in_place": list(entry.put_in_place),
        "taken_back_by": entry.taken_back_by,
        "changes": [difference_data(change) for change in entry.changes],
    }


def comparison_data(comparison: Comparison) -> ComparisonData:
    return {
        "common": comparison.common,
        "only_first": events_data(comparison.only_first),
        "only_second": events_data(comparison.only_second),
        "state": [difference_data(change) for change in comparison.state],
    }
