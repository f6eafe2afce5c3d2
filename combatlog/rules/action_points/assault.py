"""An attack: the defender chooses a defence, both sides roll, and the success value decides what follows.

Shields and armour absorb part of it, what is left determines the damage dice, and the weapon cools down.
Everything that can be defended against goes through here: blows, shots, spells, manoeuvres.
"""

from __future__ import annotations

from dataclasses import dataclass

from combatlog.rules.action_points.checks import Attempt, judge, passive_value, roll
from combatlog.rules.action_points.economy import Effort
from combatlog.rules.action_points.equipment import Harmful, Shield, Weapon
from combatlog.rules.action_points.pieces import PIECES, Reaction
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import AttackResolved, CheckResolved, Offer
from projections.battle import Battle
from projections.combatant import Combatant

DECLARED = "attack.declared"
PASSIVE = "action_points:reaction:passive"
DODGE = "dodge"
BEFORE_PAID_PARRIES = frozenset({"1", "2"})
"""The versions of the ruleset in which a parry needed parry mode. Their fights are resolved as they were recorded."""


@dataclass(frozen=True, slots=True)
class Assault:
    """An attack under way."""

    attacker: Combatant
    defender: Combatant
    skill: str
    effort: Effort
    source: str
    """The ref of the weapon or spell that is used."""
    means: Harmful
    """That weapon or spell."""
    melee: bool = True
    paid_parries: bool = True
    """Whether it can be parried outside parry mode, as an action."""

    @property
    def weapon(self) -> Weapon | None:
        return self.means if isinstance(self.means, Weapon) else None


@dataclass(frozen=True, slots=True)
class Stand:
    """What the attack has to beat, and the shield that is raised against it."""

    target_value: int
    shield: Shield | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """An attack that hit, and the shield that was raised against it."""

    assault: Assault
    check: CheckResolved
    shield: Shield | None = None


def resolve(table: Table, assault: Assault) -> Hit | None:
    """None for an attack that missed."""
    stand = _defend(table, assault)
    attempt = attack_attempt(assault)
    rolled = roll(table, attempt)
    resolved = judge(table, attempt, rolled, stand.target_value)
    with table.because_of(resolved):
        table.record(
            AttackResolved,
            attacker=assault.attacker.id,
            target=assault.defender.id,
            weapon=assault.weapon.name if assault.weapon else None,
            hit=resolved.success,
            roll=sum(map(int, rolled.kept)),
            total=rolled.total,
            against=stand.target_value,
        )
    return Hit(assault, resolved, stand.shield) if resolved.success else None


def attack_attempt(assault: Assault) -> Attempt:
    return Attempt(
        assault.attacker, assault.skill, "attack", assault.effort, weapon=assault.weapon, target=assault.defender
    )


def parries_can_be_paid_for(battle: Battle) -> bool:
    return battle.encounter.ruleset_version not in BEFORE_PAID_PARRIES


# Defence


def _defend(table: Table, assault: Assault) -> Stand:
    """Ask the defender for a reaction, if there is more than one to choose from; the most promising comes first."""
    known = sorted(PIECES.of(Reaction).values(), key=lambda reaction: reaction.preference)
    open_to = [reaction for reaction in known if _is_open(reaction, assault)]
    refs = [reaction.ref for reaction in sorted(open_to, key=lambda reaction: -reaction.promise(assault))]
    if refs == [PASSIVE]:
        return stand_passively(table, assault)
    useful = tuple(ref for ref in refs if ref != PASSIVE)
    offer = Offer(reactor=assault.defender.id, reactions=(*useful, PASSIVE), useful=useful)
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


def stand_passively(table: Table, assault: Assault, shield: Shield | None = None) -> Stand:
    return Stand(passive_value(table, Attempt(assault.defender, DODGE, "defence")), shield)
