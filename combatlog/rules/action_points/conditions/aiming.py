"""Aiming in one round, so that the first action of the next is a better shot."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.action_points.checks import Attempt, bonus
from combatlog.rules.action_points.pieces import Condition, piece
from combatlog.rules.action_points.stances import AIMED
from combatlog.rules.action_points.tables import AIM
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from ledger.events import Until, UntilMoment
from projections import combatant as state
from projections.combatant import Combatant


@piece
class Aiming(Condition):
    """Aims at the target that its data names. At the end of the round the aim is taken."""

    name = "aiming"

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        table.remove_condition(owner, held.ref, "the aim is taken")
        until = Until(moment=UntilMoment.ROUND_END, round=table.battle.clock.round + 1)
        table.apply_condition(owner, AIMED, source=held.source, owner=owner.id, until=until, data=held.data)


@piece
class Aimed(Condition):
    """A bonus to a shot at the target that its data names. Any other action, and any damage, interrupts it."""

    name = "aimed"

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterator[Modifier]:
        is_shot = attempt.purpose == "attack" and attempt.weapon is not None and not attempt.weapon.is_melee
        if is_shot and attempt.target is not None and attempt.target.id == held.data.get("target"):
            yield bonus("effects", "condition:aimed", attempt.user, f"aimed at {attempt.target.id}", AIM)
