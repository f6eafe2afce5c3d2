"""The state of a battle as plain data, for JSON."""

from __future__ import annotations

from typing import Any

from ledger.events import Data
from projections.battle import Battle
from projections.combatant import Combatant


def describe(battle: Battle) -> Data:
    opened, clock, window = battle.encounter, battle.clock, battle.window
    return {
        "encounter": str(battle.id),
        "name": battle.name,
        "ruleset": opened.ruleset,
        "dice": opened.dice,
        "seq": battle.seq,
        "round": clock.round,
        "turn": clock.turn,
        "closed": clock.closed,
        "initiative": [entry.model_dump() for entry in clock.order],
        "combatants": {combatant.id: _combatant(combatant) for combatant in battle.combatants.values()},
        "questions": {str(seq): question.effect for seq, question in battle.questions.items()},
        "window": {
            "seq": window.seq,
            "moment": window.moment,
            "subject": window.subject,
            "waiting": window.waiting.model_dump(mode="json") if window.waiting else None,
        }
        if window
        else None,
    }


def _combatant(combatant: Combatant) -> dict[str, Any]:
    return {
        "name": combatant.name,
        "side": combatant.side,
        "controller": combatant.controller.value,
        "present": combatant.present,
        "position": list(combatant.position) if combatant.position else None,
        "vitals": {
            name: {"current": vital.current, "maximum": vital.maximum} for name, vital in combatant.vitals.items()
        },
        "economy": {
            name: {
                "current": resource.current,
                "maximum": resource.maximum,
                "spent": resource.spent,
                "locked": resource.locked,
            }
            for name, resource in combatant.economy.items()
        },
        "conditions": {
            condition.ref: {
                "source": condition.source,
                "owner": condition.owner,
                "since": condition.since,
                "until": condition.until.model_dump(mode="json", exclude_none=True) if condition.until else None,
                "level": condition.level,
            }
            for condition in combatant.conditions.values()
        },
        "granted": [
            {"action": grant.action, "grant": grant.grant, "source": grant.source}
            for grant in combatant.granted.values()
        ],
        "piles": {name: list(cards) for name, cards in combatant.piles.items()},
    }
