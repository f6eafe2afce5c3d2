"""From a hit to damage: strength, shield and armour change its success value, which determines the dice.

The dice determine the amount, and the amount its effect on the pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from combatlog.rules.action_points.assault import Assault, Hit
from combatlog.rules.action_points.checks import Attempt, as_roll_modifiers, bonus, check
from combatlog.rules.action_points.equipment import Protection
from combatlog.rules.action_points.formulas import damage, damage_roll, harm, might
from combatlog.rules.action_points.protection import absorb, wear_out
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables import CLASS_FACTOR, PHYSICALITY_TV
from combatlog.rules.action_points.vitality import suffer
from combatlog.rules.engine.chain import Chain, Modifier
from combatlog.rules.engine.table import Table
from ledger.events import Change, ChangeOp, Rolled, Until, UntilMoment

PHYSICALITY = "physicality"
OFF_BALANCE = "action_points:condition:off_balance"
SKILL = f"action_points:skill:{PHYSICALITY}"
CLASSES = "action_points:rule:damage_class"


def deal_damage(table: Table, hit: Hit) -> None:
    with table.because_of(hit.check):
        strength = _strength(table, hit.assault)
        success_value = _success_value(table, hit, strength, sheet_of(hit.assault.defender).armour)
        if success_value is not None:
            _hurt(table, hit.assault, success_value)


def pressed_home(table: Table, hit: Hit) -> int | None:
    """The success value of a manoeuvre, which does no damage. A shield can absorb it, but armour does not help."""
    with table.because_of(hit.check):
        return _success_value(table, hit, [], ())


# The success value that counts


def _success_value(table: Table, hit: Hit, strength: list[Modifier], armour: Sequence[Protection]) -> int | None:
    """What is left of the success value; None if a shield or armour absorbed all of it."""
    attacker, defender = hit.assault.attacker, hit.assault.defender
    margin = hit.check.margin or 0
    reached = margin + sum(modifier.change.amount or 0 for modifier in strength)
    worn = [*([hit.shield] if hit.shield else []), *armour]
    absorbed = list(absorb(table, defender, worn, hit.assault.means, reached))
    if not strength and not absorbed:
        return margin
    base = bonus("base", "rule:success_value", attacker, "the success value of the attack", margin)
    chain = Chain("success", ("base", "strength", "protection"), [base, *strength])
    chain.add(*(one.modifier(defender) for one in absorbed))
    chain.record(table)
    for one in absorbed:
        wear_out(table, defender, one)
    left = chain.bonus()
    return left if left > 0 or not absorbed else None


def _strength(table: Table, assault: Assault) -> list[Modifier]:
    """The free Physicality check after a blow. Only those make it who have the skill on their sheet."""
    attacker = assault.attacker
    if not assault.melee or PHYSICALITY not in sheet_of(attacker).skills:
        return []
    checked = check(table, Attempt(attacker, PHYSICALITY, PHYSICALITY), PHYSICALITY_TV)
    found = might(checked.margin or 0)
    if found.penalty:
        until = Until(moment=UntilMoment.ROUND_END, round=table.battle.clock.round + found.rounds - 1)
        table.apply_condition(attacker, OFF_BALANCE, source=SKILL, owner=attacker.id, until=until, level=found.penalty)
    if not found.success:
        return []
    return [bonus("strength", f"skill:{PHYSICALITY}", attacker, "struck with strength", found.success)]


# The damage


def _hurt(table: Table, assault: Assault, success_value: int) -> None:
    chain = _damage_chain(assault, success_value)
    chain.record(table)
    rolled = _roll_damage(table, assault, chain)
    points = damage(rolled.total, _product(chain, ChangeOp.DIVIDE), _product(chain, ChangeOp.MULTIPLY))
    with table.because_of(rolled):
        suffer(table, assault.defender, harm(points), assault.source, assault.attacker.id)


def _product(chain: Chain, op: ChangeOp) -> int:
    return prod(modifier.change.amount or 1 for modifier in chain.of(op))


def _damage_chain(assault: Assault, success_value: int) -> Chain:
    row = damage_roll(success_value)
    reason, owner = f"success value {success_value}", assault.attacker.id
    chain = Chain("damage", ("base", "division", "class", "situation"))
    chain.add(Modifier("base", assault.source, owner, reason, Change(op=ChangeOp.DICE, dice=row.dice)))
    if row.divisor > 1:
        divide = Change(op=ChangeOp.DIVIDE, amount=row.divisor)
        chain.add(Modifier("division", assault.source, owner, reason, divide))
    chain.add(*_scale(assault, row.classes))
    return chain


def _scale(assault: Assault, classes: int) -> list[Modifier]:
    """Each class above that of the body multiplies the damage by ten; each class below divides it."""
    struck, body = assault.means.damage_class + classes, sheet_of(assault.defender).damage_class
    if struck == body:
        return []
    op = ChangeOp.MULTIPLY if struck > body else ChangeOp.DIVIDE
    change = Change(op=op, amount=CLASS_FACTOR ** abs(struck - body))
    reason = f"damage of class {struck} against a body of class {body}"
    return [Modifier("class", CLASSES, assault.attacker.id, reason, change)]


def _roll_damage(table: Table, assault: Assault, chain: Chain) -> Rolled:
    """Roll all dice in the chain: a correction may have added some to the row of the table."""
    dice = "+".join(modifier.change.dice or "" for modifier in chain.of(ChangeOp.DICE))
    return table.roll("damage", assault.attacker.id, dice, modifiers=as_roll_modifiers(chain), chain=chain.name)
