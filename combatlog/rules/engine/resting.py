"""Resting between fights. The rules say what comes back."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import RestKind, Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle

REST = "core:gm:recuperate"
"""Not `rest`, which action_points has as something to do in a turn."""


class Resting(Options):
    kind: RestKind = Field(description="short or long")
    hit_dice: dict[str, int] = Field(
        default_factory=dict, description="how many hit dice each spends in a short rest, by name"
    )


def settle_rest(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Nobody rests in the middle of a fight. Whoever spends hit dice has to be one of those who rest."""
    if battle.clock.started and not battle.clock.closed:
        raise Refusal("rest/fighting", "The fight is still going on; close it before anybody rests.")
    spent = {known_id(battle, name): count for name, count in Resting.read(said.options).hit_dice.items()}
    for name in spent:
        if name not in said.targets:
            raise Refusal("rest/not-resting", f"{name} spends hit dice but does not rest.", who=name)
    return said.model_copy(update={"options": {**said.options, **({"hit_dice": spent} if spent else {})}})


def rest(table: Table, rules: Ruleset, declared: Declared) -> None:
    resting = Resting.read(declared.options)
    if not declared.targets:
        raise Refusal("target/nobody", "Name whom it is about.")
    for target in declared.targets:
        combatant = table.combatant(target)
        if rules.is_dead(combatant):
            raise Refusal("rest/dead", f"{combatant.name} is dead.", who=combatant.id)
        rules.rest(table, combatant, resting.kind, resting.hit_dice.get(combatant.id, 0))
