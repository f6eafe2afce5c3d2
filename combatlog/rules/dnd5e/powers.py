"""Powers, such as spells and breath weapons: what they can be aimed at, and how they harm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combatlog.rules.dnd5e.contexts import Harm, feet_between
from combatlog.rules.dnd5e.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.sight import in_line_of_sight
from combatlog.rules.dnd5e.space import squares_of, steps_to
from combatlog.rules.dnd5e.state import is_dead
from combatlog.rules.dnd5e.targeting import check_allowed, check_line, check_named_once
from combatlog.rules.dnd5e.weapons import ExtraDamage
from combatlog.rules.dnd5e.words import DamageType
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.options import Said
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant


class Power(Activity):
    """Something with a range and, if there is a save against it, a difficulty class."""

    range: int

    def check_said(self, said: Said) -> None:
        check_named_once(self.name, said)

    def difficulty(self, actor: Combatant) -> int:
        """The difficulty class of a save against it."""
        raise NotImplementedError(f"{self.ref} has no difficulty")

    def steps(self, options: Data) -> int:
        """By how many levels the slot it is used with exceeds its own level."""
        return 0


# Targets


def chosen_targets(table: Table, actor: Combatant, power: Power, declared: Declared, most: int) -> list[Combatant]:
    """The targets that were named, each once: not too many, alive, in range and in sight."""
    targets = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
    if not 1 <= len(targets) <= most:
        takes = "one target" if most == 1 else f"1 to {most} targets"
        named = f"{len(targets)} were named" if targets else "none was named"
        raise Refusal(
            f"{power.type}/targets",
            f"{power.title} takes {takes}; {named}.",
            who=actor.id,
            what=power.name,
            needed=most,
            found=[target.id for target in targets],
        )
    for target in targets:
        check_target(table.battle, actor, power, target)
    return targets


def check_target(battle: Battle, actor: Combatant, power: Power, target: Combatant) -> None:
    feet = feet_between(actor, target)
    if feet > power.range:
        raise Refusal(
            f"{power.type}/out-of-range",
            f"{target.name} is {feet} feet away and {power.title} reaches {power.range} feet; move closer.",
            who=actor.id,
            what=power.name,
            target=target.id,
            distance=feet,
            reach=power.range,
        )
    if is_dead(target):
        raise Refusal(
            f"{power.type}/dead",
            f"{target.name} is dead; name another target.",
            who=actor.id,
            what=power.name,
            target=target.id,
        )
    if target is not actor:
        check_line(battle, actor, target)


def check_harmful(actor: Combatant, targets: Sequence[Combatant]) -> None:
    for target in targets:
        check_allowed(actor, target)


def chosen_place(
    battle: Battle, actor: Combatant, power: Power, place: Position | None, *, unseen: bool = False
) -> Position:
    """The square that was named: on the map, in range and, unless it may be unseen, in sight."""
    if actor.position is None:
        raise _misplaced(
            "no-place",
            f"{actor.name} has no place on the map to aim {power.title} from; a ruling can give it one",
            actor,
            power,
        )
    if place is None:
        raise _misplaced("no-place", f"{power.title} needs a destination; choose a square of the map", actor, power)
    grid, at, feet = grid_of(battle.map), f"{place[0]},{place[1]}", 5 * steps_to(actor, place)
    if place not in grid or not grid.is_open(place):
        raise _misplaced(
            "place", f"{at} is not an open square of the map; choose another", actor, power, destination=place
        )
    if feet > power.range:
        too_far = f"{at} is {feet} feet away and {power.title} reaches {power.range} feet; choose a nearer square"
        raise _misplaced("out-of-range", too_far, actor, power, destination=place, distance=feet, reach=power.range)
    if not unseen and not any(in_line_of_sight(grid, square, place) for square in squares_of(actor)):
        raise Refusal(
            "target/no-line-of-sight",
            f"{actor.name} cannot see {at}; choose another square.",
            who=actor.id,
            what=power.name,
            destination=place,
        )
    return place


def _misplaced(code: str, problem: str, actor: Combatant, power: Power, **facts: Any) -> Refusal:
    return Refusal(f"{power.type}/{code}", f"{problem}.", who=actor.id, what=power.name, **facts)


# Damage


def damage_of(
    power: Power, dealer: Combatant, notation: str, kind: DamageType, extra: Sequence[ExtraDamage] = ()
) -> Chain:
    thrown = [(notation, kind), *((more.damage, more.damage_type) for more in extra)]
    told = [dice("base", power.ref, dealer.id, power.title, text, type) for text, type in thrown]
    return Chain("damage", STAGES, told)


def harm_one(table: Table, harm: Harm, chain: Chain, purpose: str = "damage") -> None:
    """Roll the damage for one target, who takes whatever gets through."""
    chain.record(table)
    taken = taken_chain(harm)
    taken.record(table)
    inflict(table, harm, roll_damage(table, harm.dealt_by, chain, purpose), taken)
