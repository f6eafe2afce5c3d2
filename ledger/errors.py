"""Problems that are reported to people, and suggestions for unknown names.

A problem has one sentence for people, a stable code, and facts for programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from pydantic_core import to_jsonable_python

MOST = 3
LISTED = 12
"""How many names a sentence lists; the facts contain all of them."""
_COMPARED = 2000
"""How many names are compared; more would make a suggestion too slow."""
_LONGEST = 100


def choices(names: Iterable[str]) -> str:
    """`a, b or c`, for the end of a sentence."""
    listed = list(names)
    if not listed:
        return "nothing"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def listing(names: Iterable[str]) -> str:
    """`a, b and c`, for the end of a sentence; a long list is cut short."""
    listed = list(names)
    if len(listed) > LISTED:
        listed = [*listed[:LISTED], f"{len(listed) - LISTED} more"]
    if not listed:
        return "none"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """Known names that a mistyped one may stand for, the likeliest first."""
    wanted = name.strip().lower()[:_LONGEST]
    names = {candidate.lower(): candidate for candidate in list(known)[-_COMPARED:]}
    begun = [candidate for lower, candidate in names.items() if wanted and lower.startswith(wanted)]
    close = [names[lower] for lower in get_close_matches(wanted, names, n=MOST, cutoff=0.6)]
    return list(dict.fromkeys([*begun[:MOST], *close]))[:MOST]


class Problem(Exception):
    """A problem that a person can understand and act upon.

    The code never changes. The sentence is for people and mentions no command, flag or route: each interface adds its
    own hint, based on the code and the facts. The facts are plain data under a few names that are used everywhere:

    | fact | what it holds |
    |---|---|
    | who, target | ids of combatants |
    | what, name | what was asked for: an action, a resource, a condition ... |
    | needed, found | what is needed, and what was found instead |
    | available | the names that would have been valid |
    | suggestions | the most similar of those names |
    | encounter, seq | an encounter by name or id, and the number of an event in it |
    | file, line, field | where the problem is |
    """

    def __init__(self, code: str, sentence: str, **facts: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.facts = facts

    def to_json(self) -> dict[str, Any]:
        """Code, sentence and facts as JSON."""
        facts = to_jsonable_python(self.facts, fallback=str)
        return {"code": self.code, "sentence": self.sentence, "facts": facts}


class Conflict(Problem):
    """Another writer was faster. Nothing was written."""

    def __init__(self) -> None:
        super().__init__(
            "ledger/conflict",
            "Someone else recorded events in this encounter at the same moment, so nothing was recorded.",
        )


class DatabaseProblem(Problem):
    """The database cannot be reached or used."""


class NotRecorded(DatabaseProblem):
    """The database confirmed events that it did not store."""

    def __init__(self) -> None:
        super().__init__(
            "ledger/not-recorded",
            "The database did not record this, although it reported no error: the ledger's table, its triggers or its "
            "functions have been changed.",
        )


class LaggingSequence(DatabaseProblem):
    """The numbers that the database assigns are already taken."""

    def __init__(self) -> None:
        super().__init__(
            "ledger/lagging-sequence",
            "The database assigns numbers that other events already have, so nothing was recorded. Its data was "
            "probably restored without the sequence combatlog.ledger_events_notification_id_seq; the owner of the "
            "ledger has to set it to the highest notification_id.",
        )


class UnknownKind(DatabaseProblem):
    """The ledger holds an event that a later version of this program wrote."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            "ledger/unknown-kind",
            f"The ledger holds an event of the kind {kind!r}, which this version does not know; upgrade combatlog.",
            kind=kind,
        )


class Unreachable(DatabaseProblem):
    """The database cannot be reached."""

    def __init__(self, error: BaseException) -> None:
        reason = first_line(error)
        super().__init__("database/unreachable", f"The database cannot be reached ({reason}).", reason=reason)


class Unanswered(DatabaseProblem):
    """The connection broke before the database answered: the events may or may not have been recorded."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "database/no-answer",
            f"The connection was lost before the database answered ({reason}), so this may or may not have been "
            "recorded: look at the encounter before you repeat it.",
            reason=reason,
        )


def first_line(error: BaseException) -> str:
    """The first line of a driver's error, without the details."""
    return str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__


def unknown_encounter(reference: str, names: Iterable[str] = ()) -> Problem:
    """The problem of an unknown encounter. `names` are the names of existing ones, for suggestions."""
    return Problem(
        "ledger/unknown-encounter",
        f"There is no encounter {reference!r}.",
        encounter=reference,
        suggestions=suggest(reference, names),
    )


def name_taken(name: str) -> Problem:
    return Problem(
        "ledger/name-taken", f"There is already an encounter named {name!r}; choose another name.", name=name
    )
