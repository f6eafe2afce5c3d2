from __future__ import annotations

from types import MappingProxyType

from combatlog.rules.action_points.actions.attack import WITH_A_WEAPON, armed_assault
from combatlog.rules.action_points.assault import Assault, resolve
from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.damage import pressed_home
from combatlog.rules.action_points.formulas import quality
from combatlog.rules.action_points.movement import push
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.tables import Quality
from combatlog.rules.engine.table import Table
from ledger.events import Declared, ManualResolutionNeeded
from projections.combatant import Combatant

METRES = MappingProxyType(
    {Quality.MARGINAL: 1, Quality.STANDARD: 2, Quality.GOOD: 3, Quality.EXCELLENT: 4, Quality.OUTSTANDING: 5}
)
"""How far the target is pushed, by the quality of the success."""


@piece
class Knockback(Action):
    """Push the target away with a melee attack that does no damage; the better the success, the farther."""

    name = "knockback"
    takes = WITH_A_WEAPON

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        assault = armed_assault(table, actor, declared, melee=True)
        return Deed(assault.effort, lambda: _shove(table, assault))


def _shove(table: Table, assault: Assault) -> None:
    hit = resolve(table, assault)
    success_value = pressed_home(table, hit) if hit is not None else None
    if hit is None or success_value is None:
        return
    with table.because_of(hit.check):
        _push_back(table, assault, METRES[quality(success_value)])


def _push_back(table: Table, assault: Assault, metres: int) -> None:
    attacker, victim = assault.attacker, assault.defender
    if attacker.position is not None and victim.position is not None:
        push(table, victim, attacker.position, metres)
        return
    effect = f"it is pushed back {metres} m, but has no position"
    table.record(ManualResolutionNeeded, subject=victim.id, effect=effect, source=assault.source)
