"""Imports on the terminal."""

from __future__ import annotations

from cli.render.text import say
from ledger.import_conflicts import Why
from projections.phrases import counted
from projections.text import clean
from rules.engine.importing import Imported

_REASONS = {
    Why.NAME_TAKEN: "another fight has this name here",
    Why.DIVERGED: "it went on differently here",
    Why.PARENT_LEFT_OUT: "it was forked from a fight that was left out",
}


def print_imported(done: Imported) -> None:
    new = f"{counted(done.events, 'event')} of {counted(done.encounters, 'encounter')}"
    say(f"Imported {new}; {done.known} {'was' if done.known == 1 else 'were'} here already.")
    for left in done.left_out:
        say(f"Left out {clean(left.name)}: {_REASONS[left.why]}.", "yellow")
