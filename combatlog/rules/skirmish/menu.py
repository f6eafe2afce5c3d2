"""The menu: what a figure can do now. It asks the checks that would refuse it."""

from __future__ import annotations

from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.ruleset import Choice, Effect, InReach, Section
from combatlog.rules.skirmish.ability import Ability, AbilityType
from combatlog.rules.skirmish.actions.abilities import PlayCard, Special, UseAbility, cost_of, specials_of
from combatlog.rules.skirmish.actions.attachments import Deplete, Exhaust
from combatlog.rules.skirmish.actions.attack import AttackAction, Interrupt
from combatlog.rules.skirmish.activity import IN_WORDS, Activity, Cost
from combatlog.rules.skirmish.attachments import Attached, attached_to
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import PIECES
from combatlog.rules.skirmish.sheet import figure_sheet, has_reach, is_player, is_ranged, players
from combatlog.rules.skirmish.targeting import REACH, targets_of
from combatlog.rules.skirmish.tokens import tokens_held
from combatlog.rules.skirmish.vocabulary import HAND
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted, signed


def menu(battle: Battle, actor: Combatant) -> list[Section]:
    if is_player(actor):
        return [_hand(battle, actor)]
    told = (_actions, _cards, _specials, _attachments, _other_abilities, _surges, _tokens)
    sections = [section(battle, actor) for section in told]
    return [section for section in sections if section.choices]


def _actions(battle: Battle, actor: Combatant) -> Section:
    simple = {name: act for name, act in PIECES.of(Activity).items() if not isinstance(act, UseAbility)}
    return Section(title="actions", choices=[_action(battle, actor, name, act) for name, act in simple.items()])


def _action(battle: Battle, actor: Combatant, name: str, activity: Activity) -> Choice:
    why_not = obstacle(lambda: activity.check_all(battle, actor))
    note = activity.note(battle, actor) if why_not is None else ""
    is_attack = isinstance(activity, AttackAction | Interrupt)
    effects = [_attack(battle, actor)] if is_attack and why_not is None else []
    return Choice(name=name, cost=_in_words(activity.cost), note=note, why_not=why_not, effects=effects)


def _attack(battle: Battle, actor: Combatant) -> Effect:
    sheet = figure_sheet(actor)
    close = f"{REACH} spaces in line of sight" if has_reach(actor) else "adjacent"
    return Effect(
        to_hit=" + ".join(sheet.attack),
        damage=", ".join(f"{signed(amount)} {symbol}" for symbol, amount in sheet.innate.items()) or None,
        range="line of sight" if is_ranged(actor) else close,
        in_reach=[InReach(who=target.id) for target in targets_of(battle, actor)],
    )


def _cards(battle: Battle, actor: Combatant) -> Section:
    hands = [player.pile(HAND) for player in players(battle) if player.side == actor.side]
    cards = [library_of(battle).card(name) for hand in hands for name in dict.fromkeys(hand)]
    return Section(title="cards", choices=[_ability(battle, actor, PlayCard(), card) for card in cards])


def _specials(battle: Battle, actor: Combatant) -> Section:
    abilities = specials_of(battle, actor)
    return Section(title="special actions", choices=[_ability(battle, actor, Special(), one) for one in abilities])


def _attachments(battle: Battle, actor: Combatant) -> Section:
    """What is attached: what a figure can exhaust or deplete, and what counts by itself."""
    return Section(title="attachments", choices=[_attachment(battle, actor, one) for one in attached_to(battle, actor)])


def _attachment(battle: Battle, actor: Combatant, attached: Attached) -> Choice:
    uses = [use for use in (Exhaust(), Deplete()) if attached.ability.inner(use.part)]
    note = f"{attached.ability.label}{' (exhausted)' if attached.exhausted else ''}"
    if not uses:
        return Choice(name=attached.card, note=note, why_not="it counts by itself while it is attached")
    use = uses[0]
    why_not = obstacle(lambda: use.check_attached(battle, actor, attached))
    return Choice(name=attached.card, cost=use.name, note=note, why_not=why_not)


def _other_abilities(battle: Battle, actor: Combatant) -> Section:
    """Abilities that nobody declares: passives apply to attacks by themselves, triggered ones are left to people."""
    abilities = map(library_of(battle).special, figure_sheet(actor).abilities)
    choices = [
        Choice(name=ability.id, note=ability.label, why_not=why_not)
        for ability in abilities
        if (why_not := _UNDECLARED.get(ability.type)) is not None
    ]
    return Section(title="other abilities", choices=choices)


_UNDECLARED: dict[AbilityType | None, str] = {
    AbilityType.PASSIVE: "it applies to every attack by itself",
    AbilityType.TRIGGERED: "people decide when it triggers, and carry it out",
}


def _ability(battle: Battle, actor: Combatant, activity: UseAbility, ability: Ability) -> Choice:
    def check() -> None:
        activity.check_all(battle, actor)
        activity.check_ability(battle, actor, ability)

    why_not = obstacle(check)
    effects = [_attack(battle, actor)] if ability.is_attack and why_not is None else []
    cost = _in_words(cost_of(ability))
    return Choice(name=ability.id, cost=cost, note=ability.label, why_not=why_not, effects=effects)


def _surges(battle: Battle, actor: Combatant) -> Section:
    abilities = map(library_of(battle).surge, figure_sheet(actor).surges)
    choices = [
        Choice(name=one.id, cost=counted(one.surge_cost, "surge"), note="during its own attacks") for one in abilities
    ]
    return Section(title="surges", choices=choices)


def _tokens(battle: Battle, actor: Combatant) -> Section:
    held = tokens_held(actor)
    choices = [Choice(name=f"{kind} token", cost="1 token", note="when an attack is declared") for kind in held]
    return Section(title="power tokens", choices=choices)


def _hand(battle: Battle, player: Combatant) -> Section:
    cards = map(library_of(battle).card, player.pile(HAND))
    return Section(title="hand", choices=[Choice(name=card.id, note=f"{card.label} ({card.when})") for card in cards])


def _in_words(cost: Cost) -> str:
    return ", ".join(counted(amount, IN_WORDS[resource]) for resource, amount in cost.items())
