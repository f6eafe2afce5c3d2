"""The menu: what a combatant has and can do, in five sections."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.dnd5e.abilities.attack import attack_count_chain
from combatlog.rules.dnd5e.economy import ATTACKS, MOVEMENT, in_words, require
from combatlog.rules.dnd5e.features.legendary import OutOfTurn
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.magic import ReactionSpell, Spell
from combatlog.rules.dnd5e.menu_effects import effects_of
from combatlog.rules.dnd5e.modifiers import value_of
from combatlog.rules.dnd5e.pieces import Ability, Action, Activity, Feature, GrantedAction, Reaction, pieces_of
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.speed import movement_left
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.ruleset import Choice, Section
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted, name_of, until_in_words, who

Check = Callable[[Battle, Combatant, Activity], None]


def menu(battle: Battle, actor: Combatant, check_turn: Check) -> list[Section]:
    """Each entry with its cost and, if it cannot be declared now, the sentence it would be refused with."""

    def choice(activity: Activity) -> Choice:
        why_not = obstacle(lambda: _permit(activity, battle, actor, check_turn))
        effects = effects_of(activity, battle, actor) if why_not is None else []
        note = _note(activity, actor) or ("" if effects else activity.about)
        return Choice(name=activity.name, cost=_cost(activity, actor), note=note, why_not=why_not, effects=effects)

    loadout = sheet_of(actor).loadout
    offered = [ability for ability in pieces_of(Ability).values() if ability.is_offered(battle)]
    return [
        Section(title="Combat Actions", choices=[choice(ability) for ability in offered]),
        Section(title="Features", choices=[_feature(feature, actor, choice) for feature in loadout.features]),
        Section(title="Available Now", choices=[choice(action) for action in _actions(battle, actor)]),
        Section(title="Active Conditions", choices=_conditions(actor)),
        Section(title="Spells", choices=[_spell(spell, actor, choice) for spell in loadout.spells]),
    ]


def _permit(activity: Activity, battle: Battle, actor: Combatant, check_turn: Check) -> None:
    check_turn(battle, actor, activity)
    activity.permit(battle, actor, {})


def _cost(activity: Activity, actor: Combatant) -> str:
    return _in_words(activity.price(actor, {}))


def _in_words(price: dict[str, int]) -> str:
    return ", ".join(f"{amount} {in_words(resource)}" for resource, amount in price.items()) or "free"


def _feature(feature: Feature, actor: Combatant, choice: Callable[[Activity], Choice]) -> Choice:
    if isinstance(feature, Activity):
        return choice(feature)
    if isinstance(feature, Reaction):
        return _reaction(feature, actor)
    return Choice(name=feature.name, note="always on")


def _reaction(reaction: Reaction[object], actor: Combatant) -> Choice:
    price = reaction.reaction_price(actor)
    return Choice(
        name=reaction.name,
        cost=_in_words(reaction.least_price(actor) if isinstance(reaction, OutOfTurn) else price),
        note=_when_asked(reaction, actor),
        why_not=obstacle(lambda: require(actor, price)),
    )


def _when_asked(reaction: Reaction[object], actor: Combatant) -> str:
    """What it does or, for legendary and lair actions, which ones there are."""
    if isinstance(reaction, OutOfTurn):
        known = [f"{move.name} ({move.cost})" if move.cost > 1 else move.name for move in reaction.known(actor)]
        return f"when asked: {', '.join(map(name_of, known))}"
    return f"when asked: {reaction.about}" if reaction.about else "when asked"


def _actions(battle: Battle, actor: Combatant) -> list[Activity]:
    """What everybody can do, what its weapons add, what has been granted, and its own special actions."""
    actions = [action for action in pieces_of(Action).values() if action.is_held(actor) and action.is_offered(battle)]
    there = [action for action in actions if not isinstance(action, GrantedAction) or actor.granted_actions(action.ref)]
    return [*there, *(action for action in sheet_of(actor).loadout.actions if isinstance(action, Activity))]


def _note(activity: Activity, actor: Combatant) -> str:
    """What matters most about it now."""
    if activity.name in _NOTES:
        return _NOTES[activity.name](actor)
    granted = len(actor.granted_actions(activity.ref))
    return f"{granted} left" if granted else ""


def _strikes_left(actor: Combatant) -> str:
    """Whoever has made the first of two strikes often looks for the second one under `attack`."""
    left = actor.economy.left(ATTACKS)
    return f"{counted(left, 'strike')} left: use strike" if left else ""


def _strikes_bought(actor: Combatant) -> str:
    return counted(max(0, value_of(attack_count_chain(actor))), "strike")


def _multiattacks(actor: Combatant) -> str:
    """`1 × bite, 2 × claw`; several to choose from have numbers."""
    routines = sheet_of(actor).routines
    told = [", ".join(f"{times} × {name_of(name)}" for name, times in routine.items()) for routine in routines]
    return told[0] if len(told) == 1 else "; ".join(f"{number}: {one}" for number, one in enumerate(told, start=1))


def _feet_left(actor: Combatant) -> str:
    left, on_foot = actor.economy.left(MOVEMENT), movement_left(actor)
    return f"{left} ft left" if left == on_foot else f"{left} ft left, {on_foot} ft on foot"


_NOTES: dict[str, Callable[[Combatant], str]] = {
    "strike": _strikes_left,
    "attack": lambda actor: _multiattacks(actor) or f"grants {_strikes_bought(actor)}",
    "move": _feet_left,
}


def _conditions(actor: Combatant) -> list[Choice]:
    return [
        Choice(name=held.name, note="; ".join(filter(None, (_cause(one, actor) for one in instances_of(held)))))
        for held in actor.conditions.values()
    ]


def _cause(instance: Instance, actor: Combatant) -> str:
    parts = (
        f"level {instance.level}" if instance.level else "",
        f"from {who(instance.owner)}" if instance.owner != actor.id else "",
        until_in_words(instance.until).strip(),
    )
    return ", ".join(filter(None, parts))


def _spell(spell: Spell, actor: Combatant, choice: Callable[[Activity], Choice]) -> Choice:
    return _reaction(spell, actor) if isinstance(spell, ReactionSpell) else choice(spell)
