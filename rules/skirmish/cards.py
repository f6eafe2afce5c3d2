"""Command cards: when they can be played, and playing them."""

from __future__ import annotations

from collections.abc import Sequence

from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.refusal import Refusal
from rules.engine.table import Table
from rules.skirmish.ability import Ability
from rules.skirmish.attack_state import Attack
from rules.skirmish.card_piles import discard
from rules.skirmish.library import library_of
from rules.skirmish.play import Play, Situation, carry_out
from rules.skirmish.sheet import has_trait
from rules.skirmish.vocabulary import ACTIONS, HAND, MOVEMENT, Timing

IN_ACTIVATION = (
    Timing.START_OF_ACTIVATION,
    Timing.DURING_ACTIVATION,
    Timing.SPECIAL_ACTION,
    Timing.DOUBLE_ACTION,
)

_IN_WORDS = {
    Timing.START_OF_ACTIVATION: "at the start of an activation",
    Timing.DURING_ACTIVATION: "during an activation",
    Timing.SPECIAL_ACTION: "as an action in an activation",
    Timing.DOUBLE_ACTION: "as two actions in an activation",
    Timing.DECLARING: "when one of your figures declares an attack",
    Timing.ATTACKING: "when one of your figures attacks",
    Timing.DEFENDING: "when one of your figures is attacked",
    Timing.END_OF_ROUND: "at the end of a round",
}


def check_card(player: Combatant, figure: Combatant | None, card: Ability, moments: tuple[Timing, ...]) -> None:
    """Refuse a card that cannot be played at any of these moments."""
    if card.id not in player.pile(HAND):
        raise Refusal("card/not-in-hand", f"{player.id} does not have {card.id} in hand.", who=player.id, card=card.id)
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
) -> list[Situation]:
    """The cards in hand that can be played at one of these moments and would do something, each listed once."""
    library = library_of(battle)
    cards = [library.card(name) for name in dict.fromkeys(player.pile(HAND))]
    fitting = [card for card in cards if _fits(player, figure, card, moments)]
    situations = [Situation(battle, player, card, figure, attack) for card in fitting]
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
    table: Table, player: Combatant, card: Ability, figure: Combatant | None, attack: Attack | None = None
) -> Play:
    """Discard the card and do what it says."""
    played = discard(table, player, card.id, "played")
    play = Play(table, player, card, figure, attack)
    with table.because_of(played):
        carry_out(play)
    return play
