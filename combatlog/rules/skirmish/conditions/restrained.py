"""What a figure cannot do until the round ends."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, Attack
from combatlog.rules.skirmish.footprint import is_large
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.sheet import figure_sheet, player_of
from combatlog.rules.skirmish.targeting import is_adjacent
from combatlog.rules.skirmish.vocabulary import name_in, ref
from projections.battle import Battle
from projections.combatant import Combatant

CRIPPLED = "skirmish:condition:crippled"
HOLDS_GROUND = "skirmish:condition:holds_ground"
FEWER_DICE = "skirmish:condition:fewer_dice"


@piece
class Crippled(Condition):
    """The figure cannot leave its space."""

    name = "crippled"

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        return figure is owner


@piece
class HoldsGround(Condition):
    """Small hostile figures cannot leave spaces next to this figure."""

    name = "holds_ground"

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        return figure.side != owner.side and not is_large(figure) and is_adjacent(battle, owner, figure)


@piece
class Disabled(Condition):
    """The figure cannot use surge abilities or special actions."""

    name = "disabled"


@piece
class MeleeOnly(Condition):
    """The figure's attacks are melee attacks."""

    name = "melee_only"


@piece
class FewerDice(Condition):
    """The figure removes dice from its attack pool when it declares an attack; its player chooses which."""

    name = "fewer_dice"

    def when_declared(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if owner is not attack.attacker:
            return
        held = owner.conditions[self.ref]
        for _ in range(min(held.data["dice"], len(attack.attack_pool))):
            dice = [ref("die", colour) for colour in attack.attack_pool]
            weakest = min(dice, key=lambda die: _ORDER.index(name_in(die)))
            chosen = choose(table, "pool.give_up", player_of(table.battle, owner), owner.id, dice, default=weakest)
            reason = f"{figure_sheet(owner).name} attacks with fewer dice"
            attack.add_dice("conditions", ATTACK_POOL, name_in(chosen), -1, held.source, owner.id, reason)


_ORDER = ("yellow", "blue", "green", "red")
"""The attack dice from the least to the most damage."""
