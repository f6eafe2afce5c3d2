"""Conditions entered by choice or with an ally's help: dodging, disengaging, helped, raging, reckless, shielded."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.battlemap.movement import speed_of
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, end_condition, end_instance, is_hostile
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import PHYSICAL, AbilityScore, Armor, DamageType
from combatlog.rules.dnd5e.modifiers import advantage, bonus, disadvantage, halved, multiplied
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant

SHIELD_BONUS = 5
FRENZIED = "dnd5e:condition:frenzied"
EXHAUSTION = "dnd5e:condition:exhaustion"
MAGIC_MISSILE = "dnd5e:spell:magic_missile"


@piece
class Helped(Dnd5eCondition):
    """Advantage on the next attack against the enemy that an ally is distracting."""

    name = "helped"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        for help in self._helping(attack, owner):
            helper = attack.battle.combatants.get(help.owner)
            name = helper.name if helper is not None else help.owner
            yield advantage(owner.id, self.ref, f"{name} helps", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        for help in self._helping(attack, owner):
            end_instance(table, owner, self.ref, help, "used")

    def _helping(self, attack: Attack, owner: Combatant) -> list[Instance]:
        if attack.attacker is not owner:
            return []
        helps = instances_of(owner.conditions[self.ref])
        return [help for help in helps if help.data.get("against") in (None, attack.target.id)]


@piece
class Raging(Dnd5eCondition):
    """Extra melee damage with Strength and resistance to weapon damage; ends after a turn without fighting.

    Heavy armour takes the benefits away, but not the rage.
    """

    name = "raging"
    ends_when_knocked_out = True
    forbids_spells = True

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        is_strong = attack.melee and attack.ability is AbilityScore.STR
        if attack.attacker is owner and is_strong and self._benefits(owner):
            yield bonus(
                "conditions", self.ref, owner.id, "rage", rage_damage(sheet_of(owner).level), attack.weapon.damage_type
            )

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        for kind in harm.types:
            if kind in PHYSICAL and self._benefits(owner):
                yield halved("resistance", self.ref, owner.id, f"{owner.name} is raging", kind)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.STR and self._benefits(owner):
            yield advantage(owner.id, self.ref, f"{owner.name} is raging", stage="conditions")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if check.ability is AbilityScore.STR and self._benefits(owner):
            yield advantage(owner.id, self.ref, f"{owner.name} is raging", stage="conditions")

    def _benefits(self, owner: Combatant) -> bool:
        return sheet_of(owner).armor is not Armor.HEAVY

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and is_hostile(owner, attack.target):
            self._stoke(table, owner, stoked=True)

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            self._stoke(table, owner, stoked=True)

    def at_end(self, table: Table, owner: Combatant) -> None:
        end_condition(table, owner, FRENZIED, "the rage is over")

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        if owner.conditions[self.ref].data.get("stoked"):
            self._stoke(table, owner, stoked=False)
        else:
            end_condition(table, owner, self.ref, "neither attacked nor took damage")

    def _stoke(self, table: Table, owner: Combatant, *, stoked: bool) -> None:
        """Keep track of whether the owner has attacked or been hurt since its last turn."""
        held = owner.conditions.get(self.ref)
        if held is not None and bool(held.data.get("stoked")) is not stoked:
            data = {"stoked": stoked}
            afflict(table, owner, self.ref, source=held.source, owner=held.owner, until=held.until, data=data)


@piece
class Frenzied(Dnd5eCondition):
    """Raging in a frenzy: one level of exhaustion when the rage ends."""

    name = "frenzied"

    def at_end(self, table: Table, owner: Combatant) -> None:
        afflict(table, owner, EXHAUSTION, source=self.ref, owner=owner.id)


def rage_damage(level: int) -> int:
    return 2 if level < 9 else 3 if level < 16 else 4


@piece
class Reckless(Dnd5eCondition):
    """Advantage on Strength attacks in melee this turn; advantage on attacks against it until its next turn."""

    name = "reckless"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        own_turn = attack.battle.clock.turn == owner.id
        if attack.attacker is owner and own_turn and attack.melee and attack.ability is AbilityScore.STR:
            yield advantage(owner.id, self.ref, f"{owner.name} attacks recklessly", stage="conditions")
        elif attack.target is owner:
            yield advantage(owner.id, self.ref, f"{owner.name} is reckless", stage="conditions")


@piece
class Shielded(Dnd5eCondition):
    """The Shield spell: +5 armour class and immunity to magic missiles."""

    name = "shielded"

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", "dnd5e:spell:shield", owner.id, "Shield", SHIELD_BONUS)

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if harm.source == MAGIC_MISSILE:
            yield multiplied("immunity", "dnd5e:spell:shield", owner.id, "Shield", 0, DamageType.FORCE)


@piece
class Dodging(Dnd5eCondition):
    """Disadvantage on attacks by visible attackers, advantage on Dexterity saves; only while able to act and move."""

    name = "dodging"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and _is_nimble(owner) and can_see(attack.battle, owner, attack.attacker):
            yield disadvantage(owner.id, self.ref, f"{owner.name} dodges", stage="conditions")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX and _is_nimble(owner):
            yield advantage(owner.id, self.ref, f"{owner.name} dodges", stage="conditions")


def _is_nimble(owner: Combatant) -> bool:
    return can_act(owner) and speed_of(owner) > 0


@piece
class Disengaging(Dnd5eCondition):
    """Its movement does not provoke opportunity attacks."""

    name = "disengaging"

    def slips_away(self, owner: Combatant) -> bool:
        return True
