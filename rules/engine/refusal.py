"""A declaration that is not legal: one sentence that says what would be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ledger.errors import Problem


class Refusal(Problem):
    """The declaration cannot be made now. Nothing is written."""


def choices(names: Iterable[str]) -> str:
    """`a, b or c`, for the end of a sentence."""
    listed = list(names)
    if not listed:
        return "nothing"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """What somebody who wrote this may have meant, the likeliest first."""
    names = {candidate.lower(): candidate for candidate in known}
    wanted = name.strip().lower()
    begun = [candidate for lower, candidate in names.items() if wanted and lower.startswith(wanted)]
    close = [names[lower] for lower in get_close_matches(wanted, names, n=3, cutoff=0.6)]
    return list(dict.fromkeys([*begun[:3], *close]))[:3]
