"""Multiattack: which attacks an Attack action buys, for a creature whose sheet says with what."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.economy import ATTACKS
from combatlog.rules.dnd5e.sheet import Routine, Sheet, sheet_of
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.engine.refusal import Refusal, choices
from projections.combatant import Combatant

STRIKE = "dnd5e:action:strike"


def routine_with(sheet: Sheet, weapon: Weapon, *, far: bool = False) -> Routine | None:
    """The multiattack that has a weapon; at a distance, preferably one that is made from there altogether.

    None: its multiattack is a number. A weapon that is part of no multiattack is used once.
    """
    if not sheet.routines:
        return None
    having = [routine for routine in sheet.routines if weapon.name in routine]
    from_afar = [routine for routine in having if far and _is_made_from_afar(sheet, routine)]
    return next(iter([*from_afar, *having]), {weapon.name: 1})


def _is_made_from_afar(sheet: Sheet, routine: Routine) -> bool:
    return all(arm.range is not None for name in routine if (arm := sheet.weapon(name)) is not None)


def numbered_routine(actor: Combatant, number: int | None) -> Routine | None:
    """A multiattack by its number on the sheet, from 1; the first if omitted."""
    routines = sheet_of(actor).routines
    if number is None:
        return routines[0] if routines else None
    if not 1 <= number <= len(routines):
        raise Refusal(
            "attack/no-multiattack",
            f"{actor.name} has {len(routines) or 'no'} multiattacks to choose from, so there is no number {number}.",
            who=actor.id,
            found=number,
            available=list(range(1, len(routines) + 1)),
        )
    return routines[number - 1]


def blows(sheet: Sheet, routine: Routine) -> list[str]:
    """The weapons of a multiattack, each as often as it is used."""
    return [name for name, times in routine.items() if sheet.weapon(name) is not None for _ in range(times)]


def maneuvers(sheet: Sheet, routine: Routine) -> Iterator[str]:
    """The refs of the actions in a multiattack, each as often as it is used."""
    known = {
        piece.name: piece.ref for piece in (*sheet.loadout.actions, *sheet.loadout.features, *sheet.loadout.spells)
    }
    for name, times in routine.items():
        if sheet.weapon(name) is None:
            yield from [known[name]] * times


# What is left of it


def weapon_to_strike_with(actor: Combatant, wanted: str | None) -> str | None:
    """The weapon that was named, or else the next one of the multiattack; None: any."""
    if wanted is not None or not actor.granted:
        return wanted
    return next(iter(_left(actor)), None)


def is_in_multiattack(actor: Combatant, weapon: str) -> bool:
    """Whether one of the strikes left can be made with a weapon."""
    left = _left(actor)
    return weapon in left or None in left or actor.economy.left(ATTACKS) > len(left)


def check_in_multiattack(actor: Combatant, wanted: str | None) -> None:
    """Refuse a weapon that no strike is left for."""
    if wanted is None or is_in_multiattack(actor, wanted):
        return
    available = [name for name in dict.fromkeys(_left(actor)) if name is not None]
    raise Refusal(
        "strike/not-in-multiattack",
        f"{actor.name} has no strike with {wanted} left; choose {choices(available)}.",
        who=actor.id,
        weapon=wanted,
        available=available,
    )


def _left(actor: Combatant) -> list[str | None]:
    return [grant.weapon for grant in actor.granted_actions(STRIKE)]
