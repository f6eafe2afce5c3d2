"""An attack: the defender chooses a defence, both sides roll, and the success value decides what follows.

Everything that can be defended against goes through here: blows, shots, spells, manoeuvres.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ledger.events import (
    AttackResolved,
    Change,
    ChangeOp,
    CheckResolved,
    ManualResolutionNeeded,
    Offer,
    Rolled,
)
from projections.combatant import Combatant
from rules.action_points.checks import Attempt, ability_chain, as_roll_modifiers, judge, passive_value, roll_chain
from rules.action_points.economy import Effort
from rules.action_points.formulas import damage, damage_roll, harm
from rules.action_points.pieces import PIECES, Reaction
from rules.action_points.sheet import Weapon
from rules.action_points.tables import DAMAGE_ROLLS
from rules.action_points.vitality import suffer
from rules.engine.chain import Chain, Modifier
from rules.engine.refusal import Refusal
from rules.engine.table import Table

DECLARED = "attack.declared"
PASSIVE = "action_points:reaction:passive"
DODGE = "dodge"
BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Assault:
    """An attack under way."""

    attacker: Combatant
    defender: Combatant
    skill: str
    effort: Effort
    source: str
    """The ref of the weapon or spell that is used."""
    weapon: Weapon | None = None
    melee: bool = True


@dataclass(frozen=True, slots=True)
class Stand:
    """What the attack has to beat."""

    target_value: int
    obstacles: tuple[Modifier, ...] = ()
    """Modifiers that stop the attack even if it beats the target value."""


def resolve(table: Table, assault: Assault) -> CheckResolved | None:
    """The check of an attack that hit; None for one that missed."""
    stand = _defend(table, assault)
    attempt = Attempt(assault.attacker, assault.skill, "attack", assault.effort, assault.weapon)
    chain = ability_chain(attempt)
    chain.add(*stand.obstacles)
    rolled = roll_chain(table, attempt, chain)
    resolved = judge(table, attempt, rolled, stand.target_value)
    hit = resolved.success and not chain.of(ChangeOp.FLAG, BLOCKED)
    with table.because_of(resolved):
        table.record(
            AttackResolved,
            attacker=assault.attacker.id,
            target=assault.defender.id,
            weapon=assault.weapon.name if assault.weapon else None,
            hit=hit,
            roll=sum(map(int, rolled.kept)),
            total=rolled.total,
            against=stand.target_value,
        )
    return resolved if hit else None


# Defence


def _defend(table: Table, assault: Assault) -> Stand:
    """Ask the defender for a reaction, if there is more than one to choose from."""
    known = sorted(PIECES.of(Reaction).values(), key=lambda reaction: reaction.preference)
    open_to = tuple(reaction.ref for reaction in known if _is_open(reaction, assault))
    if open_to == (PASSIVE,):
        return stand_passively(table, assault)
    useful = tuple(ref for ref in open_to if ref != PASSIVE)
    offer = Offer(reactor=assault.defender.id, reactions=open_to, useful=useful)
    for chosen in table.window(DECLARED, assault.attacker.id, [offer]):
        reaction = PIECES[chosen.reaction]
        assert isinstance(reaction, Reaction)
        with table.because_of(chosen):
            return reaction.answer(table, assault, chosen.options)
    return stand_passively(table, assault)


def _is_open(reaction: Reaction, assault: Assault) -> bool:
    try:
        reaction.require(assault.defender, assault)
    except Refusal:
        return False
    return True


def stand_passively(table: Table, assault: Assault, *obstacles: Modifier) -> Stand:
    return Stand(passive_value(table, Attempt(assault.defender, DODGE, "defence")), obstacles)


# Damage


def deal_damage(table: Table, assault: Assault, hit: CheckResolved) -> None:
    """The success value determines the dice, the dice the amount, and the amount the effect on the pools."""
    success_value = hit.margin or 0
    with table.because_of(hit):
        chain = _damage_chain(assault, success_value)
        chain.record(table)
        rolled = _roll_damage(table, assault, chain)
        points = damage(rolled.total, prod(modifier.change.amount or 1 for modifier in chain.of(ChangeOp.DIVIDE)))
        with table.because_of(rolled):
            suffer(table, assault.defender, harm(points), assault.source, assault.attacker)
        if success_value > max(DAMAGE_ROLLS):
            _ask_for_next_class(table, assault, success_value)


def _damage_chain(assault: Assault, success_value: int) -> Chain:
    row = damage_roll(success_value)
    reason, owner = f"success value {success_value}", assault.attacker.id
    chain = Chain("damage", ("base", "division", "situation"))
    chain.add(Modifier("base", assault.source, owner, reason, Change(op=ChangeOp.DICE, dice=row.dice)))
    if row.divisor > 1:
        divide = Change(op=ChangeOp.DIVIDE, amount=row.divisor)
        chain.add(Modifier("division", assault.source, owner, reason, divide))
    return chain


def _roll_damage(table: Table, assault: Assault, chain: Chain) -> Rolled:
    """Roll all dice in the chain: a correction may have added some to the row of the table."""
    dice = "+".join(modifier.change.dice or "" for modifier in chain.of(ChangeOp.DICE))
    return table.roll("damage", assault.attacker.id, dice, modifiers=as_roll_modifiers(chain), chain=chain.name)


def _ask_for_next_class(table: Table, assault: Assault, success_value: int) -> None:
    """Ask the GM what a higher damage class adds. The table has no row for it, so its last row was used."""
    table.record(
        ManualResolutionNeeded,
        subject=assault.defender.id,
        effect=f"a success value of {success_value} reaches the next damage class, which has no table",
        source=assault.source,
    )
