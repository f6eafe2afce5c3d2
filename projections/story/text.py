"""Small helpers for sentences, and for text that people wrote."""

from __future__ import annotations


def clean(text: object) -> str:
    """The text without control codes, escape sequences and marks that change the direction of writing."""
    said = str(text)
    return said if said.isprintable() else "".join(char if char.isprintable() else "�" for char in said)


def csv_cell(value: object) -> object:
    """A value for a CSV file. A spreadsheet would run text that begins like a formula; a leading quote prevents
    that."""
    if isinstance(value, list):
        value = " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def short(ref: str) -> str:
    """The last part of a ref as people say it: `dnd5e:feature:uncanny_dodge` is `uncanny dodge`."""
    return ref.rsplit(":", 1)[-1].replace("_", " ")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 event`, `2 events`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def and_list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
