"""Features of the fighter, feats and features of equipment: Action Surge, fighting styles, dual wielding, worn armour,
Lucky, Sentinel.
"""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.damage import REROLL
from combatlog.rules.dnd5e.attack.phases import DECLARED, ROLLED, make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import can_aim, melee_weapon
from combatlog.rules.dnd5e.attack.wielding import has_at_hand, untrained_armor
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_end_of_turn
from combatlog.rules.dnd5e.contexts import Attack, Check, D20Test, Save, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, changes_this_turn
from combatlog.rules.dnd5e.enums import AbilityScore, Skill, WeaponProperty
from combatlog.rules.dnd5e.modifiers import adjust, bonus, disadvantage, flag
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, Reaction, piece
from combatlog.rules.dnd5e.saves_and_checks import THROWN
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Declared, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import is_unseen_by

TWO_SURGES = 17
"""The level from which Action Surge has two uses."""


@piece
class ActionSurge(ActiveFeature):
    """Gain one additional action this turn; once between rests, and from level 17 on twice."""

    name = "action_surge"
    cost = {"action_surge": 1}
    tags = ("offense",)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 2 if sheet.level >= TWO_SURGES else 1}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if any(change.after < change.before for change in changes_this_turn(battle, actor, self.name)):
            raise Refusal(
                "action-surge/once-a-turn",
                f"{actor.name} has already used Action Surge this turn; use it again in a later turn.",
                who=actor.id,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, ACTION, 1, self.name)


@piece
class GreatWeaponFighting(Feature):
    """Reroll 1s and 2s on the damage dice of two-handed melee weapons once."""

    name = "great_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.melee and WeaponProperty.TWO_HANDED in attack.weapon.properties:
            yield flag("features", self.ref, owner.id, "Great Weapon Fighting: reroll 1s and 2s", REROLL)


@piece
class TwoWeaponFighting(Feature):
    """Add the ability modifier to the damage of off-hand attacks."""

    name = "two_weapon_fighting"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        modifier = sheet_of(owner).modifier(attack.ability)
        if attack.attacker is owner and attack.off_hand and modifier > 0:
            kind = attack.weapon.damage_type
            yield bonus("features", self.ref, owner.id, "Two-Weapon Fighting style", modifier, kind)


OFF_HAND_STRIKE = "dnd5e:action:off_hand_strike"


@piece
class DualWielding(Feature):
    """With a light weapon in each hand, a strike or throw with the main hand grants an OffHandStrike."""

    name = "dual_wielding"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if _is_main_hand_strike(attack, owner) and _has_use_for_another(table, owner):
            table.grant(
                owner,
                OFF_HAND_STRIKE,
                source=self.ref,
                until=until_end_of_turn(owner),
                weapon=sheet_of(owner).off_hand,
            )


def _is_main_hand_strike(attack: Attack, owner: Combatant) -> bool:
    sheet = sheet_of(owner)
    return (
        attack.attacker is owner
        and not attack.off_hand
        and sheet.off_hand is not None
        and (sheet.off_hand != attack.weapon.name or sheet.has_two(sheet.off_hand))
        and attack.battle.clock.turn == owner.id
        and attack.spell is None
        and not attack.weapon.is_ranged
        and WeaponProperty.LIGHT in attack.weapon.properties
    )


def _has_use_for_another(table: Table, owner: Combatant) -> bool:
    other = sheet_of(owner).weapon(sheet_of(owner).off_hand or "")
    is_at_hand = other is not None and has_at_hand(owner, other)
    return is_at_hand and owner.economy.left(BONUS_ACTION) > 0 and not owner.granted_actions(OFF_HAND_STRIKE)


SLOWER = 10
HAMPERED = (AbilityScore.STR, AbilityScore.DEX)


@piece
class WornArmor(Feature):
    """The drawbacks of armour: it makes noise, slows the weak, and hampers wearers without proficiency.
    Not listed on sheets: every combatant whose armour has such a drawback has it.
    """

    name = "worn_armor"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield from self._hampering(attack, attack.ability, owner)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        yield from self._hampering(save, save.ability, owner)

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        yield from self._hampering(check, check.ability, owner)
        suit = sheet_of(owner).suit
        if suit is not None and suit.noisy and check.name is Skill.STEALTH:
            yield disadvantage(owner.id, self.ref, f"{suit.name} makes noise", stage="equipment")

    def _hampering(self, throw: D20Test, ability: AbilityScore | None, owner: Combatant) -> Iterator[Modifier]:
        untrained = untrained_armor(sheet_of(owner))
        if untrained is not None and ability in HAMPERED:
            reason = f"{owner.name} is not proficient with {untrained}"
            yield disadvantage(owner.id, self.ref, reason, stage="equipment")

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        sheet = sheet_of(owner)
        if sheet.suit is not None and sheet.suit.strength is not None and sheet.abilities.str < sheet.suit.strength:
            yield bonus("equipment", self.ref, owner.id, f"{sheet.suit.name} is too heavy", -SLOWER)


POINTS = "luck"


@piece
class Lucky(Feature, Reaction[Attack | Save | Check]):
    """Spend a luck point to roll another d20 and choose which one counts, for your own roll or an attack against you.

    It costs only the luck point and takes no reaction.
    """

    name = "lucky"
    moments = (ROLLED, THROWN)
    while_incapacitated = True

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {POINTS: 3}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {POINTS: 1}

    def obstacle(self, context: Attack | Save | Check, reactor: Combatant) -> str | None:
        succeeds = context.hits if isinstance(context, Attack) else context.total >= context.against
        if context.subject is reactor:
            return "the roll succeeds anyway" if succeeds else None
        if isinstance(context, Attack) and context.target is reactor:
            return None if succeeds else "the attack misses anyway"
        return f"the roll does not concern {reactor.name}"

    def react(self, table: Table, context: Attack | Save | Check, reactor: Combatant, paid: dict[str, int]) -> None:
        rolled = int(table.roll(self.name, reactor.id, "1d20").kept[0])
        better = max if context.subject is reactor else min
        counting = better(context.natural, rolled)
        reason = f"Lucky: {counting} counts, out of {context.natural} and {rolled}"
        adjust(table, context, self.ref, reactor, reason, counting - context.natural)
        context.natural = counting


HALTED = "dnd5e:condition:halted"


@piece
class Sentinel(Feature, Reaction[Attack]):
    """Attack an enemy within 5 feet that attacks another target. Disengaging does not help; a hit stops movement."""

    name = "sentinel"
    moments = (DECLARED,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        attacker, target = context.attacker, context.target
        if target is reactor or not is_hostile(reactor, attacker) or not can_act(attacker):
            return "no enemy is attacking another target"
        if self.is_held(target):
            return f"{target.name} is a Sentinel too"
        weapon = melee_weapon(reactor)
        if weapon is None or feet_between(reactor, attacker) > 5:
            return f"{attacker.name} is not within 5 feet"
        if is_unseen_by(context.battle, reactor.side, attacker) or not can_aim(
            context.battle, reactor, attacker, weapon
        ):
            return f"{reactor.name} cannot see or strike {attacker.name}"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        weapon = melee_weapon(reactor)
        assert weapon is not None
        resolve_attack(table, make_attack(table.battle, reactor, context.attacker, weapon))

    def holds_fast(self, owner: Combatant) -> bool:
        return True

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and attack.opportunity and attack.hit:
            until = Until(moment=UntilMoment.TURN_END, whose=table.battle.clock.turn)
            afflict(table, attack.target, HALTED, source=self.ref, owner=owner.id, until=until)
