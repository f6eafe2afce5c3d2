"""The contract of a ruleset, and how one is found.

A ruleset is a plug-in: any installed package can offer one through the entry-point group `combatlog.rulesets`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from ledger.events import Controller, Data, Declared, Gauge, Policy, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.grid import grid_of
from rules.engine.options import EncounterOptions, Options, Said, Signature, check_options
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table

if TYPE_CHECKING:
    from rules.autoplay.option import Option
    from rules.autoplay.scoring import Metrics
    from rules.content.ability_library import AbilityLibrary

GROUP = "combatlog.rulesets"


class Enlistment(Options):
    """Who joins: a sheet, and how this combatant differs from it.

    The sheet is given in full, so that the declaration stands on its own whatever the shipped ones become.
    """

    sheet: Data = Field(description="the sheet, in full")
    name: str | None = Field(default=None, min_length=1, max_length=60, description="what the combatant is called")
    side: str = Field(default="heroes", min_length=1, max_length=30, description="whom it fights with")
    controller: Controller | None = Field(default=None, description="who answers for it")
    position: Position | None = Field(default=None, description="where it stands")
    overrides: Data = Field(default_factory=dict, description="fields of the sheet that differ")
    policies: dict[str, Policy] = Field(
        default_factory=dict, description="what it does with offered reactions, by name; `*` for all others"
    )


class Recruit(BaseModel):
    """What a ruleset makes of an enlistment."""

    name: str
    controller: Controller
    sheet: Data
    vitals: dict[str, Gauge]
    resources: dict[str, Gauge]


class Choice(BaseModel):
    """One entry of a combatant's menu."""

    name: str
    cost: str = ""
    note: str = ""
    why_not: str | None = Field(default=None, description="why it cannot be used now; None: it can")


class Section(BaseModel):
    """A part of a combatant's menu, such as its features."""

    title: str
    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class PackSection:
    """A file of a user's pack: entries by name, which sheets may name in their field of the same name."""

    name: str
    about: str
    check: Callable[[str, Data], object]
    """Refuses an entry that cannot be used; it is given the entry's name, and what the file says of it."""
    forms: Mapping[str, Any]
    """What an entry may be: the model of its fields, by the name of its archetype. `""`: all have the same fields."""
    of_encounter: bool = False
    """Its entries belong to the encounter, which has to be opened with them, and not to sheets."""


class Advice(BaseModel):
    """One way for a combatant to go on: whether it fits the situation, why, and what it would leave."""

    choice: str
    recommended: bool
    why: str
    leaves: dict[str, int] = Field(default_factory=dict, description="by resource or vital; empty: cannot be chosen")
    score: float | None = Field(default=None, description="how good it is, all metrics weighted; None: not measured")
    metrics: dict[str, float] = Field(default_factory=dict, description="what was measured, by the metric's name")


class Ruleset(ABC):
    """Given a battle and a declaration: which events follow."""

    name: str
    version: str
    encounter_options: type[EncounterOptions] | None = None
    """What an encounter can be opened with. None: the ruleset checks its options itself, in `settle`."""

    def settle(self, options: Data) -> Data:
        """The optional rules that an encounter is opened with, checked and with what was left out filled in.

        They are recorded, so that the fight stands on its own whatever the ruleset's defaults become.
        """
        if self.encounter_options is None:
            return options
        check_options(self.encounter_options, self.name, options)
        return self.encounter_options.model_validate(options).model_dump(mode="json", exclude_none=True)

    def equip(self, options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
        """The options of an encounter that is opened with packs, given by the entries of their files.

        For rulesets where entries belong to the whole encounter; where they belong to sheets, there is nothing to do.
        """
        return options

    def pack_sections(self) -> Sequence[PackSection]:
        """What a pack may bring beside sheets."""
        return ()

    @property
    def library(self) -> AbilityLibrary | None:
        """The ruleset's ability library, if it has one."""
        return None

    @abstractmethod
    def sheets(self) -> dict[str, Data]:
        """The sheets that come with the ruleset, by name."""

    @abstractmethod
    def recruit(self, enlistment: Enlistment) -> Recruit:
        """Validate a sheet and say what its owner starts with."""

    @abstractmethod
    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        """Every action that can be declared, by the name people use for it; with those that this combatant brings."""

    @abstractmethod
    def reaction_refs(self) -> dict[str, str]:
        """Every reaction that can be offered, by the name people use for it."""

    def signature(self, action: str, actor: Combatant | None = None) -> Signature | None:
        """What a declaration of this action can say. None: the ruleset does not declare it, and anything is taken."""
        return None

    def reaction_signature(self, reaction: str) -> Signature | None:
        """What an answer with this reaction can say. None: the ruleset does not declare it."""
        return None

    def check_said(self, battle: Battle, action: str, said: Said) -> None:  # noqa: B027 (most rulesets have none)
        """Refuse what a declaration would record without effect, where its signature alone does not tell.

        This is asked when somebody says it, and never of what is on record: `resolve` reads that leniently.
        """

    @abstractmethod
    def resolve(self, table: Table, declared: Declared) -> None:
        """Record what follows from a declaration, or refuse it."""

    @abstractmethod
    def start(self, table: Table) -> None:
        """Record the beginning of the fight: initiative, the first round, the first turn."""

    @abstractmethod
    def end_turn(self, table: Table, combatant: Combatant) -> None:
        """Record the end of a combatant's turn and what comes after it."""

    def menu(self, battle: Battle, actor: Combatant) -> list[Section]:
        """What a combatant has and can do, with the cost of each and what keeps it from it now."""
        return []

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        """What kept a reaction or feature of this name out of a declaration, for each who has it, in sentences."""
        return []

    def condition_names(self) -> list[str]:
        return []

    def advise(self, battle: Battle, actor: Combatant) -> list[Advice]:
        """Which choices fit a combatant's situation. Empty for a ruleset that has no advice to give."""
        return []

    def options(self, battle: Battle, actor: Combatant) -> Sequence[Option]:
        """What a combatant could do, for choosing among it. Empty for a ruleset that cannot play by itself."""
        return []

    def metrics(self) -> Metrics:
        """What options are measured by."""
        from rules.autoplay.scoring import Metrics

        return Metrics()

    def in_the_fight(self, battle: Battle) -> list[Combatant]:
        """Those who can still win or lose it."""
        return battle.present()

    def lasting_resources(self, combatant: Combatant) -> list[str]:
        """Those that do not come back by themselves: what a fight costs, beyond hit points."""
        return []

    def condition_ref(self, name: str) -> str:
        """The ref of a condition by name, for rulings."""
        return f"{self.name}:condition:{name}"

    def place(self, battle: Battle, position: Position) -> None:
        """Refuse a place where nobody can stand."""
        grid = grid_of(battle.encounter.map)
        x, y = position
        if position not in grid:
            raise Refusal(
                "place/off-map",
                f"{x},{y} is not on the map, which has columns 0 to {grid.width - 1} and rows 0 to {grid.height - 1}.",
            )
        if not grid.is_open(position):
            raise Refusal("place/wall", f"There is a wall at {x},{y}; choose an open square.")
        occupant = battle.at(position)
        if occupant is not None:
            raise Refusal("place/occupied", f"{occupant.id} stands at {x},{y}; choose another square.")

    def sheet(self, name: str) -> Data:
        shipped = self.sheets()
        if name not in shipped:
            raise Refusal(
                "sheet/unknown",
                f"{self.name} has no sheet {name!r}; it has {choices(sorted(shipped))}, or give a YAML file.",
            )
        return shipped[name]

    def action_ref(self, name: str, actor: Combatant | None = None) -> str:
        return _look_up(self.action_refs(actor), name, "action", self.name)

    def reaction_ref(self, name: str, battle: Battle | None = None) -> str:
        """The ref of a reaction by name. A ruleset where people choose among things in the battle looks there."""
        return _look_up(self.reaction_refs(), name, "reaction", self.name)


def looked_up(name: str) -> str:
    """A name as refs write it, however a person typed it: `Uncanny Dodge` is `uncanny_dodge`."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _look_up(refs: dict[str, str], name: str, what: str, ruleset: str) -> str:
    wanted = looked_up(name)
    for known, ref in refs.items():
        if wanted in (known, ref):
            return ref
    raise Refusal(
        f"declaration/unknown-{what}",
        f"{ruleset} has no {what} {name!r}; it has {choices(sorted(refs))}.",
    )


def find(name: str) -> Ruleset:
    """The ruleset of this name: one in use already, or an installed one."""
    if name not in _IN_USE:
        offered = {entry.name: entry for entry in entry_points(group=GROUP)}
        if name not in offered:
            raise Refusal("ruleset/unknown", f"There is no ruleset {name!r}; installed: {choices(sorted(offered))}.")
        _IN_USE[name] = offered[name].load()
    return _IN_USE[name]


def use(ruleset: Ruleset) -> None:
    """Use this ruleset under its name for as long as the process runs, whether or not it is installed.

    For authors: a ruleset can be tried and tested before it is a package.
    """
    _IN_USE[ruleset.name] = ruleset


_IN_USE: dict[str, Ruleset] = {}
