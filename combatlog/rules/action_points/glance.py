"""A combatant at a glance: its action points, what it did this round, and what waits for the end of it."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.action_points.economy import ACTIONS, AP, METRES
from combatlog.rules.action_points.vitality import PENDING_POOLS, is_dead
from combatlog.rules.engine.glance import Glance, grants_in_words, resources_in_words
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

_OWN = (AP, ACTIONS, METRES, *PENDING_POOLS)


def glance(battle: Battle, combatant: Combatant) -> Glance:
    others = [name for name in combatant.economy if name not in _OWN]
    return Glance(
        left=[] if is_dead(combatant) else list(_left(battle, combatant)),
        resources=resources_in_words(combatant, others),
        notes=resources_in_words(combatant, PENDING_POOLS),
        fallen=is_dead(combatant),
    )


def _left(battle: Battle, combatant: Combatant) -> Iterator[str]:
    """Its AP matter outside its turn as well: defending takes some. How often it acted makes later actions harder."""
    pool = combatant.economy[AP]
    yield f"{pool.current} of {pool.maximum} AP" + (f" ({pool.locked} locked)" if pool.locked else "")
    if taken := combatant.economy.left(ACTIONS):
        yield f"{counted(taken, 'action')} taken"
    if battle.clock.turn == combatant.id:
        yield f"{combatant.economy.left(METRES)} m free"
        yield from grants_in_words(combatant)
