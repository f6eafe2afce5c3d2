"""Import of multiattacks, from the fields of a format or from their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

from combatlog.importers.statblocks.stat_block import Paragraph
from combatlog.rules.dnd5e.importing.sheet_draft import NUMBERS, MappingKind, MappingResult, SheetDraft, plain, slug

Routine = dict[str, int]
_COUNT = "|".join(NUMBERS)
_SOME = re.compile(
    rf"(?P<count>{_COUNT}) (?:other )?(?P<way>melee |ranged |weapon |spell )?attacks?\b(?! with| using|:|, using)"
)
MOST_ROUTINES = 6


def add_multiattack(draft: SheetDraft, paragraph: Paragraph) -> None:
    text = plain(paragraph.text)
    by_fields = _known(draft, paragraph.routines)
    routines = by_fields or _opened(draft, text, _read(draft, _INSTEAD.sub("", text)))
    if not routines:
        draft.note(paragraph)
        draft.count(MappingKind.ABILITY, paragraph.name, MappingResult.LEFT)
        return
    replaced = [] if by_fields else list(_replaced(draft, text, routines))
    draft.sheet["multiattack"] = [*routines[:MOST_ROUTINES], *replaced[:MOST_ROUTINES]]
    has_all = replaced and None not in _named_instead(draft, _replacement(text))
    is_whole = has_all or not _REPLACES.search(text) or (by_fields and _has_all(draft, paragraph.routines))
    if not is_whole:
        draft.note(paragraph)
    draft.count(MappingKind.ABILITY, paragraph.name, MappingResult.MAPPED if is_whole else MappingResult.IN_PART)


_REPLACES = re.compile(r"replace|instead|in place of")
_INSTEAD = re.compile(r"(?<=\. )(?:it|when|while)\b[^.]*\b(?:replace|instead|in place of)\b[^.]*(?:\.|$)")
"""A sentence about a replacement, which is not part of the multiattack itself."""
_REPLACED = re.compile(
    rf"it can replace (?:(?P<count>{_COUNT}|any)(?: of those)?|the (?P<which>[\w' ]+?)) attacks? with "
    r"(?:an? (?P<weapon>[\w' ]+?) attack|a use of (?P<uses>[\w' ]+?))(?: if available)?(?:\.|$)"
    rf"|it can make one (?P<weapon2>[\w' ]+?) attack in place of its (?P<count2>{_COUNT}) (?P<which2>[\w' ]+?) attacks"
)
_LISTED = re.compile(r"\([a-d]\) |\(level \d+ version\)")
_TO_CAST = "spellcasting to cast "
_OPENING = re.compile(r"(?:can )?uses? its (?P<use>[\w' ]+?)(?: if it can)?(?:\.|,)? (?:it )?(?:and )?(?:then )?makes")


def _has_all(draft: SheetDraft, given: tuple[Mapping[str, int], ...]) -> bool:
    return all(_own(draft, name) is not None for routine in given for name in routine)


def _opened(draft: SheetDraft, text: str, routines: list[Routine]) -> list[Routine]:
    """The routines, preceded by an action: `can use its frightful presence. It then makes three attacks`."""
    found = _OPENING.search(text)
    first = _own(draft, found["use"]) if found is not None else None
    return [{first: 1, **routine} for routine in routines] if first is not None else routines


def _replaced(draft: SheetDraft, text: str, routines: list[Routine]) -> Iterator[Routine]:
    """The routines with a replacement for one attack: `it can replace one attack with a use of roar`."""
    found = _replacement(text)
    for own in filter(None, _named_instead(draft, found)):
        assert found is not None
        yield from _with(draft, found, routines, own)


def _replacement(text: str) -> re.Match[str] | None:
    return _REPLACED.search(re.sub(r" +(?=\.)", "", _LISTED.sub("", text)))


def _named_instead(draft: SheetDraft, found: re.Match[str] | None) -> list[str | None]:
    """The possible replacements for an attack; None for one that the sheet does not have."""
    if found is None:
        return []
    return [_used(draft, use) for use in (found["uses"] or found["weapon"] or found["weapon2"]).split(" or ")]


def _used(draft: SheetDraft, name: str) -> str | None:
    """The name of a weapon, an action or a spell on the sheet."""
    spell = slug(name.removeprefix(_TO_CAST))
    return (spell if spell in draft.taken else None) if name.startswith(_TO_CAST) else _own(draft, name)


def _with(draft: SheetDraft, found: re.Match[str], routines: list[Routine], own: str) -> Iterator[Routine]:
    fewer = NUMBERS.get(found["count"] or found["count2"] or "", 1)
    which = found["which"] or (found["which2"] or "").removesuffix("s") or None
    told: list[Routine] = []
    for routine in routines:
        attacks = [name for name in routine if draft.weapon(name) and which in (None, name, f"{name}s")]
        most = max(attacks, key=lambda name: routine[name], default=None)
        if most is not None and routine[most] >= fewer:
            left = {name: count - (fewer if name == most else 0) for name, count in routine.items()}
            made = {**{name: count for name, count in left.items() if count}, own: left.get(own, 0) + 1}
            if made not in (*told, *routines):
                told.append(made)
                yield made


# By fields


def _known(draft: SheetDraft, given: tuple[Mapping[str, int], ...]) -> list[Routine]:
    """The routines in terms of the sheet's weapons and actions. Unmapped steps are omitted."""
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


def _own(draft: SheetDraft, name: str) -> str | None:
    """The name of a weapon or an action on the sheet."""
    weapon = re.sub(r"\s*\(.*?\)", "", name).strip().lower()
    if draft.weapon(weapon) is not None:
        return weapon
    actions = [action if isinstance(action, str) else action["name"] for action in draft.sheet.get("actions", ())]
    return slug(weapon) if slug(weapon) in actions else None


# By its sentence


def _read(draft: SheetDraft, text: str) -> list[Routine]:
    found: list[Routine] = []
    for part in re.split(r"\balternatively\b|\. or\b|; or\b", text):
        found += [routine for routine in _alternatives(draft, part) if routine not in found]
    return found


def _alternatives(draft: SheetDraft, text: str) -> list[Routine]:
    named = _named(draft, text)
    if named:
        return named
    if some := _SOME.search(text):
        return _in_any_combination(NUMBERS[some["count"]], _of_way(draft, (some["way"] or "").strip()))
    return []


def _named(draft: SheetDraft, text: str) -> list[Routine]:
    """Weapons named with a count: `one with its bite and two with its claws`, `two claw attacks`."""
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
        rf"(?P<count>{_COUNT}) (?:(?:melee |ranged )?attacks? )?(?:with|using) {own}{word}\b",
        rf"(?P<count>{_COUNT}) {word}(?: attacks?)?\b",
        rf"(?P<count>{_COUNT}) (?:melee |ranged )?attacks? (?:with|using) {word}\b",
    )
    return [(found.start(), NUMBERS[found["count"]], name) for form in forms for found in re.finditer(form, text)][:1]


def _joined(text: str, counted: list[tuple[int, int, str]]) -> list[Routine]:
    """Weapons joined by `and` form one routine; an `or` starts another one."""
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
    found = re.search(
        rf"(?P<count>{_COUNT}) (?:melee |ranged )?attacks?,? (?:either )?(?:using|with) (?P<which>[\w' ,-]+)", text
    )
    if found is None or not re.search(r"\b(?:or|and)\b", found["which"]):
        return []
    listed = [name for name in names if re.search(rf"\b{re.escape(name)}s?\b", found["which"])]
    return _in_any_combination(NUMBERS[found["count"]], listed) if len(listed) > 1 else []


def _of_way(draft: SheetDraft, way: str) -> list[str]:
    weapons = draft.weapons
    if way not in ("melee", "ranged"):
        return [weapon["name"] for weapon in weapons]
    return [weapon["name"] for weapon in weapons if _suits(weapon, way)]


def _suits(weapon: Mapping[str, object], way: str) -> bool:
    thrown = bool(weapon.get("properties"))
    return "range" in weapon if way == "ranged" else "range" not in weapon or thrown


def _in_any_combination(count: int, names: list[str]) -> list[Routine]:
    """All ways to make this many attacks with these weapons; those with a single weapon come first."""
    ways = [{name: chosen.count(name) for name in chosen} for chosen in combinations_with_replacement(names, count)]
    return sorted(ways, key=len)[:MOST_ROUTINES]
