"""Rulings of the GM: set a value, a condition or a position; hurt and heal by the rules; hide and reveal combatants.

A ruling sets a value and gives a reason. Hurting and healing go through the rules instead: resistances, concentration,
falling, waking up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import Field

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Declared, Position, Ruled
from projections.battle.clock_and_map import SOLID, TERRAIN
from projections.battle.combatant import Combatant
from projections.story.phrases import name_of, the_side, verb
from projections.views.visibility import UNREVEALED


class RulingOptions(Options):
    """A GM's ruling about one combatant."""

    reason: str = Field(min_length=1, max_length=2000, description="the reason for the ruling")
    set: dict[str, int] = Field(default_factory=dict, description="new values of vitals and resources, by name")
    add: tuple[str, ...] = Field(default=(), description="conditions that begin, as NAME or NAME:LEVEL")
    remove: tuple[str, ...] = Field(default=(), description="conditions that end")
    to: Position | None = Field(default=None, description="the square that the combatant moves to")
    side: str | None = Field(default=None, min_length=1, max_length=60, description="the side it fights on from now on")
    terrain: dict[str, str] = Field(
        default_factory=dict, max_length=400, description="new terrain letters of squares, by square such as 4,2"
    )
    note: str | None = Field(default=None, description="anything else, in words")
    answers: int | None = Field(default=None, ge=1, description="seq of the question that the ruling settles")
    secret: bool = Field(default=False, description="whether only the GM sees the ruling; its effects stay visible")

    def in_words(self) -> str:
        parts = [f"{name_of(name)} {verb(name, 'be')} {value}" for name, value in self.set.items()]
        parts += [f"{name_of(name)} begins" for name in self.add]
        parts += [f"{name_of(name)} ends" for name in self.remove]
        parts += [f"moves to {self.to[0]},{self.to[1]}"] if self.to else []
        parts += [f"now fights for {the_side(self.side)}"] if self.side else []
        parts += [f"{square} becomes {TERRAIN.get(letter, letter)}" for square, letter in self.terrain.items()]
        parts += [self.note] if self.note else []
        return ", ".join(parts)


def rule(table: Table, rules: Ruleset, declared: Declared) -> None:
    ruling = RulingOptions.read(declared.options)
    subject = table.combatant(declared.targets[0]) if declared.targets else None
    if subject is None and (ruling.set or ruling.add or ruling.remove or ruling.to or ruling.side):
        raise Refusal("rule/no-subject", "A ruling that changes something has to name the combatant it is about.")
    if not ruling.in_words():
        raise Refusal(
            "rule/empty",
            "A ruling has to say something: values to set, conditions to add or remove, a square to move to, a side, "
            "terrain, or a note.",
        )
    _check_question(table, ruling)
    ruled = table.record(
        Ruled,
        ruling=ruling.in_words(),
        reason=ruling.reason,
        subject=subject.id if subject else None,
        answers=ruling.answers,
        by=declared.by,
    )
    with table.because_of(ruled):
        for square, letter in ruling.terrain.items():
            _change_terrain(table, rules, square, letter)
        if subject is not None:
            _carry_out(table, rules, subject, ruling)


def _change_terrain(table: Table, rules: Ruleset, square: str, letter: str) -> None:
    if letter not in TERRAIN:
        known = choices([f"{one} ({words})" for one, words in TERRAIN.items()])
        sentence = f"A square cannot be {letter!r}; it is {known}."
        raise unknown("rule/unknown-terrain", sentence, letter, list(TERRAIN))
    place = _square(table, square)
    occupant = rules.occupant(table.battle, place)
    if letter in SOLID and occupant is not None:
        raise Refusal(
            "rule/occupied",
            f"{occupant.name} is at {square}; move it before the square becomes {TERRAIN[letter]}.",
            who=occupant.id,
            destination=place,
        )
    table.change_terrain(place, letter, f"{rules.name}:ruling:gm", GM)


def _square(table: Table, text: str) -> Position:
    found = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", text)
    place = (int(found[1]), int(found[2])) if found else None
    if place is None or place not in grid_of(table.battle.map):
        raise Refusal("rule/no-square", f"{text!r} is not a square of the map; write COLUMN,ROW.", found=text)
    return place


def _check_question(table: Table, ruling: RulingOptions) -> None:
    if ruling.answers is not None and ruling.answers not in table.battle.questions:
        waiting = list(table.battle.questions)
        others = f"event {choices(map(str, waiting))} is" if waiting else "no event is"
        raise Refusal(
            "rule/no-question",
            f"Event {ruling.answers} is not waiting for a ruling; {others}.",
            seq=ruling.answers,
            available=waiting,
        )


def _carry_out(table: Table, rules: Ruleset, subject: Combatant, ruling: RulingOptions) -> None:
    why = f"ruling: {ruling.reason}"
    ends = [_held(rules, subject, name) for name in ruling.remove]
    before = set(subject.conditions)
    for name, value in ruling.set.items():
        _set(table, rules, subject, name, value, why)
    for entry in ruling.add:
        name, level = _name_and_level(entry)
        ref = rules.condition_ref(name)
        if ref in before or not subject.has(ref):  # otherwise it follows from a value that the ruling sets
            rules.begin_condition(table, subject, ref, level)
    for ref in ends:
        if subject.has(ref):
            rules.end_condition(table, subject, ref, why)
    if ruling.side is not None and ruling.side != subject.side:
        table.change_side(subject, ruling.side, f"{rules.name}:ruling:gm")
    if ruling.to is not None:
        rules.place(table.battle, ruling.to, subject)
        table.move(subject, ruling.to, forced=True)


def _held(rules: Ruleset, subject: Combatant, name: str) -> str:
    """The ref of a condition that the subject has."""
    ref = rules.condition_ref(name)
    if not subject.has(ref):
        held = [condition.name for condition in subject.conditions.values()]
        others = f"its conditions are {listing(held)}" if held else "it has none"
        sentence = f"{subject.name} does not have the condition {name}; {others}."
        raise unknown("rule/no-condition", sentence, name, held, who=subject.id)
    return ref


def _name_and_level(entry: str) -> tuple[str, int | None]:
    """The name and level in an entry such as `exhaustion:3`; the level is None if none is given."""
    name, _, level = entry.partition(":")
    if level and not (level.isdecimal() and len(level) <= 2):
        raise Refusal(
            "rule/level",
            f"{level!r} is not the level of a condition; it is a number, as in {name}:2.",
            name=name,
            found=level,
        )
    return name, int(level) if level else None


def _set(table: Table, rules: Ruleset, subject: Combatant, name: str, value: int, why: str) -> None:
    if value < 0:
        raise Refusal("rule/negative", f"{name} cannot be {value}; it is 0 or more.", name=name, found=value, needed=0)
    if name in subject.vitals:
        rules.set_vital(table, subject, name, value, why)
    elif name in subject.economy:
        table.reset(subject, name, value, why)
    else:
        known = sorted([*subject.vitals, *subject.economy])
        sentence = f"{subject.name} has no {name!r}; it has {listing(known)}."
        raise unknown("rule/unknown-value", sentence, name, known, who=subject.id)


HURT, HEAL = "core:gm:hurt", "core:gm:heal"


class HurtOptions(Options):
    amount: int = Field(ge=1, le=9999, description="points of damage")
    type: str | None = Field(default=None, max_length=40, description="the type of damage, such as fire")
    reason: str = Field(default="", max_length=2000, description="what hurts")


class HealOptions(Options):
    amount: int = Field(ge=1, le=9999, description="points of healing")
    pool: str | None = Field(default=None, max_length=40, description="the pool to heal, if there are several")
    reason: str = Field(default="", max_length=2000, description="what heals")


def hurt(table: Table, rules: Ruleset, declared: Declared) -> None:
    hurting = HurtOptions.read(declared.options)
    for target in _targets(table, declared):
        rules.hurt(table, target, hurting.amount, hurting.type)
    rules.after_hurting(table)


def heal(table: Table, rules: Ruleset, declared: Declared) -> None:
    healing = HealOptions.read(declared.options)
    for target in _targets(table, declared):
        rules.heal(table, target, healing.amount, healing.pool, healing.reason or "the GM heals")


def _targets(table: Table, declared: Declared) -> Iterator[Combatant]:
    if not declared.targets:
        raise Refusal("target/nobody", "Name at least one combatant.")
    return (table.combatant(target) for target in declared.targets)


REVEAL, CONCEAL = "core:time:reveal", "core:time:conceal"


def reveal(table: Table, rules: Ruleset, declared: Declared) -> None:
    for combatant in _named(table, declared):
        if not combatant.has(UNREVEALED):
            raise Refusal("reveal/known", f"{combatant.name} is already revealed.", who=combatant.id)
        table.remove_condition(combatant, UNREVEALED, "revealed")


def conceal(table: Table, rules: Ruleset, declared: Declared) -> None:
    for combatant in _named(table, declared):
        if combatant.has(UNREVEALED):
            raise Refusal(
                "reveal/unrevealed", f"{combatant.name} is already hidden from the players.", who=combatant.id
            )
        keep_unrevealed(table, combatant, CONCEAL)


def keep_unrevealed(table: Table, combatant: Combatant, source: str) -> None:
    table.apply_condition(combatant, UNREVEALED, source=source, owner="gm")


def _named(table: Table, declared: Declared) -> list[Combatant]:
    if not declared.targets:
        raise Refusal("reveal/nobody", "Name at least one combatant.")
    return [table.combatant(target) for target in declared.targets]
