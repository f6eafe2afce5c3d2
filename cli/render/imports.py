"""Imports on the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cli.render.text import say
from ledger.import_conflicts import Why
from projections.phrases import counted
from projections.text import clean
from rules.engine.importing import Imported

if TYPE_CHECKING:
    from combatlog import ImportedLog

_REASONS = {
    Why.NAME_TAKEN: "another fight has this name here",
    Why.DIVERGED: "it went on differently here",
    Why.COPY_DIFFERS: "it was imported under another name before, and has gone on since",
    Why.PARENT_LEFT_OUT: "it was forked from a fight that was left out",
}


def print_imported(done: Imported, asked: Iterable[str] = ()) -> None:
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
