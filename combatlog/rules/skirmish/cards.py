"""Command cards: when they can be played, and playing them."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import conditions_of
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.sheet import has_trait, players
from combatlog.rules.skirmish.vocabulary import ACTION_TIMINGS, ACTIONS, DISCARD, HAND, MOVEMENT, NO_CARDS, Timing
from projections.battle import Battle
from projections.combatant import Combatant

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


def check_card(player: Combatant, figure: Combatant | None, card: Ability, moments: tuple[Timing, ...]) -> None:
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
            f"{card.id} is played {_IN_WORDS[card.when]}.",
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


def check_activation_card(player: Combatant, figure: Combatant, card: Ability) -> None:
    """Refuse a card that cannot be played for the active figure now."""
    check_card(player, figure, card, IN_ACTIVATION)
    has_begun = figure.economy[ACTIONS].spent > 0 or figure.economy[MOVEMENT].spent > 0
    if card.when is Timing.START_OF_ACTIVATION and has_begun:
        raise Refusal(
            "card/timing",
            f"{card.id} is played before the figure does anything else in its activation.",
            who=player.id,
            card=card.id,
            needed=card.when.value,
        )


def playable(
    battle: Battle,
    player: Combatant,
    figure: Combatant | None,
    moments: tuple[Timing, ...],
    attack: Attack | None = None,
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


def _fits(player: Combatant, figure: Combatant | None, card: Ability, moments: tuple[Timing, ...]) -> bool:
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
    card: Ability,
    figure: Combatant | None,
    attack: Attack | None = None,
    other: Combatant | None = None,
    played: Play | None = None,
) -> Play:
    """Discard the card and do what it says, unless the opponent cancels that."""
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
    """The opponent can play a card because of this one, and cancel it; so may something that waits for it."""
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
