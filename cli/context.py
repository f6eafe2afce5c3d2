"""What commands share: the ledger and the fight that they work on."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

import combatlog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.implied import Implied
    from cli.server import Server
    from combatlog import Ledger, RecordedFight


class Settings:
    """Set once: from the options before the command, or by the shell that the commands are typed in."""

    database: str | None = None
    replica: str | None = None
    """The replica that a command reads from, if it was given one."""
    server: Server | None = None
    """The service that the commands are for, if they are not for a ledger at hand."""
    ledger: Ledger | None = None
    """The ledger that stays open, in a shell."""
    fight: RecordedFight | None = None
    """The fight that a shell is about."""
    raises: bool = False
    """Whether a problem is raised, for a shell to show, or reported before the program ends."""
    implied: Implied | None = None
    """The fight that commands are about unless they name another, in a shell."""
    confirm: Callable[[str], bool] | None = None
    """How a shell asks for confirmation."""

    @classmethod
    def where(cls) -> str | None:
        """Where the fights are; None: where they are by default."""
        return cls.server.url if cls.server is not None else cls.database


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    if Settings.ledger is not None:
        yield Settings.ledger
        return
    if Settings.server is not None:
        with Settings.server.connect() as ledger:
            yield ledger
        return
    with combatlog.open(Settings.database, replica=Settings.replica) as ledger:
        warn_of_replica(ledger)
        yield ledger


def warn_of_replica(ledger: Ledger) -> None:
    """Say so if a replica is not where its primary is."""
    from cli.render.replica import lag_in_words

    if (lag := ledger.replica_lag()) is not None and (words := lag_in_words(lag)):
        typer.echo(words, err=True)


@contextmanager
def open_fight(reference: str) -> Iterator[RecordedFight]:
    """A fight. Whatever is done to it reveals links of shared dice whose chains are kept on this machine."""
    with open_ledger() as ledger:
        fight = ledger.fight(reference)
        is_open = Settings.fight is not None and Settings.fight.id == fight.id
        fight = Settings.fight if Settings.fight is not None and is_open else fight
        fight.keeper = combatlog.Keeper()
        yield fight
