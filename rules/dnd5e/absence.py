"""Why a reaction or a feature did not count in a declaration: what kept each who has it from it."""

from __future__ import annotations

from typing import Any

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.attack import attack_ability
from rules.dnd5e.economy import can_pay, in_words
from rules.dnd5e.occasions import Attack, feet_between
from rules.dnd5e.pieces import Feature, Reaction, pieces_of
from rules.dnd5e.state import can_act
from rules.dnd5e.targeting import weapon_named
from rules.refusal import Refusal


def obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    """For each combatant that has it, in a sentence; nothing where nobody does."""
    reaction = pieces_of(Reaction).get(name)
    if reaction is not None:
        attack = _attack(before, declared)
        return [_of_reaction(reaction, attack, who) for who in before.present() if reaction.is_held(who)]
    feature = pieces_of(Feature).get(name)
    if feature is not None:
        return [_of_feature(feature, who) for who in before.present() if feature.is_held(who)]
    return []


def _of_reaction(reaction: Reaction[Any], attack: Attack | None, who: Combatant) -> str:
    price = reaction.reaction_price(who)
    if not can_act(who):
        return f"{who.id} could not act."
    for resource, amount in price.items():
        if not can_pay(who, {resource: amount}):
            return f"{who.id}'s {in_words(resource)} was {_spent(who, resource)}."
    if attack is None:
        return f"{who.id} has {reaction.title}, but this was no attack on anybody."
    why = reaction.obstacle(attack, who)
    return (
        f"{why[:1].upper()}{why[1:]}." if why else f"{who.id} could have used it, but the moment for it did not come."
    )


def _spent(who: Combatant, resource: str) -> str:
    history = who.economy[resource].history if resource in who.economy else []
    return f"spent at {history[-1].seq}" if history else "not there"


def _of_feature(feature: Feature, who: Combatant) -> str:
    return f"{who.id} has {feature.title}, but it contributes nothing to this declaration."


def _attack(before: Battle, declared: Declared) -> Attack | None:
    """The attack that was declared, as the reactions would have seen it."""
    people = before.combatants
    if len(declared.targets) != 1 or declared.actor not in people or declared.targets[0] not in people:
        return None
    attacker, target = people[declared.actor], people[declared.targets[0]]
    try:
        weapon = weapon_named(attacker, declared.weapon)
    except Refusal:
        return None
    melee = not weapon.is_ranged and feet_between(attacker, target) <= weapon.reach
    return Attack(before, attacker, target, weapon, attack_ability(attacker, weapon), melee)
