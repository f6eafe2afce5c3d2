"""A problem as the shell shows it: the sentence, its code, and what to type next in the shell."""

from __future__ import annotations

from cli.render.text import console
from ledger.errors import Problem
from projections.phrases import or_list
from projections.text import clean

HINTS = {
    "window/waiting": "Type a reaction, or press Enter to let it pass.",
    "turn/other": "Enter ends the turn.",
    "turn/not-started": "Type start.",
    "turn/cannot-act": "Enter ends the turn.",
    "strike/out-of-reach": "Move closer, such as move 4,2.",
    "hit/whom": "Such as hit snig.",
    "database/unreachable": "Your line is back; press Enter to try again.",
    "play/ambiguous": "? shows what there is.",
    "play/not-understood": "? shows what there is.",
}
"""By code. What is typed on a command line is of no use here."""


def show_problem(problem: Problem) -> None:
    shown = console()
    shown.print(clean(problem.sentence), end=" ", style="bold", soft_wrap=False)
    shown.print(f"[{clean(problem.code)}]", style="dim")
    meant = problem.facts.get("suggestions") or ()
    hint = f"Did you mean {or_list(list(meant))}?" if meant else HINTS.get(problem.code)
    if hint:
        shown.print(clean(hint), style="cyan")
