"""Every command of `combatlog`, typed in the shell without the fight's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cli.context import Settings

if TYPE_CHECKING:
    from combatlog import Outcome

NOT_HERE = {"play", "use", "db", "demo", "projections", "hit", "cast", "move", "start", "end-turn", "do", "react"}
"""Commands that the shell replaces, or that have no place in it."""


def _all() -> Any:
    from cli.app import commands

    return commands()


def names() -> list[str]:
    return [name for name in _all().commands if name not in NOT_HERE]


def run(name: str, words: Sequence[str]) -> Outcome | None:
    """Run a command on the fight that is open. Returns what it led to, if it recorded something."""
    fight = Settings.fight
    assert fight is not None
    before = fight.outcome
    command = _all()
    arguments = [name, *words]
    try:
        with command.make_context("combatlog", arguments) as ctx:
            command.invoke(ctx)
    except Exception as ended:
        if type(ended).__name__ not in ("Exit", "Abort"):
            raise
    return fight.outcome if fight.outcome is not before else None


def is_usage_error(error: Exception) -> bool:
    """Whether the line was wrong, as opposed to the program; it can say how."""
    return hasattr(error, "format_message") and hasattr(error, "show")
