"""A table at which nothing is played: for asking whether something could be declared."""

from __future__ import annotations

from datetime import UTC, datetime

from projections.battle import Battle
from rules.engine.dice import TableDice
from rules.engine.table import Circumstances, Table

_CIRCUMSTANCES = Circumstances(dice=TableDice(()), now=datetime.min.replace(tzinfo=UTC))


def reading_table(battle: Battle) -> Table:
    return Table(battle, _CIRCUMSTANCES)
