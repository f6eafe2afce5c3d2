"""Uphold: a ruling keeps the outcome of a declaration that is no longer legal.

Outcomes are repeated as changes, not as totals: a combatant that lost 5 hit points loses 5 again, from its current
value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Ruleset, find
from ledger.events import (
    FAMILIES,
    UNRECORDED,
    ActionGranted,
    ActionRemoved,
    CardsMoved,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Data,
    Declared,
    Event,
    Healed,
    Moved,
    Ref,
    ResourceChanged,
    Ruled,
    SideChanged,
    TerrainChanged,
    Until,
    Who,
    meaning,
)
from ledger.registry import KINDS, upcast
from projections.battle.fold import CHANGING


def can_be_upheld(declared: Declared, events: Sequence[Event]) -> bool:
    """Whether a declaration has outcomes to keep. Time cannot be upheld: a turn that never begins cannot end."""
    return not declared.action.startswith("core:time:") and any(type(event) in _KEPT for event in events)


def outcomes_of(events: Sequence[Event]) -> list[Data]:
    """The changes that a declaration's events made, without prose and in the current schema versions."""
    return [
        {"kind": event.kind, "version": event.class_version, "fields": _payload(event)}
        for event in events
        if type(event) in _KEPT
    ]


def _payload(event: Event) -> Data:
    said = meaning(event, "json")
    return {name: value for name, value in said.items() if name not in Event.model_fields and value is not None}


def uphold(table: Table, rules: Ruleset, declared: Declared) -> None:
    said = declared.options
    reason = str(said["reason"])
    ruled = table.record(
        Ruled,
        ruling=f"declaration {said['upholds']} ({str(said['what']).rsplit(':', 1)[1]}) keeps its outcome",
        reason=reason,
        by=declared.by,
    )
    with table.because_of(ruled):
        for outcome in said["outcomes"]:
            _carry_over(table, outcome, why=f"ruling: {reason}", action=said["what"])


def _carry_over(table: Table, outcome: Data, why: str, action: Ref) -> None:
    """Repeat the change of an outcome. An outcome of an older version is upcast first."""
    kind, cls = outcome["kind"], KINDS[outcome["kind"]]
    old = {**upcast(cls, kind, outcome.get("version", 1), outcome["fields"]), "why": why}
    if old.get("source") == UNRECORDED:
        old["source"] = action
    if carry_over := _CARRY_OVER.get(cls):
        carry_over(table, old)
    else:
        _record_again(table, cls, old)


def _record_again(table: Table, cls: type[Event], old: Data) -> None:
    """As it was recorded, if everyone that it names is still there."""
    said = {name: value for name, value in old.items() if name in cls.model_fields}
    for name in said:
        if _WHO in cls.model_fields[name].metadata:
            table.combatant(said[name])
    table.record(cls, **said)


def _damaged(table: Table, old: Data) -> None:
    table.damage(table.combatant(old["target"]), old["pool"], old["amount"], (), old.get("source"))


def _healed(table: Table, old: Data) -> None:
    target = table.combatant(old["target"])
    vital = target.vitals[old["pool"]]
    amount = old["amount"] if vital.maximum is None else min(old["amount"], vital.maximum - vital.current)
    if amount > 0:
        table.heal(target, old["pool"], amount, old["why"], old.get("source"))


def _applied(table: Table, old: Data) -> None:
    table.apply_condition(
        table.combatant(old["target"]),
        old["condition"],
        source=old["source"],
        owner=old["owner"],
        until=_until(old),
        level=old.get("level"),
        data=old.get("data"),
    )


def _removed(table: Table, old: Data) -> None:
    target = table.combatant(old["target"])
    if target.has(old["condition"]):
        table.remove_condition(target, old["condition"], old["why"])


def _granted(table: Table, old: Data) -> None:
    owner = table.combatant(old["owner"])
    table.grant(owner, old["action"], source=old["source"], until=_until(old), weapon=old.get("weapon"))


def _resource(table: Table, old: Data) -> None:
    owner = table.combatant(old["owner"])
    change = old["after"] - old["before"]
    if change > 0:
        table.gain(owner, old["resource"], change, old["why"], old["source"])
    elif available := min(-change, owner.economy.left(old["resource"])):
        table.spend(owner, old["resource"], available, old["why"], old["source"])


def _cards(table: Table, old: Data) -> None:
    """Move only the cards that are still in the pile."""
    owner = table.combatant(old["owner"])
    there = list(owner.pile(old["origin"])) if old.get("origin") else []
    cards = [card for card in old["cards"] if card in there]
    if cards:
        table.move_cards(owner, cards, old["origin"], old.get("to"), old["why"])


def _moved(table: Table, old: Data) -> None:
    x, y = old["to"]
    mover = table.combatant(old["mover"])
    try:
        find(table.battle.encounter.ruleset).place(table.battle, (x, y), mover)
    except Refusal:
        return
    table.move(mover, (x, y), forced=True)


def _terrain(table: Table, old: Data) -> None:
    x, y = old["square"]
    table.change_terrain((x, y), old["after"], old["source"], old["owner"])


def _side(table: Table, old: Data) -> None:
    table.change_side(table.combatant(old["combatant"]), old["after"], old["source"])


def _until(old: Data) -> Until | None:
    return Until.model_validate(old["until"]) if old.get("until") else None


_CARRY_OVER: dict[type[Event], Callable[[Table, Any], None]] = {
    Damaged: _damaged,
    Healed: _healed,
    ConditionApplied: _applied,
    ConditionRemoved: _removed,
    ActionGranted: _granted,
    ResourceChanged: _resource,
    CardsMoved: _cards,
    Moved: _moved,
    TerrainChanged: _terrain,
    SideChanged: _side,
}
"""How a change is made again. A kind that is not in it is recorded again as it was."""
_KEPT = {kind for kind in FAMILIES["outcome"] if kind in CHANGING} - {ActionRemoved}
"""What was granted and used up stays: it may belong to something else that was taken back."""
_WHO = get_args(Who)[1]
