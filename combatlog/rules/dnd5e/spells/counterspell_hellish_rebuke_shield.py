"""The spells cast as a reaction: Counterspell, Hellish Rebuke and Shield."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from combatlog.rules.dnd5e.attack.damage import DAMAGED
from combatlog.rules.dnd5e.attack.phases import ROLLED
from combatlog.rules.dnd5e.attack.targeting import damage_of, harm_one
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.combatant_state import afflict, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.dodging_helped_raging_shielded import MAGIC_MISSILE, SHIELD_BONUS
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_next_turn
from combatlog.rules.dnd5e.contexts import Attack, Casting, Harm, feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import REACTION, slot
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_ability_check, resolve_save
from combatlog.rules.dnd5e.spells.casting import AIMED, BEGUN, HIGHEST_SLOT, ReactionSpell, slot_level, with_other_slots
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data
from projections.battle.combatant import Combatant

BASE_DIFFICULTY = 10
WORTH_A_SLOT = 2
"""The lowest level of a spell that is worth a slot to counter, as a rule of thumb."""


class CounterspellOptions(Options):
    slot: int | None = Field(
        default=None, ge=3, le=HIGHEST_SLOT, description="the level of the slot to spend; the lowest left if omitted"
    )


@piece
class Counterspell(ReactionSpell[Casting]):
    """Interrupt an enemy within 60 feet who casts a spell. A spell above the slot's level takes a check."""

    name = "counterspell"
    level = 3
    range = 60
    moments = (BEGUN,)
    tags = ("spell", "defense")
    reaction_options = CounterspellOptions

    def price_said(self, reactor: Combatant, said: Data) -> dict[str, int]:
        named = CounterspellOptions.read(said).slot
        return {REACTION: 1, slot(named): 1} if named is not None else self.reaction_price(reactor)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        return with_other_slots(self, reactor, slot_level(self.reaction_price(reactor), self.level))

    def obstacle(self, context: Casting, reactor: Combatant) -> str | None:
        caster = context.caster
        if caster is reactor or not is_hostile(reactor, caster):
            return f"{caster.name} is not an enemy"
        if context.countered:
            return "the spell has already failed"
        if feet_between(reactor, caster) > self.range or not can_see(context.battle, reactor, caster):
            return f"{reactor.name} cannot see {caster.name} within {self.range} feet"
        return None

    def is_useful(self, context: Casting, reactor: Combatant) -> bool:
        return context.level >= WORTH_A_SLOT

    def respond(self, table: Table, context: Casting, reactor: Combatant, level: int) -> None:
        if context.level > level:
            ability, against = sheet_of(reactor).spellcasting, BASE_DIFFICULTY + context.level
            assert ability is not None
            if not resolve_ability_check(table, reactor, ability, against):
                return
        context.countered = True


@piece
class HellishRebuke(ReactionSpell[Harm]):
    """Burn the creature that has just damaged you: 2d10, 1d10 more per higher slot level, half on a Dexterity save."""

    name = "hellish_rebuke"
    level = 1
    range = 60
    moments = (DAMAGED,)
    tags = ("spell", "harm")

    def obstacle(self, context: Harm, reactor: Combatant) -> str | None:
        dealer = context.dealer
        if context.target is not reactor or context.amount == 0:
            return f"{reactor.name} took no damage"
        if dealer is None or dealer is reactor or is_dead(dealer):
            return f"{reactor.name} has no one to rebuke"
        if feet_between(reactor, dealer) > self.range or not can_see(context.battle, reactor, dealer):
            return f"{reactor.name} cannot see {dealer.name} within {self.range} feet"
        return None

    def respond(self, table: Table, context: Harm, reactor: Combatant, level: int) -> None:
        assert context.dealer is not None
        against, origin = self.difficulty(reactor), reactor.position
        saved = resolve_save(table, context.dealer, AbilityScore.DEX, against, self.ref, origin=origin)
        harm = Harm(table.battle, context.dealer, reactor, self.ref, (DamageType.FIRE,), saved=saved)
        harm.halved_by = AbilityScore.DEX
        harm_one(table, harm, damage_of(self, reactor, f"{1 + level}d10", DamageType.FIRE), "hellish rebuke")


SHIELDED = "dnd5e:condition:shielded"


@piece
class Shield(ReactionSpell[Attack | Casting]):
    """Gain +5 armour class until your next turn, including against the triggering attack."""

    name = "shield"
    level = 1
    range = 0
    moments = (ROLLED, AIMED)
    tags = ("spell", "defense")

    def obstacle(self, context: Attack | Casting, reactor: Combatant) -> str | None:
        if reactor.has(SHIELDED):
            return f"{reactor.name} is already shielded"
        if isinstance(context, Casting):
            return self._obstacle_to_darts(context, reactor)
        return self._obstacle_to_attack(context, reactor)

    def _obstacle_to_darts(self, casting: Casting, reactor: Combatant) -> str | None:
        if casting.spell != MAGIC_MISSILE:
            return "of all spells, it only stops Magic Missile"
        return None if reactor.id in casting.targets else f"{reactor.name} is not a target"

    def _obstacle_to_attack(self, attack: Attack, reactor: Combatant) -> str | None:
        if attack.target is not reactor:
            return f"{reactor.name} is not the target"
        if not attack.hits:
            return "the attack misses anyway"
        if attack.natural == 20 or attack.total >= attack.armor_class + SHIELD_BONUS:
            return "the attack hits anyway"
        return None

    def respond(self, table: Table, context: Attack | Casting, reactor: Combatant, level: int) -> None:
        afflict(table, reactor, SHIELDED, source=self.ref, owner=reactor.id, until=until_next_turn(reactor))
