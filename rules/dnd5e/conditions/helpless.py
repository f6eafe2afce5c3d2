"""The conditions that leave a creature helpless: incapacitated, paralyzed, petrified, stunned, unconscious."""

from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.dnd5e.condition_effects import is_easily_struck
from rules.dnd5e.contexts import Attack, Harm, Save, feet_between
from rules.dnd5e.modifiers import critical_from, flag, halved, multiplied
from rules.dnd5e.pieces import Condition, piece
from rules.dnd5e.saves import FAIL
from rules.dnd5e.words import AbilityScore, DamageType
from rules.engine.chain import Modifier


@piece
class Incapacitated(Condition):
    """No actions and no reactions."""

    name = "incapacitated"
    incapacitates = True


class Helpless(Incapacitated):
    """Attacks against it have advantage; strength and dexterity saves fail; it does not move."""

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from is_easily_struck(self, attack, owner, f"{owner.id} is {self.name}")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability in (AbilityScore.STR, AbilityScore.DEX):
            yield flag("conditions", self.ref, owner.id, f"{owner.id} is {self.name}", FAIL)

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield multiplied("conditions", self.ref, owner.id, f"{owner.id} is {self.name}", 0)


class Defenceless(Helpless):
    """A hit from within 5 feet is critical, too."""

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from super().on_attack(attack, owner)
        if attack.target is owner and feet_between(attack.attacker, owner) <= 5:
            reason = f"{owner.id} is {self.name} and within 5 feet"
            yield critical_from("conditions", self.ref, owner.id, reason, 1)


@piece
class Stunned(Helpless):
    name = "stunned"


@piece
class Paralyzed(Defenceless):
    name = "paralyzed"


@piece
class Unconscious(Defenceless):
    name = "unconscious"
    blinds = True
    deafens = True


@piece
class Petrified(Helpless):
    """Turned to stone: resistant to all damage, immune to poison."""

    name = "petrified"
    blinds = True
    deafens = True

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        for kind in harm.types:
            if kind == DamageType.POISON:
                yield multiplied("immunity", self.ref, owner.id, f"{owner.id} is stone", 0, kind)
            else:
                yield halved("resistance", self.ref, owner.id, f"{owner.id} is stone", kind)
