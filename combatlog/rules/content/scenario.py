"""Scenario files: a fight as a script, with the expected values, events and refusals of each step.

They serve as demos, bug reports and tests. The format is documented in docs/scenarios.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from combatlog.rules.content.files import read_yaml
from combatlog.rules.content.packs import Pack, enlist, of_encounter, opened_with, packs_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration, Opening, PlayableFight, Reply
from combatlog.rules.engine.declarations.core_actions import core_ref
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Problem
from ledger.events import Controller, Data, Event, Face, Policy, Position
from ledger.json_shapes import EventData
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def compare_state(expected: Data, battle: Battle) -> list[str]:
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


def compare_events(expected: Sequence[Data], events: Sequence[Event]) -> list[str]:
    """Require each expected event among the new ones, in order. Only the given fields are compared."""
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


def compare_absent(unwanted: Sequence[Data], events: Sequence[Event]) -> list[str]:
    """Forbid new events that match any of these. Only the given fields are compared."""
    found = [event.model_dump(mode="json") for event in events]
    return [
        f"expected no event {_shown(pattern)}, but event {event['seq']} matches"
        for pattern in unwanted
        for event in found
        if _matches(pattern, event)
    ]


def _matches(pattern: Data, event: Data) -> bool:
    return all(_plain(event.get(key)) == _plain(value) for key, value in pattern.items())


def _nearest(pattern: Data, events: list[Data]) -> str:
    event = next(event for event in events if event["kind"] == pattern["kind"])
    return "found " + _shown({key: event.get(key) for key in pattern})


def _shown(value: Any) -> str:
    """A value as JSON, for a sentence."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """A value with tuples as lists, as in files."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


class ScenarioPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ScenarioEntrant(ScenarioPart):
    """A combatant of the fight."""

    sheet: str | Data
    name: str | None = Field(default=None, alias="as")
    count: int = Field(default=1, ge=1)
    side: str = "heroes"
    controller: Controller | None = None
    at: Position | None = None
    overrides: Data = Field(default_factory=dict)
    reactions: dict[str, Policy] = Field(default_factory=dict)


class ScenarioStep(ScenarioPart):
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
    by: str | None = None
    expect: Data = Field(default_factory=dict)
    events: list[Data] = Field(default_factory=list)
    no_events: list[Data] = Field(default_factory=list)
    refused: str | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _one_command(self) -> ScenarioStep:
        if (self.do is None) == (self.react is None):
            raise ValueError("give either `do` or `react`")
        if self.react is not None and self.actor is None:
            raise ValueError("`react` needs an `actor`")
        return self


class Scenario(ScenarioPart):
    encounter: str
    ruleset: str = "dnd5e"
    dice: str = "random"
    map: str | None = None
    options: Data = Field(default_factory=dict)
    combatants: list[ScenarioEntrant] = Field(default_factory=list)
    script: list[ScenarioStep] = Field(default_factory=list)


class ScriptStep(TypedDict):
    step: int
    events: list[EventData]
    refused: Annotated[str | None, Field(description="the code of the refusal")]
    differences: Annotated[list[str], Field(description="the differences from the scenario, in words")]


@dataclass(slots=True)
class PlayedStep:
    """A step that was played, and its differences from the expected result."""

    number: int
    step: ScenarioStep
    events: Sequence[Event] = ()
    refusal: Problem | None = None
    differences: list[str] = field(default_factory=list)

    def to_json(self) -> ScriptStep:
        return {
            "step": self.number,
            "events": [event.to_json() for event in self.events],
            "refused": self.refusal.code if self.refusal else None,
            "differences": self.differences,
        }


def read_scenario(path: Path) -> Scenario:
    """A scenario from a file. Refuses an invalid one."""
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
    scenario: Scenario,
    arena: PlayableFight,
    shown: Callable[[PlayedStep], None] = lambda _: None,
    packs: Sequence[Pack] = (),
) -> list[PlayedStep]:
    """Let all combatants join, then play the script. Stops at the first step with an unexpected result."""
    join_all(scenario, arena, packs)
    played: list[PlayedStep] = []
    for number, step in enumerate(scenario.script, start=1):
        done = _play_step(number, step, arena)
        shown(done)
        played.append(done)
        if done.differences:
            break
    return played


def play_in_memory(
    scenario: Scenario, shown: Callable[[PlayedStep], None] = lambda _: None, packs: Sequence[Pack] = ()
) -> tuple[FightEngine, list[PlayedStep]]:
    fight = FightEngine.open(opening_of(scenario, packs=packs))
    return fight, play(scenario, fight, shown, packs)


def check_entrants(scenario: Scenario, packs: Sequence[Pack] = ()) -> None:
    """Refuse a scenario with a combatant that could not join, before the fight is opened."""
    join_all(scenario, FightEngine.open(opening_of(scenario, packs=packs)), packs)


def join_all(scenario: Scenario, arena: PlayableFight, packs: Sequence[Pack] = ()) -> None:
    """Let all combatants join, with sheets from the packs or the ruleset."""
    rules = rulesets.find(scenario.ruleset)
    known = [*packs_of(arena.battle), *packs]
    for number, entrant in enumerate(scenario.combatants, start=1):
        try:
            arena.declare(_join(rules, entrant, known))
        except Refusal as refusal:
            raise _of_entrant(refusal, number, entrant) from refusal


def _of_entrant(refusal: Refusal, number: int, entrant: ScenarioEntrant) -> Refusal:
    """The same refusal, with the name of the combatant, because a file has several."""
    name = entrant.name or (entrant.sheet if isinstance(entrant.sheet, str) else entrant.sheet.get("name"))
    who = f"Combatant {number} ({name})" if name else f"Combatant {number}"
    return Refusal(refusal.code, f"{who}: {refusal.sentence}", **{**refusal.facts, "combatant": number})


def _join(rules: rulesets.Ruleset, entrant: ScenarioEntrant, packs: Sequence[Pack]) -> Declaration:
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


def _play_step(number: int, step: ScenarioStep, arena: PlayableFight) -> PlayedStep:
    played = PlayedStep(number, step)
    try:
        played.events = _carry_out(step, arena)
    except Problem as problem:
        played.refusal = problem
    played.differences += _compare_refusal(step.refused, played.refusal)
    played.differences += compare_state(step.expect, arena.battle)
    played.differences += compare_events(step.events, played.events)
    played.differences += compare_absent(step.no_events, played.events)
    return played


def _compare_refusal(expected: str | None, found: Problem | None) -> list[str]:
    if found is None:
        return [] if expected is None else [f"expected the refusal {expected}, but it was carried out"]
    if expected is None:
        return [f"it was refused: {found.sentence} [{found.code}]"]
    return [] if expected == found.code else [f"expected the refusal {expected}, got {found.code}: {found.sentence}"]


def _carry_out(step: ScenarioStep, arena: PlayableFight) -> Sequence[Event]:
    if step.react is not None:
        assert step.actor is not None
        return arena.answer(_reply(step.actor, step.react, step.options, by=step.by), dice=step.dice)
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
            by=step.by,
        ),
        dice=step.dice,
        replies=[_reply(reactor, reaction) for reactor, given in step.replies.items() for reaction in _listed(given)],
    )


def _listed(given: str | list[str]) -> list[str]:
    return [given] if isinstance(given, str) else given


def _reply(reactor: str, reaction: str, options: Data | None = None, by: str | None = None) -> Reply:
    return Reply(reactor=reactor, reaction=None if reaction == "pass" else reaction, options=options or {}, by=by)
