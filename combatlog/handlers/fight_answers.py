"""Answer the questions about a fight: one function for each. `answer` finds it in a table and is the entry point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from combatlog.messages import fight_questions as asked
from combatlog.messages.rights import check_right
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog.rules.content.bestiary import Difficulty
    from combatlog.rules.content.reference import MenuSection
    from combatlog.rules.engine.corrections.consent import ProposalView
    from combatlog.rules.engine.grid.pathfinding import MovePreview
    from combatlog.rules.engine.ruleset_types import Advice, AreaPreview
    from combatlog.rules.verification.verify import VerificationReport
    from combatlog.view import View
    from ledger.events import Data, Event
    from ledger.exchange.seal import Seal
    from projections.battle.dice import SharedDice
    from projections.battle.fold import Battle
    from projections.report.models import FightReport, SeenReport
    from projections.review.audit import Audited
    from projections.review.difference import Comparison
    from projections.review.explanation import Explanation
    from projections.views.state import Combatants


def answer(question: asked.FightQuestion, view: View) -> Any:
    """The answer, as far as the seat may see it. A refusal tells only what the seat may know."""
    check_right(view.seat, question.needs)
    try:
        return _handler_of(type(question))(view, question)
    except Problem as problem:
        from combatlog.handlers.sender import Sender

        sender = Sender(view.backend, view.seat, onlooker=lambda: view.onlooker)
        with suppress(Problem):
            sender.actor = view.who(question.who) if isinstance(question, asked.AboutCombatant) else None
        seen = sender.as_seen(problem)
        if seen is problem:
            raise
        raise seen from problem


def _handler_of(kind: type[asked.FightQuestion]) -> Callable[[View, Any], Any]:
    if kind in ANSWERS:
        return ANSWERS[kind]
    from combatlog.plugins import installed

    return installed()[kind]


def _state(view: View, question: asked.ShowState) -> Battle:
    return view.battle


def _combatants(view: View, question: asked.ListCombatants) -> Combatants:
    from projections.views.state import battle_state

    return battle_state(view.now)["combatants"]


def _dice(view: View, question: asked.ShowDice) -> SharedDice:
    from projections.battle.dice import shared_dice

    return shared_dice(view.now)


# What is possible


def _actions(view: View, question: asked.ListActions) -> list[MenuSection]:
    from combatlog.rules.content.reference import with_options
    from combatlog.rules.engine.menu import menu_of
    from combatlog.rules.engine.seat_queries import menu_from

    if view.sees_all:
        sections = menu_of(view.backend.in_memory(), view.who(question.who))
    else:
        sections = menu_from(view.onlooker, question.who)
    return with_options(sections, view.reference(question.who))


def _changes(view: View, question: asked.ListChanges) -> list[Event]:
    from combatlog.rules.engine.menu import history_of

    return [*history_of(view.now, view.seen, view.own(question.who), question.resources)]


def _advice(view: View, question: asked.Advise) -> list[Advice]:
    from combatlog.rules.engine.menu import advice_for
    from combatlog.rules.engine.seat_queries import advice_from

    if not view.sees_all:
        return advice_from(view.onlooker, question.who)
    return advice_for(view.backend.in_memory(), view.who(question.who))


def _aim(view: View, question: asked.AimAt) -> AreaPreview:
    from combatlog.rules.engine.seat_queries import aim_from

    at = (question.column, question.row)
    if not view.sees_all:
        return aim_from(view.onlooker, question.who, question.action, at)
    fight = view.backend.in_memory()
    combatant = fight.battle.combatants[view.who(question.who)]
    return fight.ruleset.aim(fight.battle, combatant, fight.ruleset.action_ref(question.action, combatant), at)


def _way(view: View, question: asked.FindWay) -> MovePreview:
    from combatlog.rules.engine.grid.pathfinding import preview_move
    from combatlog.rules.engine.seat_queries import way_from

    to = (question.column, question.row)
    if not view.sees_all:
        return way_from(view.onlooker, question.who, question.action, to, question.options)
    fight = view.backend.in_memory()
    return preview_move(fight, view.who(question.who), question.action, to, question.options)


# Why


def _explanation(view: View, question: asked.Explain) -> Explanation:
    from projections.review.explanation import explain

    return explain(view.seen, question.seq, None if view.sees_all else view.cast)


def _why_not(view: View, question: asked.WhyNot) -> list[str]:
    from combatlog.rules.engine.menu import why_not
    from combatlog.rules.engine.seat_queries import why_not_from

    if not view.sees_all:
        return why_not_from(view.onlooker, question.seq, question.name)
    return why_not(view.seen, question.seq, question.name)


# Corrections


def _corrections(view: View, question: asked.ListCorrections) -> list[Audited]:
    from projections.review.audit import audit, audit_seen

    return audit(view.seen) if view.sees_all else audit_seen(view.backend.history(), view.seat)


def _proposals(view: View, question: asked.ListProposals) -> list[ProposalView]:
    """The proposals that the seat sees, the last one with its plan."""
    from combatlog.handlers.consent import proposed_plan
    from combatlog.rules.engine.corrections.consent import ProposalView
    from projections.battle.consent import Proposals

    proposals = Proposals(view.backend.history())
    found: list[ProposalView] = []
    for one in proposals.all:
        number = one.seq if view.sees_all else view.numbers.of(one.seq)
        if number is None:
            continue
        asked = tuple(who for who in one.asked if view.sees_all or view.viewer.sees(who))
        answers = {who: one.answers[who] for who in asked if who in one.answers}
        is_last = one is proposals.last
        plan = view.seen_plan(proposed_plan(view.backend)) if is_last and not one.applied else None
        is_open = is_last and one.is_open
        found.append(ProposalView(number, one.message, asked, answers, is_open, one.overruled, one.applied, plan))
    return found


# The fight as a whole


def _comparison(view: View, question: asked.Compare) -> Comparison:
    first, second = view, view
    if question.at is not None:
        first = view.backend.view(view.seat, question.at)
    if question.other is not None:
        second = view.record.elsewhere(question.other).view(view.seat, question.other_at)
    elif question.other_at is not None or question.at is not None:
        second = view.backend.view(view.seat, question.other_at)
    return first.diff(second)


def _report(view: View, question: asked.ReportFight) -> FightReport | SeenReport:
    from combatlog.rules.engine import ruleset as rulesets
    from ledger.events import EncounterOpened
    from projections.report.fight_report import report_of
    from projections.report.seat_report import seat_report

    if not view.sees_all:
        return seat_report(view.onlooker)
    opened = next(event for event in view.seen if isinstance(event, EncounterOpened))
    return report_of(view.seen, rulesets.find(opened.ruleset))


def _replay(view: View, question: asked.ReplayFight) -> Data | bytes:
    from datetime import UTC, datetime

    from combatlog.web.pages import replay_page
    from combatlog.web.replay_document import checked, replay_document

    report = view.backend.verify()
    found = checked(report, view.seat, datetime.now(UTC)) if report is not None else None
    document = replay_document(view.backend.history(), view.seat, checked=found, progress=question.progress)
    return replay_page(document).encode() if question.is_file else document


def _difficulty(view: View, question: asked.RateDifficulty) -> Difficulty:
    from combatlog.rules.engine import ruleset as rulesets
    from combatlog.rules.engine.refusal import Refusal

    battle = view.backend.in_memory().battle
    rules = rulesets.find(battle.encounter.ruleset)
    if rules.bestiary is None:
        raise Refusal("bestiary/none", f"{rules.name} has no bestiary.", ruleset=rules.name)
    return rules.bestiary.difficulty(battle, question.side)


# Keeping


def _verification(view: View, question: asked.VerifyFight) -> VerificationReport:
    return view.record.verify()


def _seal(view: View, question: asked.SealFight) -> Seal:
    from combatlog.rules.verification.seals_and_seat_records import seal_encounter

    return seal_encounter(view.record.ledger.store, str(view.record.id))


def _export(view: View, question: asked.ExportFight) -> bytes:
    return _EXPORTS[question.format](view)


def _exported_lines(view: View) -> bytes:
    record = view.record
    lines = record.ledger.export([record.id]) if view.sees_all else record.export_seen(view)
    return "".join(f"{line}\n" for line in lines).encode()


def _exported_story(view: View) -> bytes:
    from projections.report.markdown import battle_report, seen_battle_report

    return (battle_report(view.seen) if view.sees_all else seen_battle_report(view.onlooker)).encode()


def _exported_page(view: View) -> bytes:
    return cast("bytes", answer(asked.ReplayFight(format="html"), view))


def _exported_tables(form: str) -> Callable[[View], bytes]:
    def export(view: View) -> bytes:
        from combatlog.zip_files import packed_tables

        record = view.record
        return packed_tables(record.ledger, form, str(record.id))

    return export


_EXPORTS: Mapping[asked.ExportFormat, Callable[[View], bytes]] = {
    asked.ExportFormat.JSONL: _exported_lines,
    asked.ExportFormat.MARKDOWN: _exported_story,
    asked.ExportFormat.HTML: _exported_page,
    asked.ExportFormat.CSV: _exported_tables("csv"),
    asked.ExportFormat.PARQUET: _exported_tables("parquet"),
}


ANSWERS: Mapping[type[asked.FightQuestion], Callable[[View, Any], Any]] = {
    asked.ShowState: _state,
    asked.ListCombatants: _combatants,
    asked.ShowDice: _dice,
    asked.ListActions: _actions,
    asked.ListChanges: _changes,
    asked.Advise: _advice,
    asked.AimAt: _aim,
    asked.FindWay: _way,
    asked.Explain: _explanation,
    asked.WhyNot: _why_not,
    asked.ListCorrections: _corrections,
    asked.ListProposals: _proposals,
    asked.Compare: _comparison,
    asked.ReportFight: _report,
    asked.ReplayFight: _replay,
    asked.RateDifficulty: _difficulty,
    asked.VerifyFight: _verification,
    asked.SealFight: _seal,
    asked.ExportFight: _export,
}
