"""Check that the encounters of an import fold: each of their events can follow those before it.

Hashes do not prove this, because anyone can compute them. An event that cannot be applied would make its encounter
unreadable forever.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable
from uuid import UUID

from combatlog.rules.content.limits import MAX_IMPORT_FOLDED
from combatlog.rules.engine.refusal import Refusal
from ledger.errors import Problem
from ledger.events import EncounterOpened, Event
from projections.readmodels.encounter_projection import FollowedHistory, current_rows


class FoldCheck:
    """Folds the usual order of an export while reading it: one encounter after the other, each from its beginning.

    Only encounters in another order, continuations of encounters in this ledger, and forks are left for the end.
    """

    def __init__(self) -> None:
        self._current: Folding | None = None
        self._left: dict[UUID, None] = {}
        self._folded = 0

    def take(self, event: Event) -> None:
        if type(event) is EncounterOpened:
            self._finish()
            self._current = Folding(self._folded)
        if self._current is None or not self._current.continues_with(event):
            self._left[event.encounter] = None
        else:
            self._current.feed(event)

    def check_rest(self, history: Callable[[UUID], Iterable[Event]], left_out: Container[UUID] = ()) -> None:
        """Fold the encounters left for the end, given all events of each, except those that will not be recorded."""
        self._finish()
        for encounter in self._left:
            if encounter in left_out:
                continue
            self._folded += check_folding(history(encounter), self._folded)

    def _finish(self) -> None:
        if self._current is not None:
            self._current.finish()
            self._folded += self._current.seq
        self._current = None


class Folding:
    """Folds one encounter of an import, event by event from the first."""

    def __init__(self, folded: int = 0) -> None:
        """`folded` is the number of events of the import that were folded before."""
        self._most = MAX_IMPORT_FOLDED - folded
        self._course = FollowedHistory()
        self._encounter: UUID | None = None
        self._declarations = array("Q")

    @property
    def seq(self) -> int:
        return len(self._declarations)

    def continues_with(self, event: Event) -> bool:
        if event.seq != len(self._declarations) + 1:
            return False
        return self._encounter is None or self._encounter.int == event.encounter.int

    def feed(self, event: Event) -> None:
        self._encounter = event.encounter
        declarations, declaration = self._declarations, event.declaration
        declarations.append(declaration)
        if len(declarations) > self._most:
            raise too_large("The past that its forks share", f"{MAX_IMPORT_FOLDED} events with the pasts of all forks")
        try:
            if declarations[declaration - 1] != declaration:
                raise ValueError("its declaration is not one")
            for _ in self._course.follow(event):  # the rows of the read models have to be possible, too
                pass
        except Exception as error:
            raise self._senseless() from error

    def finish(self) -> None:
        """Make the read model rows of the final state."""
        try:
            for _ in current_rows(self._course.battle, self._course.events):
                pass
        except Exception as error:
            raise self._senseless() from error

    def _senseless(self) -> Problem:
        return Problem(
            "import/senseless",
            f"Event {self.seq} of encounter {self._encounter} cannot follow the events before it. "
            "Nothing was imported.",
            encounter=str(self._encounter),
            seq=self.seq,
        )


def check_folding(events: Iterable[Event], folded: int = 0) -> int:
    """Fold an encounter, given all of its events, and return their number."""
    folding = Folding(folded)
    for event in events:
        folding.feed(event)
    folding.finish()
    return folding.seq


def too_large(what: str, most: str) -> Refusal:
    sentence = f"{what} exceeds the limits of one import ({most}); export fewer encounters."
    return Refusal("import/too-large", sentence, what=what)
