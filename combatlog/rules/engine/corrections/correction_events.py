"""The events with which a correction begins: the correction itself, and declarations that it adds."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import uuid4

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import Data, Declared, Event
from projections.battle.fold import Battle

E = TypeVar("E", bound=Event)


def stamped(fight: FightEngine, cls: type[E], **payload: Any) -> E:
    """A correction as the next event of a fight and the root of its own causal group."""
    battle = fight.battle
    seq = battle.seq + 1
    return cls(
        encounter=battle.id,
        seq=seq,
        recorded_at=fight.now(),
        declaration=seq,
        round=battle.clock.round,
        turn=battle.clock.turn,
        **payload,
    )


def declared_by(
    battle: Battle, actor: str, action: str, *, by: str, cause: int, options: Data | None = None
) -> Declared:
    """A declaration that a correction makes on its own, such as the end of a turn."""
    said = Declaration(actor=actor, action=action, options=options or {}, by=by)
    return declared_in_a_correction(battle, said, cause)


def declared_in_a_correction(battle: Battle, said: Declaration, cause: int) -> Declared:
    """A declaration that a correction adds."""
    return Declared(
        encounter=battle.id,
        seq=battle.seq + 1,
        recorded_at=battle.encounter.recorded_at,
        declaration=battle.seq + 1,
        round=battle.clock.round,
        turn=battle.clock.turn,
        command=uuid4(),
        cause=cause,
        **(said.model_dump(exclude={"round"}) | {"by": said.by or said.actor}),
    )
