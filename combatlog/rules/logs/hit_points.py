"""Damage and healing that a log tells of, on the hit points that it gives."""

from __future__ import annotations

from combatlog.rules.logs.rolling import damage_parts
from combatlog.rules.logs.rolls import RollText
from combatlog.rules.logs.scribe import Scribe
from ledger.events import Damaged, Event, Healed
from projections.combatant import Combatant

HP, TEMPORARY = "hp", "temp_hp"


def apply_damage(
    scribe: Scribe,
    target: Combatant,
    amount: int,
    source: str,
    action: str,
    roll: RollText | None = None,
    cause: Event | None = None,
    *,
    floor: bool = False,
) -> None:
    """Temporary hit points go first. Damage below zero is healing. With a floor, nobody has fewer hit points than 0."""
    dealt_by = source if source in scribe.battle.combatants else None
    if amount < 0:
        _heal(scribe, target, -amount, dealt_by or action, cause)
        return
    shield = target.vitals.get(TEMPORARY)
    absorbed = min(amount, shield.current) if shield is not None and shield.current > 0 else 0
    for pool, dealt in ((TEMPORARY, absorbed), (HP, amount - absorbed)):
        if dealt or (pool == HP and not absorbed):
            before = target.vitals[pool].current
            lost = min(dealt, max(0, before)) if floor else dealt
            scribe.record(
                Damaged,
                target=target.id,
                pool=pool,
                amount=lost,
                left=before - lost,
                overkill=dealt - lost,
                parts=damage_parts(roll, dealt, action),
                source=dealt_by,
                cause=cause,
            )


def _heal(scribe: Scribe, target: Combatant, amount: int, source: str, cause: Event | None) -> None:
    """Nobody has more than the maximum."""
    vital = target.vitals[HP]
    room = amount if vital.maximum is None else max(0, min(amount, vital.maximum - vital.current))
    scribe.record(
        Healed,
        target=target.id,
        pool=HP,
        amount=room,
        left=vital.current + room,
        source=source,
        why="healed",
        cause=cause,
    )
