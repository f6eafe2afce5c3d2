"""The numbers of events as a seat counts them: 1, 2, 3 ... for what it sees, so that no gap tells of what it does not.

Every reference from one event to another is translated as well. One to an event that is not seen leads to the first
thing that is seen of its declaration or, if nothing is, nowhere.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, TypeVar

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    Amended,
    Event,
    Forked,
    Inserted,
    LinkRevealed,
    LinkWithheld,
    ReactionChosen,
    ReactionDeclined,
    Redone,
    Ruled,
    Undone,
)

E = TypeVar("E", bound=Event)


class Numbers:
    def __init__(self) -> None:
        self.recorded: list[int] = []
        """The seqs in the ledger of what was seen; the first is number 1."""
        self._events: dict[int, int] = {}
        self._groups: dict[int, int] = {}
        self._grants: dict[tuple[str, str], str] = {}

    @property
    def last(self) -> int:
        return len(self.recorded)

    def take(self, event: E) -> E:
        """The next event that is seen, with its own number and those of the events that it refers to."""
        number = self.last + 1
        self.recorded.append(event.seq)
        self._events[event.seq] = number
        changes: dict[str, Any] = {
            "seq": number,
            "declaration": self._groups.setdefault(event.declaration, number),
            "cause": self.of(event.cause),
            "recorded_at": event.recorded_at.replace(microsecond=0),
        }
        return event.model_copy(update=changes | self._references(event, number))

    def _references(self, event: Event, number: int) -> dict[str, Any]:
        match event:
            case Amended():
                return {"amends": self.group(event.amends), "retracts": self._all(event.retracts), "places": ()}
            case Inserted():
                return {"after": self.until(event.after), "retracts": self._all(event.retracts), "places": ()}
            case Undone():
                return {"retracts": self._all(event.retracts), "places": ()}
            case Redone():
                return {"undone": self.group(event.undone)}
            case ReactionChosen() | ReactionDeclined():
                return {"window": self.of(event.window) or self._groups[event.declaration]}
            case LinkRevealed() | LinkWithheld():
                return {"asked": self.of(event.asked) or self._groups[event.declaration]}
            case Ruled():
                return {"answers": self.of(event.answers)}
            case Forked():
                return {"at": self.until(event.at)}
            case ActionGranted():
                self._grants[event.owner, event.grant] = f"{event.action.rsplit(':', 1)[-1]}-{number}"
                return {"grant": self.grant(event.owner, event.grant)}
            case ActionRemoved():
                return {"grant": self.grant(event.owner, event.grant)}
        return {}

    def of(self, seq: int | None) -> int | None:
        """The number of an event; None: it is not seen."""
        return self._events.get(seq) if seq is not None else None

    def group(self, declaration: int) -> int | None:
        """The number of the first thing that is seen of a declaration or correction; None: nothing is."""
        return self._groups.get(declaration)

    def until(self, seq: int) -> int:
        """How much had been seen when an event was recorded, or 1."""
        return max(1, bisect_right(self.recorded, seq))

    def since(self, seq: int) -> int:
        """The number of an event with which something began; 1 if that was not seen."""
        return self._events.get(seq, 1)

    def grant(self, owner: str, grant: str) -> str:
        """The id of a granted action. As it is recorded, it has the number of an event in it."""
        return self._grants.get((owner, grant), "granted")

    def _all(self, declarations: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(number for seq in declarations if (number := self.group(seq)) is not None)
