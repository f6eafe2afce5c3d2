"""Problems that people are told about: one sentence each, with a stable code for programs."""

from __future__ import annotations

from typing import Any


class Problem(Exception):
    """Something went wrong that a person can understand and act upon.

    The code never changes. The sentence is for people and mentions no command, flag or route: each interface adds its
    own hint, from the code and the facts. The facts are plain data (who, what, needed, available, suggestions).
    """

    def __init__(self, code: str, sentence: str, **facts: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.facts = facts


class Conflict(Problem):
    """Another writer was faster. Nothing was written."""

    def __init__(self) -> None:
        super().__init__(
            "ledger/conflict",
            "Somebody else recorded something in this encounter at the same moment; look at it and try again.",
        )


class DatabaseProblem(Problem):
    """The database cannot be reached or used."""


class UnknownKind(DatabaseProblem):
    """An event that a later version of this program has written."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "ledger/unknown-kind",
            f"The ledger holds an event {name!r} that this version does not know; upgrade combatlog.",
        )


class Unanswered(DatabaseProblem):
    """The connection broke off before the database answered: what was sent may have been recorded or not."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "database/no-answer",
            f"The connection was lost before the database answered ({reason}), so this may have been recorded or not: "
            "look at the encounter before repeating it. A command given with --command-id can always be repeated.",
        )


def unknown_encounter(reference: str) -> Problem:
    return Problem(
        "ledger/unknown-encounter",
        f"There is no encounter {reference!r}; `combatlog list` shows those there are.",
    )


def name_taken(name: str) -> Problem:
    return Problem("ledger/name-taken", f"There already is an encounter named {name!r}; choose another name.")
