"""Conditions that spells put on friend or foe for a while: outlines, blurs, marks and blessed blows."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.condition_effects import advantage_on_attacks_against
from combatlog.rules.dnd5e.contexts import Attack, Check
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.instances import ABILITY, causes_of, instances_of
from combatlog.rules.dnd5e.modifiers import dice, disadvantage
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.state import can_act, end_condition
from combatlog.rules.dnd5e.words import DamageType
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

INVISIBLE = "dnd5e:condition:invisible"


@piece
class Outlined(Condition):
    """Faerie Fire: attacks against it have advantage, and being invisible does not help it."""

    name = "outlined"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is outlined")


@piece
class Blurred(Condition):
    """Blur: attacks against it have disadvantage."""

    name = "blurred"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and can_act(owner):
            yield disadvantage(owner.id, self.ref, f"{owner.name} is blurred", stage="conditions")


@piece
class Favored(Condition):
    """Divine Favor: 1d4 radiant damage more with every weapon hit."""

    name = "favored"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            yield dice("conditions", self.ref, owner.id, "Divine Favor", "1d4", DamageType.RADIANT)


@piece
class Marked(Condition):
    """Hunter's Mark: 1d6 more damage from the weapons of whoever marked it."""

    name = "marked"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        is_hunter = attack.attacker.id in causes_of(owner, self.ref)
        if attack.target is owner and is_hunter and attack.spell is None:
            kind = attack.weapon.damage_type
            yield dice("conditions", self.ref, attack.attacker.id, "Hunter's Mark", "1d6", kind)


@piece
class Hexed(Condition):
    """Hex: 1d6 necrotic damage more from the attacks of whoever hexed it, and one ability's checks are hampered."""

    name = "hexed"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and attack.attacker.id in causes_of(owner, self.ref):
            yield dice("conditions", self.ref, attack.attacker.id, "Hex", "1d6", DamageType.NECROTIC)

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if any(one.data.get(ABILITY) == check.ability for one in instances_of(owner.conditions[self.ref])):
            yield disadvantage(owner.id, self.ref, f"{owner.name} is hexed", stage="conditions")


@piece
class Branding(Condition):
    """Branding Smite: 2d6 radiant damage more with the next weapon hit."""

    name = "branding"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            yield dice("conditions", self.ref, owner.id, "Branding Smite", "2d6", DamageType.RADIANT)

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and attack.hit and attack.spell is None:
            end_condition(table, attack.target, INVISIBLE, "branded")
            end_condition(table, owner, self.ref, "used")


@piece
class Retching(Condition):
    """Stinking Cloud: the turn's action is lost."""

    name = "retching"

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if owner.economy.left(ACTION) > 0:
            table.spend(owner, ACTION, 1, f"{owner.name} retches", self.ref)
