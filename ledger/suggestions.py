"""What somebody may have meant by a name that nobody knows. Every layer above refuses unknown names with these."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
LISTED = 12
"""Names that a sentence lists; the facts have all of them."""
_COMPARED = 2000
"""Names that are looked at; to compare more takes longer than anybody waits for a suggestion."""
_LONGEST = 100


def choices(names: Iterable[str]) -> str:
    """`a, b or c`, for the end of a sentence."""
    listed = list(names)
    if not listed:
        return "nothing"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def listing(names: Iterable[str]) -> str:
    """`a, b and c`, for the end of a sentence; of many, only the first."""
    listed = list(names)
    if len(listed) > LISTED:
        listed = [*listed[:LISTED], f"{len(listed) - LISTED} more"]
    if not listed:
        return "none"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """What somebody who wrote this may have meant, the likeliest first."""
    wanted = name.strip().lower()[:_LONGEST]
    names = {candidate.lower(): candidate for candidate in list(known)[-_COMPARED:]}
    begun = [candidate for lower, candidate in names.items() if wanted and lower.startswith(wanted)]
    close = [names[lower] for lower in get_close_matches(wanted, names, n=MOST, cutoff=0.6)]
    return list(dict.fromkeys([*begun[:MOST], *close]))[:MOST]
