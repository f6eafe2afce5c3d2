"""The page that lists every property of the library: `python -m tests.rules.skirmish.property_page` writes it."""

from __future__ import annotations

from pathlib import Path

from combatlog.rules.skirmish.pieces import (
    PROPERTIES,
    EffectProperty,
    ManualProperty,
    PriceProperty,
    Property,
    RefinementProperty,
)
from combatlog.rules.skirmish.ruleset import RULESET

PAGE = Path(__file__).parents[3] / "docs" / "abilities.md"
BEGIN, END = "<!-- properties: begin -->", "<!-- properties: end -->"


def table() -> str:
    assert RULESET.name == "skirmish"  # which loads the properties
    rows = [f"| `{name}` | {_kind(entry)} | {entry.does} |" for name, entry in sorted(PROPERTIES.items(), key=_lower)]
    return "\n".join(["| property | played | what it does |", "|---|---|---|", *rows])


def _lower(row: tuple[str, Property]) -> str:
    return row[0].lower()


def _kind(entry: Property) -> str:
    match entry:
        case EffectProperty():
            return f"`{entry.timing}`"
        case RefinementProperty(of=()):
            return "requirement"
        case RefinementProperty():
            return "with " + ", ".join(f"`{name}`" for name in entry.of)
        case PriceProperty():
            return "price"
        case ManualProperty():
            return "left to people"
    raise AssertionError(f"{entry.name} is no kind of property that the page knows")


def page(text: str) -> str:
    """The page with the table of today."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
