from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.attack import feet_between, resolve_attack
from rules.dnd5e.economy import ATTACKS
from rules.dnd5e.pieces import Action, piece
from rules.dnd5e.sheet import Weapon, sheet_of
from rules.dnd5e.vitality import DEAD
from rules.refusal import Refusal, choices
from rules.table import Table


@piece
class Strike(Action):
    """Make one attack with a weapon."""

    name = "strike"

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if actor.economy.left(ATTACKS) < 1:
            raise Refusal(
                "economy/no-attacks-left",
                f"{actor.id} has no attacks left; the ability `attack` grants them for an action.",
            )
        target = _target(table, actor, declared)
        _check_reach(actor, target, _weapon(actor, declared))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _target(table, actor, declared)
        table.spend(actor, ATTACKS, 1, f"{self.name} at {target.id}")
        for grant in actor.granted_actions(self.ref)[:1]:
            table.ungrant(grant, "used")
        resolve_attack(table, actor, target, _weapon(actor, declared))


def _target(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal("strike/one-target", "A strike has one target; name it with --target.")
    target = table.combatant(declared.targets[0])
    if target is actor:
        raise Refusal("strike/self", f"{actor.id} cannot strike itself; name somebody else with --target.")
    if target.has(DEAD):
        raise Refusal("strike/dead", f"{target.id} is dead already; name somebody else with --target.")
    return target


def _weapon(actor: Combatant, declared: Declared) -> Weapon:
    """The weapon that was named, or the first on the sheet."""
    weapons = sheet_of(actor).weapons
    wanted = declared.weapon
    for weapon in weapons:
        if wanted is None or weapon.name == wanted:
            return weapon
    raise Refusal(
        "strike/no-weapon",
        f"{actor.id} has no weapon {wanted!r}; it has {choices(weapon.name for weapon in weapons)}."
        if wanted
        else f"{actor.id} has no weapon to strike with.",
    )


def _check_reach(actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    feet = feet_between(actor, target)
    farthest = max(weapon.reach, weapon.range[1] if weapon.range else 0)
    if feet > farthest:
        raise Refusal(
            "strike/out-of-reach",
            f"{target.id} is {feet} feet away and {actor.id}'s {weapon.name} reaches {farthest}; "
            f"move closer (`combatlog do ... {actor.id} move --to X,Y`).",
        )
