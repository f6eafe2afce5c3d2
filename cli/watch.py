"""The command that watches a fight live."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from cli.context import open_fight
from cli.options import ENCOUNTER, REPLICA, SEAT, flag, option

if TYPE_CHECKING:
    from combatlog.watching import Watching

app = typer.Typer()


@app.command()
def watch(
    encounter: str = ENCOUNTER,
    seat: str = SEAT,
    plain: bool = flag("plain", "Print plain lines as they come, as when piped."),
    first: int | None = option(
        "first", "With --plain, begin with this event; default: only what is new.", "--from", min=1
    ),
    replica: str | None = REPLICA,
) -> None:
    """Follow a fight live on a second screen.

    It shows initiative, health, conditions, the map and the latest of the story, whoever records it. From the seat of
    the players, it shows only what players may see. If the database goes away, it waits for it to come back. q or ^C
    leaves.

    Examples:
    combatlog watch "Bridge ambush" --as players
    combatlog watch "Bridge ambush" --as spectator --plain --from 1 | tee bridge.txt
    """
    with open_fight(encounter) as fight:
        watching = fight.seen_by(seat).watch()
        if plain or not sys.stdout.isatty():
            known = 0 if first is not None else fight.backend.latest(1)[0].seq
            _print_lines(watching, known, first or 1)
        else:
            from cli.render.watch_screen import WatchScreen

            WatchScreen(watching, watching.onlooker.seat.words).run()


def _print_lines(watching: Watching, known: int, first: int) -> None:
    """What is recorded after the events that are known already, from the first one on by the numbers of the seat."""
    from cli.render.log import event_text, print_entry

    onlooker = watching.onlooker
    try:
        for event in watching.events():
            seen = onlooker.see(event) if event is not None else None
            if event is None:
                _say_problem(watching.problem)
            elif seen is not None and event.seq > known and seen.seq >= first:
                print_entry(seen.seq, event_text(seen, cast=onlooker.cast))
    except KeyboardInterrupt:
        return
    finally:
        watching.stop()


def _say_problem(problem: str | None) -> None:
    typer.echo(f"{problem} Trying again ..." if problem else "Connected again.", err=True)
