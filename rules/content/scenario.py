"""Scenario files: a fight as a script. They serve as demos, bug reports and tests.

The format is documented in docs/scenarios.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ledger.errors import Problem
from ledger.events import Controller, Data, Event, Face, Policy, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.content.enlisting import enlist
from rules.content.files import read_yaml
from rules.content.packs import Pack, of_encounter, opened_with, packs_of
from rules.engine import ruleset as rulesets
from rules.engine.arena import Arena
from rules.engine.commands import GM, Declaration, Opening, Reply
from rules.engine.core_actions import core_ref
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal
from rules.engine.validation import validated


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Entrant(Part):
    """A combatant of the fight."""

    sheet: str | Data
    name: str | None = Field(default=None, alias="as")
    count: int = Field(default=1, ge=1)
    side: str = "heroes"
    controller: Controller | None = None
    at: Position | None = None
    overrides: Data = Field(default_factory=dict)
    reactions: dict[str, Policy] = Field(default_factory=dict)


class Step(Part):
    """One command of the script: a declaration (`do`) or an answer (`react`), and the expected result."""

    do: str | None = None
    react: str | None = None
    actor: str | None = None
    target: str | list[str] | None = None
    to: Position | None = None
    weapon: str | None = Field(default=None, alias="with")
    options: Data = Field(default_factory=dict)
    replies: dict[str, str | list[str]] = Field(default_factory=dict)
    dice: list[Face] | None = None
    expect: Data = Field(default_factory=dict)
    events: list[Data] = Field(default_factory=list)
    refused: str | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _one_command(self) -> Step:
        if (self.do is None) == (self.react is None):
            raise ValueError("a step has either `do` or `react`")
        if self.react is not None and self.actor is None:
            raise ValueError("`react` needs an `actor`")
        return self


class Scenario(Part):
    encounter: str
    ruleset: str = "dnd5e"
    dice: str = "random"
    map: str | None = None
    options: Data = Field(default_factory=dict)
    combatants: list[Entrant] = Field(default_factory=list)
    script: list[Step] = Field(default_factory=list)


@dataclass(slots=True)
class Played:
    """A step that was played, and how it differs from what was expected."""

    number: int
    step: Step
    events: Sequence[Event] = ()
    refusal: Problem | None = None
    differences: list[str] = field(default_factory=list)


def read_scenario(path: Path) -> Scenario:
    """A scenario from a file, or a refusal that says what is wrong with it."""
    return validated(Scenario, read_yaml(path), "scenario/invalid", f"{path.name}:", file=path.name)


def opening_of(scenario: Scenario, name: str | None = None, packs: Sequence[Pack] = ()) -> Opening:
    rows = tuple(scenario.map.rstrip("\n").split("\n")) if scenario.map is not None else None
    needed = of_encounter(rulesets.find(scenario.ruleset), packs) if packs else []
    return Opening(
        name=name or scenario.encounter,
        ruleset=scenario.ruleset,
        dice=scenario.dice,
        map=rows,
        options=opened_with(scenario.options, needed),
    )


def play(
    scenario: Scenario, arena: Arena, shown: Callable[[Played], None] = lambda _: None, packs: Sequence[Pack] = ()
) -> list[Played]:
    """Let everybody join, then play the script. Stops at the first step with an unexpected result."""
    join_all(scenario, arena, packs)
    played: list[Played] = []
    for number, step in enumerate(scenario.script, start=1):
        done = _play_step(number, step, arena)
        shown(done)
        played.append(done)
        if done.differences:
            break
    return played


def play_in_memory(
    scenario: Scenario, shown: Callable[[Played], None] = lambda _: None, packs: Sequence[Pack] = ()
) -> tuple[Fight, list[Played]]:
    fight = Fight.open(opening_of(scenario, packs=packs))
    return fight, play(scenario, fight, shown, packs)


def join_all(scenario: Scenario, arena: Arena, packs: Sequence[Pack] = ()) -> None:
    """Let everybody join, with sheets from the packs or from the ruleset."""
    rules = rulesets.find(scenario.ruleset)
    known = [*packs_of(arena.battle), *packs]
    for entrant in scenario.combatants:
        arena.declare(_join(rules, entrant, known))


def _join(rules: rulesets.Ruleset, entrant: Entrant, packs: Sequence[Pack]) -> Declaration:
    options = enlist(
        rules,
        entrant.sheet,
        packs,
        name=entrant.name,
        count=entrant.count if entrant.count > 1 else None,
        side=entrant.side,
        controller=entrant.controller,
        position=entrant.at,
        overrides=entrant.overrides,
        policies=entrant.reactions,
    )
    return Declaration(actor=GM, action="core:time:join", options=options)


def _play_step(number: int, step: Step, arena: Arena) -> Played:
    played = Played(number, step)
    try:
        played.events = _carry_out(step, arena)
    except Problem as problem:
        played.refusal = problem
        if step.refused is None:
            played.differences.append(f"it was refused: {problem.sentence} [{problem.code}]")
        elif step.refused != problem.code:
            played.differences.append(f"expected the refusal {step.refused}, got {problem.code}")
        return played
    if step.refused is not None:
        played.differences.append(f"expected the refusal {step.refused}, but it was carried out")
    played.differences += _compare_state(step.expect, arena.battle)
    played.differences += _compare_events(step.events, played.events)
    return played


def _carry_out(step: Step, arena: Arena) -> Sequence[Event]:
    if step.react is not None:
        assert step.actor is not None
        return arena.answer(_reply(step.actor, step.react, step.options), dice=step.dice)
    assert step.do is not None
    targets = _listed(step.target or [])
    return arena.declare(
        Declaration(
            actor=step.actor or GM,
            action=core_ref(step.do),
            targets=tuple(targets),
            destination=step.to,
            weapon=step.weapon,
            options=step.options,
        ),
        dice=step.dice,
        replies=[_reply(reactor, reaction) for reactor, given in step.replies.items() for reaction in _listed(given)],
    )


def _listed(given: str | list[str]) -> list[str]:
    return [given] if isinstance(given, str) else given


def _reply(reactor: str, reaction: str, options: Data | None = None) -> Reply:
    return Reply(reactor=reactor, reaction=None if reaction == "pass" else reaction, options=options or {})


def _compare_state(expected: Data, battle: Battle) -> list[str]:
    differences = []
    for path, value in expected.items():
        found = look_up(battle, path)
        if _plain(found) != _plain(value):
            differences.append(f"{path}: expected {_shown(value)}, found {_shown(found)}")
    return differences


def look_up(battle: Battle, path: str) -> Any:
    """A value of the state by its path.

    It is `round`, `turn`, `order`, `waiting`, `labels`, or one of `NAME.hp`, `NAME.attacks`, `NAME.position`,
    `NAME.conditions`, `NAME.granted`, `NAME.POOL.spent`, `NAME.pile.PILE` ...
    """
    match path.split("."):
        case ["round"]:
            return battle.clock.round
        case ["turn"]:
            return battle.clock.turn
        case ["order"]:
            return [entry.combatant for entry in battle.clock.order]
        case ["waiting"]:
            return battle.window.waiting.reactor if battle.window and battle.window.waiting else None
        case ["labels"]:
            return list(battle.labels)
        case [name, what] if name in battle.combatants:
            return _value(battle.combatants[name], what, path)
        case [name, "pile", pile] if name in battle.combatants:
            return battle.combatants[name].pile(pile)
        case [name, pool, part] if name in battle.combatants and pool in battle.combatants[name].economy:
            return getattr(battle.combatants[name].economy[pool], part, None)
    raise _unknown_path(path)


def _value(combatant: Combatant, what: str, path: str) -> Any:
    if what == "position":
        return combatant.position
    if what == "conditions":
        return sorted(condition.name for condition in combatant.conditions.values())
    if what == "granted":
        return sorted(grant.action.rsplit(":", 1)[1] for grant in combatant.granted.values())
    if what in combatant.vitals:
        return combatant.vitals[what].current
    if what in combatant.economy:
        return combatant.economy[what].current
    raise _unknown_path(path)


def _unknown_path(path: str) -> Refusal:
    return Refusal("scenario/unknown-value", f"The state has no value {path!r}.", name=path)


def _compare_events(expected: Sequence[Data], events: Sequence[Event]) -> list[str]:
    """Each expected event must be among the new ones, in order. Only the fields that are given are compared."""
    differences = []
    rest = [event.model_dump(mode="json") for event in events]
    for pattern in expected:
        at = next((i for i, event in enumerate(rest) if _matches(pattern, event)), None)
        if at is None:
            kinds = [event["kind"] for event in rest if event["kind"] == pattern.get("kind")]
            hint = _nearest(pattern, rest) if kinds else f"no {pattern.get('kind')} among them"
            differences.append(f"expected the event {_shown(pattern)}, but {hint}")
            break
        rest = rest[at + 1 :]
    return differences


def _matches(pattern: Data, event: Data) -> bool:
    return all(_plain(event.get(key)) == _plain(value) for key, value in pattern.items())


def _nearest(pattern: Data, events: list[Data]) -> str:
    event = next(event for event in events if event["kind"] == pattern["kind"])
    return "found " + _shown({key: event.get(key) for key in pattern})


def _shown(value: Any) -> str:
    """As JSON writes it, for a sentence."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """Tuples as lists, as files have them."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
