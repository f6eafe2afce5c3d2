"""Rounds and turns: initiative by available AP, set anew each round, and what happens at the end of a round."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.action_points import economy
from combatlog.rules.action_points.cooldown import pass_time
from combatlog.rules.action_points.economy import AP
from combatlog.rules.action_points.formulas import recovers_fat
from combatlog.rules.action_points.pieces import held_by
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables import BASELINE_FAT_RECOVERY
from combatlog.rules.action_points.vitality import FAT, apply_pending, is_dead, living, queue_healing, vit_of, wake
from combatlog.rules.engine.table import Table
from ledger.events import InitiativeEntry, InitiativeSet, RoundEnded, RoundStarted, TurnEnded, TurnStarted, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

AWARENESS = "awareness"


def begin_round(table: Table, number: int) -> None:
    """Whoever has the most AP goes first; among equals, whoever is most aware, then whoever joined first.

    If nobody is alive, no round begins.
    """
    alive = sorted(living(table), key=lambda combatant: (-combatant.economy.left(AP), -_awareness(combatant)))
    if not alive:
        return
    order = [InitiativeEntry(combatant=other.id, value=other.economy.left(AP)) for other in alive]
    table.record(InitiativeSet, order=tuple(order))
    table.record(RoundStarted, number=number)
    table.record(TurnStarted, combatant=alive[0].id)


def _awareness(combatant: Combatant) -> int:
    """The ability score as on the sheet: wounds and effects do not change who is the more aware."""
    return sheet_of(combatant).ability(AWARENESS) or 0


def end_turn(table: Table, combatant: Combatant) -> None:
    """The next living combatant gets its turn, even if it cannot act. After the last turn the round ends."""
    later = later_in_round(table.battle, combatant)
    if later:
        pass_turn(table, combatant, later[0])
    else:
        _leave_turn(table, combatant)
        _end_round(table)


def later_in_round(battle: Battle, combatant: Combatant) -> list[Combatant]:
    """The living whose turns come after this one's, in order."""
    order = battle.by_initiative(battle.combatants.values())  # with whoever is just leaving the fight
    return [other for other in order[order.index(combatant) + 1 :] if other.present and not is_dead(other)]


def pass_turn(table: Table, combatant: Combatant, following: Combatant) -> None:
    _leave_turn(table, combatant)
    table.record(TurnStarted, combatant=following.id)


def _leave_turn(table: Table, combatant: Combatant) -> None:
    """The turn ends, and with it whatever lasts until then, whoever has it."""
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


def feel_conditions(table: Table, combatant: Combatant) -> None:
    """Conditions take effect, then those that last until the end of this round end."""
    for condition, held in held_by(combatant):
        if not is_dead(combatant):
            condition.at_round_end(table, combatant, held)
    for held in list(combatant.conditions.values()):
        until = held.until
        if until and until.moment is UntilMoment.ROUND_END and (until.round or 0) <= table.battle.clock.round:
            table.remove_condition(combatant, held.ref, "the round ends")


def recover_baseline(table: Table, combatant: Combatant) -> None:
    """The severely injured recover more slowly, or not at all."""
    if recovers_fat(vit_of(combatant), table.battle.clock.round):
        queue_healing(table, combatant, FAT, BASELINE_FAT_RECOVERY, "baseline recovery", economy.RECOVERY)


END_OF_ROUND: tuple[Callable[[Table, Combatant], None], ...] = (
    feel_conditions,
    recover_baseline,
    apply_pending,
    wake,
    economy.recover,
    economy.return_locked,
    economy.forget_spent,
    economy.cap,
    economy.renew_round,
    pass_time,
)
"""What happens to each combatant at the end of a round, in this order."""
