"""The action points ruleset: it answers the engine's questions from its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from combatlog.rules.action_points import turns
from combatlog.rules.action_points.economy_and_vitality import (
    AP,
    FAT,
    PENDING_DAMAGE,
    PENDING_POOLS,
    is_dead,
    queue_healing,
    recuperate,
    starting_resources,
    suffer,
    vit_of,
)
from combatlog.rules.action_points.equipment import (
    PACKAGE,
    ActionPointsSpell,
    ActionPointsWeapon,
    Armour,
    Item,
    WornProtection,
    conditions_in,
)
from combatlog.rules.action_points.menu_and_summary import advise, menu, summarize
from combatlog.rules.action_points.pieces import (
    PIECES,
    ActionPointsActivity,
    ActionPointsCondition,
    ActionPointsReaction,
    held_by,
)
from combatlog.rules.action_points.sheet import (
    KNOWN_SKILLS,
    ActionPointsSheet,
    check_armour,
    check_weapon,
    read_sheet,
    sheet_of,
)
from combatlog.rules.action_points.tables_and_formulas import INCAPACITATED_VIT, pool_damage
from combatlog.rules.action_points.targeting_and_movement import FISTS, held_weapons
from combatlog.rules.autoplay.player import ranked_advice
from combatlog.rules.content.files import shipped_folder
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.options_and_validation import DeclaredParts, EncounterOptions, Signature, validated
from combatlog.rules.engine.pieces import what_it_does
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import require_turn
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset, known_pool, no_damage_type
from combatlog.rules.engine.ruleset_types import Advice, ChoiceSection, PackSection, Price, RestKind, price
from combatlog.rules.engine.summary import CombatantSummary
from ledger.events import Change, ChangeOp, Data, Declared, Event, Position
from projections.battle import combatant as state
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.autoplay.option import Option
    from combatlog.rules.autoplay.scoring import Metrics

SURROUNDINGS = "action_points:situation:surroundings"
"""The source of damage and healing that no combatant causes."""


class ActionPoints(Ruleset):
    name = "action_points"
    version = "3"
    encounter_options = EncounterOptions
    delayed_damage = tuple(PENDING_DAMAGE.values())

    def pack_sections(self) -> Sequence[PackSection]:
        return (
            PackSection("weapons", "weapons for melee and shooting", check_weapon, {"": ActionPointsWeapon}),
            PackSection("armour", "armour that absorbs and wears out", check_armour, {"": Armour}),
            PackSection(
                "spells",
                "spells, each cast with a skill",
                partial(_check, "spell", ActionPointsSpell),
                {"": ActionPointsSpell},
            ),
            PackSection(
                "items", "items that are used up; a sheet gives their number", partial(_check, "item", Item), {"": Item}
            ),
        )

    def sheets(self) -> dict[str, Data]:
        return shipped_folder(PACKAGE, "sheets")

    def recruit(self, enlistment: Enlistment) -> Recruit:
        sheet = read_sheet({**enlistment.sheet, **enlistment.overrides})
        contents: dict[str, ActionPointsSpell | Item] = {**sheet.grimoire, **sheet.bag}
        for name, content in contents.items():
            _check_conditions(name, content)
        _check_equipment(sheet)
        return Recruit(
            name=sheet.name,
            controller=sheet.controller,
            sheet=sheet.model_dump(mode="json", exclude_defaults=True),
            vitals=sheet.vitals(),
            resources=sheet.resources(),
        )

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return PIECES.refs(ActionPointsActivity)

    def reaction_refs(self) -> dict[str, str]:
        return PIECES.refs(ActionPointsReaction)

    def signature(self, action: str, actor: Combatant | None = None) -> Signature | None:
        activity = PIECES.get(action)
        return activity.signature if isinstance(activity, ActionPointsActivity) else None

    def reaction_signature(self, reaction: str) -> Signature | None:
        known = PIECES.get(reaction)
        return known.signature if isinstance(known, ActionPointsReaction) else None

    def reaction_prices(self, battle: Battle, reactor: Combatant, reaction: str) -> list[Price]:
        known = PIECES.get(reaction)
        if not isinstance(known, ActionPointsReaction):
            return []
        return [
            price({AP: cost.ap, FAT: cost.fat}, lambda name, amount: f"{amount} {name.upper()}", said)
            for said, cost in known.prices(reactor)
        ]

    def check_said(self, battle: Battle, action: str, said: DeclaredParts) -> None:
        activity = PIECES[action]
        assert isinstance(activity, ActionPointsActivity)
        activity.check_said(said)

    def condition_ref(self, name: str) -> str:
        return PIECES.find(ActionPointsCondition, name, "rule/unknown-condition").ref

    def condition_names(self) -> list[str]:
        return list(PIECES.of(ActionPointsCondition))

    def condition_about(self, name: str) -> str | None:
        condition = PIECES.of(ActionPointsCondition).get(name)
        return what_it_does(condition) if condition is not None else None

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        reaction = PIECES.of(ActionPointsReaction).get(name)
        if reaction is None:
            return []
        targets = [before.combatants[target] for target in declared.targets if target in before.combatants]
        found = [(target, obstacle(partial(reaction.require, target, None))) for target in targets]
        return [why or f"{target.id} could have used {name}, but was not asked." for target, why in found]

    def hurt(self, table: Table, target: Combatant, amount: int, kind: str | None) -> None:
        if kind is not None:
            raise no_damage_type(self.name, kind)
        _check_alive(target, "hurt")
        suffer(table, target, pool_damage(amount), SURROUNDINGS, GM)

    def heal(self, table: Table, target: Combatant, amount: int, pool: str | None, why: str) -> None:
        _check_alive(target, "heal")
        queue_healing(table, target, known_pool(target, pool), amount, why, SURROUNDINGS)

    def forgotten_modifier(self, chain: str, change: Change, recorded: Sequence[Event]) -> Change:
        if change.op is not ChangeOp.BONUS and (chain, change.op) != ("damage", ChangeOp.DICE):
            raise Refusal(
                "amend/without-effect",
                f"In {self.name}, rolls can only be modified by numbers, and damage also by dice.",
                name=chain,
                ruleset=self.name,
            )
        return change

    def start(self, table: Table) -> None:
        turns.begin_round(table, 1)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        require_turn(table.battle, actor.id)
        activity = PIECES[declared.action]
        assert isinstance(activity, ActionPointsActivity)
        activity.declare(table, actor, declared)

    def weapons(self, actor: Combatant) -> list[str]:
        return [weapon.name for weapon in (*held_weapons(actor), FISTS)]

    def spells(self, actor: Combatant) -> list[str]:
        return list(sheet_of(actor).grimoire)

    def hitting(
        self, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None
    ) -> Sequence[Sequence[Declaration]]:
        """Attack with the first usable weapon in hand; with fists only if they are named or no weapon is in hand."""
        usable = [weapon] if weapon is not None else [held.name for held in held_weapons(actor)] or [FISTS.name]
        return [
            [Declaration(actor=actor.id, action="attack", targets=(target.id,), weapon=name)]
            for name in (*usable, usable[0])
        ]

    def casting(self, actor: Combatant, spell: str) -> Declaration:
        return Declaration(actor=actor.id, action="cast", options={"spell": spell})

    def moving(self, battle: Battle, actor: Combatant, to: Position) -> Sequence[Declaration]:
        """Move with a free step, or else with an action."""
        return [Declaration(actor=actor.id, action=action, destination=to) for action in ("step", "move")]

    def glance(self, battle: Battle, combatant: Combatant) -> CombatantSummary:
        return summarize(battle, combatant)

    def menu(self, battle: Battle, actor: Combatant) -> list[ChoiceSection]:
        return menu(battle, actor)

    def advise(self, battle: Battle, actor: Combatant) -> list[Advice]:
        """The best choices in the actor's turn, and always advice on payments, because dodging has to be paid for."""
        ranked = ranked_advice(self, battle, actor) if battle.clock.turn == actor.id else []
        return [*ranked, *advise(battle, actor)]

    def options(self, battle: Battle, actor: Combatant) -> Sequence[Option]:
        from combatlog.rules.action_points.autoplay.options import options_of

        return options_of(battle, actor)

    def metrics(self) -> Metrics:
        from combatlog.rules.action_points.autoplay.metrics import METRICS

        return METRICS

    def in_the_fight(self, battle: Battle) -> list[Combatant]:
        """Combatants with enough VIT to act. The others are out, because VIT does not recover during a fight."""
        return [combatant for combatant in battle.present() if vit_of(combatant) > INCAPACITATED_VIT]

    def lasting_resources(self, combatant: Combatant) -> list[str]:
        sheet = sheet_of(combatant)
        return [*sheet.items, *(worn.name for worn in sheet.protections)]

    def is_dead(self, combatant: Combatant) -> bool:
        return is_dead(combatant)

    def carried_resources(self, combatant: Combatant) -> list[str]:
        """The resources to carry over, including pending pools, which have not taken effect yet."""
        return [*self.lasting_resources(combatant), *PENDING_POOLS]

    def rest(self, table: Table, combatant: Combatant, kind: RestKind, hit_dice: int) -> None:
        if hit_dice:
            raise Refusal("rest/no-hit-dice", f"{self.name} has no hit dice.", ruleset=self.name)
        recuperate(table, combatant)

    def lasting_conditions(self, combatant: Combatant) -> list[state.Condition]:
        return [held for known, held in held_by(combatant) if known.lasts and held.until is None]


def _check(what: str, model: type[ActionPointsSpell] | type[Item], name: str, entry: Data) -> None:
    _check_conditions(name, validated(model, entry, f"{what}/invalid", f"The {what}'s", what=name))


def _check_conditions(name: str, content: ActionPointsSpell | Item) -> None:
    known = PIECES.of(ActionPointsCondition)
    for condition in conditions_in(content):
        if condition not in known:
            raise Refusal(
                "grimoire/unknown-condition",
                f"{name} names the condition {condition!r}, which does not exist; use {choices(sorted(known))}.",
                what=name,
                condition=condition,
                available=sorted(known),
                suggestions=suggest(condition, known),
            )


def _check_equipment(sheet: ActionPointsSheet) -> None:
    """Refuse unusable equipment and names of pools. The model allows them, because recorded fights may have them."""
    equipment: tuple[ActionPointsWeapon | WornProtection, ...] = (*sheet.weapons, *sheet.protections)
    for one in equipment:
        if sheet.skill(one.skill) is None:
            raise Refusal(
                "sheet/unknown-skill",
                f"{one.name} uses the skill {one.skill!r}, which the sheet does not have; add that skill.",
                what=one.name,
                skill=one.skill,
                suggestions=suggest(one.skill, sorted({*sheet.skills, *KNOWN_SKILLS})),
            )
    for name in (*sheet.items, *(worn.name for worn in sheet.protections)):
        if name in (*starting_resources(0), *sheet.vitals()):
            raise Refusal(
                "sheet/reserved-name",
                f"{name!r} is a pool; choose another name for the equipment.",
                what=name,
            )


def _check_alive(target: Combatant, what: str) -> None:
    if is_dead(target):
        raise Refusal(f"{what}/dead", f"{target.name} is dead.", who=target.id)


PIECES.load()
RULESET = ActionPoints()
