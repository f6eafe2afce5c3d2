"""Answering a window in the shell: `protection`, the beginning of it, or nothing to let it pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.play.reading import read
from cli.play.seat import Seat

if TYPE_CHECKING:
    from rules.engine.commands import Reply

_PASS = ("pass", "no", "n")


def reply_to(seat: Seat, words: Sequence[str]) -> Reply | None:
    """What a line answers to the open window; None: it is no answer."""
    from rules.engine.commands import Reply

    window = seat.battle.window
    waiting = window.waiting if window is not None else None
    assert waiting is not None
    if not words or words[0].lower() in _PASS:
        return Reply(reactor=waiting.reactor)
    offered = dict(zip(seat.offered(), waiting.reactions, strict=True))
    if words[0].lower() in ("yes", "y") and len(offered) == 1:
        return Reply(reactor=waiting.reactor, reaction=waiting.reactions[0])
    for count in range(len(words), 0, -1):
        typed = " ".join(words[:count]).replace("_", " ").lower()
        found = [ref for name, ref in offered.items() if name.lower().startswith(typed)]
        if len(found) == 1:
            options = read(words[count:], seat.battle, lambda _, choices: choices[0]).options
            return Reply(reactor=waiting.reactor, reaction=found[0], options=options)
    return None
