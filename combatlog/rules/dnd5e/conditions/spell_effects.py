"""Conditions that spells cause: Slow, Faerie Fire, Blur, Hex, Hunter's Mark, Turn Undead, cantrips and others."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see, is_beyond_illusions
from combatlog.rules.dnd5e.combatant_state import can_act, end_condition, is_blinded
from combatlog.rules.dnd5e.conditions.instances import ABILITY, causes_of, instances_of
from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.modifiers import advantage, advantage_on_attacks_against, bonus, dice, disadvantage, halved
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.engine.grid.squares import distance
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

INVISIBLE = "dnd5e:condition:invisible"


@piece
class Outlined(Dnd5eCondition):
    """Faerie Fire: attackers who see it have advantage, and it gains nothing from being invisible."""

    name = "outlined"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if can_see(attack.battle, attack.attacker, owner):
            yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is outlined")


@piece
class Blurred(Dnd5eCondition):
    """Blur: attacks against it have disadvantage, except those of attackers who do not rely on sight."""

    name = "blurred"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        is_fooled = not is_blinded(attack.attacker) and not is_beyond_illusions(attack.attacker, owner)
        if attack.target is owner and can_act(owner) and is_fooled:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is blurred", stage="conditions")


@piece
class Favored(Dnd5eCondition):
    """Divine Favor: 1d4 extra radiant damage with every weapon hit."""

    name = "favored"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            yield dice("conditions", self.ref, owner.id, "Divine Favor", "1d4", DamageType.RADIANT)


@piece
class Marked(Dnd5eCondition):
    """Hunter's Mark: 1d6 extra damage from the weapon hits of the hunter who marked it."""

    name = "marked"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        is_hunter = attack.attacker.id in causes_of(owner, self.ref)
        if attack.target is owner and is_hunter and attack.spell is None:
            kind = attack.weapon.damage_type
            yield dice("conditions", self.ref, attack.attacker.id, "Hunter's Mark", "1d6", kind)


@piece
class Hexed(Dnd5eCondition):
    """Hex: 1d6 extra necrotic damage from the caster's attacks, and disadvantage on checks with one ability."""

    name = "hexed"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and attack.attacker.id in causes_of(owner, self.ref):
            yield dice("conditions", self.ref, attack.attacker.id, "Hex", "1d6", DamageType.NECROTIC)

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if any(one.data.get(ABILITY) == check.ability for one in instances_of(owner.conditions[self.ref])):
            yield disadvantage(owner.id, self.ref, f"{owner.name} is hexed", stage="conditions")


@piece
class Branding(Dnd5eCondition):
    """Branding Smite: 2d6 extra radiant damage with the next weapon hit."""

    name = "branding"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            yield dice("conditions", self.ref, owner.id, "Branding Smite", "2d6", DamageType.RADIANT)

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and attack.hit and attack.spell is None:
            end_condition(table, attack.target, INVISIBLE, "branded")
            end_condition(table, owner, self.ref, "used")


@piece
class Retching(Dnd5eCondition):
    """Stinking Cloud: the turn's action is lost."""

    name = "retching"

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if owner.economy.left(ACTION) > 0:
            table.spend(owner, ACTION, 1, f"{owner.name} retches", self.ref)


@piece
class Hallowed(Dnd5eCondition):
    """Sacred Weapon: weapon attacks are magical and add the Charisma modifier, at least 1; it sheds light."""

    name = "hallowed"
    makes_magical = True
    ends_when_knocked_out = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            amount = max(1, sheet_of(owner).modifier(AbilityScore.CHA))
            yield bonus("conditions", self.ref, owner.id, "Sacred Weapon", amount)


@piece
class Turned(Dnd5eCondition):
    """Turn Undead: no reactions, no actions except to flee, and no step closer to the caster; damage ends it."""

    name = "turned"
    idles = True
    still_does = ("dash", "dodge", "escape")

    def forbids_step(self, battle: Battle, owner: Combatant, origin: Position, to: Position) -> str | None:
        for cause in causes_of(owner, self.ref):
            other = battle.combatants.get(cause)
            place = other.position if other is not None else None
            if other is not None and place is not None and distance(place, to) < distance(place, origin):
                return f"{owner.name} is turned and cannot move closer to {other.name}"
        return None

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount:
            end_condition(table, owner, self.ref, "took damage")


PENALTY = -2


@piece
class Sluggish(Dnd5eCondition):
    """No reactions, half speed, one attack per turn, and either an action or a bonus action."""

    name = "sluggish"
    forbids_reactions = True
    one_attack = True
    either_action = True

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield halved("conditions", self.ref, owner.id, f"{owner.name} is {self.name}")


@piece
class Slowed(Sluggish):
    """The Slow spell: sluggish, and -2 to armour class and Dexterity saves."""

    name = "slowed"

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, "Slow", PENALTY)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX:
            yield bonus("conditions", self.ref, owner.id, "Slow", PENALTY)


@piece
class Staggered(Dnd5eCondition):
    """Open Hand: no reactions."""

    name = "staggered"
    forbids_reactions = True


SLOWER = 10


@piece
class Chilled(Dnd5eCondition):
    """Speed reduced by 10 feet, as by Ray of Frost."""

    name = "chilled"

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, f"{owner.name} is chilled", -SLOWER)


@piece
class Shocked(Dnd5eCondition):
    """Shocking Grasp: no reactions until its next turn."""

    name = "shocked"
    forbids_reactions = True

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        end_condition(table, owner, self.ref, "its turn begins")


@piece
class Withered(Dnd5eCondition):
    """Chill Touch: cannot regain hit points."""

    name = "withered"
    forbids_healing = True


@piece
class Mocked(Dnd5eCondition):
    """Vicious Mockery: disadvantage on its next attack."""

    name = "mocked"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is {self.name}", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner:
            end_condition(table, owner, self.ref, "attacked")


@piece
class Rattled(Mocked):
    """Shaken by a blow: disadvantage on its next attack."""

    name = "rattled"


@piece
class Glimmering(Dnd5eCondition):
    """Guiding Bolt: advantage on the next attack against it."""

    name = "glimmering"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner:
            yield advantage(owner.id, self.ref, f"{owner.name} glimmers", stage="conditions")

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.target is owner and attack.spell != owner.conditions[self.ref].source:
            end_condition(table, owner, self.ref, "attacked")
