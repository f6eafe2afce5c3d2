"""The refusal of a declaration that is not legal: one sentence that says why and what would be legal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.errors import Problem, choices, listing, suggest

__all__ = ["Refusal", "choices", "listing", "suggest", "unknown"]


class Refusal(Problem):
    """The declaration cannot be made now. Nothing is written."""


def unknown(code: str, sentence: str, name: str, known: Iterable[str], **facts: Any) -> Refusal:
    """The refusal of an unknown name, with the known names and suggestions."""
    names = list(known)
    return Refusal(code, sentence, **{"name": name, "available": names, "suggestions": suggest(name, names), **facts})
