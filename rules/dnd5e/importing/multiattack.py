"""Multiattack: which attacks an action buys, from the fields of a format or from its sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations_with_replacement

from rules.dnd5e.importing.draft import Draft, Fate, Kind
from rules.dnd5e.importing.grammar import NUMBERS, plain, slug
from rules.statblocks.block import Paragraph

Routine = dict[str, int]
_COUNT = "|".join(NUMBERS)
_SOME = re.compile(
    rf"(?P<count>{_COUNT}) (?:other )?(?P<way>melee |ranged |weapon |spell )?attacks?\b(?! with| using|:|, using)"
)
MOST_ROUTINES = 6


def add_multiattack(draft: Draft, paragraph: Paragraph) -> None:
    routines = _known(draft, paragraph.routines) or _read(draft, plain(paragraph.text))
    if not routines:
        draft.note(paragraph)
        draft.count(Kind.ABILITY, paragraph.name, Fate.LEFT)
        return
    draft.sheet["multiattack"] = routines[:MOST_ROUTINES]
    replaced = re.search(r"replace|instead|in place of", paragraph.text.lower())
    if replaced:
        draft.note(paragraph)
    draft.count(Kind.ABILITY, paragraph.name, Fate.IN_PART if replaced else Fate.MAPPED)


# By fields


def _known(draft: Draft, given: tuple[Mapping[str, int], ...]) -> list[Routine]:
    """The routines whose every step is a weapon or an action of the sheet; steps without rules are left out."""
    routines: list[Routine] = []
    for routine in given:
        steps: Routine = {}
        for name, count in routine.items():
            own = _own(draft, name)
            if own is not None:
                steps[own] = steps.get(own, 0) + count
        if steps and any(draft.weapon(name) for name in steps) and steps not in routines:
            routines.append(steps)
    return routines


def _own(draft: Draft, name: str) -> str | None:
    """The name of a weapon or an action on the sheet."""
    weapon = re.sub(r"\s*\(.*?\)", "", name).strip().lower()
    if draft.weapon(weapon) is not None:
        return weapon
    actions = [action if isinstance(action, str) else action["name"] for action in draft.sheet.get("actions", ())]
    return slug(weapon) if slug(weapon) in actions else None


# By its sentence


def _read(draft: Draft, text: str) -> list[Routine]:
    found: list[Routine] = []
    for part in re.split(r"\balternatively\b|\. or\b|; or\b", text):
        found += [routine for routine in _alternatives(draft, part) if routine not in found]
    return found


def _alternatives(draft: Draft, text: str) -> list[Routine]:
    named = _named(draft, text)
    if named:
        return named
    if some := _SOME.search(text):
        return _in_any_combination(NUMBERS[some["count"]], _of_way(draft, (some["way"] or "").strip()))
    return []


def _named(draft: Draft, text: str) -> list[Routine]:
    """Weapons that are named with a count: `one with its bite and two with its claws`, `two claw attacks`."""
    names = [weapon["name"] for weapon in draft.weapons]
    counted: list[tuple[int, int, str]] = []
    for name in names:
        counted += _counts_of(name, text)
    if mixed := _mixed(names, text):
        return mixed
    if not counted:
        return []
    counted.sort()
    return _joined(text, counted)


def _counts_of(name: str, text: str) -> list[tuple[int, int, str]]:
    word = rf"{re.escape(name)}(?:e?s)?"
    own = "(?:its|his|her|their|the|an?) (?:two |three |four )?"
    forms = (
        rf"(?P<count>{_COUNT}) (?:attacks? )?(?:with|using) {own}{word}\b",
        rf"(?P<count>{_COUNT}) {word}(?: attacks?)?\b",
        rf"(?P<count>{_COUNT}) (?:melee |ranged )?attacks? (?:with|using) {word}\b",
    )
    return [(found.start(), NUMBERS[found["count"]], name) for form in forms for found in re.finditer(form, text)][:1]


def _joined(text: str, counted: list[tuple[int, int, str]]) -> list[Routine]:
    """One routine of everything that is joined by `and`; another one for what comes after an `or`."""
    routines: list[Routine] = [{}]
    before = 0
    for start, count, name in counted:
        if routines[-1] and re.search(r"\bor\b", text[before:start]):
            routines.append({})
        routines[-1][name] = routines[-1].get(name, 0) + count
        before = start
    return routines


def _mixed(names: list[str], text: str) -> list[Routine]:
    """`two attacks, using scimitar or shortbow in any combination`, `two attacks with its longsword or longbow`."""
    found = re.search(rf"(?P<count>{_COUNT}) (?:melee |ranged )?attacks?,? (?:using|with) (?P<which>[\w' ,-]+)", text)
    if found is None or not re.search(r"\b(?:or|and)\b", found["which"]):
        return []
    listed = [name for name in names if re.search(rf"\b{re.escape(name)}s?\b", found["which"])]
    return _in_any_combination(NUMBERS[found["count"]], listed) if len(listed) > 1 else []


def _of_way(draft: Draft, way: str) -> list[str]:
    weapons = draft.weapons
    if way not in ("melee", "ranged"):
        return [weapon["name"] for weapon in weapons]
    return [weapon["name"] for weapon in weapons if _suits(weapon, way)]


def _suits(weapon: Mapping[str, object], way: str) -> bool:
    thrown = bool(weapon.get("properties"))
    return "range" in weapon if way == "ranged" else "range" not in weapon or thrown


def _in_any_combination(count: int, names: list[str]) -> list[Routine]:
    """Every way to make so many attacks with these weapons; those with one weapon only come first."""
    ways = [{name: chosen.count(name) for name in chosen} for chosen in combinations_with_replacement(names, count)]
    return sorted(ways, key=len)[:MOST_ROUTINES]
