"""The menu of a figure, the summary of a figure or player, and the choices of a player in a window, with prices.

The menu runs the checks that would refuse an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.ruleset_types import Choice, ChoiceEffect, ChoiceSection, InReach, Price, price
from combatlog.rules.engine.summary import CombatantSummary, grants_in_words, resources_in_words
from combatlog.rules.skirmish import attachments
from combatlog.rules.skirmish.actions.abilities import (
    Deplete,
    Exhaust,
    PlayCard,
    Special,
    UseAbility,
    cost_of,
    specials_of,
)
from combatlog.rules.skirmish.actions.activate import IN_WORDS, Cost, SkirmishActivity
from combatlog.rules.skirmish.actions.attack_and_move import AttackAction, InterruptAction
from combatlog.rules.skirmish.attachments import Attached, attached_to
from combatlog.rules.skirmish.board import board_of, is_large, space_ref, spaces_of
from combatlog.rules.skirmish.cards import DISCARD_FROM_DECK
from combatlog.rules.skirmish.conditions.players_and_terminals import ACT_MORE, controlled_by, terminals_of
from combatlog.rules.skirmish.library import (
    CHOOSE_ONE,
    AbilityCatalogue,
    AbilityType,
    LibraryAbility,
    library_from,
    library_of,
    shipped_library,
)
from combatlog.rules.skirmish.pieces import PIECES
from combatlog.rules.skirmish.sheet import (
    FOR_ATTACKER,
    FOR_DEFENDER,
    TokenKind,
    figure_sheet,
    has_reach,
    is_player,
    is_ranged,
    players,
    resource_of,
    tokens_held,
)
from combatlog.rules.skirmish.targeting import REACH, targets_of
from combatlog.rules.skirmish.vitality import DISCARD_TOP
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ACTIVATIONS,
    ATTACKS,
    CONDITION_WORDS,
    DECK,
    DEFEATED,
    DICE,
    DISCARD,
    HAND,
    HEALTH,
    MOVEMENT,
    VICTORY_POINTS,
    name_in,
    ref,
)
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted, signed


def menu(battle: Battle, actor: Combatant) -> list[ChoiceSection]:
    if is_player(actor):
        return [_hand(battle, actor)]
    told = (_actions, _cards, _specials, _attachments, _other_abilities, _surges, _tokens)
    sections = [section(battle, actor) for section in told]
    return [section for section in sections if section.choices]


def _actions(battle: Battle, actor: Combatant) -> ChoiceSection:
    simple = {name: act for name, act in PIECES.of(SkirmishActivity).items() if not isinstance(act, UseAbility)}
    return ChoiceSection(title="actions", choices=[_action(battle, actor, name, act) for name, act in simple.items()])


def _action(battle: Battle, actor: Combatant, name: str, activity: SkirmishActivity) -> Choice:
    why_not = obstacle(lambda: activity.check_all(battle, actor))
    note = activity.note(battle, actor) if why_not is None else ""
    is_attack = isinstance(activity, AttackAction | InterruptAction)
    effects = [_attack(battle, actor)] if is_attack and why_not is None else []
    return Choice(name=name, cost=_in_words(activity.cost), note=note, why_not=why_not, effects=effects)


def _attack(battle: Battle, actor: Combatant) -> ChoiceEffect:
    sheet = figure_sheet(actor)
    close = f"{REACH} spaces in line of sight" if has_reach(actor) else "adjacent"
    return ChoiceEffect(
        to_hit=" + ".join(sheet.attack),
        damage=", ".join(f"{signed(amount)} {symbol}" for symbol, amount in sheet.innate.items()) or None,
        range="line of sight" if is_ranged(actor) else close,
        in_reach=[InReach(who=target.id) for target in targets_of(battle, actor)],
    )


def _cards(battle: Battle, actor: Combatant) -> ChoiceSection:
    hands = [player.pile(HAND) for player in players(battle) if player.side == actor.side]
    cards = [library_of(battle).card(name) for hand in hands for name in dict.fromkeys(hand)]
    return ChoiceSection(title="cards", choices=[_ability(battle, actor, PlayCard(), card) for card in cards])


def _specials(battle: Battle, actor: Combatant) -> ChoiceSection:
    abilities = specials_of(battle, actor)
    return ChoiceSection(
        title="special actions", choices=[_ability(battle, actor, Special(), one) for one in abilities]
    )


def _attachments(battle: Battle, actor: Combatant) -> ChoiceSection:
    """Attachments: those that the figure can exhaust or deplete, and those that always apply."""
    return ChoiceSection(
        title="attachments", choices=[_attachment(battle, actor, one) for one in attached_to(battle, actor)]
    )


def _attachment(battle: Battle, actor: Combatant, attached: Attached) -> Choice:
    uses = [use for use in (Exhaust(), Deplete()) if attached.ability.inner(use.part)]
    note = f"{attached.ability.label}{' (exhausted)' if attached.exhausted else ''}"
    if not uses:
        return Choice(name=attached.card, note=note, why_not="it applies automatically while it is attached")
    use = uses[0]
    why_not = obstacle(lambda: use.check_attached(battle, actor, attached))
    return Choice(name=attached.card, cost=use.name, note=note, why_not=why_not)


def _other_abilities(battle: Battle, actor: Combatant) -> ChoiceSection:
    """Abilities that are not declared: passive ones apply automatically, triggered ones are left to people."""
    abilities = map(library_of(battle).special, figure_sheet(actor).abilities)
    choices = [
        Choice(name=ability.id, note=ability.label, why_not=why_not)
        for ability in abilities
        if (why_not := _UNDECLARED.get(ability.type)) is not None
    ]
    return ChoiceSection(title="other abilities", choices=choices)


_UNDECLARED: dict[AbilityType | None, str] = {
    AbilityType.PASSIVE: "it applies to every attack automatically",
    AbilityType.TRIGGERED: "people decide when it triggers and carry it out",
}


def _ability(battle: Battle, actor: Combatant, activity: UseAbility, ability: LibraryAbility) -> Choice:
    def check() -> None:
        activity.check_all(battle, actor)
        activity.check_ability(battle, actor, ability)

    why_not = obstacle(check)
    effects = [_attack(battle, actor)] if ability.is_attack and why_not is None else []
    cost = _in_words(cost_of(ability))
    return Choice(name=ability.id, cost=cost, note=ability.label, why_not=why_not, effects=effects)


def _surges(battle: Battle, actor: Combatant) -> ChoiceSection:
    abilities = map(library_of(battle).surge, figure_sheet(actor).surges)
    choices = [Choice(name=one.id, cost=counted(one.surge_cost, "surge"), note="when it attacks") for one in abilities]
    return ChoiceSection(title="surges", choices=choices)


def _tokens(battle: Battle, actor: Combatant) -> ChoiceSection:
    held = tokens_held(actor)
    choices = [Choice(name=f"{kind} token", cost="1 token", note="when an attack is declared") for kind in held]
    return ChoiceSection(title="power tokens", choices=choices)


def _hand(battle: Battle, player: Combatant) -> ChoiceSection:
    cards = map(library_of(battle).card, player.pile(HAND))
    return ChoiceSection(
        title="hand", choices=[Choice(name=card.id, note=f"{card.label} ({card.when})") for card in cards]
    )


def _in_words(cost: Cost) -> str:
    return ", ".join(counted(amount, IN_WORDS[resource]) for resource, amount in cost.items())


_OWN = (ACTIONS, ACTIVATIONS, ATTACKS, MOVEMENT)


def summarize(battle: Battle, combatant: Combatant) -> CombatantSummary:
    if is_player(combatant):
        return CombatantSummary(resources=list(_player(combatant)), notes=_terminals(battle, combatant))
    tokens = [resource_of(kind) for kind in TokenKind]
    held = [name for name in tokens if combatant.economy.left(name)]
    return CombatantSummary(
        figures={"defense": " + ".join(figure_sheet(combatant).defense) or "none"},
        left=[] if combatant.has(DEFEATED) else list(_left(battle, combatant)),
        resources=[
            *resources_in_words(combatant, [*held, *_others(combatant, (*_OWN, *tokens))]),
            *(one.in_words for one in attached_to(battle, combatant)),
        ],
        spaces=_spaces(combatant),
        fallen=combatant.has(DEFEATED),
    )


def _spaces(figure: Combatant) -> list[Position] | None:
    return spaces_of(figure) if figure.position is not None and is_large(figure) else None


BLOCKING_MARK, IMPASSABLE_MARK, TERMINAL_MARK = "x", "-", "¤"


def landmarks(battle: Battle) -> dict[Position, str]:
    """Terrain without a letter on the map, and terminals."""
    board = board_of(battle)
    marks = ((board.blocking, BLOCKING_MARK), (board.impassable, IMPASSABLE_MARK))
    found = {space: mark for spaces, mark in marks for space in spaces}
    return {**found, **dict.fromkeys(terminals_of(battle), TERMINAL_MARK)}


def _left(battle: Battle, figure: Combatant) -> Iterator[str]:
    """What the figure can still spend in its activation; otherwise, whether it is ready in this round."""
    left = figure.economy.left
    if battle.clock.turn == figure.id:
        yield counted(left(ACTIONS), "action")
        if not left(ATTACKS):
            yield "no attack"
        yield from grants_in_words(figure)
    elif battle.clock.started:
        yield "ready" if left(ACTIVATIONS) else "activated"
    if left(MOVEMENT):
        yield counted(left(MOVEMENT), "movement point")


def _player(player: Combatant) -> Iterator[str]:
    yield counted(player.economy.left(VICTORY_POINTS), "victory point")
    for pile in (HAND, DECK, DISCARD):
        if cards := player.pile(pile):
            yield f"{pile} {len(cards)}"
    yield from resources_in_words(player, _others(player, (VICTORY_POINTS,)))


def _terminals(battle: Battle, player: Combatant) -> list[str]:
    held = controlled_by(battle, player) if player.present else []
    return [f"controls {counted(len(held), 'terminal')}"] if held else []


def _others(combatant: Combatant, known: tuple[str, ...]) -> list[str]:
    return [name for name in combatant.economy if name not in known]


ABOUT = {
    "card": "Play this Command card, or discard it if you have to discard one.",
    "choice": "Choose this.",
    "deplete": "Deplete this attachment: use it once per game.",
    "exhaust": "Exhaust this attachment: use it once in this round.",
    "player": "Choose this player.",
    "condition": "Discard this condition.",
    "die": "Choose this die.",
    "face": "Turn the die to this side.",
    "figure": "Choose this figure.",
    "secret": "Choose this card face down; only you and the GM see it.",
    "space": "Choose this space.",
    "surge": "Spend surges on this ability.",
    "token": "Spend this power token, or discard it if you have too many.",
}
"""What each answer does, by the type of its ref."""


_ABOUT_ONE = {
    DISCARD_TOP: "Discard the top Command card instead of suffering 1 strain.",
    ACT_MORE: "Suffer the damage on the card for an additional action.",
    DISCARD_FROM_DECK: "Discard the cards from the top of your deck, so that your opponent gains no victory points.",
}


@cache
def shipped() -> AbilityCatalogue:
    return library_from(shipped_library())


def about(reference: str) -> str:
    """Help text for any ref, even one that is never offered. Shipped cards include their label."""
    what = _ABOUT_ONE.get(reference) or ABOUT.get(reference.split(":")[1], "Choose this.")
    entry = shipped().by_ref.get(reference)
    return f"{what} {entry.label}." if entry is not None and entry.type is AbilityType.CC_EFFECT else what


def choosable(battle: Battle | None) -> Iterator[str]:
    """The refs of everything that a player can be asked to choose; without a battle, those of the shipped library."""
    yield from library_refs(battle)
    if battle is not None:
        yield from _in_battle(battle)
    yield from (DISCARD_TOP, DISCARD_FROM_DECK, ACT_MORE)
    yield from (ref("token", kind) for kind in TokenKind)
    yield from (ref("token", f"wild_as_{kind}") for kind in FOR_ATTACKER + FOR_DEFENDER)
    yield from CONDITION_WORDS.values()
    yield from (ref("die", colour) for colour in DICE)
    yield from dict.fromkeys(ref("face", str(face)) for die in DICE.values() for face in die.faces)


def library_refs(battle: Battle | None) -> Iterator[str]:
    """The refs of library entries, cards first: a name that a card shares with another entry means the card."""
    library = library_of(battle) if battle is not None else shipped()
    for wanted in (AbilityType.CC_EFFECT, AbilityType.SURGE):
        yield from (ability.ref for ability in library.abilities.values() if ability.type is wanted)
    cards = [ability.id for ability in library.abilities.values() if ability.type is AbilityType.CC_EFFECT]
    yield from (ref("secret", card) for card in cards)
    for ability in library.abilities.values():
        yield from (ref("choice", inner.label) for inner in ability.inner(CHOOSE_ONE))
        yield from (ref(how, ability.id) for how, part in attachments.USES.items() if part in ability.properties)


def _in_battle(battle: Battle) -> Iterator[str]:
    grid = board_of(battle).grid
    yield from (space_ref((x, y)) for y in range(grid.height) for x in range(grid.width))
    for combatant in battle.combatants.values():
        if is_player(combatant):
            yield ref("player", combatant.id)
        else:
            yield ref("figure", combatant.id)
            sheet = figure_sheet(combatant)
            yield from (ref("surge", key) for key in sheet.surges)
            dice = (("attack", sheet.attack), ("defense", sheet.defense))
            yield from (ref("die", f"{p}_{n}_{c}") for p, pool in dice for n, c in enumerate(pool, start=1))


CARD, TOP_CARD, SURGE = "card", "top card of the deck", "surge"
_SEEN_ONLY = ("hand.seen", "cards.steal", "cards.discard_theirs")
"""Moments at which the player chooses from the opponent's cards."""
OVERDRIVE = ref("condition", "overdrive")


def prices_of(battle: Battle, player: Combatant, choice: str) -> list[Price]:
    kind = choice.split(":")[1]
    find = _ONE.get(choice) or _BY_TYPE.get(kind)
    if choice == DISCARD_FROM_DECK:
        return []  # the card being played says how many cards
    return [price(find(battle, player, choice) if find is not None else {}, _words)]


def _card(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    moment = battle.window.moment if battle.window is not None else None
    return {} if moment in _SEEN_ONLY else {CARD: 1}


def _token(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    return {resource_of(TokenKind(name_in(choice).partition("_as_")[0])): 1}


def _surge(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    known = library_of(battle).by_ref.get(choice)
    return {SURGE: known.surge_cost if known is not None else 1}


def _overdrive(battle: Battle, player: Combatant, choice: str) -> dict[str, int]:
    return {HEALTH: int(player.conditions[OVERDRIVE].data.get("damage", 0))}


Find = Callable[[Battle, Combatant, str], dict[str, int]]
_ONE: dict[str, Find] = {
    DISCARD_TOP: lambda battle, player, choice: {TOP_CARD: 1},
    ACT_MORE: _overdrive,
}
_BY_TYPE: dict[str, Find] = {
    "card": _card,
    "token": _token,
    "surge": _surge,
    "exhaust": lambda battle, player, choice: {choice: 1},
    "deplete": lambda battle, player, choice: {choice: 1},
}
"""Prices by the type of the ref. Choosing a figure, a space, a die or a side is free."""


def _words(resource: str, amount: int) -> str:
    if resource.startswith("skirmish:"):
        _, how, name = resource.split(":")
        return f"{how}s {name.replace('_', ' ')}"
    plural = "s" if amount > 1 and resource != HEALTH else ""
    return f"{amount} {resource.replace('_', ' ')}{plural}"
