"""Rulings: the GM sets a value, a condition or a place, and says why."""

from __future__ import annotations

from pydantic import Field

from ledger.events import Declared, Position, Ruled
from projections.combatant import Combatant
from rules.engine.options import Options
from rules.engine.refusal import Refusal, choices
from rules.engine.ruleset import Ruleset
from rules.engine.table import Table


class Ruling(Options):
    """What a GM rules about one combatant."""

    reason: str = Field(min_length=1, max_length=500, description="why; it is recorded with the ruling")
    set: dict[str, int] = Field(default_factory=dict, description="values by name, such as hp")
    add: tuple[str, ...] = Field(default=(), description="conditions that hold from now on")
    remove: tuple[str, ...] = Field(default=(), description="conditions that end")
    to: Position | None = Field(default=None, description="where the combatant stands now")
    note: str | None = Field(default=None, description="anything else, in words")
    answers: int | None = Field(default=None, ge=1, description="seq of the question that this settles")

    def in_words(self) -> str:
        parts = [f"{name} is {value}" for name, value in self.set.items()]
        parts += [f"{name} holds" for name in self.add]
        parts += [f"{name} ends" for name in self.remove]
        parts += [f"stands at {self.to[0]},{self.to[1]}"] if self.to else []
        parts += [self.note] if self.note else []
        return ", ".join(parts)


def rule(table: Table, rules: Ruleset, declared: Declared) -> None:
    ruling = Ruling.read(declared.options)
    subject = table.combatant(declared.targets[0]) if declared.targets else None
    if subject is None and (ruling.set or ruling.add or ruling.remove or ruling.to):
        raise Refusal("rule/no-subject", "Say whom the ruling is about: `combatlog rule ENCOUNTER COMBATANT ...`.")
    if not ruling.in_words():
        raise Refusal("rule/empty", "Say what is ruled: --set, --add, --remove, --to or --note.")
    _check_question(table, ruling)
    ruled = table.record(
        Ruled,
        ruling=ruling.in_words(),
        reason=ruling.reason,
        subject=subject.id if subject else None,
        answers=ruling.answers,
        by=declared.by,
    )
    if subject is not None:
        with table.because_of(ruled):
            _carry_out(table, rules, subject, ruling)


def _check_question(table: Table, ruling: Ruling) -> None:
    if ruling.answers is not None and ruling.answers not in table.battle.questions:
        waiting = choices(map(str, table.battle.questions))
        raise Refusal("rule/no-question", f"Event {ruling.answers} asks for no ruling; {waiting} does.")


def _carry_out(table: Table, rules: Ruleset, subject: Combatant, ruling: Ruling) -> None:
    why = f"ruling: {ruling.reason}"
    for name, value in ruling.set.items():
        _set(table, subject, name, value, why)
    for entry in ruling.add:
        name, level = _name_and_level(entry)
        ref = rules.condition_ref(name)
        table.apply_condition(subject, ref, source=f"{rules.name}:ruling:gm", owner="gm", level=level)
    for name in ruling.remove:
        ref = rules.condition_ref(name)
        if not subject.has(ref):
            held = choices(condition.name for condition in subject.conditions.values())
            raise Refusal("rule/no-condition", f"{subject.id} is not {name}; it has {held}.")
        table.remove_condition(subject, ref, why)
    if ruling.to is not None:
        rules.place(table.battle, ruling.to)
        table.move(subject, ruling.to, forced=True)


def _name_and_level(entry: str) -> tuple[str, int | None]:
    """A condition that has levels is ruled with one: `exhaustion:3`."""
    name, _, level = entry.partition(":")
    if level and not (level.isdecimal() and len(level) <= 2):
        raise Refusal("rule/level", f"{level!r} is not a condition's level; write a number, as in {name}:2.")
    return name, int(level) if level else None


def _set(table: Table, subject: Combatant, name: str, value: int, why: str) -> None:
    if value < 0:
        raise Refusal("rule/negative", f"{name} cannot be {value}; give 0 or more.")
    if name in subject.vitals:
        change = value - subject.vitals[name].current
        if change < 0:
            table.damage(subject, name, -change, (), "gm")
        elif change > 0:
            table.heal(subject, name, change, why, "gm")
    elif name in subject.economy:
        table.reset(subject, name, value, why)
    else:
        known = choices(sorted([*subject.vitals, *subject.economy]))
        raise Refusal("rule/unknown-value", f"{subject.id} has no {name!r}; it has {known}.")
