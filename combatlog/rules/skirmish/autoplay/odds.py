"""The exact odds of attacks: of a figure from where it stands, and of its foes against it.

The odds count every face of every die, with the surges spent in the best way. An estimate is made for one decision and
then discarded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from combatlog.rules.engine.grid.squares import UNREACHABLE, PathSearch
from combatlog.rules.skirmish.attachments import WHILE_ATTACHED, attached_to
from combatlog.rules.skirmish.attack import innate_modifiers
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.board import Pose, pose_of, spaces_at, spaces_of
from combatlog.rules.skirmish.conditions.players_and_terminals import is_at, terminals_of
from combatlog.rules.skirmish.library import AbilityType, LibraryAbility, library_of
from combatlog.rules.skirmish.movement import board_for, reachable
from combatlog.rules.skirmish.pieces import holders
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play, has_reach, is_ranged
from combatlog.rules.skirmish.targeting import accuracy_needed, obstacle_to_target, spaces_between
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ATTACKS,
    DICE,
    HEALTH,
    MOVEMENT,
    STUNNED,
    TURNED,
    Symbol,
    symbols,
)
from ledger.events import ChangeOp
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle

Odds = dict[int, float]
"""The probability of each amount of damage."""
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
    """Everything that the damage of an attack depends on."""

    attack: tuple[str, ...]
    defense: tuple[str, ...]
    needed: int
    """The accuracy needed to hit."""
    accuracy: int
    damage: int
    surge: int
    pierce: int
    block: int
    evade: int
    spendings: tuple[Spending, ...]


def together(abilities: Sequence[Spending]) -> tuple[Spending, ...]:
    """Every combination of these surge abilities, each used at most once."""
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
    """The damage for each way of spending the surges with which the attack hits."""
    accuracy, damage, surge = attack
    block, evade, _ = defense
    left = max(0, surge + matchup.surge - evade - matchup.evade)
    for spent in matchup.spendings:
        if spent.cost <= left and accuracy + matchup.accuracy + spent.accuracy >= matchup.needed:
            blocked = max(0, max(0, block + matchup.block) - matchup.pierce - spent.pierce)
            yield max(0, damage + matchup.damage + spent.damage - blocked)


@lru_cache(maxsize=512)
def _pool(colours: tuple[str, ...], wanted: tuple[Symbol, ...]) -> dict[Rolled, float]:
    """The totals that a pool can show, each with its probability."""
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


DEFEAT = 2.0
"""The worth of defeating a figure besides its victory points: it does not strike back."""
POINT = 0.5
"""The worth of a victory point, in points of damage."""
SHOT = 5
"""The usual range of a ranged attack, in spaces."""

_PASSIVE = {
    "applyDefenseBonusBlock": Symbol.BLOCK,
    "applyDefenseBonusEvade": Symbol.EVADE,
    "attackBonusHits": Symbol.DAMAGE,
    "attackBonusPierce": Symbol.PIERCE,
    "attackAccuracyBonus": Symbol.ACCURACY,
    "attackSurgeBonus": Symbol.SURGE,
}
"""Passive abilities that an estimate takes into account."""


class AttackOutlook:
    def __init__(self, battle: Battle, actor: Combatant) -> None:
        self.battle = battle
        self.actor = actor
        self.foes = [figure for figure in figures_in_play(battle) if figure.side != actor.side]
        self._matchups: dict[tuple[str, str], Matchup] = {}
        self._best: dict[Pose, float] = {}

    # Attacks

    def worth(self, foe: Combatant, odds: Odds) -> float:
        """The worth of an attack: its expected damage that counts, and the chance of a defeat."""
        health = foe.vitals[HEALTH].current
        defeat = DEFEAT + POINT * figure_sheet(foe).cost
        return mean_up_to(odds, health) + defeat * at_least(odds, health)

    def odds_against(self, foe: Combatant, hits: int = 0) -> Odds:
        """The odds of an attack from where the actor is, with the hits that a card adds."""
        return self._odds(self.actor, foe, hits)

    def _odds(self, attacker: Combatant, defender: Combatant, hits: int = 0) -> Odds:
        key = (attacker.id, defender.id)
        if key not in self._matchups:
            self._matchups[key] = _matchup(self.battle, attacker, defender)
        base = self._matchups[key]
        needed = accuracy_needed(self.battle, attacker, defender)
        return damage_odds(Matchup(**{**base.__dict__, "needed": needed, "damage": base.damage + hits}))

    def best_from(self, pose: Pose) -> float:
        """The worth of the best attack from a place; 0 if there is no target."""
        if pose not in self._best:
            there = _at(self.actor, pose)
            targets = [foe for foe in self.foes if obstacle_to_target(self.battle, there, foe) is None]
            self._best[pose] = max((self.worth(foe, self._odds(there, foe)) for foe in targets), default=0.0)
        return self._best[pose]

    @property
    def attacks_after(self) -> bool:
        """Whether the actor can still attack after spending an action."""
        economy = self.actor.economy
        return economy.left(ATTACKS) > 0 and economy.left(ACTIONS) > 1 and not self.actor.has(STUNNED)

    @property
    def can_attack(self) -> bool:
        economy = self.actor.economy
        return economy.left(ATTACKS) > 0 and economy.left(ACTIONS) > 0 and not self.actor.has(STUNNED)

    # Places

    @cached_property
    def here(self) -> Pose:
        return pose_of(self.actor)

    @cached_property
    def _reachable(self) -> dict[Pose, int]:
        return reachable(self.battle, self.actor)

    @property
    def points(self) -> int:
        return self.actor.economy.left(MOVEMENT)

    def places_within(self, points: int) -> list[Pose]:
        """The free places within this many movement points, row by row."""
        others = (figure for figure in figures_in_play(self.battle) if figure is not self.actor)
        taken = {space for figure in others for space in spaces_of(figure)}
        base = figure_sheet(self.actor).base
        near = [pose for pose, cost in self._reachable.items() if cost <= points and pose != self.here]
        free = [pose for pose in near if taken.isdisjoint(spaces_at(base, pose))]
        return sorted(free, key=lambda pose: (pose.place[::-1], pose.turned))

    @cached_property
    def _from_foes(self) -> list[PathSearch]:
        board = board_for(self.battle, self.actor)
        return [board.ways(foe.position, {}) for foe in self.foes if foe.position is not None]

    def steps_to_foes(self, pose: Pose) -> float:
        """The number of steps to the nearest foe; 0 if there is no path."""
        spaces = spaces_at(figure_sheet(self.actor).base, pose)
        costs = [ways.cost(space) for ways in self._from_foes for space in spaces]
        nearest = min(costs, default=UNREACHABLE)
        return nearest / 100 if nearest < UNREACHABLE else 0.0

    def danger(self, pose: Pose) -> float:
        """The health that the actor could lose at a place to foes that can move up and attack it."""
        there = _at(self.actor, pose)
        return sum(
            self._threat(foe) for foe in self.foes if spaces_between(self.battle, foe, there) <= _striking_distance(foe)
        )

    def _threat(self, foe: Combatant) -> float:
        return mean_up_to(self._odds(foe, self.actor), self.actor.vitals[HEALTH].current)

    def terminals_at(self, pose: Pose) -> int:
        """How many terminals the actor would be at in a pose with no other figure at them."""
        battle, there = self.battle, _at(self.actor, pose)
        others = [figure for figure in figures_in_play(battle) if figure is not self.actor]
        near = [terminal for terminal in terminals_of(battle) if is_at(battle, there, terminal)]
        return sum(not any(is_at(battle, other, terminal) for other in others) for terminal in near)

    @property
    def boldness(self) -> float:
        """Grows with each round, so that caution does not make a skirmish endless."""
        return 1 + self.battle.clock.round / 3


def _at(figure: Combatant, pose: Pose) -> Combatant:
    there = copy(figure)
    there.position = pose.place
    if pose.turned != figure.has(TURNED):
        there.conditions = {ref: held for ref, held in figure.conditions.items() if ref != TURNED}
        if pose.turned:
            there.conditions[TURNED] = Condition(TURNED, TURNED, figure.id, 0, None, None, {})
    return there


def _striking_distance(foe: Combatant) -> int:
    sheet = figure_sheet(foe)
    return sheet.speed + (SHOT if is_ranged(foe) else 2 if has_reach(foe) else 1)


def _matchup(battle: Battle, attacker: Combatant, defender: Combatant) -> Matchup:
    """The conditions, cards and sheets of both sides combined; the distance is filled in for each place."""
    attack = SkirmishAttack.between(battle, attacker, defender)
    for piece, owner in holders(attack):
        piece.on_pools(attack, owner)
        piece.on_results(attack, owner)
    attack.modifiers += innate_modifiers(attacker, defender)
    added = {symbol: _passive(battle, attack, symbol) for symbol in Symbol}
    for modifier in attack.modifiers:
        if modifier.change.op is not ChangeOp.BONUS:
            continue
        added[Symbol(modifier.change.label or Symbol.DAMAGE)] += modifier.change.amount or 0
    abilities = [library_of(battle).surge(key) for key in attack.surges]
    return Matchup(
        tuple(attack.attack_pool),
        tuple(attack.defense_pool),
        needed=0,
        accuracy=added[Symbol.ACCURACY],
        damage=added[Symbol.DAMAGE],
        surge=added[Symbol.SURGE],
        pierce=added[Symbol.PIERCE],
        block=added[Symbol.BLOCK],
        evade=added[Symbol.EVADE],
        spendings=together([spending for ability in abilities if (spending := _spending(ability)) is not None]),
    )


def _passive(battle: Battle, attack: SkirmishAttack, symbol: Symbol) -> int:
    values = [pair for ability in _standing(battle, attack) for pair in ability.properties.items()]
    return sum(value for name, value in values if _PASSIVE.get(name) is symbol)


def _standing(battle: Battle, attack: SkirmishAttack) -> Iterator[LibraryAbility]:
    """The abilities that count in every attack: the passives and attachments of both figures."""
    for figure in (attack.attacker, attack.defender):
        own = map(library_of(battle).special, figure_sheet(figure).abilities)
        yield from (ability for ability in own if ability.type is AbilityType.PASSIVE)
        for attached in attached_to(battle, figure):
            yield from attached.ability.inner(WHILE_ATTACHED)


def _spending(ability: LibraryAbility) -> Spending | None:
    """The cost and gains of a surge ability; None if it does not affect damage or accuracy."""
    gains = dict.fromkeys((Symbol.ACCURACY, Symbol.DAMAGE, Symbol.PIERCE, Symbol.SURGE), 0)
    for part in ability.surge_parts:
        if part.symbol in gains:
            gains[part.symbol] += part.amount
    if not any(gains.values()):
        return None
    cost = ability.surge_cost - gains[Symbol.SURGE]
    return Spending(cost, gains[Symbol.ACCURACY], gains[Symbol.DAMAGE], gains[Symbol.PIERCE])
