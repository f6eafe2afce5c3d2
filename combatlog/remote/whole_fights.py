"""Fights that were played here, and are recorded behind a service: each is imported there as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from ledger.errors import Problem, name_taken
from ledger.events import Event
from ledger.exchange import lines_of

if TYPE_CHECKING:
    from combatlog.seats import HeldSeat


def check_seat(held: HeldSeat) -> None:
    """The service would refuse it as well, but only after the first fight was played."""
    from projections.views import Role

    if held.seat.role is not Role.GM or held.encounter is not None:
        raise Problem("seat/not-here", "Recording new fights takes a GM's seat at all fights.")


def send(url: str, token: str, events: Sequence[Event]) -> None:
    from combatlog.remote.ledger import connect
    from rules.autoplay.simulate import name_in

    content = BytesIO("".join(f"{line}\n" for line in lines_of(events)).encode())
    with connect(url, token) as ledger:
        try:
            ledger.import_events(content)
        except Problem as problem:
            raise (name_taken(name_in(events)) if problem.code == "import/differs" else problem) from problem
