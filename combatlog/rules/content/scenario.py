"""Scenario files: a fight as a script. They serve as demos, bug reports and tests.

The format is documented in docs/scenarios.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from combatlog.rules.content.enlisting import enlist
from combatlog.rules.content.files import read_yaml
from combatlog.rules.content.packs import Pack, of_encounter, opened_with, packs_of
from combatlog.rules.content.scenario_expectations import compare_absent, compare_events, compare_state
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.arena import Arena
from combatlog.rules.engine.commands import GM, Declaration, Opening, Reply
from combatlog.rules.engine.core_actions import core_ref
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.validation import validated
from ledger.errors import Problem
from ledger.events import Controller, Data, Event, Face, Policy, Position
from ledger.json_shapes import EventData


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
    by: str | None = None
    expect: Data = Field(default_factory=dict)
    events: list[Data] = Field(default_factory=list)
    no_events: list[Data] = Field(default_factory=list)
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


class ScriptStep(TypedDict):
    step: int
    events: list[EventData]
    refused: Annotated[str | None, Field(description="the code of the refusal")]
    differences: Annotated[list[str], Field(description="what is not as the scenario expects, in words")]


@dataclass(slots=True)
class Played:
    """A step that was played, and how it differs from what was expected."""

    number: int
    step: Step
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


def check_entrants(scenario: Scenario, packs: Sequence[Pack] = ()) -> None:
    """Refuse a fight that somebody could not join, before it is opened anywhere."""
    join_all(scenario, Fight.open(opening_of(scenario, packs=packs)), packs)


def join_all(scenario: Scenario, arena: Arena, packs: Sequence[Pack] = ()) -> None:
    """Let everybody join, with sheets from the packs or from the ruleset."""
    rules = rulesets.find(scenario.ruleset)
    known = [*packs_of(arena.battle), *packs]
    for number, entrant in enumerate(scenario.combatants, start=1):
        try:
            arena.declare(_join(rules, entrant, known))
        except Refusal as refusal:
            raise _of_entrant(refusal, number, entrant) from refusal


def _of_entrant(refusal: Refusal, number: int, entrant: Entrant) -> Refusal:
    """The same refusal, saying whose sheet it is about: a file has many."""
    name = entrant.name or (entrant.sheet if isinstance(entrant.sheet, str) else entrant.sheet.get("name"))
    who = f"Combatant {number} ({name})" if name else f"Combatant {number}"
    return Refusal(refusal.code, f"{who}: {refusal.sentence}", **{**refusal.facts, "combatant": number})


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


def _carry_out(step: Step, arena: Arena) -> Sequence[Event]:
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
