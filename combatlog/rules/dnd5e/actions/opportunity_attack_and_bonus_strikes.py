"""Attacks outside the Attack action: opportunity attacks, off-hand strikes, flurries, and other granted strikes."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from combatlog.rules.dnd5e.attack.phases import make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import can_aim, check_aim, melee_weapons, one_target, weapon_named
from combatlog.rules.dnd5e.attack.wielding import is_ready
from combatlog.rules.dnd5e.battlemap.movement import LEAVING, can_go_on
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.battlemap.space import steps_from
from combatlog.rules.dnd5e.combatant_state import is_hostile, those_with
from combatlog.rules.dnd5e.contexts import MovementStep
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.features.monk import Technique, use_technique
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.pieces import Contributor, GrantedAction, Reaction, piece
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant


class GrantedStrike(GrantedAction):
    """An attack that is granted for one particular weapon."""

    parts = frozenset({Part.TARGET})
    off_hand: ClassVar[bool] = False

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon = weapon_named(actor, actor.granted_actions(self.ref)[0].weapon)
        check_aim(table.battle, actor, one_target(table, actor, declared.targets), weapon)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon = weapon_named(actor, self.use_up(table, actor))
        attack = make_attack(table.battle, actor, one_target(table, actor, declared.targets), weapon)
        attack.off_hand = self.off_hand
        resolve_attack(table, attack)


class OpportunityOptions(Options):
    weapon: str | None = Field(default=None, description="the melee weapon to use; the best one if omitted")


@piece
class OpportunityAttack(Reaction[MovementStep]):
    """Attack an enemy that is about to leave your reach."""

    type = "action"
    name = "opportunity_attack"
    moments = (LEAVING,)
    reaction_options = OpportunityOptions

    def obstacle(self, context: MovementStep, reactor: Combatant) -> str | None:
        mover = context.mover
        if not is_hostile(reactor, mover) or not can_go_on(mover):
            return f"{mover.name} is not an enemy about to leave"
        if reactor.position is None or mover.position != context.origin:
            return f"{mover.name} is no longer where it was"
        weapons = _fitting(context, reactor) if reactor.id not in context.in_tow else []
        if not weapons:
            return f"{mover.name} does not leave {reactor.name}'s reach"
        if not can_see(context.battle, reactor, mover) or not can_aim(context.battle, reactor, mover, weapons[0]):
            return f"{reactor.name} cannot see or strike {mover.name}"
        return _exemption(mover, reactor)

    def react(self, table: Table, context: MovementStep, reactor: Combatant, paid: dict[str, int]) -> None:
        weapon = _chosen(context, reactor, OpportunityOptions.read(context.said).weapon)
        attack = make_attack(table.battle, reactor, context.mover, weapon)
        attack.opportunity = True
        resolve_attack(table, attack)


def _fitting(step: MovementStep, reactor: Combatant) -> list[Weapon]:
    """The melee weapons whose reach the mover is about to leave, the best first."""
    assert reactor.position is not None
    before, after = (steps_from(place, step.mover, reactor) for place in (step.origin, step.to))
    weapons = [weapon for weapon in melee_weapons(reactor) if is_ready(step.battle, reactor, weapon)]
    return [weapon for weapon in weapons if before <= weapon.reach // 5 < after]


def _chosen(step: MovementStep, reactor: Combatant, wanted: str | None) -> Weapon:
    fitting = _fitting(step, reactor)
    if wanted is None:
        return fitting[0]
    named = weapon_named(reactor, wanted)
    if named not in fitting and not named.is_unarmed:
        names = [weapon.name for weapon in fitting]
        raise Refusal(
            "opportunity-attack/weapon",
            f"{named.name} cannot be used for this opportunity attack; choose {choices(names)}.",
            who=reactor.id,
            weapon=named.name,
            available=names,
        )
    return named


def _exemption(mover: Combatant, reactor: Combatant) -> str | None:
    """Why the mover can leave without provoking an attack, in words."""
    held_fast = any(own.holds_fast(reactor) for own in those_with(Contributor.holds_fast, reactor))
    for contributor in those_with(Contributor.slips_away, mover):
        if contributor.slips_away(mover) and not held_fast:
            return f"{mover.name} does not provoke opportunity attacks ({contributor.title})"
    return None


@piece
class OffHandStrike(GrantedStrike):
    """Spend the bonus action to attack with the weapon in the off hand."""

    name = "off_hand_strike"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    off_hand = True
    granted_by = "a strike with a light weapon in the main hand, while holding another in the off hand,"


@piece
class MartialStrike(GrantedStrike):
    """Spend the bonus action on the unarmed strike that Martial Arts grants."""

    name = "martial_strike"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "melee")
    granted_by = "an attack of the Attack action with a fist or a monk weapon"


OPEN_HAND = "dnd5e:feature:open_hand"


class FlurryStrikeOptions(Options):
    technique: Technique = Field(
        default=Technique.PRONE, description="with Open Hand, what a hit does: prone, push, stagger or none"
    )


@piece
class FlurryStrike(GrantedStrike):
    """Make one of the unarmed strikes that Flurry of Blows grants."""

    name = "flurry_strike"
    tags = ("attack", "melee")
    granted_by = "Flurry of Blows"
    options = FlurryStrikeOptions

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon, target = weapon_named(actor, self.use_up(table, actor)), one_target(table, actor, declared.targets)
        resolved = resolve_attack(table, make_attack(table.battle, actor, target, weapon))
        if resolved is not None and resolved.hit and "open_hand" in sheet_of(actor).features:
            technique = FlurryStrikeOptions.read(declared.options).technique
            use_technique(table, actor, target, technique, OPEN_HAND)


@piece
class FollowUp(GrantedStrike):
    """Spend the bonus action to attack an enemy that a charge has knocked down."""

    name = "follow_up"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    granted_by = "knocking an enemy down with a charge"

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        if not target.has(PRONE):
            raise Refusal(
                "follow-up/not-prone",
                f"{target.name} is not prone; choose an enemy that is.",
                who=actor.id,
                target=target.id,
            )
        super().check(table, actor, declared)
