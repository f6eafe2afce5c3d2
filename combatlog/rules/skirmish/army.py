"""Armies: what a side may field, and which Command cards its deck may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from combatlog.rules.engine.refusal import Refusal, listing
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.sheet import (
    FigureSheet,
    figure_sheet,
    figures_in_play,
    is_grouped,
    is_player,
    player_sheet,
    players,
)
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

DECK_SIZE = 15
DECK_COST = 15
UNIQUE, ELITE, REGULAR = 1, 2, 4
"""How many deployment cards of one name an army may have."""
NEUTRAL = "neutral"


@dataclass(frozen=True)
class DeploymentCard:
    name: str
    figures: tuple[FigureSheet, ...]

    @property
    def cost(self) -> int:
        """What the card says, or else what its figures cost together."""
        stated = [sheet.deployment_cost for sheet in self.figures if sheet.deployment_cost is not None]
        return max(stated) if stated else sum(sheet.cost for sheet in self.figures)

    @property
    def most(self) -> int:
        """How many of its name an army may have."""
        if any(sheet.unique for sheet in self.figures):
            return UNIQUE
        return ELITE if any(sheet.elite for sheet in self.figures) else REGULAR


def check_armies(battle: Battle) -> None:
    """Refuse to start with armies that break the limits. All reasons are given at once."""
    points = battle.encounter.options.get("army")
    if points is None:
        return
    problems = [(player, why) for player in players(battle) for why in _problems(battle, player, points)]
    if problems:
        sentences = [f"{player.id} {why}." for player, why in problems]
        raise Refusal(
            "army/invalid",
            " ".join(["These armies cannot be fielded.", *sentences]),
            points=points,
            problems=[{"who": player.id, "problem": why} for player, why in problems],
        )


def _problems(battle: Battle, player: Combatant, points: int) -> Iterator[str]:
    cards = deployment_cards(battle, player.side)
    yield from _of_points(cards, points)
    yield from _of_affiliation(cards)
    yield from _of_names(cards)
    yield from _of_deck(battle, player)


def deployment_cards(battle: Battle, side: str) -> list[DeploymentCard]:
    """The figures of a side by deployment card: those of a group share one, any other figure has its own."""
    groups: dict[str, list[FigureSheet]] = {}
    for figure in figures_in_play(battle):
        if figure.side == side:
            sheet = figure_sheet(figure)
            groups.setdefault(f"group {sheet.group}" if sheet.group else figure.id, []).append(sheet)
    return [DeploymentCard(sheets[0].name, tuple(sheets)) for sheets in groups.values()]


def deployment_card(battle: Battle, figure: Combatant) -> DeploymentCard:
    """The figure's deployment card, with those of its figures that are defeated."""
    everybody = [one for one in battle.combatants.values() if not is_player(one)]
    return DeploymentCard(
        figure_sheet(figure).name, tuple(figure_sheet(one) for one in everybody if is_grouped(figure, one))
    )


def _of_points(cards: list[DeploymentCard], points: int) -> Iterator[str]:
    total = sum(card.cost for card in cards)
    if total > points:
        yield f"fields deployment cards for {counted(total, 'point')}, but {points} is the most"


def _of_affiliation(cards: list[DeploymentCard]) -> Iterator[str]:
    """Neutral cards, and those that do not say, go with everybody."""
    named = (sheet.affiliation for card in cards for sheet in card.figures if sheet.affiliation is not None)
    found = list(dict.fromkeys(name.lower() for name in named if name.lower() != NEUTRAL))
    if len(found) > 1:
        yield f"mixes the affiliations {listing(found)}, but an army has one"


def _of_names(cards: list[DeploymentCard]) -> Iterator[str]:
    counts = Counter(card.name for card in cards)
    for name, count in counts.items():
        most = min(card.most for card in cards if card.name == name)
        if count > most:
            yield f"fields {count} deployment cards called {name}, but {most} is the most"


def _of_deck(battle: Battle, player: Combatant) -> Iterator[str]:
    deck = player_sheet(player).deck
    if len(deck) != DECK_SIZE:
        yield f"has {counted(len(deck), 'Command card')}, but a deck has exactly {DECK_SIZE}"
    known = {name: card for name in dict.fromkeys(deck) if (card := _card(battle, name)) is not None}
    if unknown := [name for name in dict.fromkeys(deck) if name not in known]:
        yield f"has cards that the library does not have: {listing(unknown)}"
    cost = sum(known[name].cost for name in deck if name in known)
    if cost > DECK_COST:
        yield f"has Command cards for {counted(cost, 'point')}, but {DECK_COST} is the most"
    yield from _of_copies([known[name] for name in deck if name in known])


def _of_copies(cards: list[Ability]) -> Iterator[str]:
    counts = Counter(card.id for card in cards)
    limits = {card.id: card.limit for card in cards}
    for name, count in counts.items():
        if count > limits[name]:
            yield f"has {count} copies of {name}, but {limits[name]} is the most"


def _card(battle: Battle, name: str) -> Ability | None:
    try:
        return library_of(battle).card(name)
    except Refusal:
        return None
