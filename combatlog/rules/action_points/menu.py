"""The menu: what a combatant can do, what it costs, and why not. It asks the checks that would refuse it."""

from __future__ import annotations

from combatlog.rules.action_points.actions.attack import Attack
from combatlog.rules.action_points.actions.use_item import require_item
from combatlog.rules.action_points.menu_effects import attack_effects, item_effect, spell_effect
from combatlog.rules.action_points.pieces import PIECES, Activity, Reaction
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.spells_and_items import Spell
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.ruleset import Choice, Section
from combatlog.rules.engine.turns import require_turn
from projections.battle import Battle
from projections.combatant import Combatant


def menu(battle: Battle, actor: Combatant) -> list[Section]:
    sections = [_actions(battle, actor), _reactions(actor), _spells(battle, actor), _items(battle, actor)]
    return [section for section in sections if section.choices]


def _actions(battle: Battle, actor: Combatant) -> Section:
    def choice(activity: Activity) -> Choice:
        why_not = obstacle(lambda: _require(battle, actor, activity))
        effects = attack_effects(battle, actor) if why_not is None and isinstance(activity, Attack) else []
        return Choice(name=activity.name, cost=activity.cost, note=activity.about, why_not=why_not, effects=effects)

    return Section(title="Actions", choices=[choice(one) for one in PIECES.of(Activity).values() if one.listed])


def _reactions(actor: Combatant) -> Section:
    """Answers to an attack. One that depends on the attack is shown as possible."""

    def choice(reaction: Reaction) -> Choice:
        why_not = obstacle(lambda: reaction.require(actor, None))
        return Choice(name=reaction.name, cost=reaction.cost, note=reaction.about, why_not=why_not)

    known = sorted(PIECES.of(Reaction).values(), key=lambda reaction: reaction.preference)
    return Section(title="Answers to an attack", choices=[choice(reaction) for reaction in known])


def _spells(battle: Battle, actor: Combatant) -> Section:
    cast = PIECES.of(Activity)["cast"]
    why_not = obstacle(lambda: _require(battle, actor, cast))

    def choice(name: str, spell: Spell) -> Choice:
        effects = [spell_effect(battle, actor, spell)] if why_not is None else []
        return Choice(name=name, cost=cast.cost, why_not=why_not, effects=effects)

    return Section(title="Spells", choices=[choice(*known) for known in sheet_of(actor).grimoire.items()])


def _items(battle: Battle, actor: Combatant) -> Section:
    use_item = PIECES.of(Activity)["use_item"]

    def choice(name: str) -> Choice:
        why_not = obstacle(lambda: _require(battle, actor, use_item), lambda: require_item(actor, name))
        effects = [item_effect(battle, actor, sheet_of(actor).bag[name])] if why_not is None else []
        note = f"{actor.economy.left(name)} left"
        return Choice(name=name, cost=use_item.cost, note=note, why_not=why_not, effects=effects)

    return Section(title="Items", choices=[choice(name) for name in sheet_of(actor).items])


def _require(battle: Battle, actor: Combatant, activity: Activity) -> None:
    require_turn(battle, actor.id)
    activity.require(battle, actor)
