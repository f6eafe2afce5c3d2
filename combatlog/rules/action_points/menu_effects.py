"""What attacks, spells and items would do now: the ability score, the range, and who is in reach."""

from __future__ import annotations

from collections.abc import Iterable

from combatlog.rules.action_points.checks import DICE, Attempt, ability_chain
from combatlog.rules.action_points.economy import ACTIONS, Effort
from combatlog.rules.action_points.equipment import Weapon
from combatlog.rules.action_points.spells_and_items import Affect, Cure, Heal, Item, Opposed, Spell
from combatlog.rules.action_points.spells_and_items import Effect as Content
from combatlog.rules.action_points.tables import LATER_ACTION
from combatlog.rules.action_points.targeting import FISTS, held_weapons, metres_between
from combatlog.rules.action_points.vitality import is_dead
from combatlog.rules.engine.ruleset import Effect, InReach
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import name_of, signed


def attack_effects(battle: Battle, actor: Combatant) -> list[Effect]:
    return [
        Effect(
            weapon=weapon.name,
            to_hit=_roll(actor, weapon.skill, weapon),
            damage="damage by success value",
            range=f"{weapon.farthest} m",
            in_reach=_in_reach(battle, actor, weapon.farthest, hostile=True),
        )
        for weapon in [*held_weapons(actor), FISTS]
    ]


def spell_effect(battle: Battle, actor: Combatant, spell: Spell) -> Effect:
    at_opponent = spell.attack or isinstance(spell.tv, Opposed)
    return Effect(
        to_hit=_against(_roll(actor, spell.skill), spell),
        damage="damage by success value" if spell.attack else None,
        healing=_healing(spell.effects),
        condition=_conditions(spell.effects),
        range=f"{spell.range} m",
        in_reach=_in_reach(battle, actor, spell.range, hostile=at_opponent),
    )


def item_effect(battle: Battle, actor: Combatant, item: Item) -> Effect:
    return Effect(
        healing=_healing(item.effects),
        condition=_conditions(item.effects),
        range=f"{item.range} m",
        in_reach=_in_reach(battle, actor, item.range, hostile=False),
    )


def _roll(actor: Combatant, skill: str, weapon: Weapon | None = None) -> str:
    """What an action now would roll: the second of a round is harder, and is counted only once it is declared."""
    score = ability_chain(Attempt(actor, skill, "attack", Effort(), weapon)).bonus()
    later = LATER_ACTION if actor.economy.left(ACTIONS) == 1 else 0
    return f"{DICE} {signed(score + later)}"


def _against(roll: str, spell: Spell) -> str:
    if isinstance(spell.tv, Opposed):
        return f"{roll} against {spell.tv.against}"
    return roll if spell.tv is None else f"{roll} against TV {spell.tv}"


def _healing(effects: Iterable[Content]) -> str | None:
    return ", ".join(f"{one.points} {one.pool.upper()}" for one in effects if isinstance(one, Heal)) or None


def _conditions(effects: Iterable[Content]) -> str | None:
    begun = [f"{name_of(one.condition)} {one.level}" for one in effects if isinstance(one, Affect)]
    ended = [f"ends {name_of(one.condition)}" for one in effects if isinstance(one, Cure)]
    return ", ".join([*begun, *ended]) or None


def _in_reach(battle: Battle, actor: Combatant, farthest: int, *, hostile: bool) -> list[InReach]:
    wanted = [
        other
        for other in battle.by_initiative(battle.present())
        if (other.side != actor.side) is hostile and not is_dead(other)
    ]
    return [InReach(who=other.id) for other in wanted if metres_between(actor, other) <= farthest]
