"""A declaration that is not legal: one sentence that says what would be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.errors import Problem, choices, listing, suggest

__all__ = ["Refusal", "choices", "listing", "suggest", "unknown"]


class Refusal(Problem):
    """The declaration cannot be made now. Nothing is written."""


def unknown(code: str, sentence: str, name: str, known: Iterable[str], **facts: Any) -> Refusal:
    """The refusal of a name that is not among those known, with the ones that somebody may have meant."""
    names = list(known)
    return Refusal(code, sentence, **{"name": name, "available": names, "suggestions": suggest(name, names), **facts})
