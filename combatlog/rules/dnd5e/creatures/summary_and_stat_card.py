"""A combatant as a short summary, and a sheet as a stat card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatlog.rules.content.bestiary import Card, CardLine, Creature
from combatlog.rules.dnd5e.attack.phases import make_attack, own_armor_class
from combatlog.rules.dnd5e.battlemap.space import squares_of, width_of
from combatlog.rules.dnd5e.combatant_state import can_act, is_dead
from combatlog.rules.dnd5e.creatures.sheet import LegendaryEntry, Sheet, name_of, read_sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, MOVEMENT, PASSING, REACTION
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hit_points import DYING
from combatlog.rules.engine.summary import CombatantSummary, grants_in_words, resources_in_words
from ledger.events import Data
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted, signed

_ANYTHING = Weapon(name="anything", damage="1", damage_type=DamageType.BLUDGEONING)
_SLOT = "slot_"


def summarize_combatant(battle: Battle, combatant: Combatant) -> CombatantSummary:
    return CombatantSummary(
        figures={"AC": str(armor_class(battle, combatant))},
        left=list(_left(battle, combatant)) if can_act(combatant) else [],
        resources=[] if is_dead(combatant) else list(_resources(combatant)),
        notes=list(_death_saves(combatant)),
        spaces=squares_of(combatant) if width_of(combatant) > 1 and combatant.position else None,
        fallen=is_dead(combatant),
    )


def armor_class(battle: Battle, combatant: Combatant) -> int:
    """The armour class against an ordinary attack, without cover."""
    return own_armor_class(make_attack(battle, combatant, combatant, _ANYTHING)).bonus()


def _left(battle: Battle, combatant: Combatant) -> Iterator[str]:
    """In its own turn, everything that it can still spend; otherwise only whether it can react."""
    left = combatant.economy.left
    if battle.clock.turn == combatant.id:
        if left(ACTION):
            yield "action"
        yield from grants_in_words(combatant)
        if left(BONUS_ACTION):
            yield "bonus action"
        if left(MOVEMENT):
            yield f"{left(MOVEMENT)} ft"
    yield "reaction" if left(REACTION) else "reaction used"


def _resources(combatant: Combatant) -> Iterator[str]:
    each_turn = {feature.name for feature in sheet_of(combatant).loadout.features if feature.once_a_turn}
    slots = [name for name in combatant.economy if name.startswith(_SLOT)]
    if slots:
        yield "slots " + " ".join(_slots(combatant, name) for name in slots)
    rest = [name for name in combatant.economy if name not in (*PASSING, *slots, *each_turn)]
    yield from resources_in_words(combatant, rest)


def _slots(combatant: Combatant, name: str) -> str:
    """Four slots of level 1 are `1st×4`."""
    return f"{_ORDINALS[int(name.removeprefix(_SLOT)) - 1]}×{combatant.economy.left(name)}"


_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")


def _death_saves(combatant: Combatant) -> Iterator[str]:
    held = combatant.conditions.get(DYING)
    if held is not None:
        successes, failures = held.data.get("successes", 0), held.data.get("failures", 0)
        yield f"death saves: {counted(successes, 'success', 'successes')}, {counted(failures, 'failure')}"


def card(data: Data, creature: Creature) -> Card:
    sheet = read_sheet(data)
    sections = (
        ("Attacks", tuple(_attacks(sheet))),
        ("Actions", tuple(_pieces(sheet.actions))),
        ("Legendary actions", tuple(map(_legendary, sheet.legendary))),
        ("Features", tuple(_pieces(sheet.features))),
        ("Spells", tuple(_spells(sheet))),
        ("For the GM", tuple(CardLine(note.name, note.text) for note in sheet.notes)),
    )
    return Card(creature, tuple(_figures(sheet)), tuple(each for each in sections if each[1]), sheet.source)


def _figures(sheet: Sheet) -> Iterator[CardLine]:
    yield CardLine("Armour class", str(sheet.ac))
    yield CardLine("Hit points", str(sheet.hp))
    yield CardLine("Speed", ", ".join(_speeds(sheet)))
    yield CardLine("Abilities", ", ".join(_score(sheet, score) for score in AbilityScore))
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
        yield CardLine("Legendary resistances", f"{sheet.legendary_resistances} a day")
    if sheet.cr is not None:
        yield CardLine("Challenge", f"{challenge(sheet.cr)} ({sheet.xp or 0:,} XP)")


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


def _listed(name: str, parts: list[Any]) -> Iterator[CardLine]:
    if parts:
        yield CardLine(name, ", ".join(map(str, parts)))


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


def _attacks(sheet: Sheet) -> Iterator[CardLine]:
    if sheet.routines:
        ways = [
            " and ".join(f"{count} × {name.replace('_', ' ')}" for name, count in one.items()) for one in sheet.routines
        ]
        yield CardLine("multiattack", "; or ".join(ways))
    elif sheet.multiattack != 1:
        yield CardLine("multiattack", f"{sheet.multiattack} attacks")
    for weapon in dict.fromkeys(sheet.weapons):
        yield CardLine(weapon.name, _weapon(weapon))


def _routine(routine: dict[str, int]) -> str:
    return ", ".join(f"{count} × {name.replace('_', ' ')}" for name, count in routine.items())


def _weapon(weapon: Weapon) -> str:
    to_hit = f"{signed(weapon.to_hit)} to hit, " if weapon.to_hit is not None else ""
    reach = "" if weapon.is_ranged else f"reach {weapon.reach} ft, "
    shot = f"range {weapon.range[0]}/{weapon.range[1]} ft, " if weapon.range else ""
    dealt = [f"{weapon.damage} {weapon.damage_type}", *(f"{more.damage} {more.damage_type}" for more in weapon.extra)]
    return f"{to_hit}{reach}{shot}{' plus '.join(dealt)}"


def _pieces(entries: tuple[Any, ...]) -> Iterator[CardLine]:
    for entry in entries:
        if not isinstance(entry, str) and entry.archetype == "question":
            continue  # it is shown among the notes
        yield CardLine(
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


def _legendary(entry: LegendaryEntry) -> CardLine:
    cost = f" (costs {entry.cost})" if entry.cost > 1 else ""
    made = entry.definition
    return CardLine(
        entry.name.replace("_", " ") + cost, _options(made.archetype, made.options) if made is not None else ""
    )


def _spells(sheet: Sheet) -> Iterator[CardLine]:
    if sheet.spellcasting is not None and sheet.spells:
        yield CardLine("prepared", f"{_names(sheet.spells)} (DC {sheet.casting_dc})")
    if sheet.slots:
        yield CardLine("slots", ", ".join(f"level {level}: {count}" for level, count in sheet.slots.items()))
    by_uses: dict[int | None, list[Any]] = {}
    for one in sheet.innate:
        by_uses.setdefault(one.uses, []).append(one.spell)
    for uses, entries in by_uses.items():
        yield CardLine("at will" if uses is None else f"{uses} a day each", _names(tuple(entries)))


def _names(entries: tuple[Any, ...]) -> str:
    return ", ".join(name_of(entry).replace("_", " ") for entry in entries)
