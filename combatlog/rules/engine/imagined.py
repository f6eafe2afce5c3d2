"""A declaration that nobody makes, and a table to check it at, to tell whether somebody could."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from combatlog.rules.engine.dice import TableDice
from combatlog.rules.engine.table import Circumstances, Table
from ledger.events import Data, Declared, Position
from projections.battle import Battle

_NOT_SAID = UUID(int=0)
_NOTHING_GIVEN = Circumstances(dice=TableDice(()), now=datetime.min.replace(tzinfo=UTC))


def imagined(
    battle: Battle,
    actor: str,
    action: str,
    *,
    targets: tuple[str, ...] = (),
    destination: Position | None = None,
    weapon: str | None = None,
    options: Data | None = None,
    as_seen: Literal[True] | None = None,
) -> Declared:
    """Without validation: nothing in it comes from outside, and automatic play asks for thousands."""
    return Declared.model_construct(
        encounter=battle.id,
        seq=battle.seq + 1,
        recorded_at=battle.encounter.recorded_at,
        declaration=battle.seq + 1,
        command=_NOT_SAID,
        actor=actor,
        action=action,
        targets=targets,
        destination=destination,
        weapon=weapon,
        options=dict(options or {}),
        as_seen=as_seen,
    )


def reading_table(battle: Battle) -> Table:
    """A table for checks, at which nothing is rolled and nothing recorded."""
    return Table(battle, _NOTHING_GIVEN)
