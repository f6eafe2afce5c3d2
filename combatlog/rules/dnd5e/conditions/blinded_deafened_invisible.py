"""Conditions about seeing, hearing and being seen: blinded, deafened, invisible, hidden."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import HIDDEN, sees_clearly
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import OUTLINED, senses_invisible
from combatlog.rules.dnd5e.combatant_state import can_act, end_condition, is_hostile
from combatlog.rules.dnd5e.contexts import Attack, MovementStep
from combatlog.rules.dnd5e.modifiers import (
    advantage,
    advantage_on_attacks_against,
    disadvantage,
    disadvantage_on_own_attacks,
)
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant


@piece
class Blinded(Dnd5eCondition):
    """Cannot see: disadvantage on attacks, advantage on attacks against it."""

    name = "blinded"
    blinds = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} cannot see")
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} cannot see")


@piece
class Deafened(Dnd5eCondition):
    """Cannot hear, so Cutting Words does not work on it."""

    name = "deafened"
    deafens = True


class UnseenCondition(Dnd5eCondition):
    """Unseen: advantage on attacks, disadvantage on attacks against it."""

    conceals = True

    def is_noticed(self, owner: Combatant, by: Combatant) -> bool:
        """Whether another combatant sees its owner all the same."""
        return False

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and not self.is_noticed(owner, attack.target):
            yield advantage(owner.id, self.ref, f"{owner.name} is {self.name}", stage="conditions")
        elif attack.target is owner and not self.is_noticed(owner, attack.attacker):
            yield disadvantage(owner.id, self.ref, f"{owner.name} is {self.name}", stage="conditions")


@piece
class Invisible(UnseenCondition):
    """Cannot be seen without truesight or blindsight: advantage on attacks, disadvantage on attacks against it."""

    name = "invisible"
    is_invisibility = True

    def is_noticed(self, owner: Combatant, by: Combatant) -> bool:
        return senses_invisible(by, owner)


@piece
class Hidden(UnseenCondition):
    """Unseen until it attacks or an enemy sees it clearly."""

    name = "hidden"
    ends_when_incapacitated = True

    def is_noticed(self, owner: Combatant, by: Combatant) -> bool:
        return owner.has(OUTLINED)

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner:
            end_condition(table, owner, HIDDEN, "attacked")

    def after_step(self, table: Table, step: MovementStep, owner: Combatant) -> None:
        for other in table.battle.present():
            if is_hostile(owner, other) and can_act(other) and sees_clearly(table.battle, other, owner):
                end_condition(table, owner, HIDDEN, f"{other.name} saw it")
                return
