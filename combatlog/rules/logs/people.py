"""Whoever rolls or is aimed at in a chat, where nobody says who takes part."""

from __future__ import annotations

from combatlog.rules.logs.scribe import JOINS, Line, Scribe


def speaker(scribe: Scribe, who: str | None) -> str:
    """The id of somebody who may not take part."""
    known = scribe.named(who)
    return known.id if known is not None else "gm"


def joined(scribe: Scribe, line: Line, who: str | None) -> str:
    """The id of somebody who takes part, and joins with the first line that says so."""
    if who is None:
        return "gm"
    known = scribe.named(who)
    if known is None and scribe.begins(line._replace(key=f"{line.key}:{who} joins"), JOINS):
        known = scribe.join(who)
    return known.id if known is not None else "gm"
