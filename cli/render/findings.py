"""Print what a verification found, and the result of an import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.progress import Progress

from cli.render.terminal import console, say
from combatlog import ImportedLog
from combatlog.rules.exchange.importing import ImportedEvents
from combatlog.rules.verification.dice_fairness import SharedDiceReport
from combatlog.rules.verification.retracted_rolls import RetractedRoll
from combatlog.rules.verification.verify import VerificationReport
from ledger.exchange.import_checks import LeftOutReason
from ledger.store.integrity_checks import GuardFinding
from projections.story.phrases import whose
from projections.story.text import clean, counted


def print_findings(reports: Iterable[VerificationReport], expected: int | None = None) -> bool:
    """Print each report as it comes, and return whether all stand. Shows a progress bar if many are expected.

    Fights that are as recorded are only counted, unless there is only one.
    """
    count = bad = 0
    only: VerificationReport | None = None
    quiet = expected is None or expected < 2 or not console(stderr=True).is_terminal
    with Progress(console=console(stderr=True), transient=True, disable=quiet) as progress:
        task = progress.add_task("verifying", total=expected)
        for report in reports:
            progress.advance(task)
            count += 1
            bad += not report.stands
            if report.findings or report.taken_back or report.has_remarks:
                _print_report(report)
            elif count == 1:
                only = report
    if count != 1:
        outcome = f"{bad} not as recorded" if bad else "all as recorded"
        say(f"Verified {counted(count, 'encounter')}: {outcome}.", "bold red" if bad else "bold green")
    elif only is not None:
        _print_report(only)
    return not bad


def print_guards(findings: Sequence[GuardFinding]) -> None:
    """What is wrong with the ledger as a whole."""
    if findings:
        say("The ledger itself is not as it should be:", "bold red")
    for finding in findings:
        say(f"  {clean(finding.problem)}", "red")
        if finding.expected is not None:
            say(f"    expected: {clean(finding.expected)}", "dim")
        if finding.found is not None:
            say(f"    found:    {clean(finding.found)}", "dim")


def _print_report(report: VerificationReport) -> None:
    if report.seat is not None and not report.findings:
        shown = counted(report.shown, "event")
        say(f"{clean(report.name)} is what was shown to {clean(report.seat)}: {shown}. All hashes are right.", "green")
        return
    if not report.findings:
        sealed = f" It matches {counted(report.seals, 'seal')}." if report.seals else ""
        committed = f" {_rolls(report.committed)} from the seed." if report.committed else ""
        shared = f" {_rolls(report.shared.rolls)} from the links." if report.shared and report.shared.rolls else ""
        shown = f" It is what was shown: {counted(report.shown, 'event')}." if report.shown else ""
        counts = f"{counted(report.events, 'event')}, {counted(report.declarations, 'declaration')}"
        say(f"{clean(report.name)} is as recorded: {counts}.{sealed}{committed}{shared}{shown}", "green")
        _print_remarks(report)
        return
    if report.stands and report.contradictions == len(report.findings):
        places = counted(report.contradictions, "place")
        say(
            f"{clean(report.name)} is as recorded; the log that it comes from contradicts itself in {places}:", "yellow"
        )
    elif report.stands:
        say(f"{clean(report.name)} is as recorded, under other rules than those installed here:", "yellow")
    else:
        say(f"{clean(report.name)} is not as recorded:", "bold red")
    for finding in report.findings:
        say(f"  Event {finding.seq}: {clean(finding.problem)}", "yellow" if report.stands else "red")
        if finding.recorded is not None:
            say(f"    recorded: {clean(finding.recorded)}", "dim")
        if finding.now is not None:
            say(f"    now:      {clean(finding.now)}", "dim")
    if report.remark is not None:
        say(f"  {clean(report.remark)}", "yellow")
    if report.shown and report.stands:
        say(f"  It is what was shown: {counted(report.shown, 'event')}.", "green")
    _print_remarks(report)


def _print_remarks(report: VerificationReport) -> None:
    """Remarks that are not findings, but that the table should know."""
    _print_taken_back(report)
    for sentence in _about_shared(report.shared) if report.shared is not None else ():
        say(f"  {clean(sentence)}", "yellow")


def _about_shared(shared: SharedDiceReport) -> Iterator[str]:
    for roll in shared.alone:
        who = f"{whose(roll.party)} player withheld a link (says {roll.withheld_by})"
        yield f"{who}: the host alone decided {whose(roll.roller)} {roll.purpose} roll, event {roll.seq}."
    for gap in shared.skipped:
        links = counted(gap.skipped, "link")
        yield f"Before event {gap.seq}, {whose(gap.party)} player revealed {links} that the record does not have."
    for again in shared.again:
        went_on = f"{whose(again.party)} player went on with another chain"
        yield f"With event {again.seq}, {went_on}; ask whether it was them."


def _print_taken_back(report: VerificationReport) -> None:
    if any(taken.shared for taken in report.taken_back):
        which = "This roll was" if len(report.taken_back) == 1 else "These rolls were"
        say(f"  {which} seen and taken back; made again, a roll has new links and new faces:", "yellow")
    elif report.taken_back:
        which = "This committed roll was" if len(report.taken_back) == 1 else "These committed rolls were"
        say(f"  {which} seen and taken back, so the faces that came next were known:", "yellow")
    for taken in report.taken_back:
        say(f"    {clean(_taken_back(taken))}", "yellow")


def _taken_back(taken: RetractedRoll) -> str:
    which = f"Roll {taken.number}" if taken.number is not None else "A roll"
    seen = "; ".join(
        f"{whose(roll.roller)} {roll.purpose}, {' '.join(map(str, roll.faces))} (event {roll.seq})"
        for roll in taken.rolls
    )
    again = "" if taken.shared else f" {_now(taken)}"
    return f"{which} was taken back {_times(taken.times)}: {seen}.{again}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _now(taken: RetractedRoll) -> str:
    if taken.stands_as is None:
        return "It has not been rolled again."
    return f"It stands as event {taken.stands_as}" + (", with faces that people gave." if taken.by_hand else ".")


def _rolls(count: int) -> str:
    return "1 roll follows" if count == 1 else f"{count} rolls follow"


_REASONS = {
    LeftOutReason.NAME_TAKEN: "another fight has this name here",
    LeftOutReason.DIVERGED: "it went on differently here",
    LeftOutReason.COPY_DIFFERS: "it was imported under another name before, and has gone on since",
    LeftOutReason.PARENT_LEFT_OUT: "it was forked from a fight that was left out",
}


def print_imported(done: ImportedEvents, asked: Iterable[str] = ()) -> None:
    new = f"{counted(done.events, 'event')} of {counted(done.encounters, 'encounter')}"
    say(f"Imported {new}; {done.known} {'was' if done.known == 1 else 'were'} here already.")
    for renamed in done.renamed:
        if renamed.name != renamed.new_name:
            verb = "is now here as" if renamed.new else "was here already, as"
            say(f"{clean(renamed.name)} {verb} {clean(renamed.new_name)}.")
    for left in done.left_out:
        say(f"Left out {clean(left.name)}: {_REASONS[left.why]}.", "yellow")
    for name in sorted(set(asked) - {renamed.name for renamed in done.renamed} - {left.name for left in done.left_out}):
        say(f"{clean(name)} keeps its name: no other fight here has it.", "yellow")


def print_imported_log(done: ImportedLog) -> None:
    begin = "Would record" if done.dry_run else "Recorded"
    new = f"{counted(done.events, 'event')} of {counted(done.fights, 'fight')}" if done.events else "nothing new"
    say(f"{begin} {new} from {counted(done.lines, 'line')}.")
    _print_unread(done)
    for reason, count in done.incomplete.items():
        say(f"{counted(count, 'result')} kept as a note: {clean(reason)}.", "dim")
    _print_agreement(done)
    for name in done.left_out:
        say(f"Left out {clean(name)}: another fight has this name here.", "yellow")


def _print_unread(done: ImportedLog) -> None:
    if not done.unread:
        return
    lines = sum(done.unread.values())
    reasons = ", ".join(f"{count} {reason}" for reason, count in done.unread.items())
    kept = "notes keep the text" if not done.unkept else f"{done.unkept} belong to no fight and are not kept"
    say(f"Could not read {counted(lines, 'line')} ({clean(reasons)}); {kept}.", "yellow")
    for example in done.examples[:_EXAMPLES]:
        say(f"  {clean(example.file)}, line {example.line}: {clean(example.why)}", "dim")


_EXAMPLES = 5


def _print_agreement(done: ImportedLog) -> None:
    found = done.agreement
    if found is None:
        return
    percent = f"{100 * found.agreed / found.compared:.1f} %"
    say(f"State agreement: {found.agreed} of {found.compared} states of combatants ({percent}).")
    for reason, count in found.differences.items():
        say(f"  {count} differ in: {reason}", "dim")
