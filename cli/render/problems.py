"""A problem as it is shown: the sentence, its code, and what to type next. With `--json`: the same as data.

Both go to standard error, so that standard output holds results and nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.render.hints import facts_of, hint_for
from cli.render.text import as_json_text, console
from ledger.errors import Problem
from projections.text import clean

if TYPE_CHECKING:
    from cli.documents.shapes import ProblemData

REFUSED = 1
"""The exit status of a command that was refused."""


def report(problem: Problem, said: Mapping[str, Any]) -> None:
    """Say what the problem is. `said` is what the command line said, by parameter."""
    hint = hint_for(problem.code, facts_of(problem.facts, said))
    if said.get("as_json"):
        sys.stderr.write(as_json_text(as_data(problem, hint)) + "\n")
    else:
        _print(problem, hint)


def as_data(problem: Problem, hint: str | None) -> ProblemData:
    return {"code": problem.code, "sentence": problem.sentence, "facts": problem.facts, "hint": hint}


def _print(problem: Problem, hint: str | None) -> None:
    shown = console(stderr=True)
    shown.print(clean(problem.sentence), end=" ", style="bold")
    shown.print(f"[{clean(problem.code)}]", style="dim")
    if hint:
        shown.print(clean(hint), style="cyan")
