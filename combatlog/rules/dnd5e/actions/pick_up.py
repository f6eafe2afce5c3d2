from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION, OBJECTS_HANDLED
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.space import steps_to
from combatlog.rules.dnd5e.wielding import MISSING_WEAPONS, Lost, missing, remember_missing
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant

REACH = 1


@piece
class PickUp(Action):
    """Pick up a thrown weapon within 5 feet: free for the first object of a turn, then with the action."""

    name = "pick_up"
    tags = ("support",)
    parts = frozenset({Part.WEAPON})

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(MISSING_WEAPONS)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not _within_reach(actor):
            lying = [f"{name} at {place[0]},{place[1]}" for name, place in missing(actor) if place is not None]
            raise Refusal(
                "pick-up/too-far",
                f"None of {actor.name}'s weapons lies within 5 feet; go to {choices(lying)}.",
                who=actor.id,
                available=lying,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        names = list(dict.fromkeys(name for name, _ in _within_reach(actor)))
        if declared.weapon is not None and declared.weapon not in names:
            raise Refusal(
                "pick-up/no-weapon",
                f"There is no {declared.weapon} within 5 feet of {actor.name}; choose {choices(names)}.",
                who=actor.id,
                weapon=declared.weapon,
                available=names,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)
        found = next(lost for lost in _within_reach(actor) if declared.weapon in (None, lost[0]))
        left = missing(actor)
        left.remove(found)
        remember_missing(table, actor, left, "picked up")


def _within_reach(actor: Combatant) -> list[Lost]:
    """Those of its weapons that lie near enough; all of them without positions."""
    here = actor.position
    return [lost for lost in missing(actor) if here is None or lost[1] is None or steps_to(actor, lost[1]) <= REACH]
