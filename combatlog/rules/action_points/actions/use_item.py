from __future__ import annotations

from pydantic import Field

from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.economy import Paid
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.targeting import beneficiary, require_reach
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


class Using(Paid):
    item: str = Field(description="the item to use up, by its name on the sheet")


@piece
class UseItem(Action):
    """Use up an item, such as a potion or a scroll, on oneself or on somebody in range; this needs no roll."""

    name = "use_item"
    options = Using
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not _left(actor):
            raise Refusal("item/none", f"{actor.name} has no items left.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        using = Using.read(declared.options)
        require_item(actor, using.item)
        target = beneficiary(table, actor, declared)
        require_reach(actor, target, sheet_of(actor).bag[using.item].range, using.item)
        return Deed(using, lambda: _use(table, actor, target, using.item))


def require_item(actor: Combatant, name: str) -> None:
    if name not in _left(actor):
        left = _left(actor)
        raise Refusal(
            "item/not-left",
            f"{actor.name} has no {name!r} left; it can use {choices(left)}.",
            who=actor.id,
            item=name,
            available=left,
            suggestions=suggest(name, left),
        )


def _left(actor: Combatant) -> list[str]:
    return [name for name in sheet_of(actor).items if actor.economy.left(name)]


def _use(table: Table, user: Combatant, target: Combatant, name: str) -> None:
    used = table.spend(user, name, 1, "used")
    with table.because_of(used):
        for effect in sheet_of(user).bag[name].effects:
            effect.apply(table, f"action_points:item:{name.replace(' ', '_')}", user, target)
