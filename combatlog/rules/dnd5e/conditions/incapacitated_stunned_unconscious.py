"""Conditions that prevent actions: incapacitated, paralyzed, petrified, stunned, unconscious, asleep, surprised."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.combatant_state import afflict, end_condition
from combatlog.rules.dnd5e.contexts import Attack, Harm, Save
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.modifiers import advantage_on_attacks_against, critical_from, flag, halved, multiplied
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.dnd5e.saves_and_checks import FAIL
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant


@piece
class Incapacitated(Dnd5eCondition):
    """No actions or reactions, but it can move."""

    name = "incapacitated"
    incapacitates = True


class Helpless(Incapacitated):
    """No actions; advantage on attacks against it; Strength and Dexterity saves fail; speed 0."""

    immobilizes = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is {self.name}")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability in (AbilityScore.STR, AbilityScore.DEX):
            yield flag("conditions", self.ref, owner.id, f"{owner.name} is {self.name}", FAIL)

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield multiplied("conditions", self.ref, owner.id, f"{owner.name} is {self.name}", 0)


class Defenceless(Helpless):
    """Helpless, and every hit from within 5 feet is critical."""

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from super().on_attack(attack, owner)
        if attack.target is owner and attack.range <= 5:
            reason = f"{owner.name} is {self.name} and within 5 feet"
            yield critical_from("conditions", self.ref, owner.id, reason, 1)


@piece
class Stunned(Helpless):
    """Helpless."""

    name = "stunned"


@piece
class Paralyzed(Defenceless):
    """Helpless, and hits from within 5 feet are critical."""

    name = "paralyzed"


@piece
class Unconscious(Defenceless):
    """Helpless, unaware and prone; hits from within 5 feet are critical."""

    name = "unconscious"
    lasts = True
    knocks_out = True
    blinds = True
    deafens = True

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if not owner.has(PRONE):
            held = owner.conditions[self.ref]
            afflict(table, owner, PRONE, source=held.source, owner=held.owner)


@piece
class Asleep(Unconscious):
    """Unconscious until it takes damage or is woken."""

    name = "asleep"
    lasts = False

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            end_condition(table, owner, self.ref, "woke up")


@piece
class Petrified(Helpless):
    """Turned to stone: helpless, resistant to all damage, immune to poison."""

    name = "petrified"
    lasts = True
    blinds = True
    deafens = True

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        for kind in harm.types:
            if kind == DamageType.POISON:
                yield multiplied("immunity", self.ref, owner.id, f"{owner.name} is petrified", 0, kind)
            else:
                yield halved("resistance", self.ref, owner.id, f"{owner.name} is petrified", kind)


@piece
class Surprised(Dnd5eCondition):
    """No actions and no movement on its first turn, and no reactions until that turn ends."""

    name = "surprised"
    holds_up = True
    is_single = True

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        end_condition(table, owner, self.ref, "its turn is over")
