"""Show help in the shell, complete what is typed, and run any command of `combatlog` without the name of the fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cli.context import CommandSettings
from cli.play.shell_seat import possible
from cli.render.terminal import console, say
from ledger.errors import Problem

if TYPE_CHECKING:
    from cli.play.verbs import Verbs
    from combatlog import Outcome


NOT_HERE = {"play", "use", "db", "demo", "projections", "hit", "cast", "move", "start", "end-turn", "do", "react"}
"""Commands that the shell replaces, or that make no sense in it."""


def command_names() -> list[str]:
    from cli.app import commands

    return [name for name in commands().commands if name not in NOT_HERE]


def run_command(name: str, words: Sequence[str]) -> Outcome | None:
    """Run a command on the open fight. Returns the outcome if it recorded something."""
    from cli.app import commands

    fight = CommandSettings.fight
    assert fight is not None
    before = fight.outcome
    try:
        with commands().make_context("combatlog", [name, *words]) as ctx:
            commands().invoke(ctx)
    except Exception as ended:
        if type(ended).__name__ not in ("Exit", "Abort"):
            raise
    return fight.outcome if fight.outcome is not before else None


def is_usage_error(error: Exception) -> bool:
    """Whether it is a usage error, which has a message for the user."""
    return hasattr(error, "format_message") and hasattr(error, "show")


def show_help(verbs: Verbs, words: Sequence[str]) -> None:
    """What can be typed; or, with a name, what an action takes."""
    from cli.play.verbs import VERBS

    turn = verbs.seat.battle.clock.turn
    if words and turn is not None:
        verbs.run("actions", [turn, "_".join(words)])
        return
    for verb in VERBS.values():
        if verb.about != "the same":
            _print_row(verb.usage, verb.about)
    _print_row("(Enter)", "end the turn, after asking; let a reaction pass")
    say("Names may be shortened. Numbers are dice, 4,2 is a square, slot=2 is an option.")
    if turn is not None and (able := possible(verbs.seat)):
        _print_row(f"{verbs.seat.name(turn)} can", ", ".join(able))
    _print_row("Also", ", ".join(command_names()))


def _print_row(left: str, right: str) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(width=22)
    table.add_column(overflow="fold")
    table.add_row(Text(left, "bold"), Text(right))
    console().print(Padding(table, (0, 0, 0, 2)), soft_wrap=False)


def completions(verbs: Verbs, text: str) -> Iterable[tuple[str, int]]:
    """Verbs, actions and commands for the first word; names, spells and weapons for the others."""
    words = text.split(" ")
    typed = words[-1].lower()
    try:
        candidates = list(_candidates(verbs, words))
    except Problem:
        return []
    fitting = [word for word in dict.fromkeys(candidates) if word.lower().startswith(typed)]
    return [(word, -len(words[-1])) for word in fitting]


def _candidates(verbs: Verbs, words: Sequence[str]) -> Iterator[str]:
    from cli.play.verbs import VERBS

    seat = verbs.seat
    if len(words) == 1:
        yield from (name.replace(" ", "_") for name in seat.offered())
        yield from VERBS
        yield from (name.replace(" ", "_") for name in possible(seat))
        yield from command_names()
        return
    whose = seat.battle.clock.turn or ""
    turn = seat.battle.combatants.get(whose) if seat.works_it_out or seat.plays(whose) else None
    if words[0] == "cast" and len(words) == 2 and turn is not None:
        yield from seat.ruleset.spells(turn)
    elif words[-2] == "with" and turn is not None:
        yield from seat.ruleset.weapons(turn)
    elif words[0] in ("?", "help"):
        yield from verbs.actions()
    else:
        yield from (combatant.id for combatant in seat.battle.present())
