"""Command cards: when they can be played, playing them, decks, hands and discard piles, and why a card was not played.

The order of a deck is rolled, so the tape records it; drawing only reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combatlog.rules.engine.dice.dice_notation import Dice, DiceFormula, Die
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.library import LibraryAbility, library_of
from combatlog.rules.skirmish.pieces import conditions_of
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.sheet import ask, choose, figures_in_play, has_trait, opponent_of, player_of, players
from combatlog.rules.skirmish.vocabulary import (
    ACTION_TIMINGS,
    ACTIONS,
    DECK,
    DISCARD,
    HAND,
    MOVEMENT,
    NO_CARDS,
    NO_DRAWING,
    Need,
    Timing,
    ref,
)
from ledger.events import CardsMoved, Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

IN_ACTIVATION = ACTION_TIMINGS
ONLY_CARD = "onlyCardInAttack"

_IN_WORDS = {
    Timing.START_OF_ACTIVATION: "at the start of an activation",
    Timing.DURING_ACTIVATION: "during an activation",
    Timing.SPECIAL_ACTION: "as an action in an activation",
    Timing.DOUBLE_ACTION: "as two actions in an activation",
    Timing.DECLARING: "when one of your figures declares an attack",
    Timing.ATTACKING: "when one of your figures attacks",
    Timing.DEFENDING: "when one of your figures is attacked",
    Timing.END_OF_ROUND: "at the end of a round",
    Timing.START_OF_ROUND: "at the start of a round",
    Timing.END_OF_ACTIVATION: "at the end of an activation",
    Timing.AFTER_ATTACK: "after one of your figures has attacked",
    Timing.AFTER_DEFENDING: "after one of your figures has been attacked",
    Timing.HOSTILE_ACTIVATES: "when a hostile figure is activated",
    Timing.HOSTILE_ENTERS_ADJACENT: "when a hostile figure enters a space next to one of yours",
    Timing.HOSTILE_DEFEATED: "when a hostile figure is defeated",
    Timing.FRIEND_DEFEATED: "when one of your figures is defeated",
    Timing.CARD_PLAYED: "when the opponent plays a Command card",
    Timing.OPPONENT_REROLLS: "when the opponent has rerolled a die",
}


def check_card(player: Combatant, figure: Combatant | None, card: LibraryAbility, moments: tuple[Timing, ...]) -> None:
    """Refuse a card that cannot be played at any of these moments."""
    if card.id not in player.pile(HAND):
        raise Refusal(
            "card/not-in-hand", f"{player.name} does not have {card.id} in hand.", who=player.id, card=card.id
        )
    if player.has(NO_CARDS):
        raise Refusal(
            "card/forbidden",
            f"{player.name} cannot play Command cards until the round ends.",
            who=player.id,
            card=card.id,
            condition=NO_CARDS,
        )
    if card.when not in moments:
        raise Refusal(
            "card/timing",
            f"{card.id} can only be played {_IN_WORDS[card.when]}.",
            who=player.id,
            card=card.id,
            needed=card.when.value,
            found=[moment.value for moment in moments],
        )
    if card.trait is not None and not has_trait(figure, [card.trait]):
        raise Refusal(
            "card/trait",
            f"{card.id} can only be played for a figure with the trait {card.trait}.",
            who=player.id,
            card=card.id,
            needed=card.trait,
        )


def check_activation_card(player: Combatant, figure: Combatant, card: LibraryAbility) -> None:
    """Refuse a card that cannot be played for the active figure now."""
    check_card(player, figure, card, IN_ACTIVATION)
    has_begun = figure.economy[ACTIONS].spent > 0 or figure.economy[MOVEMENT].spent > 0
    if card.when is Timing.START_OF_ACTIVATION and has_begun:
        raise Refusal(
            "card/timing",
            f"{card.id} can only be played before the figure does anything else in its activation.",
            who=player.id,
            card=card.id,
            needed=card.when.value,
        )


def playable(
    battle: Battle,
    player: Combatant,
    figure: Combatant | None,
    moments: tuple[Timing, ...],
    attack: SkirmishAttack | None = None,
    other: Combatant | None = None,
    played: Play | None = None,
) -> list[Situation]:
    """The cards in hand that can be played at one of these moments and would do something, each listed once."""
    if attack is not None and any(one == player.id and ONLY_CARD in card.properties for one, card in attack.cards):
        return []
    library = library_of(battle)
    cards = [library.card(name) for name in dict.fromkeys(player.pile(HAND))]
    fitting = [card for card in cards if _fits(player, figure, card, moments)]
    situations = [Situation(battle, player, card, figure, attack, other, played) for card in fitting]
    return [situation for situation in situations if situation.applies]


def _fits(player: Combatant, figure: Combatant | None, card: LibraryAbility, moments: tuple[Timing, ...]) -> bool:
    try:
        check_card(player, figure, card, moments)
    except Refusal:
        return False
    return True


def refs_of(situations: Sequence[Situation]) -> list[str]:
    return [situation.source for situation in situations]


def useful(situations: Sequence[Situation]) -> list[str]:
    """The cards that would change something now."""
    return [situation.source for situation in situations if situation.changes_something]


def play_card(
    table: Table,
    player: Combatant,
    card: LibraryAbility,
    figure: Combatant | None,
    attack: SkirmishAttack | None = None,
    other: Combatant | None = None,
    played: Play | None = None,
) -> Play:
    """Discard the card and carry it out, unless the opponent cancels it."""
    discarded = table.move_cards(player, [card.id], HAND, DISCARD, "played")
    if attack is not None:
        attack.cards.append((player.id, card))
    play = Play(table, player, card, figure, attack, other, played)
    with table.because_of(discarded):
        _let_opponent_answer(play)
        if not play.is_cancelled:
            carry_out(play)
    return play


def _let_opponent_answer(play: Play) -> None:
    """Let conditions, then the opponent, respond to the card; a response can cancel it."""
    for watcher in players(play.battle):
        for piece in conditions_of(watcher):
            if not play.is_cancelled:
                piece.on_card(play, watcher)
    cards = playable(play.battle, play.opponent, None, (Timing.CARD_PLAYED,), other=play.figure_if_any, played=play)
    chosen = (
        None
        if play.is_cancelled
        else ask(play.table, "card.played", play.opponent, play.player.id, refs_of(cards), useful(cards))
    )
    if chosen is not None:
        with play.table.because_of(chosen):
            answer = library_of(play.battle).by_ref[chosen.reaction]
            play_card(play.table, play.opponent, answer, None, other=play.figure_if_any, played=play)


MOMENTS: dict[Timing, str] = {
    Timing.START_OF_ROUND: "round.starting",
    Timing.END_OF_ROUND: "round.ending",
    Timing.END_OF_ACTIVATION: "activation.ending",
    Timing.HOSTILE_ACTIVATES: "activation.started",
    Timing.HOSTILE_ENTERS_ADJACENT: "figure.near",
    Timing.HOSTILE_DEFEATED: "figure.defeated",
    Timing.FRIEND_DEFEATED: "friend.defeated",
}
"""The names of the windows at these moments."""


def open_moment(
    table: Table,
    player: Combatant,
    timing: Timing,
    figures: Sequence[Combatant],
    other: Combatant | None = None,
) -> None:
    """Let a player play cards for these figures, one by one, until the player passes."""
    subject = other.id if other is not None else player.id
    while True:
        found = _playable(table.battle, player, timing, figures, other)
        useful = [one.source for one in found if one.changes_something]
        chosen = ask(table, MOMENTS[timing], player, subject, [one.source for one in found], [*dict.fromkeys(useful)])
        if chosen is None:
            return
        with table.because_of(chosen):
            card = library_of(table.battle).by_ref[chosen.reaction]
            figure = _figure_for(table, player, [one for one in found if one.ability is card])
            play_card(table, player, card, figure, other=other)


def _playable(
    battle: Battle, player: Combatant, timing: Timing, figures: Sequence[Combatant], other: Combatant | None
) -> list[Situation]:
    """Every way to play a card now: for each figure that it can be played for, or once if it needs no figure."""
    found = [one for one in playable(battle, player, None, (timing,), other=other) if not needs_figure(one.ability)]
    for figure in figures:
        ways = playable(battle, player, figure, (timing,), other=other)
        found += [one for one in ways if needs_figure(one.ability)]
    return found


def needs_figure(card: LibraryAbility) -> bool:
    return card.trait is not None or any(effect.needs in (Need.FIGURE, Need.MOVER) for effect in card.effects())


def _figure_for(table: Table, player: Combatant, ways: Sequence[Situation]) -> Combatant | None:
    figures = {ref("figure", one.figure.id): one for one in ways if one.figure_if_any is not None}
    if not figures:
        return None
    usual = next((name for name, one in figures.items() if one.changes_something), next(iter(figures)))
    return figures[choose(table, "card.figure", player, player.id, list(figures), default=usual)].figure


def own_figures(battle: Battle, player: Combatant) -> list[Combatant]:
    return [figure for figure in figures_in_play(battle) if figure.side == player.side]


def answered_by_opponent(table: Table, timing: Timing, other: Combatant, near: Sequence[Combatant] = ()) -> None:
    """Let the figure's opponent play cards in response to it; only for the `near` figures if there are any."""
    opponent = opponent_of(table.battle, player_of(table.battle, other))
    open_moment(table, opponent, timing, near or own_figures(table.battle, opponent), other)


DISCARD_FROM_DECK = ref("choice", "discard_from_deck")
"""The answer of a player who chooses to discard from the deck."""


def shuffle_in(table: Table, player: Combatant, cards: Sequence[str]) -> None:
    """Make these cards the player's deck, in random order."""
    if cards:
        table.move_cards(player, _in_rolled_order(table, player, cards), None, DECK, "shuffled")


def _in_rolled_order(table: Table, player: Combatant, cards: Sequence[str]) -> list[str]:
    """Each die picks the next of the remaining cards; the last card needs no die."""
    left = list(cards)
    if len(left) == 1:
        return left
    sizes = range(len(left), 1, -1)
    notation = DiceFormula("+".join(f"1d{size}" for size in sizes), tuple(Dice(1, Die.with_sides(n)) for n in sizes))
    rolled = table.roll("shuffle", player.id, notation)
    return [left.pop(int(face) - 1) for face in rolled.faces] + left


def draw(table: Table, player: Combatant, amount: int, why: str) -> list[str]:
    """Draw this many cards from the top of the deck, or all that are left."""
    cards = () if player.has(NO_DRAWING) else player.pile(DECK)[:amount]
    if cards:
        table.move_cards(player, cards, DECK, HAND, why)
    return list(cards)


def discard(table: Table, player: Combatant, card: str, why: str, origin: str = HAND) -> CardsMoved:
    """Discard a card without playing it."""
    discarded = table.move_cards(player, [card], origin, DISCARD, why)
    with table.because_of(discarded):
        for piece in conditions_of(player):
            piece.on_discard(table, player, card)
    return discarded


def shuffle_deck(table: Table, player: Combatant) -> None:
    """Put the deck into a random order."""
    cards = player.pile(DECK)
    if len(cards) > 1:
        table.move_cards(player, _in_rolled_order(table, player, cards), DECK, DECK, "shuffled")


def pick_at_random(table: Table, player: Combatant, cards: Sequence[str]) -> str:
    """One of the cards; a single one needs no die."""
    if len(cards) == 1:
        return cards[0]
    return cards[table.roll("random card", player.id, f"1d{len(cards)}").total - 1]


def put_on_top(table: Table, player: Combatant, card: str, why: str) -> None:
    """Put a card from the hand on top of the deck: first move it under the deck, then the other cards under it."""
    below = player.pile(DECK)
    table.move_cards(player, [card], HAND, DECK, why)
    if below:
        table.move_cards(player, below, DECK, DECK, why)


def obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    """One sentence per player; none if the library has no card of this name."""
    card = library_of(before).by_ref.get(ref("card", name))
    return [_obstacle(before, declared, player, card) for player in players(before)] if card is not None else []


def _obstacle(before: Battle, declared: Declared, player: Combatant, card: LibraryAbility) -> str:
    for figure, moments in _parts(before, declared):
        if figure.side == player.side:
            try:
                check_card(player, figure, card, moments)
            except Refusal as refusal:
                return refusal.sentence
            return f"{player.id} could have played {card.id}, but did not."
    return f"{player.id} had no figure in this."


def _parts(before: Battle, declared: Declared) -> Iterator[tuple[Combatant, tuple[Timing, ...]]]:
    """The figures in the declaration, each with the timings at which its player could have played cards."""
    if declared.actor in before.combatants:
        yield before.combatants[declared.actor], (*IN_ACTIVATION, Timing.DECLARING, Timing.ATTACKING)
    for target in declared.targets:
        if target in before.combatants:
            yield before.combatants[target], (Timing.DEFENDING,)
