"""Drawing, discarding, looking at, stealing and cancelling Command cards."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.skirmish.cards import DISCARD_FROM_DECK, discard, draw, pick_at_random, put_on_top, shuffle_deck
from combatlog.rules.skirmish.conditions.players_and_terminals import SIGNAL_JAMMER, borrow
from combatlog.rules.skirmish.effects.victory_points_and_terminals import gain_points
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, Amount, Flag, Trait, effect, refinement, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import ask, choose, has_trait
from combatlog.rules.skirmish.targeting import never_useful
from combatlog.rules.skirmish.vitality import suffer_strain
from combatlog.rules.skirmish.vocabulary import (
    DECK,
    DISCARD,
    HAND,
    NO_CARDS,
    NO_DRAWING,
    VICTORY_POINTS,
    Need,
    Timing,
    ref,
)
from projections.battle.combatant import Combatant

_WHEN_DRAWING = Timing.DURING_ACTIVATION


@effect("draw", Amount, needs=Need.PLAYER, timing=_WHEN_DRAWING, changes=lambda play, _: bool(play.player.pile(DECK)))
def draw_cards(play: Play, amount: int) -> None:
    """the player draws this many Command cards"""
    play.drawn = draw(play.table, play.player, amount, play.reason)


@refinement("drawIfTrait", Trait, of=("draw",))
def only_with_trait(play: Situation, amount: int, trait: str) -> int | None:
    """only if the figure has the trait"""
    return amount if has_trait(play.figure_if_any, [trait]) else None


@effect("discardIfNotTrait", Trait, needs=Need.PLAYER, timing=_WHEN_DRAWING, last=True, changes=never_useful)
def discard_without_trait(play: Play, trait: str) -> None:
    """the player discards drawn cards, unless the figure has the trait"""
    if not has_trait(play.figure_if_any, [trait]):
        for _ in range(min(play.ability.properties.get("discardFromDrawn", 1), len(play.drawn))):
            _discard_one_drawn(play)


setting("discardFromDrawn", Amount, of="discardIfNotTrait", does="how many of the drawn cards are discarded")


@effect("drawThenDiscardOneGainVp", Flag, needs=Need.PLAYER, timing=_WHEN_DRAWING, last=True, changes=never_useful)
def sell_one_drawn(play: Play, _: bool) -> None:
    """the player discards one of the drawn cards and gains its cost in victory points"""
    if play.drawn:
        cost = library_of(play.battle).card(_discard_one_drawn(play)).cost
        if cost:
            play.table.gain(play.player, VICTORY_POINTS, cost, play.reason, play.source)


def _discard_one_drawn(play: Play) -> str:
    """Discard a drawn card of the player's choice; by default, the last one drawn."""
    by_ref = {ref("card", card): card for card in play.drawn}
    last = ref("card", play.drawn[-1])
    chosen = by_ref[choose(play.table, "cards.discard", play.player, play.player.id, list(by_ref), default=last)]
    play.drawn.remove(chosen)
    discard(play.table, play.player, chosen, play.reason)
    return chosen


@effect(
    "clearOpponentDiscard",
    Flag,
    needs=Need.PLAYER,
    timing=_WHEN_DRAWING,
    changes=lambda play, _: bool(play.opponent.pile(DISCARD)),
)
def clear_opponent_discard(play: Play, _: bool) -> None:
    """removes the opponent's discard pile from the game"""
    cards = play.opponent.pile(DISCARD)
    if cards:
        play.table.move_cards(play.opponent, cards, DISCARD, None, play.reason)


_DURING = Timing.DURING_ACTIVATION


def _chosen_card(play: Play, moment: str, cards: Sequence[str]) -> str:
    """A card of the player's choice; by default, the first one."""
    by_ref = {ref("card", card): card for card in cards}
    return by_ref[choose(play.table, moment, play.player, play.player.id, list(by_ref), default=next(iter(by_ref)))]


def _others(play: Situation) -> list[str]:
    """The player's discard pile without this card itself."""
    return [card for card in play.player.pile(DISCARD) if card != play.ability.id]


@effect("returnDiscardToHand", Flag, needs=Need.PLAYER, timing=_DURING, changes=lambda play, _: bool(_others(play)))
def take_back(play: Play, _: bool) -> None:
    """the player takes a card back from its discard pile"""
    if cards := _others(play):
        card = _chosen_card(play, "cards.take_back", cards)
        play.table.move_cards(play.player, [card], DISCARD, HAND, play.reason)


@effect(
    "shuffleOneFromDiscardIntoDeck",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(_others(play)),
)
def put_back(play: Play, _: bool) -> None:
    """the player shuffles a card from its discard pile into its deck"""
    if cards := _others(play):
        card = _chosen_card(play, "cards.put_back", cards)
        play.table.move_cards(play.player, [card], DISCARD, DECK, play.reason)
        shuffle_deck(play.table, play.player)


@effect(
    "shuffleHandIntoDeckThenDraw",
    Amount,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, amount: len(play.player.pile(HAND)) < amount,
)
def start_over(play: Play, amount: int) -> None:
    """a player of the player's choice shuffles their hand into their deck, then draws cards"""
    both = {ref("player", one.id): one for one in (play.player, play.opponent)}
    name = choose(play.table, "cards.whose", play.player, play.player.id, list(both), default=next(iter(both)))
    chosen = both[name]
    if hand := chosen.pile(HAND):
        play.table.move_cards(chosen, hand, HAND, DECK, play.reason)
    shuffle_deck(play.table, chosen)
    draw(play.table, chosen, amount, play.reason)


def _discard_at_random(play: Play, player: Combatant, amount: int) -> None:
    for _ in range(min(amount, len(player.pile(HAND)))):
        discard(play.table, player, pick_at_random(play.table, player, player.pile(HAND)), play.reason)


@effect("discardRandomFromHand", Amount, needs=Need.PLAYER, timing=_DURING, changes=never_useful)
def discard_own(play: Play, amount: int) -> None:
    """the player discards random cards from its hand"""
    _discard_at_random(play, play.player, amount)


@effect(
    "opponentDiscardRandomFromHand",
    Amount,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def discard_opponents(play: Play, amount: int) -> None:
    """the opponent discards random cards from its hand"""
    _discard_at_random(play, play.opponent, amount)


@effect(
    "opponentHandRandomToDeckTop",
    Amount,
    needs=Need.PLAYER,
    timing=Timing.START_OF_ROUND,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def stall(play: Play, amount: int) -> None:
    """the opponent puts random cards from its hand on top of its deck"""
    for _ in range(min(amount, len(play.opponent.pile(HAND)))):
        card = pick_at_random(play.table, play.opponent, play.opponent.pile(HAND))
        put_on_top(play.table, play.opponent, card, play.reason)


@effect(
    "opponentDiscardDeckTop",
    Amount,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(DECK)) or "elseGainVp" in play.ability.properties,
)
def discard_deck_top(play: Play, amount: int) -> None:
    """the opponent discards cards from the top of its deck, or the player gains victory points if the card says so"""
    otherwise = play.ability.properties.get("elseGainVp")
    top = play.opponent.pile(DECK)[:amount]
    if otherwise is not None and not (len(top) == amount and _agrees(play)):
        gain_points(play, otherwise)
        return
    for card in top:
        discard(play.table, play.opponent, card, play.reason, origin=DECK)


def _agrees(play: Play) -> bool:
    """Whether the opponent chooses to discard the cards."""
    offered = [DISCARD_FROM_DECK]
    return ask(play.table, "deck.discard", play.opponent, play.player.id, offered, useful=offered) is not None


setting(
    "elseGainVp",
    Amount,
    of="opponentDiscardDeckTop",
    does="the victory points that the player gains if the opponent does not discard",
)


@effect(
    "opponentDiscardFromHandChoice",
    Flag,
    needs=Need.PLAYER,
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(HAND)),
)
def discard_chosen(play: Play, _: bool) -> None:
    """the player may choose a card from the opponent's hand, which the opponent discards"""
    by_ref = {ref("card", card): card for card in play.opponent.pile(HAND)}
    costs = {name: library_of(play.battle).card(card).cost for name, card in by_ref.items()}
    cheap = sorted(by_ref, key=lambda name: costs[name])[:1]
    chosen = ask(play.table, "cards.discard_theirs", play.player, play.player.id, list(by_ref), useful=cheap)
    if chosen is None:
        return
    discard(play.table, play.opponent, by_ref[chosen.reaction], play.reason)
    if play.ability.properties.get("selfStrainFromDiscardedCost") and play.figure_if_any is not None:
        suffer_strain(play.table, play.figure, costs[chosen.reaction], play.source)


setting(
    "selfStrainFromDiscardedCost",
    Flag,
    of="opponentDiscardFromHandChoice",
    does="the figure suffers strain equal to the cost of that card",
)


@effect("noCommandDrawThisRound", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def cut_lines(play: Play, _: bool) -> None:
    """neither player draws Command cards until the round ends"""
    for player in (play.player, play.opponent):
        if not player.has(NO_DRAWING):
            play.table.apply_condition(
                player, NO_DRAWING, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS
            )


@effect(
    "opponentCannotPlayCCsThisRound",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(play.opponent.pile(HAND)) and not play.opponent.has(NO_CARDS),
)
def silence(play: Play, _: bool) -> None:
    """the opponent cannot play Command cards until the round ends"""
    opponent = play.opponent
    play.table.apply_condition(opponent, NO_CARDS, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS)


@effect("signalJammer", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def jam(play: Play, _: bool) -> None:
    """the next Command card that either player plays has no effect"""
    play.table.apply_condition(play.player, SIGNAL_JAMMER, source=play.source, owner=play.player.id)


def _costs_nothing(play: Situation) -> bool:
    return play.played_if_any is not None and play.played_if_any.ability.cost == 0


@effect(
    "negateCostZeroCc",
    Flag,
    needs=Need.PLAYED_CARD,
    timing=Timing.CARD_PLAYED,
    changes=lambda play, _: _costs_nothing(play),
)
def negate(play: Play, _: bool) -> None:
    """cancels the effects of a Command card with cost 0 that the opponent plays"""
    if play.played_if_any is not None and _costs_nothing(play):
        play.played_if_any.is_cancelled = True


_WHEN_LOOKING = Timing.DURING_ACTIVATION


@effect("revealsOpponentHand", Flag, needs=Need.PLAYER, timing=_WHEN_LOOKING, changes=never_useful)
def look_at_hand(play: Play, _: bool) -> None:
    """the player sees the opponent's hand: its cards are shown as a choice that has no effect"""
    shown = [ref("card", card) for card in play.opponent.pile(HAND)]
    ask(play.table, "hand.seen", play.player, play.opponent.id, shown)


@effect("revealsOpponentDeckTop", Amount, needs=Need.PLAYER, timing=_WHEN_LOOKING, changes=never_useful)
def look_at_deck(play: Play, amount: int) -> None:
    """the player sees the top cards of the opponent's deck, and puts them back in any order"""
    deck = play.opponent.pile(DECK)
    in_order = _in_chosen_order(play, list(deck[:amount]))
    if in_order != list(deck[:amount]):
        play.table.move_cards(play.opponent, [*in_order, *deck[amount:]], DECK, DECK, play.reason)


def _in_chosen_order(play: Play, cards: list[str]) -> list[str]:
    """Order cards one by one, the top one first. Passing leaves the rest as it is; the last card needs no choice."""
    chosen: list[str] = []
    while cards and not (chosen and len(cards) == 1):
        by_ref = {ref("secret", card): card for card in cards}
        answer = ask(play.table, "deck.order", play.player, play.opponent.id, list(by_ref))
        if answer is None:
            break
        cards.remove(by_ref[answer.reaction])
        chosen.append(by_ref[answer.reaction])
    return [*chosen, *cards]


@effect(
    "stealsFromOpponentDiscard",
    Flag,
    needs=Need.PLAYER,
    timing=_WHEN_LOOKING,
    changes=lambda play, _: bool(play.opponent.pile(DISCARD)),
)
def steal(play: Play, _: bool) -> None:
    """the player takes a card from the opponent's discard pile and can play it until the round ends"""
    by_ref = {ref("card", card): card for card in play.opponent.pile(DISCARD)}
    if by_ref:
        dearest = max(by_ref, key=lambda name: library_of(play.battle).card(by_ref[name]).cost)
        name = choose(play.table, "cards.steal", play.player, play.player.id, list(by_ref), default=dearest)
        borrow(play.table, play.player, by_ref[name], play.source)
