"""What somebody can do now, by name."""

from __future__ import annotations

from cli.play.seat import Seat


def possible(seat: Seat) -> list[str]:
    """What whoever has the turn can do now, by its menu."""
    turn = seat.battle.clock.turn
    if turn is None or not (seat.works_it_out or seat.plays(turn)):
        return []
    sections = seat.fight.seen_by().actions(turn)
    known = seat.actions(turn)
    found = [choice.name for section in sections for choice in section.choices if choice.why_not is None]
    return [name.replace("_", " ") for name in dict.fromkeys(found) if name in known]
