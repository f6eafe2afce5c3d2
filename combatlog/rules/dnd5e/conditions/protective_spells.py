"""Conditions of protective spells: Sanctuary, Mirror Image, Blink, Holy Aura, Protection from Evil and Good."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.phases import attack_chain
from combatlog.rules.dnd5e.attack.wielding import use_up
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import is_beyond_illusions
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, is_blinded
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_next_turn
from combatlog.rules.dnd5e.conditions.instances import instances_of
from combatlog.rules.dnd5e.contexts import Attack, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore, CreatureType
from combatlog.rules.dnd5e.modifiers import advantage, disadvantage
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.dnd5e.reactions import record_consuming
from combatlog.rules.dnd5e.saves_and_checks import resolve_save, roll_d20
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant

OUTSIDERS = (
    CreatureType.ABERRATION,
    CreatureType.CELESTIAL,
    CreatureType.ELEMENTAL,
    CreatureType.FEY,
    CreatureType.FIEND,
    CreatureType.UNDEAD,
)
UNHOLY = (CreatureType.FIEND, CreatureType.UNDEAD)
BLINDED = "dnd5e:condition:blinded"
ETHEREAL = "dnd5e:condition:ethereal"
BLINKS_FROM = 11
IMAGES = 3
IMAGE_FROM = {3: 6, 2: 8, 1: 11}
"""The d20 roll from which an image is attacked instead, by the number of images left."""


def difficulty_of(table: Table, owner: Combatant, condition: str) -> int:
    """The DC of the spell that caused a condition; 10 if a ruling caused it."""
    held = owner.conditions[condition]
    caster = table.battle.combatants.get(held.owner)
    spell = held.source.rsplit(":", 1)[-1]
    if caster is None or sheet_of(caster).casting_ability(spell) is None:
        return 10
    return sheet_of(caster).difficulty_of(spell)


@piece
class Guarded(Dnd5eCondition):
    """Protection from Evil and Good: outsiders and undead attack with disadvantage, and cannot charm or frighten it."""

    name = "guarded"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and sheet_of(attack.attacker).creature_type in OUTSIDERS:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is guarded", stage="conditions")

    def wards_off(self, owner: Combatant, condition: str, cause: Combatant | None) -> bool:
        if condition not in ("charmed", "frightened") or cause is None:
            return False
        return sheet_of(cause).creature_type in OUTSIDERS


@piece
class Hopeful(Dnd5eCondition):
    """Beacon of Hope: advantage on Wisdom and death saves, and healing dice count as their maximum."""

    name = "hopeful"
    heals_fully = True

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability in (AbilityScore.WIS, None):
            yield advantage(owner.id, self.ref, f"{owner.name} is hopeful", stage="conditions")


@piece
class Haloed(Dnd5eCondition):
    """Holy Aura: advantage on saves, disadvantage on attacks against it; fiends and undead that hit it may go blind."""

    name = "haloed"

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        yield advantage(owner.id, self.ref, f"{owner.name} is haloed", stage="conditions")

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is haloed", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        attacker = attack.attacker
        is_hit = attack.target is owner and attack.hit and attack.melee
        if not is_hit or sheet_of(attacker).creature_type not in UNHOLY:
            return
        held, against = owner.conditions[self.ref], difficulty_of(table, owner, self.ref)
        if not resolve_save(table, attacker, AbilityScore.CON, against, self.ref, "save against the halo"):
            afflict(table, attacker, BLINDED, source=held.source, owner=held.owner, until=held.until)


@piece
class Sheltered(Dnd5eCondition):
    """Sanctuary: an attacker or caster who targets it makes a Wisdom save or loses the attack or spell."""

    name = "sheltered"
    is_single = True
    outlasts_harmless_spells = True

    def turns_aside(self, table: Table, attacker: Combatant, owner: Combatant, attack: Attack | None) -> bool:
        if attacker is owner:
            return False
        against = difficulty_of(table, owner, self.ref)
        return not resolve_save(table, attacker, AbilityScore.WIS, against, self.ref, "save against the shelter")


@piece
class Mirrored(Dnd5eCondition):
    """Mirror Image: three images that attacks may hit instead, until they are all gone."""

    name = "mirrored"
    is_single = True

    def begins_with(self, target: Combatant) -> dict[str, int]:
        return {"images": IMAGES}

    def turns_aside(self, table: Table, attacker: Combatant, owner: Combatant, attack: Attack | None) -> bool:
        if attack is None or attacker is owner or _is_not_fooled(attack):
            return False
        left = int(owner.conditions[self.ref].data.get("images", IMAGES))
        if table.roll("mirror image", owner.id, "1d20").total < IMAGE_FROM[left]:
            return False
        if self._is_hit(table, attack, owner):
            self._shatter(table, owner, left)
        return True

    def _is_hit(self, table: Table, attack: Attack, owner: Combatant) -> bool:
        attack.chain = attack_chain(attack)
        record_consuming(table, attack.chain)
        roll_d20(table, "attack", attack, attack.chain)
        use_up(table, attack)
        attack.armor_class = 10 + sheet_of(owner).modifier(AbilityScore.DEX)
        return attack.hits

    def _shatter(self, table: Table, owner: Combatant, left: int) -> None:
        if left == 1:
            end_condition(table, owner, self.ref, "the last image is gone")
            return
        held = instances_of(owner.conditions[self.ref])[0]
        data = {"images": left - 1}
        afflict(table, owner, self.ref, source=held.source, owner=held.owner, until=held.until, data=data)


def _is_not_fooled(attack: Attack) -> bool:
    return is_blinded(attack.attacker) or is_beyond_illusions(attack.attacker, attack.target)


@piece
class Blinking(Dnd5eCondition):
    """Blink: at the end of each turn, an 11 or more on a d20 takes it to the Ethereal Plane until its next turn."""

    name = "blinking"
    is_single = True

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        if table.roll("blink", owner.id, "1d20").total >= BLINKS_FROM:
            held = owner.conditions[self.ref]
            until = until_next_turn(owner)
            afflict(table, owner, ETHEREAL, source=held.source, owner=held.owner, until=until)


@piece
class Ethereal(Dnd5eCondition):
    """On the Ethereal Plane: it cannot affect others or be affected by them."""

    name = "ethereal"
    is_single = True
    cuts_off = True
    conceals = True
