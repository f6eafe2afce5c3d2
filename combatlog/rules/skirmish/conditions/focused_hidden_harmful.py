"""Focused, Hidden, the harmful conditions (Stunned, Weakened, Bleeding), and what hostile cards impose on a figure.

Crippled, HoldsGround, Disabled, MeleeOnly, FewerDice, Exposed and DelayedDamage come from cards. Defeated and
InitiativeClaimed have no effect by themselves: checks and turns look for them.
"""

from __future__ import annotations

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, SkirmishAttack
from combatlog.rules.skirmish.board import is_large
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import SkirmishCondition, add_entry, entries, piece
from combatlog.rules.skirmish.sheet import choose, figure_sheet, figures_in_play, player_of
from combatlog.rules.skirmish.targeting import is_adjacent
from combatlog.rules.skirmish.vitality import suffer
from combatlog.rules.skirmish.vocabulary import AttackColour, Symbol, name_in, ref
from ledger.events import DamagePart
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@piece
class Focused(SkirmishCondition):
    """Adds a green die to the figure's next attack."""

    name = "focused"

    def on_pools(self, attack: SkirmishAttack, owner: Combatant) -> None:
        if owner is attack.attacker:
            reason = f"{owner.id} is focused"
            attack.add_dice("conditions", ATTACK_POOL, AttackColour.GREEN, 1, self.ref, owner.id, reason)

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if any(change.source == self.ref for change in attack.pool_changes) and owner is attack.attacker:
            table.remove_condition(owner, self.ref, "used for the attack")


@piece
class SkirmishHidden(SkirmishCondition):
    """Adds a surge when attacking, and costs attackers accuracy. It ends when the figure attacks."""

    name = "hidden"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        reason = f"{owner.id} is hidden"
        if owner is attack.attacker:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.SURGE, 1)
        elif owner is attack.defender:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.ACCURACY, -2)

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if owner is attack.attacker:
            table.remove_condition(owner, self.ref, "its attack is resolved")


@piece
class SkirmishWeakened(SkirmishCondition):
    """Less damage when attacking, less block when defending. It ends with the figure's activation."""

    name = "weakened"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        reason = f"{owner.id} is weakened"
        if owner is attack.attacker:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.DAMAGE, -1)
        elif owner is attack.defender:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.BLOCK, -1)


@piece
class SkirmishStunned(SkirmishCondition):
    """The figure cannot attack or leave its space until it spends an action to remove this."""

    name = "stunned"


@piece
class Bleeding(SkirmishCondition):
    """The figure suffers 1 strain after each action until it spends an action to remove this."""

    name = "bleeding"


@piece
class Defeated(SkirmishCondition):
    """The figure has no health left and is out of the skirmish."""

    name = "defeated"


@piece
class InitiativeClaimed(SkirmishCondition):
    """The player keeps the initiative when the round ends."""

    name = "initiative_claimed"


CRIPPLED = "skirmish:condition:crippled"
HOLDS_GROUND = "skirmish:condition:holds_ground"
FEWER_DICE = "skirmish:condition:fewer_dice"


@piece
class Crippled(SkirmishCondition):
    """The figure cannot leave its space."""

    name = "crippled"

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        return figure is owner


@piece
class HoldsGround(SkirmishCondition):
    """Small hostile figures cannot leave spaces next to this figure."""

    name = "holds_ground"

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        return figure.side != owner.side and not is_large(figure) and is_adjacent(battle, owner, figure)


@piece
class Disabled(SkirmishCondition):
    """The figure cannot use surge abilities or special actions."""

    name = "disabled"


@piece
class MeleeOnly(SkirmishCondition):
    """The figure's attacks are melee attacks."""

    name = "melee_only"


@piece
class FewerDice(SkirmishCondition):
    """The figure removes dice of its player's choice from its attack pool when it declares an attack."""

    name = "fewer_dice"

    def when_declared(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if owner is not attack.attacker:
            return
        held = owner.conditions[self.ref]
        for _ in range(min(held.data.get("dice", 0), len(attack.attack_pool))):
            dice = [ref("die", colour) for colour in attack.attack_pool]
            weakest = min(dice, key=lambda die: _ORDER.index(name_in(die)))
            chosen = choose(table, "pool.give_up", player_of(table.battle, owner), owner.id, dice, default=weakest)
            reason = f"{figure_sheet(owner).name} attacks with fewer dice"
            attack.add_dice("conditions", ATTACK_POOL, name_in(chosen), -1, held.source, owner.id, reason)


_ORDER = ("yellow", "blue", "green", "red")
"""The attack dice in order of their damage, the lowest first."""


EXPOSED = "skirmish:condition:exposed"


@piece
class Exposed(SkirmishCondition):
    """The next attack against the figure gains Pierce."""

    name = "exposed"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        if owner is attack.defender:
            for entry in entries(owner, self.ref):
                reason = name_of(attack.battle, entry["source"])
                attack.modify("cards", entry["source"], owner.id, reason, Symbol.PIERCE, entry["pierce"])

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if owner is attack.defender:
            table.remove_condition(owner, self.ref, "used for the attack")


def expose(table: Table, figure: Combatant, source: str, pierce: int) -> None:
    add_entry(table, figure, EXPOSED, {"source": source, "pierce": pierce})


DEBTS = "skirmish:condition:debts"


@piece
class DelayedDamage(SkirmishCondition):
    """The figure suffers damage at the end of the round."""

    name = "debts"


def delay_damage(table: Table, figure: Combatant, source: str, damage: int) -> None:
    add_entry(table, figure, DEBTS, {"source": source, "damage": damage})


def deal_delayed_damage(table: Table) -> None:
    for figure in figures_in_play(table.battle):
        owed = [DamagePart(source=debt["source"], amount=debt["damage"]) for debt in entries(figure, DEBTS)]
        if owed:
            table.remove_condition(figure, DEBTS, "the round ends")
            suffer(table, figure, owed, figure.id)
