"""Drawing and discarding Command cards."""

from __future__ import annotations

from combatlog.rules.skirmish.card_piles import discard, draw
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Amount, Flag, Trait, effect, refinement, setting
from combatlog.rules.skirmish.sheet import has_trait
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import DECK, DISCARD, VICTORY_POINTS, Need, Timing, ref

_DURING = Timing.DURING_ACTIVATION


@effect("draw", Amount, needs=Need.PLAYER, timing=_DURING, changes=lambda play, _: bool(play.player.pile(DECK)))
def draw_cards(play: Play, amount: int) -> None:
    """the player draws this many Command cards"""
    play.drawn = draw(play.table, play.player, amount, play.reason)


@refinement("drawIfTrait", Trait, of=("draw",))
def only_with_trait(play: Situation, amount: int, trait: str) -> int | None:
    """only if the figure has the trait"""
    return amount if has_trait(play.figure_if_any, [trait]) else None


@effect("discardIfNotTrait", Trait, needs=Need.PLAYER, timing=_DURING, last=True, changes=never)
def discard_without_trait(play: Play, trait: str) -> None:
    """the player discards drawn cards, unless the figure has the trait"""
    if not has_trait(play.figure_if_any, [trait]):
        for _ in range(min(play.ability.properties.get("discardFromDrawn", 1), len(play.drawn))):
            _discard_one_drawn(play)


setting("discardFromDrawn", Amount, of="discardIfNotTrait", does="how many of the drawn cards are discarded")


@effect("drawThenDiscardOneGainVp", Flag, needs=Need.PLAYER, timing=_DURING, last=True, changes=never)
def sell_one_drawn(play: Play, _: bool) -> None:
    """the player discards one of the drawn cards and gains its cost in victory points"""
    if play.drawn:
        cost = library_of(play.battle).card(_discard_one_drawn(play)).cost
        if cost:
            play.table.gain(play.player, VICTORY_POINTS, cost, play.reason, play.source)


def _discard_one_drawn(play: Play) -> str:
    """The player chooses which; by default it is the last one drawn."""
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
    timing=_DURING,
    changes=lambda play, _: bool(play.opponent.pile(DISCARD)),
)
def clear_opponent_discard(play: Play, _: bool) -> None:
    """removes the opponent's discard pile from the game"""
    cards = play.opponent.pile(DISCARD)
    if cards:
        play.table.move_cards(play.opponent, cards, DISCARD, None, play.reason)
