"""The order of turns while a fight goes on: initiative that is set or corrected, and those who come later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import Field

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, InitiativeEntry, InitiativeSet
from projections.battle import Battle

if TYPE_CHECKING:
    from combatlog.rules.engine.ruleset import Ruleset

INITIATIVE = "core:time:initiative"


class Initiatives(Options):
    values: dict[str, int] = Field(min_length=1, description="the initiative of each combatant, by name")
    reason: str = Field(default="", max_length=2000, description="why")


def settle_initiative(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """The ids of those who are named."""
    values = {known_id(battle, name): value for name, value in Initiatives.read(said.options).values.items()}
    return said.model_copy(update={"options": {**said.options, "values": values}})


def set_initiative(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Those who are named get a new place by their value. The turn in progress goes on."""
    if not table.battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=table.battle.name)
    values = Initiatives.read(declared.options).values
    named = [InitiativeEntry(combatant=table.combatant(name).id, value=value) for name, value in values.items()]
    take_places(table, rules, named)


def take_places(table: Table, rules: Ruleset, named: Iterable[InitiativeEntry]) -> None:
    """Put these into the order by their initiative, behind those who are as good. The others stay as they are."""
    battle = table.battle
    placing = {entry.combatant: entry for entry in named}
    order = [entry for entry in battle.clock.order if entry.combatant not in placing]
    for entry in sorted(placing.values(), key=lambda entry: rules.initiative_rank(battle, entry)):
        rank = rules.initiative_rank(battle, entry)
        worse = (at for at, other in enumerate(order) if rules.initiative_rank(battle, other) > rank)
        order.insert(next(worse, len(order)), entry)
    table.record(InitiativeSet, order=tuple(order))
