"""Small helpers for sentences, and for text that people wrote."""

from __future__ import annotations


def clean(text: object) -> str:
    """The text without control codes, escape sequences and marks that change the direction of writing."""
    return "".join(char if char.isprintable() else "�" for char in str(text))


def short(ref: str) -> str:
    """`dnd5e:feature:uncanny_dodge` as people say it: `uncanny dodge`."""
    return ref.rsplit(":", 1)[-1].replace("_", " ")


def and_list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
