"""A sheet as a stat block: figures first, then attacks, actions, features, spells, and what the GM decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatlog.rules.content.bestiary import Card, Creature, Line
from combatlog.rules.dnd5e.sheet import LegendaryEntry, Sheet, name_of, read_sheet
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.words import AbilityScore
from ledger.events import Data
from projections.phrases import signed


def card(data: Data, creature: Creature) -> Card:
    sheet = read_sheet(data)
    sections = (
        ("Attacks", tuple(_attacks(sheet))),
        ("Actions", tuple(_pieces(sheet.actions))),
        ("Legendary actions", tuple(map(_legendary, sheet.legendary))),
        ("Features", tuple(_pieces(sheet.features))),
        ("Spells", tuple(_spells(sheet))),
        ("For the GM", tuple(Line(note.name, note.text) for note in sheet.notes)),
    )
    return Card(creature, tuple(_figures(sheet)), tuple(each for each in sections if each[1]), sheet.source)


def _figures(sheet: Sheet) -> Iterator[Line]:
    yield Line("Armour class", str(sheet.ac))
    yield Line("Hit points", str(sheet.hp))
    yield Line("Speed", ", ".join(_speeds(sheet)))
    yield Line("Abilities", ", ".join(_score(sheet, score) for score in AbilityScore))
    saves = [_save(sheet, score) for score in AbilityScore if sheet.save_training(score)]
    yield from _listed("Saving throws", saves)
    trained = dict.fromkeys([*sheet.skill_bonuses, *sheet.skills, *sheet.expertise])
    yield from _listed("Skills", [f"{skill} {signed(sheet.skill_modifier(skill))}" for skill in trained])
    yield from _listed("Senses", [f"{name} {feet} ft" for name, feet in sheet.senses.model_dump().items() if feet])
    yield from _listed("Vulnerabilities", list(sheet.vulnerabilities))
    yield from _listed("Resistances", [*sheet.resistances, *_nonmagical(sheet, sheet.nonmagical_resistances)])
    yield from _listed("Immunities", [*sheet.immunities, *_nonmagical(sheet, sheet.nonmagical_immunities)])
    yield from _listed("Condition immunities", list(sheet.condition_immunities))
    if sheet.legendary_resistances:
        yield Line("Legendary resistances", f"{sheet.legendary_resistances} a day")
    if sheet.cr is not None:
        yield Line("Challenge", f"{challenge(sheet.cr)} ({sheet.xp or 0:,} XP)")


def _speeds(sheet: Sheet) -> Iterator[str]:
    """`40 ft, fly 80 ft (hover), climb 40 ft`."""
    yield f"{sheet.speed} ft"
    for way in ("fly", "swim", "climb", "burrow"):
        if feet := getattr(sheet.speeds, way):
            yield f"{way} {feet} ft" + (" (hover)" if way == "fly" and sheet.speeds.hover else "")


def _score(sheet: Sheet, score: AbilityScore) -> str:
    return f"{score.upper()} {getattr(sheet.abilities, score)} ({signed(sheet.modifier(score))})"


def _save(sheet: Sheet, score: AbilityScore) -> str:
    return f"{score.upper()} {signed(sheet.modifier(score) + sheet.save_training(score))}"


def challenge(cr: float) -> str:
    return {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}.get(cr, f"{cr:g}")


def _listed(name: str, parts: list[Any]) -> Iterator[Line]:
    if parts:
        yield Line(name, ", ".join(map(str, parts)))


def _nonmagical(sheet: Sheet, kinds: tuple[str, ...]) -> list[str]:
    if not kinds:
        return []
    exceptions = [
        word
        for word, is_one in (("silvered", sheet.except_silvered), ("adamantine", sheet.except_adamantine))
        if is_one
    ]
    unless = f", unless {' or '.join(exceptions)}" if exceptions else ""
    return [f"{', '.join(kinds)} from nonmagical attacks{unless}"]


def _attacks(sheet: Sheet) -> Iterator[Line]:
    if sheet.routines:
        ways = [
            " and ".join(f"{count} × {name.replace('_', ' ')}" for name, count in one.items()) for one in sheet.routines
        ]
        yield Line("multiattack", "; or ".join(ways))
    elif sheet.multiattack != 1:
        yield Line("multiattack", f"{sheet.multiattack} attacks")
    for weapon in dict.fromkeys(sheet.weapons):
        yield Line(weapon.name, _weapon(weapon))


def _routine(routine: dict[str, int]) -> str:
    return ", ".join(f"{count} × {name.replace('_', ' ')}" for name, count in routine.items())


def _weapon(weapon: Weapon) -> str:
    to_hit = f"{signed(weapon.to_hit)} to hit, " if weapon.to_hit is not None else ""
    reach = "" if weapon.is_ranged else f"reach {weapon.reach} ft, "
    shot = f"range {weapon.range[0]}/{weapon.range[1]} ft, " if weapon.range else ""
    dealt = [f"{weapon.damage} {weapon.damage_type}", *(f"{more.damage} {more.damage_type}" for more in weapon.extra)]
    return f"{to_hit}{reach}{shot}{' plus '.join(dealt)}"


def _pieces(entries: tuple[Any, ...]) -> Iterator[Line]:
    for entry in entries:
        if not isinstance(entry, str) and entry.archetype == "question":
            continue  # it is among the notes
        yield Line(
            name_of(entry).replace("_", " "), "" if isinstance(entry, str) else _options(entry.archetype, entry.options)
        )


def _options(archetype: str, options: Data) -> str:
    if archetype == "by_hand":
        return "the GM decides"
    return ", ".join([archetype, *(f"{name} {_value(value)}" for name, value in options.items())])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name} {_value(part)}" for name, part in value.items()) + ")"
    return " ".join(map(_value, value)) if isinstance(value, list | tuple) else str(value)


def _legendary(entry: LegendaryEntry) -> Line:
    cost = f" (costs {entry.cost})" if entry.cost > 1 else ""
    made = entry.definition
    return Line(entry.name.replace("_", " ") + cost, _options(made.archetype, made.options) if made is not None else "")


def _spells(sheet: Sheet) -> Iterator[Line]:
    if sheet.spellcasting is not None and sheet.spells:
        yield Line("prepared", f"{_names(sheet.spells)} (DC {sheet.casting_dc})")
    if sheet.slots:
        yield Line("slots", ", ".join(f"level {level}: {count}" for level, count in sheet.slots.items()))
    by_uses: dict[int | None, list[Any]] = {}
    for one in sheet.innate:
        by_uses.setdefault(one.uses, []).append(one.spell)
    for uses, entries in by_uses.items():
        yield Line("at will" if uses is None else f"{uses} a day each", _names(tuple(entries)))


def _names(entries: tuple[Any, ...]) -> str:
    return ", ".join(name_of(entry).replace("_", " ") for entry in entries)
