"""A declaration that is not legal: one sentence that says what would be."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.errors import Problem


class Refusal(Problem):
    """The declaration cannot be made now. Nothing is written."""


def choices(names: Iterable[str]) -> str:
    """`a, b or c`, for the end of a sentence."""
    listed = list(names)
    if not listed:
        return "nothing"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
