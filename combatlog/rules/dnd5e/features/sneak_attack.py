"""Sneak Attack: extra damage once per turn."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.targeting import enemy_beside
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import renew
from combatlog.rules.dnd5e.enums import WeaponProperty
from combatlog.rules.dnd5e.modifiers import dice, flag
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.engine.dice.dice_notation import mode_of
from combatlog.rules.engine.resolution.chain import Consumption, Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import ChangeOp
from projections.battle.combatant import Combatant


@piece
class SneakAttack(Feature):
    """Once per turn, extra damage for a finesse or ranged hit with advantage, or with an enemy of the target beside it.

    The attack chain decides whether it applies, before the roll; its dice join the damage chain after a hit.
    """

    name = "sneak_attack"
    once_a_turn = True

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1}

    def on_attack_collected(self, attack: Attack, chain: ModifierChain, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is not owner or not self.suits(attack) or owner.economy.left(self.name) < 1:
            return
        mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
        ally = self.helper(attack, owner)
        if mode == "advantage":
            yield flag("situational", self.ref, owner.id, "Sneak Attack: advantage", self.name)
        elif mode != "disadvantage" and ally is not None:
            reason = f"Sneak Attack: {ally.name} is next to {attack.target.name}"
            yield flag("situational", self.ref, owner.id, reason, self.name)

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.has_flag(self.name) and owner.economy.left(self.name) > 0:
            notation = self.throw(owner)
            spent = Consumption(owner.id, self.ref, "once per turn")
            kind = attack.weapon.damage_type
            yield dice("features", self.ref, owner.id, "Sneak Attack", notation, kind, spent)

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        renew(table, owner, self.name, 1)

    def helper(self, attack: Attack, owner: Combatant) -> Combatant | None:
        """Another combatant next to the target who distracts it."""
        return enemy_beside(attack, owner)

    def suits(self, attack: Attack) -> bool:
        return attack.spell is None and (WeaponProperty.FINESSE in attack.weapon.properties or attack.weapon.is_ranged)

    def throw(self, owner: Combatant) -> str:
        """The extra dice."""
        return f"{(sheet_of(owner).level + 1) // 2}d6"
