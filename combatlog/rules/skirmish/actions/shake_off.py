from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.activity import Activity
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.vitality import condition_called, shed
from combatlog.rules.skirmish.vocabulary import ACTIONS, BLEEDING, STUNNED, name_in
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


class ShakingOff(Options):
    condition: str | None = Field(
        default=None, description="the condition to remove: stunned or bleeding; needed if the figure is both"
    )


@piece
class ShakeOff(Activity):
    """Spend an action to stop being stunned or bleeding."""

    name = "shake_off"
    cost = {ACTIONS: 1}
    options = ShakingOff

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not _held(actor):
            raise Refusal("shake-off/nothing", f"{actor.name} is neither stunned nor bleeding.", who=actor.id)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        _chosen(actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        shed(table, actor, _chosen(actor, declared), "shaken off")


def _held(actor: Combatant) -> list[str]:
    return [condition for condition in (STUNNED, BLEEDING) if actor.has(condition)]


def _chosen(actor: Combatant, declared: Declared) -> str:
    held = _held(actor)
    wanted = ShakingOff.read(declared.options).condition
    if wanted is None and len(held) == 1:
        return held[0]
    if wanted is None or condition_called(wanted) not in held:
        names = [name_in(condition) for condition in held]
        found = "both stunned and bleeding" if wanted is None else f"not {wanted!r}"
        raise Refusal(
            "shake-off/which",
            f"{actor.name} is {found}; name the condition to shake off: {choices(names)}.",
            who=actor.id,
            condition=wanted,
            available=names,
        )
    return condition_called(wanted)
