"""The declarations that exist in every ruleset: start, end a turn, leave, close, rest, give consent and others.

They are ordinary declarations, so each can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import Field

from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.declarations.joining import (
    POLICIES,
    PolicyOptions,
    join,
    set_policies,
    settle,
    settle_policies,
)
from combatlog.rules.engine.declarations.notes_and_rolls import (
    LABEL,
    NOTE,
    ROLL,
    LabelOptions,
    NoteOptions,
    RollOptions,
    label,
    roll_dice,
    write_note,
)
from combatlog.rules.engine.declarations.rulings import (
    CONCEAL,
    HEAL,
    HURT,
    REVEAL,
    HealOptions,
    HurtOptions,
    RulingOptions,
    conceal,
    heal,
    hurt,
    reveal,
    rule,
)
from combatlog.rules.engine.declarations.uphold import uphold
from combatlog.rules.engine.dice.dice_commitments import CommitDiceOptions, commit_dice, settle_dice_commitment
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options_and_validation import Options, Part, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import (
    INITIATIVE,
    InitiativeOptions,
    require_a_name,
    require_turn,
    set_initiative,
    settle_initiative,
    turn_in_progress,
)
from combatlog.rules.engine.ruleset import Enlistment, Ruleset
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import CombatantLeft, Data, Declared, EncounterClosed
from projections.battle.consent import ANSWER, OVERRULE, PROPOSE
from projections.battle.dice import SIT
from projections.battle.fold import Battle


class ProposeOptions(Options):
    message: str | None = Field(default=None, max_length=100, description="the name of the proposed message")
    fields: Data = Field(default_factory=dict, description="the fields of that message")
    correction: str | None = Field(default=None, max_length=10, description="the name of `message` in older proposals")
    what: Data = Field(default_factory=dict, description="the name of `fields` in older proposals")
    plan: Data = Field(description="what it would do")
    again: int | None = Field(default=None, ge=1, description="seq of the outdated proposal that it repeats")


class AnswerOptions(Options):
    proposal: int = Field(ge=1, description="seq of the proposal")
    agree: bool = Field(description="whether they agree")
    reason: str = Field(default="", max_length=2000, description="why")


class OverruleOptions(Options):
    proposal: int = Field(ge=1, description="seq of the proposal")
    reason: str = Field(min_length=1, max_length=2000, description="why")


def on_record(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Do nothing: the declaration itself is all that is recorded."""


REST = "core:gm:recuperate"
"""Not `rest`, which is an action in the ruleset action_points."""


class RestOptions(Options):
    kind: RestKind = Field(description="short or long")
    hit_dice: dict[str, int] = Field(
        default_factory=dict, description="how many hit dice each combatant spends in a short rest, by name"
    )


def settle_rest(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Refuse to rest in the middle of a fight, or to spend the hit dice of a combatant who does not rest."""
    if battle.clock.started and not battle.clock.closed:
        raise Refusal("rest/fighting", "The fight is still going on; close it before the rest.")
    spent = {known_id(battle, name): count for name, count in RestOptions.read(said.options).hit_dice.items()}
    for name in spent:
        if name not in said.targets:
            raise Refusal("rest/not-resting", f"{name} spends hit dice but does not rest.", who=name)
    return said.model_copy(update={"options": {**said.options, **({"hit_dice": spent} if spent else {})}})


def rest(table: Table, rules: Ruleset, declared: Declared) -> None:
    resting = RestOptions.read(declared.options)
    if not declared.targets:
        raise Refusal("target/nobody", "Name at least one combatant.")
    for target in declared.targets:
        combatant = table.combatant(target)
        if rules.is_dead(combatant):
            raise Refusal("rest/dead", f"{combatant.name} is dead.", who=combatant.id)
        rules.rest(table, combatant, resting.kind, resting.hit_dice.get(combatant.id, 0))


def start(table: Table, rules: Ruleset, declared: Declared) -> None:
    if table.battle.clock.started:
        number = table.battle.clock.round
        raise Refusal("start/already", f"The fight has already started; it is round {number}.", round=number)
    if not table.battle.present():
        raise Refusal("start/nobody", "Nobody has joined yet.")
    rules.start(table)


def named_turn(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    require_a_name(battle, said.actor)
    known_id(battle, said.actor)
    return said


def end_turn(table: Table, rules: Ruleset, declared: Declared) -> None:
    turn = turn_in_progress(table.battle)
    if declared.actor != GM:  # older versions let the GM end the turn without naming the combatant
        require_turn(table.battle, declared.actor)
    rules.end_turn(table, table.battle.combatants[turn])


class LeaveOptions(Options):
    why: str = Field(default="left the fight", description="why the combatant leaves")


def leave(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Remove a combatant and everything that depends on its presence. If it is its turn, the turn ends."""
    combatant = table.combatant(declared.actor)
    rules.before_leaving(table, combatant)
    table.record(CombatantLeft, combatant=combatant.id, why=LeaveOptions.read(declared.options).why)
    if table.battle.clock.turn == combatant.id:
        rules.end_turn(table, combatant)


class CloseOptions(Options):
    why: str = Field(default="the fight is over", description="how the fight ended")


def close(table: Table, rules: Ruleset, declared: Declared) -> None:
    table.record(EncounterClosed, why=CloseOptions.read(declared.options).why, seed=table.revealed_seed)


TAKES_NOTHING = Signature()


@dataclass(frozen=True, slots=True)
class CoreAction:
    """A declaration that every ruleset has."""

    resolve: Callable[[Table, Ruleset, Declared], None]
    signature: Signature = TAKES_NOTHING
    for_people: bool = True
    """False: players and GMs cannot declare it; only the program itself does."""
    settle: Callable[[Battle, Ruleset, Declaration, Battle], Declaration] | None = None
    """Completes or refuses a new declaration, given the state. Never called for a recorded one.

    Names of new combatants must be free in the second state: a correction passes one that has later joiners too."""


CORE: dict[str, CoreAction] = {
    "core:time:join": CoreAction(
        join, Signature(Enlistment, about="Add a combatant to the fight, or several of one kind."), settle=settle
    ),
    "core:time:start": CoreAction(start, Signature(about="Start the fight: initiative, the first round and turn.")),
    "core:time:end-turn": CoreAction(
        end_turn,
        Signature(about="End the named combatant's turn; the next turn begins."),
        settle=named_turn,
    ),
    "core:time:leave": CoreAction(leave, Signature(LeaveOptions, about="Take a combatant out of the fight.")),
    "core:time:close": CoreAction(
        close, Signature(CloseOptions, about="Close the fight; nothing more can be declared.")
    ),
    INITIATIVE: CoreAction(
        set_initiative,
        Signature(InitiativeOptions, about="Set or correct the initiative of combatants; the current turn continues."),
        settle=settle_initiative,
    ),
    POLICIES: CoreAction(
        set_policies,
        Signature(PolicyOptions, about="Change how a combatant answers offered reactions from now on."),
        settle=settle_policies,
    ),
    LABEL: CoreAction(
        label, Signature(LabelOptions, about="Label the fight; `practice` and `archived` keep it out of statistics.")
    ),
    REVEAL: CoreAction(
        reveal, Signature(parts=frozenset({Part.TARGET}), about="Show unrevealed combatants to the players.")
    ),
    CONCEAL: CoreAction(conceal, Signature(parts=frozenset({Part.TARGET}), about="Hide combatants from the players.")),
    "core:ruling:rule": CoreAction(
        rule,
        Signature(
            RulingOptions,
            frozenset({Part.TARGET}),
            "Rule as the GM: set values, conditions or a position.",
        ),
    ),
    HURT: CoreAction(
        hurt,
        Signature(HurtOptions, frozenset({Part.TARGET}), "Deal damage as the GM; the rules apply its consequences."),
    ),
    HEAL: CoreAction(
        heal, Signature(HealOptions, frozenset({Part.TARGET}), "Heal as the GM; the rules apply its consequences.")
    ),
    ROLL: CoreAction(
        roll_dice,
        Signature(RollOptions, frozenset({Part.TARGET}), "Roll dice for something that the rules do not roll."),
    ),
    NOTE: CoreAction(
        write_note, Signature(NoteOptions, frozenset({Part.TARGET}), "Write a note, for everyone or only for the GM.")
    ),
    REST: CoreAction(
        rest,
        Signature(RestOptions, frozenset({Part.TARGET}), "Rest between fights; the rules decide what is restored."),
        settle=settle_rest,
    ),
    SIT: CoreAction(
        commit_dice,
        Signature(
            CommitDiceOptions,
            frozenset({Part.TARGET}),
            "Commit to a chain of secrets for shared dice, as a combatant's player.",
        ),
        settle=settle_dice_commitment,
    ),
    PROPOSE: CoreAction(on_record, Signature(ProposeOptions, frozenset({Part.TARGET})), for_people=False),
    ANSWER: CoreAction(on_record, Signature(AnswerOptions), for_people=False),
    OVERRULE: CoreAction(on_record, Signature(OverruleOptions, frozenset({Part.TARGET})), for_people=False),
    "core:ruling:uphold": CoreAction(uphold, for_people=False),
}


def core_ref(action: str) -> str:
    """The ref of an action that every ruleset has, from its short name; any other name is returned unchanged."""
    offered = (ref for ref, known in CORE.items() if known.for_people)
    return next((ref for ref in offered if ref.endswith(f":{action}")), action)


def core_names() -> list[str]:
    """The short names of the actions that people can declare in every ruleset."""
    return [ref.rsplit(":", 1)[1] for ref, known in CORE.items() if known.for_people]
