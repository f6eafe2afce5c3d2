"""Initiative: which player goes first."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.sheet import opponent_of, players
from combatlog.rules.skirmish.vocabulary import ref
from ledger.events import InitiativeEntry, InitiativeSet
from projections.combatant import Combatant

CLAIMED = ref("condition", "initiative_claimed")


def roll_initiative(table: Table) -> None:
    """A die decides which player goes first: on a 1 the one who joined first, on a 2 the other."""
    first, second = players(table.battle)
    rolled = table.roll("initiative", first.id, "1d2")
    give_initiative(table, first if rolled.total == 1 else second)


def give_initiative(table: Table, player: Combatant) -> None:
    other = opponent_of(table.battle, player)
    order = (InitiativeEntry(combatant=player.id, value=1), InitiativeEntry(combatant=other.id, value=0))
    table.record(InitiativeSet, order=order)


def keep_initiative(table: Table, player: Combatant, source: str) -> None:
    """Let a player keep the initiative at the end of the round."""
    table.apply_condition(player, CLAIMED, source=source, owner=player.id)


def pass_initiative(table: Table) -> None:
    """The initiative passes to the other player each round, unless somebody claimed it."""
    first, second = players(table.battle)
    claimed = [player for player in (first, second) if player.has(CLAIMED)]
    for player in claimed:
        table.remove_condition(player, CLAIMED, "the round ends")
    if not claimed:
        give_initiative(table, second)
