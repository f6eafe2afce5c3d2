"""Powers: what reaches out to others, such as a spell or a breath: whom it may be aimed at, and how it harms."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.contexts import Harm, feet_between
from rules.dnd5e.damage import inflict, roll_damage, taken_chain
from rules.dnd5e.modifiers import STAGES, dice
from rules.dnd5e.pieces import Activity
from rules.dnd5e.sight import in_line_of_sight
from rules.dnd5e.state import is_dead
from rules.dnd5e.targeting import check_allowed, check_line, check_named_once
from rules.dnd5e.words import DamageType
from rules.engine.chain import Chain
from rules.engine.grid import distance, grid_of
from rules.engine.options import Said
from rules.engine.refusal import Refusal
from rules.engine.table import Table


class Power(Activity):
    """Something that reaches out: it has a range and, where others may save against it, a difficulty."""

    range: int

    def check_said(self, said: Said) -> None:
        check_named_once(self.name, said)

    def difficulty(self, actor: Combatant) -> int:
        """What a save against it has to reach."""
        raise NotImplementedError(f"{self.ref} has no difficulty")

    def steps(self, options: Data) -> int:
        """How much stronger than at its least it is used: the levels of a slot above its own."""
        return 0


# Targets


def chosen_targets(table: Table, actor: Combatant, power: Power, declared: Declared, most: int) -> list[Combatant]:
    """Those who were named, each once: not too many, alive, in range and in sight."""
    targets = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
    if not 1 <= len(targets) <= most:
        raise Refusal(f"{power.type}/targets", f"{power.title} takes 1 to {most} targets; name them with --target.")
    for target in targets:
        check_target(table.battle, actor, power, target)
    return targets


def check_target(battle: Battle, actor: Combatant, power: Power, target: Combatant) -> None:
    feet = feet_between(actor, target)
    if feet > power.range:
        raise Refusal(
            f"{power.type}/out-of-range", f"{target.id} is {feet} feet away and {power.title} reaches {power.range}."
        )
    if is_dead(target):
        raise Refusal(f"{power.type}/dead", f"{target.id} is dead; name somebody else with --target.")
    if target is not actor:
        check_line(battle, actor, target)


def check_harmful(actor: Combatant, targets: Sequence[Combatant]) -> None:
    for target in targets:
        check_allowed(actor, target)


def chosen_place(battle: Battle, actor: Combatant, power: Power, place: Position | None) -> Position:
    """The square that was named: on the map, in range and in sight."""
    grid = grid_of(battle.encounter.map)
    what, title = power.type, power.title
    if place is None or actor.position is None:
        raise Refusal(f"{what}/no-place", f"Say where {title} goes with --to COLUMN,ROW; {actor.id} needs one, too.")
    if place not in grid or not grid.is_open(place):
        raise Refusal(f"{what}/place", f"{place[0]},{place[1]} is not an open square of the map; choose another.")
    if 5 * distance(actor.position, place) > power.range:
        raise Refusal(f"{what}/out-of-range", f"{title} reaches {power.range} feet; choose a nearer square.")
    if not in_line_of_sight(grid, actor.position, place):
        raise Refusal("target/no-line-of-sight", f"{actor.id} does not see {place[0]},{place[1]}; choose another.")
    return place


# Damage


def damage_of(power: Power, dealer: Combatant, notation: str, kind: DamageType) -> Chain:
    return Chain("damage", STAGES, [dice("base", power.ref, dealer.id, power.title, notation, kind)])


def harm_one(table: Table, harm: Harm, chain: Chain, purpose: str = "damage") -> None:
    """Roll the damage for one target and have it take what gets through."""
    chain.record(table)
    taken = taken_chain(harm)
    taken.record(table)
    inflict(table, harm, roll_damage(table, harm.dealer.id, chain, purpose), taken)
