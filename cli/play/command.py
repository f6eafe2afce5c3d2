"""The command that opens the shell."""

from __future__ import annotations

import typer

from cli.context import open_ledger
from cli.options import ENCOUNTER, options

app = typer.Typer()


@app.command()
def play(
    encounter: str = ENCOUNTER,
    own: list[str] | None = options(
        "own", "Play only this combatant here; repeatable. Default: all of them.", "--as", metavar="COMBATANT"
    ),
) -> None:
    """Play a fight in a shell that knows whose turn it is.

    Type `hit snig 15 6`, `cast bless osric mira`, `move 4,2` or any action; Enter ends the turn. `?` shows what else
    there is. Dice are asked for by name. Several people can play the same fight, each in a shell of their own.

    Examples:
    combatlog play "Bridge ambush"
    combatlog play "Bridge ambush" --as mira
    """
    with open_ledger() as ledger:
        from cli.play.shell import play

        play(ledger, encounter, own or ())
