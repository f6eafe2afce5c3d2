"""What a verification found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.progress import Progress

from cli.render.text import console, say
from projections.phrases import counted
from projections.text import clean

if TYPE_CHECKING:
    from ledger.guards import GuardFinding
    from rules.engine.verify import Report


def print_findings(reports: Iterable[Report], count: int) -> list[Report]:
    """Print each report as it comes, with a progress bar where there are many."""
    done = []
    quiet = count < 2 or not console(stderr=True).is_terminal
    with Progress(console=console(stderr=True), transient=True, disable=quiet) as progress:
        task = progress.add_task("verifying", total=count)
        for report in reports:
            progress.advance(task)
            done.append(report)
            if report.findings or count == 1:
                _print_report(report)
    if count != 1:
        bad = sum(1 for report in done if not report.stands)
        outcome = f"{bad} not as recorded" if bad else "all as recorded"
        say(f"Verified {counted(count, 'encounter')}: {outcome}.", "bold red" if bad else "bold green")
    return done


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


def _print_report(report: Report) -> None:
    if not report.findings:
        sealed = f" It matches {counted(report.seals, 'seal')}." if report.seals else ""
        committed = f" {_rolls(report.committed)} from the seed." if report.committed else ""
        counts = f"{counted(report.events, 'event')}, {counted(report.declarations, 'declaration')}"
        say(f"{clean(report.name)} is as recorded: {counts}.{sealed}{committed}", "green")
        return
    if report.stands:
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


def _rolls(count: int) -> str:
    return "1 roll follows" if count == 1 else f"{count} rolls follow"
