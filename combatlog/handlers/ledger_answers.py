"""Answer the questions about a ledger, limit the answers to what a seat may see, and carry out commands to a ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

from pydantic import Field

from combatlog.messages import ledger_commands as said
from combatlog.messages import questions as asked
from combatlog.seats import HeldSeat, give_seat, revoke_seat
from combatlog.webhooks import Webhook, add_webhook, remove_webhook
from ledger.json_shapes import Documented
from ledger.store.integrity_checks import GuardFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog.importers.logs.import_logs import ImportedLog
    from combatlog.ledger import Ledger
    from combatlog.message_reference import MessageData
    from combatlog.messages.message import Message
    from combatlog.recorded import RecordedFight
    from combatlog.rules.content.bestiary import Card, Creature
    from combatlog.rules.content.reference import ArchetypeData
    from combatlog.rules.engine.status import Member
    from combatlog.rules.exchange.importing import ImportedEvents
    from ledger.store.encounters import Page
    from projections.report.models import CampaignReport, FightReport
    from projections.statistics.question import Report

_drawing = Lock()
"""matplotlib keeps settings that all threads share."""


@dataclass(frozen=True, slots=True)
class LedgerVerification(Documented):
    encounters: Annotated[tuple[UUID, ...], Field(description="the ids of all encounters that there is any event of")]
    findings: Annotated[tuple[GuardFinding, ...], Field(description="what is wrong with the ledger as a whole")]


def _fights(ledger: Ledger, question: asked.ListFights) -> Page:
    from projections.battle.encounter_list import labelled_page, progress_of, with_progress

    found = labelled_page(ledger.store, question.limit, question.after, archived=question.archived)
    return with_progress(found, progress_of(ledger.store, found))


def _statistics(ledger: Ledger, question: asked.Statistics) -> Sequence[Report]:
    from combatlog.ledger import scope_of
    from projections.statistics.answers import statistics

    return statistics(ledger.store, question.statistic, scope_of(ledger.store, question), question.by)


def _figure(ledger: Ledger, question: asked.DrawFigure) -> bytes:
    from combatlog.ledger import scope_of
    from projections.plots.figures import draw

    with _drawing:
        return draw(ledger.store, question.figure, scope_of(ledger.store, question), question.format)


def _campaign_report(ledger: Ledger, question: asked.ReportCampaign) -> CampaignReport:
    from combatlog.ledger import scope_in
    from projections.report.campaign_report import campaign_report, fights_of

    found = fights_of(ledger.store, scope_in(ledger.store, campaign=question.campaign))
    reports = [cast("FightReport", ledger.fight(encounter).seen_by().report()) for encounter in found.counting]
    return campaign_report(question.campaign, reports, forks_left_out=found.forks, others_left_out=found.others)


def _characters(ledger: Ledger, question: asked.ListCharacters) -> Sequence[Member]:
    from combatlog.ledger import scope_in
    from combatlog.rules.engine.status import roster
    from projections.report.campaign_report import fights_of

    found = fights_of(ledger.store, scope_in(ledger.store, campaign=question.campaign))
    return roster(ledger.fight(encounter).battle for encounter in reversed(found.counting))


def _verification(ledger: Ledger, question: asked.VerifyLedger) -> LedgerVerification:
    from ledger.store.integrity_checks import check_guards
    from projections.readmodels.inspection import check_read_models

    return LedgerVerification(tuple(ledger.ids()), (*check_guards(ledger.store), *check_read_models(ledger.store)))


def _tables(ledger: Ledger, question: asked.ExportTables) -> bytes:
    from combatlog.zip_files import packed_tables

    return packed_tables(ledger, question.format)


def _creatures(ledger: Ledger, question: asked.ListCreatures) -> list[Creature]:
    from combatlog.fight_setup import creatures

    return creatures(question.search, type=question.type, ruleset=question.ruleset)


def _creature(ledger: Ledger, question: asked.ShowCreature) -> Card:
    from combatlog.fight_setup import creature

    return creature(question.name, ruleset=question.ruleset)


def _archetypes(ledger: Ledger, question: asked.ListArchetypes) -> list[ArchetypeData]:
    from combatlog.rules.content.reference import archetypes
    from combatlog.rules.engine import ruleset

    return archetypes(ruleset.find(question.ruleset).pack_sections(), question.name)


def _messages(ledger: Ledger, question: asked.ListMessages) -> list[MessageData]:
    from combatlog.message_reference import described, messages

    return [described(kind) for kind in messages()]


def _seats(ledger: Ledger, question: asked.ListSeats) -> Sequence[HeldSeat]:
    return ledger.seats.at(ledger.fight(question.encounter).id)


def _webhooks(ledger: Ledger, question: asked.ListWebhooks) -> Sequence[Webhook]:
    return ledger.webhooks.of(ledger.fight(question.encounter).id)


ANSWERS: Mapping[type[asked.LedgerMessage], Callable[[Ledger, Any], Any]] = {
    asked.ListFights: _fights,
    asked.Statistics: _statistics,
    asked.DrawFigure: _figure,
    asked.ReportCampaign: _campaign_report,
    asked.ListCharacters: _characters,
    asked.VerifyLedger: _verification,
    asked.ExportTables: _tables,
    asked.ListCreatures: _creatures,
    asked.ShowCreature: _creature,
    asked.ListArchetypes: _archetypes,
    asked.ListMessages: _messages,
    asked.ListSeats: _seats,
    asked.ListWebhooks: _webhooks,
}


def of_ledger(message: Message) -> asked.LedgerMessage:
    """The message, if a ledger can answer it."""
    if not isinstance(message, asked.LedgerMessage):
        from combatlog.rules.engine.refusal import Refusal

        sentence = f"{type(message).__name__} is a message to a fight; name the fight."
        raise Refusal("message/no-fight", sentence, message=message.called())
    return message


def answer(
    ledger: Ledger, message: asked.LedgerMessage, seat: HeldSeat | None = None, command_id: UUID | None = None
) -> Any:
    """The answer to a message, as far as the seat may see it."""
    from combatlog.messages.rights import check_right

    if seat is not None:
        check_right(seat.seat, message.right)
    if (handle := CARRIED_OUT.get(type(message))) is not None:
        return handle(ledger, message, command_id)
    if seat is not None and (answer_seen := SEEN.get(type(message))) is not None:
        return answer_seen(ledger, message, seat)
    return ANSWERS[type(message)](ledger, message)


def _import_fights(ledger: Ledger, message: said.ImportFights, command_id: UUID | None) -> ImportedEvents:
    from combatlog.rules.exchange.import_renaming import Renames
    from combatlog.rules.exchange.importing import import_events

    renames = Renames(dict(message.rename), message.rename_taken)
    return import_events(ledger.store, message.file, skip_existing=message.skip_existing, renames=renames)


def _import_logs(ledger: Ledger, message: said.ImportLogs, command_id: UUID | None) -> ImportedLog:
    from combatlog.importers.logs.import_logs import import_logs

    return import_logs(
        ledger.store,
        message.format,
        message.files,
        campaign=message.campaign,
        dry_run=message.dry_run,
        progress=message.progress,
    )


def _open(ledger: Ledger, message: said.Open, command_id: UUID | None) -> RecordedFight:
    from combatlog.recorded import RecordedFight
    from combatlog.rules.engine.commands import Opening

    opening = Opening(**{name: value for name, value in message if value is not None})
    command = message.command(command_id) if command_id is not None else None
    outcome = ledger.referee.open(opening, command=command)
    return RecordedFight(ledger, outcome.state.id, outcome)


CARRIED_OUT: Mapping[type[asked.LedgerMessage], Callable[[Ledger, Any, UUID | None], Any]] = {
    said.Open: _open,
    said.Invite: give_seat,
    said.RevokeSeat: revoke_seat,
    said.AddWebhook: add_webhook,
    said.RemoveWebhook: remove_webhook,
    said.ImportFights: _import_fights,
    said.ImportLogs: _import_logs,
}


def _fights_seen(ledger: Ledger, question: asked.ListFights, seat: HeldSeat) -> Page:
    """A seat that does not see everything learns neither the length of a fight nor, with a delay, its progress."""
    from projections.battle.encounter_list import labelled_encounter, progress_of, with_progress

    if seat.encounter is None:
        return _fights(ledger, question)
    page = labelled_encounter(ledger.store, seat.encounter)
    if not seat.seat.sees_all:
        page = replace(page, encounters=tuple(replace(one, events=0, labels=()) for one in page))
    return page if seat.delay else with_progress(page, progress_of(ledger.store, page))


def _seats_seen(ledger: Ledger, question: asked.ListSeats, seat: HeldSeat) -> list[HeldSeat]:
    """Only those with a seat at all fights see the seats at all fights."""
    return [one for one in _seats(ledger, question) if seat.encounter is None or one.encounter is not None]


def _messages_seen(ledger: Ledger, question: asked.ListMessages, seat: HeldSeat) -> list[MessageData]:
    """Those that the seat has the right to send."""
    from combatlog.message_reference import described, messages
    from combatlog.messages.rights import has

    return [described(kind) for kind in messages() if has(seat.seat.role, kind.right)]


SEEN: Mapping[type[asked.LedgerMessage], Callable[[Ledger, Any, HeldSeat], Any]] = {
    asked.ListFights: _fights_seen,
    asked.ListSeats: _seats_seen,
    asked.ListMessages: _messages_seen,
}
