"""Seconds: a round takes three of them, and a shot takes time, the less the better the archer.

A shot adds its cooldown to a pool, and each round takes its seconds out of it. A combatant with a round or more in
the pool has to wait. So a cooldown of 2 seconds allows three shots in two rounds, and one of 6 seconds one shot.
"""

from __future__ import annotations

from combatlog.rules.action_points.assault import Assault
from combatlog.rules.action_points.checks import skill_of
from combatlog.rules.action_points.economy import NEW_ROUND
from combatlog.rules.action_points.equipment import Weapon
from combatlog.rules.action_points.formulas import cooldown
from combatlog.rules.action_points.tables import HALVES_PER_ROUND
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

COOLDOWN = "cooldown_half_seconds"


def halves_for(shooter: Combatant, weapon: Weapon) -> int:
    """The half seconds between two shots: those of the weapon, or by the shooter's skill level."""
    if weapon.is_melee:
        return 0
    return int(weapon.cooldown * 2) if weapon.cooldown is not None else cooldown(skill_of(shooter, weapon.skill).level)


def require_ready(shooter: Combatant, weapon: Weapon) -> None:
    waiting = shooter.economy.left(COOLDOWN)
    if not weapon.is_melee and waiting >= HALVES_PER_ROUND:
        raise Refusal(
            "weapon/not-ready",
            f"{shooter.name}'s {weapon.name} is ready again in {waiting / 2:g} seconds, after the end of this round.",
            who=shooter.id,
            weapon=weapon.name,
            resource=COOLDOWN,
            needed=0,
            available=waiting,
        )


def cool_down(table: Table, assault: Assault) -> None:
    weapon = assault.weapon
    if weapon is not None and (halves := halves_for(assault.attacker, weapon)):
        table.gain(assault.attacker, COOLDOWN, halves, f"until the next shot with the {weapon.name}", assault.source)


def pass_time(table: Table, shooter: Combatant) -> None:
    """A round has passed."""
    if waiting := shooter.economy.left(COOLDOWN):
        table.reset(shooter, COOLDOWN, max(0, waiting - HALVES_PER_ROUND), "a round has passed", NEW_ROUND)
