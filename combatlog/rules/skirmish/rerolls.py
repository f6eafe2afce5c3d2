"""Rerolls: each die of an attack at most once."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL, Attack
from combatlog.rules.skirmish.cards import play_card, playable, refs_of
from combatlog.rules.skirmish.cards import useful as useful_of
from combatlog.rules.skirmish.dice import DICE, pool_notation, symbols
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.sheet import figure_sheet, player_of
from combatlog.rules.skirmish.vocabulary import Symbol, Timing, ref
from ledger.events import Face
from projections.combatant import Combatant

REROLL = "attack.reroll"


def usual_rerolls(table: Table, attack: Attack) -> None:
    """What the deployment cards, and cards played before the roll, let both figures reroll of their own dice."""
    for figure, pool, own in (
        (attack.attacker, ATTACK_POOL, figure_sheet(attack.attacker).attack_rerolls),
        (attack.defender, DEFENSE_POOL, figure_sheet(attack.defender).defense_rerolls),
    ):
        reroll(table, attack, figure, [pool], own + attack.rerolls.pop(pool, 0))


def reroll(
    table: Table, attack: Attack, figure: Combatant, pools: Sequence[str], times: int, advised: bool = False
) -> None:
    """Let the player of a figure reroll dice of these pools, one by one until it passes."""
    player = player_of(table.battle, figure)
    for _ in range(times):
        dice = {name: place for pool in pools for name, place in _fresh(attack, pool).items()}
        useful = [name for name, place in dice.items() if _is_worth_it(attack, figure, place)] if advised else []
        chosen = ask(table, REROLL, player, figure.id, list(dice), useful)
        if chosen is None:
            return
        with table.because_of(chosen):
            _roll_again(table, attack, dice[chosen.reaction])
            _let_opponent_answer(table, attack, figure)


def _roll_again(table: Table, attack: Attack, place: int) -> None:
    colour, _ = attack.faces[place]
    is_attack = place < len(attack.attack_pool)
    roller, pool = (attack.attacker, ATTACK_POOL) if is_attack else (attack.defender, DEFENSE_POOL)
    rolled = table.roll(f"{pool} reroll", roller.id, pool_notation([colour]))
    attack.faces[place] = (colour, rolled.faces[0])
    attack.rerolled.append(place)


def _let_opponent_answer(table: Table, attack: Attack, figure: Combatant) -> None:
    """Whoever did not reroll can play a card because of the die."""
    other = attack.defender if figure is attack.attacker else attack.attacker
    player = player_of(table.battle, other)
    cards = playable(table.battle, player, other, (Timing.OPPONENT_REROLLS,), attack)
    chosen = ask(table, "die.rerolled", player, figure.id, refs_of(cards), useful_of(cards))
    if chosen is not None:
        with table.because_of(chosen):
            play_card(table, player, library_of(table.battle).by_ref[chosen.reaction], other, attack)


def places_of(attack: Attack, pool: str) -> dict[str, int]:
    """The dice of a pool, by ref, with their places among all dice."""
    first, dice = (0, attack.attack_pool) if pool == ATTACK_POOL else (len(attack.attack_pool), attack.defense_pool)
    return {ref("die", f"{pool}_{n}_{colour}"): first + n - 1 for n, colour in enumerate(dice, start=1)}


def _fresh(attack: Attack, pool: str) -> dict[str, int]:
    """Those that were not rerolled yet."""
    return {name: place for name, place in places_of(attack, pool).items() if place not in attack.rerolled}


_WORTH = {Symbol.DAMAGE: 1.0, Symbol.SURGE: 0.5, Symbol.BLOCK: 1.0, Symbol.EVADE: 0.5, Symbol.DODGE: 4.0}


def _is_worth_it(attack: Attack, figure: Combatant, place: int) -> bool:
    """Whether the die shows less than it usually does; for a die of the other side, more."""
    colour, face = attack.faces[place]
    usual = sum(worth_of(one) for one in DICE[colour].faces) / len(DICE[colour].faces)
    is_own = (place < len(attack.attack_pool)) is (figure is attack.attacker)
    return worth_of(face) < usual if is_own else worth_of(face) > usual


def worth_of(face: Face) -> float:
    return sum((_WORTH.get(symbol, 0.0) * amount for symbol, amount in symbols(face).items()), 0.0)


def some_die_is_worth_it(attack: Attack, figure: Combatant, pools: Sequence[str]) -> bool:
    """Whether a player who rerolls when it is useful would reroll one of these dice."""
    if not attack.is_rolled or (attack.is_dodged and figure is attack.defender):
        return False
    places = [place for pool in pools for place in _fresh(attack, pool).values()]
    return any(_is_worth_it(attack, figure, place) for place in places)
