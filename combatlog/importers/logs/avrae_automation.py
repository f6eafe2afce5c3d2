"""Automation runs of Avrae: the effects of an action as a tree of results. `RESULTS` says which function writes which
kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from combatlog.importers.logs.avrae_states import TEMPORARY, action_in, by_source
from combatlog.importers.logs.dice_parser import RollText
from combatlog.importers.logs.fight_writer import FightWriter, LogLine
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import name, record, records, slug, whole
from combatlog.importers.logs.rolls_and_damage import apply_damage, purpose, read_or_none, record_roll
from ledger.events import (
    AttackResolved,
    CheckResolved,
    ConditionApplied,
    ConditionRemoved,
    NoteAbout,
    ResourceChanged,
    Rolled,
    SaveResolved,
)
from projections.battle.combatant import Combatant

_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class AutomationContext:
    """The actor, action and target at one node of the tree."""

    desk: LogImport
    scribe: FightWriter
    actor: str
    action: str
    """The ref of the action."""
    weapon: str | None
    target: Combatant | None = None
    depth: int = 0

    def incomplete(self, node: dict[str, Any], why: str) -> None:
        """Keep a result as a note, because it lacks values that an event requires."""
        self.desk.incomplete(why)
        said = {field: value for field, value in node.items() if field != "children"}
        who = self.target.id if self.target is not None else None
        self.scribe.note(NoteAbout.INCOMPLETE, json.dumps(said, ensure_ascii=False, default=str), who)


def write_automation(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    result = data.get("automation_result")
    if not isinstance(result, dict):
        desk.unread(line, str(data), "automation without a result")
        return
    known = by_source(scribe)
    caster = record(data.get("caster"))
    actor = _id_of(caster, known)
    called = action_in(scribe.memory.pop("title", None), name(caster.get("name")), _asked(scribe, data))
    action, weapon = _action(called, result)
    targets = [found for target in _listed(data.get("targets")) if (found := _id_of(record(target), known)) != "gm"]
    if scribe.begins(line, action, actor, targets=targets, weapon=weapon):
        _walk(result, AutomationContext(desk, scribe, actor, action, weapon))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _asked(scribe: FightWriter, data: dict[str, Any]) -> str | None:
    """The command that started the automation."""
    message, asked = scribe.memory.get("asked", (None, None))
    return asked if message == data.get("interaction_id") else None


def _id_of(statblock: dict[str, Any], known: dict[str, Combatant]) -> str:
    found = known.get(str(statblock.get("id")))
    return found.id if found is not None else "gm"


def _action(called: str, result: dict[str, Any]) -> tuple[str, str | None]:
    """The ref of an action, and the weapon if it is an attack with one."""
    if result.get("is_spell") is True:
        return f"recorded:spell:{slug(called)}", name(called)
    if _has(result, "attack"):
        return "recorded:action:attack", name(called)
    return f"recorded:feature:{slug(called)}", None


def _has(node: dict[str, Any], kind: str, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    return node.get("type") == kind or any(_has(child, kind, depth + 1) for child in _inside(node))


def _inside(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [*records(node.get("children")), *records(node.get("results"))]


def _walk(node: dict[str, Any], context: AutomationContext) -> None:
    if context.depth > _DEEPEST:
        context.incomplete({"type": node.get("type")}, "nested too deeply")
        return
    kind = str(node.get("type"))
    write = RESULTS.get(kind)
    if kind == "target_iteration":
        context = replace(context, target=by_source(context.scribe).get(str(node.get("target_id"))))
    elif write is not None:
        write(node, context)
    elif kind not in _PLAIN:
        context.incomplete(node, "unknown result")
    for child in _inside(node):
        _walk(child, replace(context, depth=context.depth + 1))


_PLAIN = {"root", "condition", "target", "spell", "text", "variable"}
"""Results that only contain others or repeat the description of a spell or feature."""


def _roll_of(node: dict[str, Any], field: str) -> tuple[RollText | None, int | None]:
    """A roll, and its total according to the source."""
    said = record(node.get(field))
    return read_or_none(said.get("result")), whole(said.get("total"))


def _attack(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "to_hit_roll")
    rolled = record_roll(context.scribe, context.actor, "attack", roll, total) if roll is not None else None
    natural = _natural(rolled)
    against, hit = whole(node.get("ac")), node.get("did_hit")
    if rolled is None or natural is None or against is None or context.target is None or type(hit) is not bool:
        context.incomplete(node, "attack without a roll, target or armor class")
        return
    context.scribe.record(
        AttackResolved,
        attacker=context.actor,
        target=context.target.id,
        weapon=context.weapon,
        hit=hit,
        critical=node.get("did_crit") is True,
        roll=natural,
        total=rolled.total,
        against=against,
        cause=rolled,
    )


def _natural(rolled: Rolled | None) -> int | None:
    """The face of the d20, which comes first."""
    first = rolled.kept[0] if rolled is not None and rolled.kept else None
    return first if isinstance(first, int) else None


def _save(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "save_roll")
    ability = str(node.get("ability") or "").removesuffix("Save")[:3].lower() or "unknown"
    saver = context.target
    rolled = record_roll(context.scribe, saver.id, f"{ability} save", roll, total) if saver and roll else None
    against, success = whole(node.get("dc")), node.get("did_save")
    if saver is None or rolled is None or against is None or type(success) is not bool:
        context.incomplete(node, "save without a roll, saver or difficulty")
        return
    context.scribe.record(
        SaveResolved,
        saver=saver.id,
        save=ability,
        success=success,
        total=rolled.total,
        against=against,
        source=context.action,
        cause=rolled,
    )


def _check(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "check_roll")
    checker = context.target
    skill = purpose(str(node.get("skill_name") or node.get("skill_key") or "ability"))
    rolled = record_roll(context.scribe, checker.id, f"{skill} check", roll, total) if checker and roll else None
    against, success = whole(node.get("dc")), node.get("did_succeed")
    if checker is None or rolled is None or against is None or type(success) is not bool:
        context.incomplete(node, "check without a roll, checker or difficulty")
        return
    context.scribe.record(
        CheckResolved,
        checker=checker.id,
        check=skill,
        success=success,
        total=rolled.total,
        against=against,
        cause=rolled,
    )


def _damage(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "damage_roll")
    rolled = record_roll(context.scribe, context.actor, "damage", roll, total) if roll is not None else None
    amount = whole(node.get("damage"))
    if amount is None or context.target is None or "hp" not in context.target.vitals:
        context.incomplete(node, "damage to a target with unknown hit points")
        return
    floor = context.target.sheet.get("type") == "player"  # Avrae lets monsters fall below zero
    apply_damage(context.scribe, context.target, amount, context.actor, context.action, roll, rolled, floor=floor)


def _temporary(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "amount_roll")
    if roll is not None:
        record_roll(context.scribe, context.actor, "temporary hit points", roll, total)
    amount = whole(node.get("amount"))
    pool = context.target.vitals.get(TEMPORARY) if context.target is not None else None
    if amount is None or context.target is None or pool is None:
        context.incomplete(node, "temporary hit points for a target with unknown hit points")
    elif amount > pool.current:
        context.scribe.record(
            ResourceChanged,
            owner=context.target.id,
            resource=TEMPORARY,
            before=pool.current,
            after=amount,
            source=context.action,
            why="temporary hit points",
        )


def _effect(node: dict[str, Any], context: AutomationContext) -> None:
    effect = record(node.get("effect"))
    called, target = name(effect.get("name")), context.target
    if called is None or target is None:
        context.incomplete(node, "effect without a name or target")
        return
    for ended in records(node.get("conc_conflict")):
        _end_effect(context.scribe, by_source(context.scribe), ended, "concentration on something else")
    duration = whole(effect.get("duration"))
    context.scribe.record(
        ConditionApplied,
        target=target.id,
        condition=condition_ref(called),
        source=context.action,
        owner=context.actor,
        data={"duration": duration} if duration is not None else {},
    )


def condition_ref(called: str) -> str:
    return f"recorded:condition:{slug(called)}"


def _remove_effect(node: dict[str, Any], context: AutomationContext) -> None:
    removed = record(node.get("removed_effect"))
    called, target = name(removed.get("name")), context.target
    if called is None:
        context.incomplete(node, "effect without a name")
    elif target is not None and target.has(condition_ref(called)):
        context.scribe.record(
            ConditionRemoved, target=target.id, condition=condition_ref(called), why="removed by the action"
        )


def _end_effect(scribe: FightWriter, known: dict[str, Combatant], effect: dict[str, Any], why: str) -> None:
    """End an effect on the combatant that has it, if only one has."""
    called = name(effect.get("name"))
    having = [one for one in known.values() if called is not None and one.has(condition_ref(called))]
    if called is not None and len(having) == 1:
        scribe.record(ConditionRemoved, target=having[0].id, condition=condition_ref(called), why=why)


def _roll(node: dict[str, Any], context: AutomationContext) -> None:
    roll, total = _roll_of(node, "roll")
    if roll is None:
        context.incomplete(node, "unreadable roll")
    else:
        record_roll(context.scribe, context.actor, "roll", roll, total)


def _counter(node: dict[str, Any], context: AutomationContext) -> None:
    called = name(node.get("counter_name"))
    left, used = whole(node.get("counter_remaining")), whole(node.get("used_amount"))
    if called is None or left is None or not used or context.actor == "gm":
        return  # nothing was spent
    context.scribe.record(
        ResourceChanged,
        owner=context.actor,
        resource=slug(called),
        before=left + used,
        after=left,
        spent=max(0, used),
        source=context.action,
        why=called,
    )


RESULTS: dict[str, Callable[[dict[str, Any], AutomationContext], None]] = {
    "attack": _attack,
    "save": _save,
    "check": _check,
    "damage": _damage,
    "temphp": _temporary,
    "ieffect": _effect,
    "remove_ieffect": _remove_effect,
    "roll": _roll,
    "counter": _counter,
}
