"""Rounds and turns: initiative by available AP, set anew each round, the end of a round, and cooldowns of weapons.

A round takes three seconds. A shot adds its cooldown to a pool, and each round reduces the pool by three seconds. A
combatant with at least three seconds in the pool has to wait. So in two rounds, a cooldown of 2 seconds allows three
shots, and one of 6 seconds allows one shot.
"""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.action_points import economy_and_vitality
from combatlog.rules.action_points.attack import ActionPointsAttack
from combatlog.rules.action_points.checks import skill_of
from combatlog.rules.action_points.economy_and_vitality import (
    AP,
    FAT,
    NEW_ROUND,
    apply_pending,
    is_dead,
    living,
    queue_healing,
    vit_of,
    wake,
)
from combatlog.rules.action_points.equipment import ActionPointsWeapon
from combatlog.rules.action_points.pieces import held_by
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import (
    BASELINE_FAT_RECOVERY,
    HALVES_PER_ROUND,
    cooldown,
    recovers_fat,
)
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import InitiativeEntry, InitiativeSet, RoundEnded, RoundStarted, TurnEnded, TurnStarted, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

COOLDOWN = "cooldown_half_seconds"


def halves_for(shooter: Combatant, weapon: ActionPointsWeapon) -> int:
    """The half seconds between two shots: of the weapon, or by the shooter's skill level."""
    if weapon.is_melee:
        return 0
    return int(weapon.cooldown * 2) if weapon.cooldown is not None else cooldown(skill_of(shooter, weapon.skill).level)


def require_ready(shooter: Combatant, weapon: ActionPointsWeapon) -> None:
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


def cool_down(table: Table, assault: ActionPointsAttack) -> None:
    weapon = assault.weapon
    if weapon is not None and (halves := halves_for(assault.attacker, weapon)):
        table.gain(assault.attacker, COOLDOWN, halves, f"until the next shot with the {weapon.name}", assault.source)


def reduce_cooldown(table: Table, shooter: Combatant) -> None:
    """Reduce the cooldown by one round."""
    if waiting := shooter.economy.left(COOLDOWN):
        table.reset(shooter, COOLDOWN, max(0, waiting - HALVES_PER_ROUND), "a round has passed", NEW_ROUND)


AWARENESS = "awareness"


def begin_round(table: Table, number: int) -> None:
    """Begin a round. Turns go by AP, then by awareness, then by order of joining.

    If no combatant is alive, no round begins.
    """
    alive = sorted(living(table), key=lambda combatant: (-combatant.economy.left(AP), -_awareness(combatant)))
    if not alive:
        return
    order = [InitiativeEntry(combatant=other.id, value=other.economy.left(AP)) for other in alive]
    table.record(InitiativeSet, order=tuple(order))
    table.record(RoundStarted, number=number)
    table.record(TurnStarted, combatant=alive[0].id)


def _awareness(combatant: Combatant) -> int:
    """The awareness on the sheet, without wounds and effects, for ties in initiative."""
    return sheet_of(combatant).ability(AWARENESS) or 0


def end_turn(table: Table, combatant: Combatant) -> None:
    """Pass the turn to the next living combatant, even if it cannot act. After the last turn, the round ends."""
    later = later_in_round(table.battle, combatant)
    if later:
        pass_turn(table, combatant, later[0])
    else:
        _leave_turn(table, combatant)
        _end_round(table)


def later_in_round(battle: Battle, combatant: Combatant) -> list[Combatant]:
    """The living combatants with turns after this one's, in order."""
    order = battle.by_initiative(battle.combatants.values())  # including a combatant that is just leaving
    return [other for other in order[order.index(combatant) + 1 :] if other.present and not is_dead(other)]


def pass_turn(table: Table, combatant: Combatant, following: Combatant) -> None:
    _leave_turn(table, combatant)
    table.record(TurnStarted, combatant=following.id)


def _leave_turn(table: Table, combatant: Combatant) -> None:
    """End the turn and all conditions, on any combatant, that last until then."""
    table.record(TurnEnded, combatant=combatant.id)
    for other in table.battle.present():
        for held in list(other.conditions.values()):
            if held.until and held.until.moment is UntilMoment.TURN_END and held.until.whose == combatant.id:
                table.remove_condition(other, held.ref, "the turn ends")


def _end_round(table: Table) -> None:
    number = table.battle.clock.round
    ended = table.record(RoundEnded, number=number)
    with table.because_of(ended):
        for combatant in table.battle.by_initiative(living(table)):
            for step in END_OF_ROUND:
                if not is_dead(combatant):
                    step(table, combatant)
    begin_round(table, number + 1)


# The steps at the end of a round


def apply_round_end_conditions(table: Table, combatant: Combatant) -> None:
    """Apply the conditions, then end those that last until the end of this round."""
    for condition, held in held_by(combatant):
        if not is_dead(combatant):
            condition.at_round_end(table, combatant, held)
    for held in list(combatant.conditions.values()):
        until = held.until
        if until and until.moment is UntilMoment.ROUND_END and (until.round or 0) <= table.battle.clock.round:
            table.remove_condition(combatant, held.ref, "the round ends")


def recover_baseline(table: Table, combatant: Combatant) -> None:
    """Queue the baseline recovery of FAT, which is slower or absent with low VIT."""
    if recovers_fat(vit_of(combatant), table.battle.clock.round):
        queue_healing(table, combatant, FAT, BASELINE_FAT_RECOVERY, "baseline recovery", economy_and_vitality.RECOVERY)


END_OF_ROUND: tuple[Callable[[Table, Combatant], None], ...] = (
    apply_round_end_conditions,
    recover_baseline,
    apply_pending,
    wake,
    economy_and_vitality.recover,
    economy_and_vitality.return_locked,
    economy_and_vitality.reset_spent,
    economy_and_vitality.cap,
    economy_and_vitality.renew_round,
    reduce_cooldown,
)
"""The steps for each combatant at the end of a round, in this order."""
