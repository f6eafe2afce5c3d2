"""Conditions that concern players: Command cards, borrowed cards, rules for a round, victory points for defeats.

Cards can also change who controls terminals. A player draws an additional card for each one when a round ends.
"""

from __future__ import annotations

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.board import read_space, spaces_of
from combatlog.rules.skirmish.library import library_of, name_of
from combatlog.rules.skirmish.pieces import SkirmishCondition, add_entry, entries, piece
from combatlog.rules.skirmish.play import Play
from combatlog.rules.skirmish.sheet import ask, figures_in_play, group_of, has_trait, is_in_play, opponent_of, players
from combatlog.rules.skirmish.targeting import touches
from combatlog.rules.skirmish.vitality import recover, suffer
from combatlog.rules.skirmish.vocabulary import ACTIONS, DECK, DISCARD, HAND, HEALTH, VICTORY_POINTS, Symbol, ref
from ledger.events import DamagePart, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

SIGNAL_JAMMER = "skirmish:condition:signal_jammer"


@piece
class NoCards(SkirmishCondition):
    """The player cannot play Command cards until the round ends."""

    name = "no_cards"


@piece
class NoDrawing(SkirmishCondition):
    """The player draws no Command cards until the round ends."""

    name = "no_drawing"


@piece
class SignalJammer(SkirmishCondition):
    """Held by a player: the next Command card that either player plays has no effect."""

    name = "signal_jammer"

    def on_card(self, play: Play, owner: Combatant) -> None:
        source = owner.conditions[self.ref].source
        play.table.remove_condition(owner, self.ref, f"{name_of(play.battle, source)} cancels {play.reason}")
        play.is_cancelled = True


BORROWED = "skirmish:condition:borrowed"
PILES = (HAND, DISCARD, DECK)
"""The piles in which a borrowed card may be when the round ends."""


@piece
class Borrowed(SkirmishCondition):
    """The player has cards from the opponent's discard pile; they go back when the round ends."""

    name = "borrowed"


def borrow(table: Table, player: Combatant, card: str, source: str) -> None:
    why = name_of(table.battle, source)
    table.move_cards(opponent_of(table.battle, player), [card], DISCARD, None, why)
    table.move_cards(player, [card], None, HAND, why)
    add_entry(table, player, BORROWED, {"source": source, "card": card})


def give_back(table: Table) -> None:
    """Return borrowed cards at the end of a round, from whichever pile they are in by then."""
    for player in players(table.battle):
        borrowed = [entry["card"] for entry in entries(player, BORROWED)]
        if borrowed:
            table.remove_condition(player, BORROWED, "the round ends")
        for card in borrowed:
            _give_back(table, player, card)


def _give_back(table: Table, player: Combatant, card: str) -> None:
    pile = next((pile for pile in PILES if card in player.pile(pile)), None)
    if pile is not None:
        table.move_cards(player, [card], pile, None, "the round ends")
        table.move_cards(opponent_of(table.battle, player), [card], None, DISCARD, "the round ends")


STEELED = "skirmish:condition:steeled"
WINDFALL = "skirmish:condition:windfall"
OVERDRIVE = "skirmish:condition:overdrive"


@piece
class Steeled(SkirmishCondition):
    """Figures that spend a block token recover damage after the attack, until the round ends."""

    name = "steeled"

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if attack.defender.side != owner.side or Symbol.BLOCK not in attack.spent_tokens:
            return
        if is_in_play(attack.defender):
            source = owner.conditions[self.ref].source
            recover(table, attack.defender, 1, name_of(table.battle, source), source)


@piece
class Windfall(SkirmishCondition):
    """Until the round ends, the player gains the cost of each of its cards that is discarded from hand or deck."""

    name = "windfall"

    def on_discard(self, table: Table, owner: Combatant, card: str) -> None:
        source = owner.conditions[self.ref].source
        if points := library_of(table.battle).card(card).cost:
            table.gain(owner, VICTORY_POINTS, points, name_of(table.battle, source), source)


@piece
class Overdrive(SkirmishCondition):
    """Until the round ends, a DROID may suffer damage for an additional action when it is activated."""

    name = "overdrive"

    def on_activation(self, table: Table, owner: Combatant, figure: Combatant) -> None:
        held = owner.conditions[self.ref]
        damage = held.data.get("damage", 0)
        if not has_trait(figure, ["DROID"]):
            return
        useful = [ACT_MORE] if _bears(figure, damage) else []
        chosen = ask(table, "activation.overdrive", owner, figure.id, [ACT_MORE], useful)
        if chosen is not None:
            with table.because_of(chosen):
                suffer(table, figure, [DamagePart(source=held.source, amount=damage)], figure.id)
                if is_in_play(figure):
                    table.gain(figure, ACTIONS, 1, name_of(table.battle, held.source), held.source)


ACT_MORE = ref("choice", "overdrive")
"""The answer of a player whose figure suffers damage for an additional action."""


def _bears(figure: Combatant, damage: int) -> bool:
    """Whether the figure has more than half of its health left after the damage."""
    health = figure.vitals[HEALTH]
    return 2 * (health.current - damage) > (health.maximum or 0)


BOUNTY = "skirmish:condition:bounty"


@piece
class DefeatWorth(SkirmishCondition):
    """The figure is worth more or fewer victory points than its deployment card says, but at least 0."""

    name = "worth"


@piece
class Bounty(SkirmishCondition):
    """The player who placed it gains victory points when the last figure of the group is defeated."""

    name = "bounty"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        if owner is not defeated or group_of(table.battle, defeated):
            return
        for entry in entries(owner, self.ref):
            player = table.battle.combatants[entry["player"]]
            table.gain(player, VICTORY_POINTS, entry["vp"], name_of(table.battle, entry["source"]), entry["source"])


ALL_TERMINALS = "skirmish:condition:all_terminals"
MISCOUNTED = "skirmish:condition:miscounted"


@piece
class AllTerminals(SkirmishCondition):
    """The player controls all terminals until the round ends."""

    name = "all_terminals"


@piece
class Miscounted(SkirmishCondition):
    """One of the player's figures does not count at some terminals until the round ends."""

    name = "miscounted"


def terminals_of(battle: Battle) -> list[Position]:
    return [read_space(text) for text in battle.encounter.options.get("terminals") or ()]


def controlled_by(battle: Battle, player: Combatant) -> list[Position]:
    """The terminals with this player's figures on or next to them and none of the opponent's. A card may give all."""
    claims = [one.side for one in players(battle) if one.has(ALL_TERMINALS)]
    if claims:
        return terminals_of(battle) if claims == [player.side] else []
    return [terminal for terminal in terminals_of(battle) if sides_at(battle, terminal) == {player.side}]


def sides_at(battle: Battle, terminal: Position) -> set[str]:
    """The sides with figures that count on or next to a terminal."""
    there = [figure.side for figure in figures_in_play(battle) if is_at(battle, figure, terminal)]
    for player in players(battle):
        missed = [entry["terminal"] for entry in entries(player, MISCOUNTED)].count(list(terminal))
        for _ in range(min(missed, there.count(player.side))):
            there.remove(player.side)
    return set(there)


def terminals_near(battle: Battle, figure: Combatant) -> list[Position]:
    """The terminals that a figure is on or next to."""
    return [terminal for terminal in terminals_of(battle) if is_at(battle, figure, terminal)]


def is_at(battle: Battle, figure: Combatant, terminal: Position) -> bool:
    return terminal in spaces_of(figure) or touches(battle, terminal, figure)
