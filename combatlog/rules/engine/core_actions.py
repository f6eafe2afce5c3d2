"""Declarations that every ruleset has: joining, starting, ending a turn, leaving, closing, rulings.

They are declarations like any other, so that whatever a person did can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import Field

from combatlog.rules.engine.asides import NOTE, ROLL, AsideRoll, Note, note, roll_aside
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.consent_actions import Answering, Overruling, Proposing, on_record
from combatlog.rules.engine.hurting import HEAL, HURT, Healing, Hurting, heal, hurt
from combatlog.rules.engine.initiative import INITIATIVE, Initiatives, set_initiative, settle_initiative
from combatlog.rules.engine.joining import join, settle
from combatlog.rules.engine.kept_as_ruling import uphold
from combatlog.rules.engine.labelling import LABEL, Labelling, label
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options import Options, Part, Signature
from combatlog.rules.engine.policies import POLICIES, Policies, set_policies, settle_policies
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resting import REST, Resting, rest, settle_rest
from combatlog.rules.engine.revealing import CONCEAL, REVEAL, conceal, reveal
from combatlog.rules.engine.ruleset import Enlistment, Ruleset
from combatlog.rules.engine.rulings import Ruling, rule
from combatlog.rules.engine.sitting import Sitting, settle_sitting, sit
from combatlog.rules.engine.table import Table
from combatlog.rules.engine.turns import require_a_name, require_turn, turn_in_progress
from ledger.events import CombatantLeft, Declared, EncounterClosed
from projections.battle import Battle
from projections.consent import ANSWER, OVERRULE, PROPOSE
from projections.links import SIT


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
    if declared.actor != GM:  # older versions let the GM end just any turn
        require_turn(table.battle, declared.actor)
    rules.end_turn(table, table.battle.combatants[turn])


class Leaving(Options):
    why: str = Field(default="left the fight", description="why the combatant leaves")


def leave(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Whoever leaves takes along what depends on its presence. If it has the turn, that ends."""
    combatant = table.combatant(declared.actor)
    rules.before_leaving(table, combatant)
    table.record(CombatantLeft, combatant=combatant.id, why=Leaving.read(declared.options).why)
    if table.battle.clock.turn == combatant.id:
        rules.end_turn(table, combatant)


class Closing(Options):
    why: str = Field(default="the fight is over", description="how the fight ended")


def close(table: Table, rules: Ruleset, declared: Declared) -> None:
    table.record(EncounterClosed, why=Closing.read(declared.options).why, seed=table.revealed_seed)


TAKES_NOTHING = Signature()


@dataclass(frozen=True, slots=True)
class CoreAction:
    """A declaration that every ruleset has."""

    resolve: Callable[[Table, Ruleset, Declared], None]
    signature: Signature = TAKES_NOTHING
    for_people: bool = True
    """False: only corrections declare it."""
    settle: Callable[[Battle, Ruleset, Declaration, Battle], Declaration] | None = None
    """Completes or refuses what somebody says, by the state. Never asked of what is on record.

    In the second state, names of new combatants have to be free: a correction knows those who joined later."""


CORE: dict[str, CoreAction] = {
    "core:time:join": CoreAction(
        join, Signature(Enlistment, about="Add a combatant to the fight, or several of a kind."), settle=settle
    ),
    "core:time:start": CoreAction(start, Signature(about="Start the fight: initiative, the first round and turn.")),
    "core:time:end-turn": CoreAction(
        end_turn,
        Signature(about="End the turn of the combatant who is named; the next one begins."),
        settle=named_turn,
    ),
    "core:time:leave": CoreAction(leave, Signature(Leaving, about="Take a combatant out of the fight.")),
    "core:time:close": CoreAction(close, Signature(Closing, about="Close the fight; nothing more can be declared.")),
    INITIATIVE: CoreAction(
        set_initiative,
        Signature(Initiatives, about="Set or correct the initiative of combatants; the turn in progress goes on."),
        settle=settle_initiative,
    ),
    POLICIES: CoreAction(
        set_policies,
        Signature(Policies, about="Change what a combatant does from now on with reactions that it is offered."),
        settle=settle_policies,
    ),
    LABEL: CoreAction(label, Signature(Labelling, about="Label the fight; practice and archived ones do not count.")),
    REVEAL: CoreAction(
        reveal, Signature(parts=frozenset({Part.TARGET}), about="Let the players see combatants that were unrevealed.")
    ),
    CONCEAL: CoreAction(
        conceal, Signature(parts=frozenset({Part.TARGET}), about="Keep combatants from the players' eyes.")
    ),
    "core:ruling:rule": CoreAction(
        rule,
        Signature(
            Ruling,
            frozenset({Part.TARGET}),
            "Rule as the GM: set values, conditions or a position.",
        ),
    ),
    HURT: CoreAction(
        hurt, Signature(Hurting, frozenset({Part.TARGET}), "Deal damage as the GM; the rules decide what comes of it.")
    ),
    HEAL: CoreAction(
        heal, Signature(Healing, frozenset({Part.TARGET}), "Heal as the GM; the rules decide what comes of it.")
    ),
    ROLL: CoreAction(
        roll_aside, Signature(AsideRoll, frozenset({Part.TARGET}), "Roll dice for something the rules do not ask for.")
    ),
    NOTE: CoreAction(note, Signature(Note, frozenset({Part.TARGET}), "Note something, for everybody or the GM alone.")),
    REST: CoreAction(
        rest,
        Signature(Resting, frozenset({Part.TARGET}), "Rest between fights; the rules decide what comes back."),
        settle=settle_rest,
    ),
    SIT: CoreAction(
        sit,
        Signature(
            Sitting,
            frozenset({Part.TARGET}),
            "Sit down with a chain of secrets for shared dice, as a combatant's player.",
        ),
        settle=settle_sitting,
    ),
    PROPOSE: CoreAction(on_record, Signature(Proposing, frozenset({Part.TARGET})), for_people=False),
    ANSWER: CoreAction(on_record, Signature(Answering), for_people=False),
    OVERRULE: CoreAction(on_record, Signature(Overruling, frozenset({Part.TARGET})), for_people=False),
    "core:ruling:uphold": CoreAction(uphold, for_people=False),
}


def core_ref(action: str) -> str:
    """The ref of an action that every ruleset has, by its short name; any other action is left to the ruleset."""
    offered = (ref for ref, known in CORE.items() if known.for_people)
    return next((ref for ref in offered if ref.endswith(f":{action}")), action)


def core_names() -> list[str]:
    """The short names of what everybody can declare in every ruleset."""
    return [ref.rsplit(":", 1)[1] for ref, known in CORE.items() if known.for_people]
