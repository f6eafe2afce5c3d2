"""Features of the monk: Martial Arts, ki, Flurry of Blows, Open Hand, Stunning Strike, Deflect Missiles."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import dodge
from combatlog.rules.dnd5e.attack.damage import HIT
from combatlog.rules.dnd5e.attack.phases import RESOLVED
from combatlog.rules.dnd5e.attack.wielding import has_shield
from combatlog.rules.dnd5e.battlemap.movement import push
from combatlog.rules.dnd5e.combatant_state import afflict, is_dead
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_end_of_next_turn, until_end_of_turn
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import UNARMED, is_monk_weapon
from combatlog.rules.dnd5e.economy import BONUS_ACTION, took_attack_action
from combatlog.rules.dnd5e.enums import AbilityScore, Armor
from combatlog.rules.dnd5e.features.rogue import BonusActionFeature
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, Reaction, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Declared, RollModifier
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

KI = "ki"
FLURRY_STRIKE = "dnd5e:action:flurry_strike"


class KiFeature(ActiveFeature):
    """A feature that costs a bonus action and 1 ki."""

    cost = {BONUS_ACTION: 1, KI: 1}

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {KI: sheet.level}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT


@piece
class FlurryOfBlows(KiFeature):
    """Spend the bonus action and 1 ki after the Attack action to gain two unarmed strikes."""

    name = "flurry_of_blows"
    tags = ("attack", "melee")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not took_attack_action(battle, actor):
            raise Refusal(
                "flurry-of-blows/no-attack",
                f"{actor.name} has to take the Attack action before Flurry of Blows.",
                who=actor.id,
                needed="attack",
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for _ in range(2):
            table.grant(actor, FLURRY_STRIKE, source=self.ref, until=until_end_of_turn(actor), weapon=UNARMED)


@piece
class PatientDefense(KiFeature):
    """Spend the bonus action and 1 ki to Dodge."""

    name = "patient_defense"
    tags = ("defense",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dodge(table, actor, self.ref)


class StepOfTheWindChoice(StrEnum):
    """The action to take with Step of the Wind."""

    DASH = "dash"
    DISENGAGE = "disengage"


class StepOfTheWindOptions(Options):
    manner: StepOfTheWindChoice = Field(
        default=StepOfTheWindChoice.DASH, alias="as", description="which of the two to take"
    )


@piece
class StepOfTheWind(KiFeature, BonusActionFeature):
    """Spend the bonus action and 1 ki to Dash or Disengage."""

    name = "step_of_the_wind"
    tags = ("movement",)
    options = StepOfTheWindOptions


MARTIAL_STRIKE = "dnd5e:action:martial_strike"


@piece
class MartialArts(Feature):
    """Dexterity and a better die for unarmed strikes and monk weapons; the Attack action grants a MartialStrike.

    `combatlog.rules.dnd5e.creatures.weapons_and_armor` adapts the sheet's weapons.
    """

    name = "martial_arts"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if not _counts(attack, owner) or not took_attack_action(table.battle, owner):
            return
        if owner.economy.left(BONUS_ACTION) and not owner.granted_actions(MARTIAL_STRIKE):
            until = until_end_of_turn(owner)
            table.grant(owner, MARTIAL_STRIKE, source=self.ref, until=until, weapon=UNARMED)


def _counts(attack: Attack, owner: Combatant) -> bool:
    """Whether the owner attacks in its turn, unarmed or with a monk weapon, without armour and shield."""
    sheet, weapon = sheet_of(owner), attack.weapon
    if attack.attacker is not owner or attack.spell is not None or attack.battle.clock.turn != owner.id:
        return False
    return sheet.armor is Armor.NONE and not has_shield(owner) and (weapon.is_unarmed or is_monk_weapon(weapon))


FASTER = ((18, 30), (14, 25), (10, 20), (6, 15))
"""The feet that Unarmored Movement adds, from each level on; 10 below."""


@piece
class UnarmoredMovement(Feature):
    """Without armour and shield: 10 feet more speed, and 5 more at levels 6, 10, 14 and 18."""

    name = "unarmored_movement"

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        sheet = sheet_of(owner)
        if sheet.armor is Armor.NONE and not has_shield(owner):
            feet = next((feet for level, feet in FASTER if sheet.level >= level), 10)
            yield bonus("features", self.ref, owner.id, "Unarmored Movement", feet)


SHOVED = 15
STAGGERED = "dnd5e:condition:staggered"


class Technique(StrEnum):
    """The extra effect of a hit with a flurry strike."""

    PRONE = "prone"
    PUSH = "push"
    STAGGER = "stagger"
    NONE = "none"


@piece
class OpenHand(Feature):
    """Each hit of a flurry knocks the target prone, pushes it 15 feet, or takes away its reactions."""

    name = "open_hand"


def use_technique(table: Table, monk: Combatant, target: Combatant, technique: Technique, source: str) -> None:
    """Apply a technique after a hit. A Dexterity save prevents the fall, a Strength save the push."""
    if technique is Technique.NONE or is_dead(target):
        return
    if technique is Technique.STAGGER:
        until = until_end_of_next_turn(table.battle, monk)
        afflict(table, target, STAGGERED, source=source, owner=monk.id, until=until)
        return
    ability = AbilityScore.DEX if technique is Technique.PRONE else AbilityScore.STR
    sheet = sheet_of(monk)
    against = 8 + sheet.proficiency_bonus + sheet.modifier(AbilityScore.WIS)
    if resolve_save(table, target, ability, against, source, f"{ability} save against open hand"):
        return
    if technique is Technique.PRONE:
        afflict(table, target, PRONE, source=source, owner=monk.id)
    elif monk.position is not None:
        push(table, target, monk, SHOVED)


STUNNED = "dnd5e:condition:stunned"


@piece
class StunningStrike(Feature, Reaction[Attack]):
    """Spend 1 ki after a hit in melee: the target is stunned until the end of your next turn unless it saves.

    It takes no reaction.
    """

    name = "stunning_strike"
    moments = (RESOLVED,)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {KI: sheet.level}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {KI: 1}

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.attacker is not reactor:
            return f"{reactor.name} is not the attacker"
        if not context.hit or not context.melee or context.spell is not None:
            return "it needs a hit with a melee weapon"
        if is_dead(context.target) or context.target.has(STUNNED):
            return f"stunning {context.target.name} would change nothing"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        against, purpose = ki_difficulty(reactor), f"{AbilityScore.CON} save against {self.key}"
        if resolve_save(table, context.target, AbilityScore.CON, against, self.ref, purpose):
            return
        until = until_end_of_next_turn(table.battle, reactor)
        afflict(table, context.target, STUNNED, source=self.ref, owner=reactor.id, until=until)


def ki_difficulty(monk: Combatant) -> int:
    sheet = sheet_of(monk)
    return 8 + sheet.proficiency_bonus + sheet.modifier(AbilityScore.WIS)


@piece
class DeflectMissiles(Feature, Reaction[Attack]):
    """Reduce the damage of a ranged weapon hit by 1d10 plus your Dexterity modifier and level."""

    name = "deflect_missiles"
    moments = (HIT,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if context.melee or context.spell is not None:
            return "the attack is not made with a ranged weapon"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        sheet = sheet_of(reactor)
        added = [
            RollModifier(source="dnd5e:score:dex", amount=sheet.modifier(AbilityScore.DEX)),
            RollModifier(source="dnd5e:score:level", amount=sheet.level),
        ]
        rolled = table.roll(self.name, reactor.id, "1d10", modifiers=added)
        context.reductions.append(bonus("reduction", self.ref, reactor.id, "Deflect Missiles", -rolled.total))
