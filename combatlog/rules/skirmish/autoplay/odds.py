"""The exact odds of an attack: every face of every die, with the surges spent as well as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from combatlog.rules.skirmish.dice import DICE, symbols
from combatlog.rules.skirmish.vocabulary import Symbol

Odds = dict[int, float]
"""The chance of each amount of damage."""
Rolled = tuple[int, ...]

_ATTACK = (Symbol.ACCURACY, Symbol.DAMAGE, Symbol.SURGE)
_DEFENSE = (Symbol.BLOCK, Symbol.EVADE, Symbol.DODGE)


@dataclass(frozen=True)
class Spending:
    """Surge abilities that can be used together."""

    cost: int
    accuracy: int = 0
    damage: int = 0
    pierce: int = 0


@dataclass(frozen=True)
class Matchup:
    """All that the damage of an attack depends on."""

    attack: tuple[str, ...]
    defense: tuple[str, ...]
    needed: int
    """The accuracy that hits."""
    accuracy: int
    damage: int
    surge: int
    pierce: int
    block: int
    evade: int
    spendings: tuple[Spending, ...]


def together(abilities: Sequence[Spending]) -> tuple[Spending, ...]:
    """Every way to use some of these surge abilities, each at most once."""
    sets = [chosen for count in range(len(abilities) + 1) for chosen in combinations(abilities, count)]
    return tuple(
        Spending(
            sum(one.cost for one in chosen),
            sum(one.accuracy for one in chosen),
            sum(one.damage for one in chosen),
            sum(one.pierce for one in chosen),
        )
        for chosen in sets
    )


@lru_cache(maxsize=4096)
def damage_odds(matchup: Matchup) -> Odds:
    odds: Odds = {}
    for attack, likely in _pool(tuple(sorted(matchup.attack)), _ATTACK).items():
        for defense, also in _pool(tuple(sorted(matchup.defense)), _DEFENSE).items():
            damage = 0 if defense[2] else max(_damages(matchup, attack, defense), default=0)
            odds[damage] = odds.get(damage, 0.0) + likely * also
    return odds


def _damages(matchup: Matchup, attack: Rolled, defense: Rolled) -> Iterator[int]:
    """The damage for each way to spend the surges that hits."""
    accuracy, damage, surge = attack
    block, evade, _ = defense
    left = max(0, surge + matchup.surge - evade - matchup.evade)
    for spent in matchup.spendings:
        if spent.cost <= left and accuracy + matchup.accuracy + spent.accuracy >= matchup.needed:
            blocked = max(0, max(0, block + matchup.block) - matchup.pierce - spent.pierce)
            yield max(0, damage + matchup.damage + spent.damage - blocked)


@lru_cache(maxsize=512)
def _pool(colours: tuple[str, ...], wanted: tuple[Symbol, ...]) -> dict[Rolled, float]:
    """What a pool shows in total, with its chance."""
    found: dict[Rolled, float] = {(0,) * len(wanted): 1.0}
    for colour in colours:
        found = _with_die(found, colour, wanted)
    return found


def _with_die(found: dict[Rolled, float], colour: str, wanted: tuple[Symbol, ...]) -> dict[Rolled, float]:
    faces = [tuple(symbols(face).get(symbol, 0) for symbol in wanted) for face in DICE[colour].faces]
    more: dict[Rolled, float] = {}
    for shown, chance in found.items():
        for face in faces:
            total = tuple(one + other for one, other in zip(shown, face, strict=True))
            more[total] = more.get(total, 0.0) + chance / len(faces)
    return more


def mean_up_to(odds: Odds, most: int) -> float:
    return sum(min(amount, most) * chance for amount, chance in odds.items())


def at_least(odds: Odds, least: int) -> float:
    return sum(chance for amount, chance in odds.items() if amount >= least)
