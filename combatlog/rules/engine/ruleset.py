"""The interface of a ruleset, and the lookup of rulesets by name.

A ruleset is a plug-in: any installed package can provide one through the entry point group `combatlog.rulesets`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from combatlog.rules.autoplay.scoring import Metrics
from combatlog.rules.engine import pieces
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.grid.squares import require_open, taken
from combatlog.rules.engine.options_and_validation import (
    DeclaredParts,
    EncounterOptions,
    Options,
    Signature,
    check_options,
)
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import (
    Advice,
    AreaPreview,
    Carried,
    CarriedCondition,
    ChoiceSection,
    Defence,
    PackSection,
    Price,
    RestKind,
)
from combatlog.rules.engine.summary import CombatantSummary, plain_summary
from ledger.events import Change, Controller, Data, Declared, Event, Gauge, InitiativeEntry, Policy, Position
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle
from projections.views.state import CombatantOutline
from projections.views.visibility import Concealing

if TYPE_CHECKING:
    from combatlog.rules.autoplay.option import Option
    from combatlog.rules.content.bestiary import AbilityLibrary, Bestiary

GROUP = "combatlog.rulesets"


class Enlistment(Options):
    """A joining combatant: its sheet, and how it differs from the sheet.

    The sheet is given in full, so that the declaration does not depend on later versions of the shipped sheets.
    """

    sheet: Data = Field(description="the sheet, in full")
    name: str | None = Field(default=None, min_length=1, max_length=60, description="the combatant's name")
    count: int = Field(default=1, ge=1, le=50, description="how many of them join, numbered from the second on")
    side: str = Field(default="heroes", min_length=1, max_length=30, description="the side that it fights on")
    controller: Controller | None = Field(default=None, description="who controls it; by default, what its sheet says")
    position: Position | None = Field(default=None, description="its square on the map: column and row, from 0")
    overrides: Data = Field(default_factory=dict, description="fields of the sheet that differ for this combatant")
    policies: dict[str, Policy] = Field(
        default_factory=dict, description="its policy for reactions, by name; `*` for all others"
    )
    hidden: bool = Field(default=False, description="whether it joins hidden from the players")
    initiative: int | None = Field(
        default=None, description="its initiative, if the fight has started; by default, it is rolled"
    )
    carried: Carried | None = Field(default=None, description="its state from an earlier fight")


class Recruit(BaseModel):
    """The combatant that a ruleset makes from an enlistment."""

    name: str
    controller: Controller
    sheet: Data
    vitals: dict[str, Gauge]
    resources: dict[str, Gauge]


class Ruleset(ABC):
    """Decides which events follow from a battle and a declaration."""

    name: str
    version: str
    encounter_options: type[EncounterOptions] | None = None
    """The model of an encounter's options. None: the ruleset checks them itself, in `settle`."""
    concealing: Concealing = Concealing()
    """The conditions that hide a combatant, or themselves, from other sides. They are recorded with each fight."""

    def settle(self, options: Data) -> Data:
        """The options of an encounter, checked and completed with the defaults.

        They are recorded in full, so that the fight does not depend on later defaults.
        """
        if self.encounter_options is None:
            return options
        check_options(self.encounter_options, self.name, options)
        return self.encounter_options.model_validate(options).model_dump(mode="json", exclude_none=True)

    def equip(self, options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
        """The options of an encounter that is opened with packs, each given as entries by file.

        For rulesets whose entries belong to the encounter. If they belong to sheets, the options stay unchanged.
        """
        return options

    def pack_sections(self) -> Sequence[PackSection]:
        """The sections that a pack can have besides sheets."""
        return ()

    @property
    def library(self) -> AbilityLibrary | None:
        """The ruleset's ability library, if it has one."""
        return None

    @property
    def bestiary(self) -> Bestiary | None:
        """The ruleset's bestiary, if it has one."""
        return None

    @abstractmethod
    def sheets(self) -> dict[str, Data]:
        """The sheets that ship with the ruleset, by name."""

    @abstractmethod
    def recruit(self, enlistment: Enlistment) -> Recruit:
        """Validate a sheet and work out the combatant's starting values."""

    @abstractmethod
    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        """The refs of all actions that can be declared, by name, including those that only this combatant has."""

    @abstractmethod
    def reaction_refs(self) -> dict[str, str]:
        """The refs of all reactions that can be offered, by name."""

    def signature(self, action: str, actor: Combatant | None = None) -> Signature | None:
        """What a declaration of this action takes. None: the ruleset does not say, and anything is accepted."""
        return None

    def reaction_signature(self, reaction: str) -> Signature | None:
        """What an answer with this reaction takes. None: the ruleset does not say, and anything is accepted."""
        return None

    def reaction_prices(self, battle: Battle, reactor: Combatant, reaction: str) -> Sequence[Price]:
        """The ways to pay for a reaction that is offered now, the usual one first. Empty: the ruleset does not say."""
        return ()

    def check_said(self, battle: Battle, action: str, said: DeclaredParts) -> None:  # noqa: B027 (most rulesets have none)
        """Refuse parts of a declaration that would have no effect, beyond what its signature can check.

        It is called only for new declarations. `resolve` reads recorded ones leniently.
        """

    @abstractmethod
    def resolve(self, table: Table, declared: Declared) -> None:
        """Record what follows from a declaration, or refuse the declaration."""

    @abstractmethod
    def start(self, table: Table) -> None:
        """Record the beginning of the fight: initiative, the first round, the first turn."""

    reinforcements_roll: bool = False
    """Whether combatants that join after the start roll initiative at once."""

    def reinforce(self, table: Table, newcomers: Sequence[str], initiative: int | None) -> None:  # noqa: B027
        """Record the initiative of combatants that have just joined: the given value, or a roll."""

    def initiative_rank(self, battle: Battle, entry: InitiativeEntry) -> tuple[int, ...]:
        """The sort key of the turn order, lowest first."""
        return (-entry.value,)

    @abstractmethod
    def end_turn(self, table: Table, combatant: Combatant) -> None:
        """Record the end of a combatant's turn and what comes after it."""

    def aim(self, battle: Battle, actor: Combatant, action: str, place: Position) -> AreaPreview:
        """The squares and combatants that an action's area would cover. Refused if it has no area."""
        name = action.rsplit(":", 1)[1]
        raise Refusal("aim/no-area", f"{name} does not cover an area.", who=actor.id, what=name)

    def damage_types(self) -> Sequence[str]:
        return ()

    def hurt(self, table: Table, target: Combatant, amount: int, kind: str | None) -> None:
        """Record damage of a type that no combatant deals. By default it lowers the first of the target's pools."""
        if kind is not None:
            raise no_damage_type(self.name, kind)
        table.damage(target, next(iter(target.vitals)), amount, (), GM)

    def after_hurting(self, table: Table) -> None:  # noqa: B027 (most rulesets have nothing to add)
        """Record what follows once all targets have been hurt, such as the end of the fight."""

    def heal(self, table: Table, target: Combatant, amount: int, pool: str | None, why: str) -> None:
        """Record healing. By default it raises the given pool, or else the first one, up to its maximum."""
        name = known_pool(target, pool)
        vital = target.vitals[name]
        missing = amount if vital.maximum is None else max(0, vital.maximum - vital.current)
        table.heal(target, name, min(amount, missing), why, GM)

    def menu(self, battle: Battle, actor: Combatant) -> list[ChoiceSection]:
        """What a combatant has and can do: each choice with its cost and, if it cannot be used now, the reason."""
        return []

    def glance(self, battle: Battle, combatant: Combatant) -> CombatantSummary:
        """What a screen shows of a combatant besides its name, its health and its conditions."""
        return plain_summary(combatant)

    def landmarks(self, battle: Battle) -> dict[Position, str]:
        """What a map shows besides terrain and combatants: a character by square."""
        return {}

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        """Why a reaction or feature of this name did not take part in a declaration: a sentence for each owner."""
        return []

    def forgotten_defence(self, defence: Defence, against: str | None) -> tuple[str, Change]:
        """How a forgotten resistance, vulnerability or immunity counts: the chain of the combatant who is hurt, and the
        change to it. `against` is a type of damage; None: all."""
        raise Refusal(
            "amend/no-defences", f"{self.name} has no resistances, vulnerabilities or immunities.", ruleset=self.name
        )

    def forgotten_modifier(self, chain: str, change: Change, recorded: Sequence[Event]) -> Change:
        """A forgotten modifier as it counts in a declaration that led to these events.

        Refused if it would have no effect.
        """
        return change

    def condition_names(self) -> list[str]:
        return []

    def condition_about(self, name: str) -> str | None:
        """What a condition does, in a sentence, for explanations."""
        return None

    def advise(self, battle: Battle, actor: Combatant) -> list[Advice]:
        """Advice on a combatant's choices. Empty if the ruleset gives none."""
        return []

    def stand_in(self, whole: Combatant, shown: CombatantOutline) -> Combatant | None:
        """A substitute, for advice to players, for a combatant that they know by sight only.

        It is made from what is visible, never from the combatant's sheet. None: advice ignores the combatant.
        """
        return None

    def options(self, battle: Battle, actor: Combatant) -> Sequence[Option]:
        """What a combatant could do, for automatic play. Empty if the ruleset does not support it."""
        return []

    def metrics(self) -> Metrics:
        """The metrics by which options are measured."""
        return Metrics()

    def to_act(self, battle: Battle) -> list[Combatant]:
        """The combatants that can declare something now: by default, the one whose turn it is."""
        turn = battle.clock.turn
        return [battle.combatants[turn]] if turn is not None else []

    def in_the_fight(self, battle: Battle) -> list[Combatant]:
        """The combatants that can still win or lose."""
        return battle.present()

    delayed_damage: Collection[str] = ()
    """Resources in which damage waits until it takes effect."""

    def winner(self, battle: Battle) -> str | None:
        """The side that has won: the last of several sides that still has combatants in the fight."""
        sides = {combatant.side for combatant in battle.combatants.values()}
        left = {combatant.side for combatant in self.in_the_fight(battle)}
        return left.pop() if len(left) == 1 and len(sides) > 1 else None

    def lasting_resources(self, combatant: Combatant) -> list[str]:
        """Resources that are not restored automatically: what a fight costs besides hit points."""
        return []

    # From fight to fight

    def is_dead(self, combatant: Combatant) -> bool:
        """Whether a combatant is dead and so cannot join the next fight."""
        return False

    def carried_resources(self, combatant: Combatant) -> list[str]:
        """Resources that keep their values in the next fight."""
        return self.lasting_resources(combatant)

    def lasting_conditions(self, combatant: Combatant) -> list[Condition]:
        """Conditions that outlast the fight; by default, none."""
        return []

    def rest(self, table: Table, combatant: Combatant, kind: RestKind, hit_dice: int) -> None:
        """Record what a rest between fights restores to a combatant that spends this many hit dice."""
        raise Refusal("rest/none", f"{self.name} has no rests.", ruleset=self.name)

    def carry_condition(self, table: Table, subject: Combatant, carried: CarriedCondition) -> None:
        """Record a condition from an earlier fight. The GM owns it, because its owner may not be in this fight."""
        table.apply_condition(
            subject, carried.condition, source=carried.source, owner=GM, level=carried.level, data=carried.data
        )

    def contradictions(self, events: Sequence[Event]) -> Iterable[tuple[int, str]]:
        """Contradictions in a fight that another tool recorded: the seq of an event, and what is wrong."""
        return ()

    # Short forms: what hitting, casting and moving can mean

    def weapons(self, actor: Combatant) -> list[str]:
        """The weapons that a combatant can use, the wielded one first."""
        return []

    def spells(self, actor: Combatant) -> list[str]:
        """The spells that a combatant can declare."""
        return []

    def hitting(
        self, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None
    ) -> Sequence[Sequence[Declaration]]:
        """The declarations that hitting a target could mean, the most obvious first, possible or not.

        Each group is a choice for the player, such as between two wielded weapons.
        """
        attack = Declaration(actor=actor.id, action="attack", targets=(target.id,), weapon=weapon)
        return [[attack]] if "attack" in self.action_refs(actor) else []

    def casting(self, actor: Combatant, spell: str) -> Declaration:
        """The declaration of a spell, without its targets."""
        return Declaration(actor=actor.id, action=spell)

    def moving(self, battle: Battle, actor: Combatant, to: Position) -> Sequence[Declaration]:
        """The declarations that moving to a square could mean, the cheapest first, possible or not."""
        move = Declaration(actor=actor.id, action="move", destination=to)
        return [move] if "move" in self.action_refs(actor) else []

    def condition_ref(self, name: str) -> str:
        """The ref of a condition by name, for rulings."""
        return f"{self.name}:condition:{name}"

    # The consequences of rulings and of leaving. A ruleset overrides these methods so that a ruling has the same
    # consequences as play.

    def set_vital(self, table: Table, subject: Combatant, vital: str, value: int, why: str) -> None:
        """Record that a ruling sets a vital to a value."""
        change = value - subject.vitals[vital].current
        if change < 0:
            table.damage(subject, vital, -change, (), "gm")
        elif change > 0:
            table.heal(subject, vital, change, why, "gm")

    def begin_condition(self, table: Table, subject: Combatant, condition: str, level: int | None) -> None:
        """Record that a ruling starts a condition, given by ref."""
        table.apply_condition(subject, condition, source=f"{self.name}:ruling:gm", owner="gm", level=level)

    def end_condition(self, table: Table, subject: Combatant, condition: str, why: str) -> None:
        """Record that a ruling ends a condition of its subject."""
        table.remove_condition(subject, condition, why)

    def before_leaving(self, table: Table, combatant: Combatant) -> None:  # noqa: B027 (most rulesets have nothing)
        """Record what happens when a combatant is about to leave the fight."""

    def place(self, battle: Battle, position: Position, who: Recruit | Combatant) -> None:
        """Refuse a square where a combatant cannot stand when it joins or a ruling puts it there."""
        require_open(battle, position)
        occupant = self.occupant(battle, position)
        if occupant is not None:
            raise taken(position, occupant)

    def occupant(self, battle: Battle, position: Position) -> Combatant | None:
        """The combatant that occupies a square, so that no other can stand there."""
        return battle.at(position)

    def sheet(self, name: str) -> Data:
        shipped = self.sheets()
        if name not in shipped:
            known = sorted(shipped)
            sentence = f"{self.name} has no sheet {name!r}; it has {listing(known)}."
            raise unknown("sheet/unknown", sentence, name, known, ruleset=self.name)
        return shipped[name]

    def action_ref(self, name: str, actor: Combatant | None = None) -> str:
        return _look_up(self.action_refs(actor), name, "action", self.name)

    def reaction_ref(self, name: str, battle: Battle | None = None) -> str:
        """The ref of a reaction by name. In some rulesets, the reactions depend on the battle."""
        return _look_up(self.reaction_refs(), name, "reaction", self.name)

    def policy_name(self, reaction: str) -> str:
        """The name under which a policy for a reaction is stored; refused if the ruleset has no such reaction."""
        return self.reaction_ref(reaction).rsplit(":", 1)[1]


def no_damage_type(ruleset: str, kind: str) -> Refusal:
    return Refusal("damage/no-types", f"{ruleset} has no types of damage; omit {kind!r}.", ruleset=ruleset, name=kind)


def known_pool(target: Combatant, pool: str | None) -> str:
    """The pool of this name, or the first one."""
    known = list(target.vitals)
    if pool is not None and pool not in known:
        sentence = f"{target.name} has no {pool!r}; it has {listing(known)}."
        raise unknown("heal/unknown-pool", sentence, pool, known, target=target.id)
    return pool if pool is not None else known[0]


def looked_up(name: str) -> str:
    """A typed name in the form that refs use: `Uncanny Dodge` becomes `uncanny_dodge`."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _look_up(refs: dict[str, str], name: str, what: str, ruleset: str) -> str:
    wanted = looked_up(name)
    if wanted in refs:
        return refs[wanted]
    if wanted in refs.values():
        return wanted
    names = sorted(refs)
    sentence = f"{ruleset} has no {what} {name!r}; it has {listing(names)}."
    raise unknown(f"declaration/unknown-{what}", sentence, name, names, ruleset=ruleset)


def find(name: str) -> Ruleset:
    """The ruleset of this name: one that is already in use, or an installed one."""
    if name not in _IN_USE:
        found = pieces.load_plugin(GROUP, name)
        if found is None:
            raise _no_ruleset(name, pieces.plugin_names(GROUP))
        _IN_USE[name] = found
    return _IN_USE[name]


def _no_ruleset(name: str, known: list[str]) -> Refusal:
    sentence = f"There is no ruleset {name!r}; {listing(known)} {'is' if len(known) == 1 else 'are'} installed."
    return unknown("ruleset/unknown", sentence, name, known)


def use(ruleset: Ruleset) -> None:
    """Use this ruleset under its name for as long as the process runs, whether or not it is installed.

    For authors: a ruleset can be tried and tested before it is a package.
    """
    _IN_USE[ruleset.name] = ruleset


_IN_USE: dict[str, Ruleset] = {}
