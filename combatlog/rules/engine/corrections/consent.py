"""Whose consent is needed, what they agree to, and refusing what they did not agree to."""

from __future__ import annotations

from typing import Any

from combatlog.rules.engine.corrections.plan import Plan, Verdict
from combatlog.rules.engine.refusal import Refusal, listing
from ledger.events import Data, Declared
from projections.consent import ABOUT_CONSENT, Proposal, needs_table
from projections.difference import Difference
from projections.timeline import Correction


def affected(plan: Plan) -> list[str]:
    """Those of the players' combatants that it changes, or whose declarations it does."""
    changed = {change.who for change in _changes(plan)} | plan.affects
    changed |= {entry.declared.actor for entry in plan.entries if entry.verdict is not Verdict.KEPT}
    changed |= {
        target for entry in plan.entries if entry.verdict is not Verdict.KEPT for target in entry.declared.targets
    }
    return [
        one.id
        for one in plan.before.combatants.values()
        if one.id in changed and one.present and one.controller == "player"
    ]


def summary(plan: Plan) -> Data:
    """What those who are asked agree to, to compare with what would be done later.

    Who agrees to a correction agrees to what it changes; who agrees to a command, to what is declared.
    """
    if not isinstance(plan.correction, Correction):
        return {"declared": [_said(entry.declared) for entry in plan.entries], "asked": affected(plan)}
    return {
        "declarations": [
            [entry.declared.seq, entry.verdict.value]
            for entry in plan.entries
            if entry.declared.action not in ABOUT_CONSENT
        ],
        "changes": [change.to_json() for change in _changes(plan)],
    }


def _said(declared: Declared) -> list[Any]:
    """Without the options: the message has them, and it cannot change."""
    place = list(declared.destination) if declared.destination is not None else None
    return [declared.actor, declared.action, list(declared.targets), place, declared.weapon]


def does_the_same(agreed: Data, now: Data) -> bool:
    """Whether what would be done now is what was agreed to. What it leaves alone may have grown meanwhile."""
    if "declared" in agreed:
        return bool(agreed["declared"] == now["declared"] and set(now["asked"]) <= set(agreed["asked"]))
    return _done(agreed) == _done(now)


def _done(summed_up: Data) -> tuple[object, object]:
    declarations = [entry for entry in summed_up["declarations"] if entry[1] != Verdict.KEPT.value]
    return declarations, summed_up["changes"]


def _changes(plan: Plan) -> list[Difference]:
    return plan.state_changes() if plan.needs is None else []


def require_consent(plan: Plan) -> None:
    """Refuse a correction that the table has to agree to."""
    if plan.repeated or not needs_table(plan.before):
        return
    asked = affected(plan)
    if asked:
        sentence = f"In this fight, corrections need the consent of those they affect: {listing(asked)}."
        raise Refusal("consent/needed", sentence, asked=asked)


def require_open(proposal: Proposal | None) -> Proposal:
    if proposal is None or proposal.applied:
        raise Refusal("consent/nothing", "Nothing is proposed.")
    return proposal


def require_same(proposal: Proposal | None, meant: int | None) -> Proposal | None:
    """Refuse what is said about a proposal whose place another one has taken. Numbers are not told: seats differ."""
    if meant is not None and proposal is not None and proposal.seq != meant:
        raise Refusal("consent/other", "Something else is proposed by now; look at it and decide again.")
    return proposal


def require_asked(proposal: Proposal, who: str) -> None:
    if proposal.refused:
        refused = [name for name, agrees in proposal.answers.items() if not agrees]
        raise Refusal("consent/refused", f"{listing(refused)} did not agree, so nothing is changed.", asked=refused)
    if who not in proposal.asked:
        sentence = f"{who} is not asked; {listing(list(proposal.asked))} are."
        raise Refusal("consent/not-asked", sentence, who=who, asked=list(proposal.asked))
    if who in proposal.answers:
        raise Refusal("consent/answered", f"{who} has already answered.", who=who)
