"""Lairs: they act on initiative count 20, after everybody who has 20 or more, and never twice in a row alike."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import LairCount
from combatlog.rules.dnd5e.economy import renew
from combatlog.rules.dnd5e.moves import Move
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import is_dead
from combatlog.rules.engine.table import Table
from projections.battle import Battle
from projections.combatant import Combatant

LAIR = "lair.acts"
COUNT = 20


def is_past_count(battle: Battle, combatant: Combatant) -> bool:
    """Whether somebody's turn comes after initiative count 20. Whoever has no initiative yet acts last."""
    values = {entry.combatant: entry.value for entry in battle.clock.order}
    return values.get(combatant.id, 0) < COUNT


def let_lairs_act(table: Table) -> None:
    """Ask those with a lair. What a lair did last round can be done again next round."""
    lords = [one for one in table.battle.present() if sheet_of(one).lair and not is_dead(one)]
    if not lords:
        return
    resting = [(lord, pool) for lord in lords for pool in _spent(lord)]
    open_window(table, LairCount(table.battle, table.battle.by_initiative(lords)[0]), LAIR)
    for lord, pool in resting:
        renew(table, lord, pool, 1)


def pool_of(move: Move) -> str:
    """Each way of a lair to act is a resource of one, spent for the following round."""
    return f"lair_{move.name}"


def _spent(lord: Combatant) -> list[str]:
    pools = map(pool_of, sheet_of(lord).loadout.lair)
    return [pool for pool in pools if pool in lord.economy and not lord.economy.left(pool)]
