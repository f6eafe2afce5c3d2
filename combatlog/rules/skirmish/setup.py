"""Setting up a skirmish: its options, the library recorded with it, the armies, and where figures can be placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from combatlog.rules.engine.grid.squares import require_open, taken
from combatlog.rules.engine.options_and_validation import EncounterOptions
from combatlog.rules.engine.refusal import Refusal, listing
from combatlog.rules.engine.ruleset import Recruit
from combatlog.rules.skirmish.board import Pose, Space, board_of, fits, occupant_of, read_space, spaces_at, spaces_of
from combatlog.rules.skirmish.library import LibraryAbility, library_of, with_own
from combatlog.rules.skirmish.library_checks import as_card, sift, usable
from combatlog.rules.skirmish.sheet import (
    FigureSheet,
    figure_sheet,
    figures_in_play,
    is_grouped,
    is_player,
    player_sheet,
    players,
    read_sheet,
)
from combatlog.rules.skirmish.vocabulary import TURNED
from ledger.events import Data, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted

LIBRARY = "library"


def _side_by_side(text: str) -> str:
    (x, y), (u, v) = (read_space(part) for part in text.split("|"))
    if abs(x - u) + abs(y - v) != 1:
        raise ValueError(f"{text} does not name two orthogonally adjacent spaces")
    return text


Wall = Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}\|\d{1,3},\d{1,3}$"), AfterValidator(_side_by_side)]


class SkirmishOptions(EncounterOptions):
    """The options for opening a skirmish."""

    library: Any = Field(default=None, description="your own entries for the ability library, as in a library file")
    hand: int = Field(default=3, ge=0, le=20, description="how many cards each player draws at the start")
    draw: int = Field(default=1, ge=0, le=10, description="how many cards each player draws when a round ends")
    walls: tuple[Wall, ...] | None = Field(
        default=None, max_length=2000, description="walls between two orthogonally adjacent spaces, each as 3,2|4,2"
    )
    blocking: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces with terrain that stops steps and sight, each as 3,2"
    )
    impassable: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces with terrain that stops steps but not sight, each as 3,2"
    )
    terminals: tuple[Space, ...] | None = Field(
        default=None, max_length=50, description="spaces with a terminal, each as 3,2; controlling one draws a card"
    )
    exterior: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces that are outside, each as 3,2; some cards depend on them"
    )
    army: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="the point limit of an army, usually 40; if omitted, armies are not checked",
    )
    figures_block_sight: bool | None = Field(
        default=None, description="whether figures block the line of sight, except to and from massive ones"
    )
    victory: int = Field(default=40, ge=1, le=1000, description="the victory points that win the skirmish")


def with_packs(options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
    """The options with the abilities and cards of packs added to the library; a later pack replaces an earlier one."""
    brought: Data = {}
    for pack in packs:
        brought |= pack.get("abilities", {})
        brought |= {name: as_card(entry) for name, entry in pack.get("cards", {}).items()}
    if not brought:
        return options
    own = options.get(LIBRARY)
    more = usable(sift(own)) if own is not None else {"abilities": {}}
    return {**options, LIBRARY: {**more, "abilities": {**brought, **more["abilities"]}}}


def settled_library(own: Any) -> Data:
    """The complete library, so that a recorded fight does not depend on later changes to the shipped one."""
    return with_own(usable(sift(own)) if own is not None else None)


DECK_SIZE = 15
DECK_COST = 15
UNIQUE, ELITE, REGULAR = 1, 2, 4
"""The most deployment cards of one name in an army."""
NEUTRAL = "neutral"


@dataclass(frozen=True)
class DeploymentCard:
    name: str
    figures: tuple[FigureSheet, ...]

    @property
    def cost(self) -> int:
        """The cost on the card, or else the total cost of its figures."""
        stated = [sheet.deployment_cost for sheet in self.figures if sheet.deployment_cost is not None]
        return max(stated) if stated else sum(sheet.cost for sheet in self.figures)

    @property
    def most(self) -> int:
        """The most deployment cards of this name in an army."""
        if any(sheet.unique for sheet in self.figures):
            return UNIQUE
        return ELITE if any(sheet.elite for sheet in self.figures) else REGULAR


def check_armies(battle: Battle) -> None:
    """Refuse to start with armies that break the limits, and list all problems at once."""
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
    """The deployment cards of a side: the figures of a group share one, any other figure has its own."""
    groups: dict[str, list[FigureSheet]] = {}
    for figure in figures_in_play(battle):
        if figure.side == side:
            sheet = figure_sheet(figure)
            groups.setdefault(f"group {sheet.group}" if sheet.group else figure.id, []).append(sheet)
    return [DeploymentCard(sheets[0].name, tuple(sheets)) for sheets in groups.values()]


def deployment_card(battle: Battle, figure: Combatant) -> DeploymentCard:
    """The figure's deployment card, including its defeated figures."""
    everybody = [one for one in battle.combatants.values() if not is_player(one)]
    return DeploymentCard(
        figure_sheet(figure).name, tuple(figure_sheet(one) for one in everybody if is_grouped(figure, one))
    )


def _of_points(cards: list[DeploymentCard], points: int) -> Iterator[str]:
    total = sum(card.cost for card in cards)
    if total > points:
        yield f"fields deployment cards for {counted(total, 'point')}, but the limit is {points}"


def _of_affiliation(cards: list[DeploymentCard]) -> Iterator[str]:
    """An army has one affiliation. Neutral cards and those without an affiliation fit into any army."""
    named = (sheet.affiliation for card in cards for sheet in card.figures if sheet.affiliation is not None)
    found = list(dict.fromkeys(name.lower() for name in named if name.lower() != NEUTRAL))
    if len(found) > 1:
        yield f"mixes the affiliations {listing(found)}, but an army has one"


def _of_names(cards: list[DeploymentCard]) -> Iterator[str]:
    counts = Counter(card.name for card in cards)
    for name, count in counts.items():
        most = min(card.most for card in cards if card.name == name)
        if count > most:
            yield f"fields {count} deployment cards named {name}, but the limit is {most}"


def _of_deck(battle: Battle, player: Combatant) -> Iterator[str]:
    deck = player_sheet(player).deck
    if len(deck) != DECK_SIZE:
        yield f"has {counted(len(deck), 'Command card')}, but a deck has exactly {DECK_SIZE}"
    known = {name: card for name in dict.fromkeys(deck) if (card := _card(battle, name)) is not None}
    if unknown := [name for name in dict.fromkeys(deck) if name not in known]:
        yield f"has cards that the library does not have: {listing(unknown)}"
    cost = sum(known[name].cost for name in deck if name in known)
    if cost > DECK_COST:
        yield f"has Command cards for {counted(cost, 'point')}, but the limit is {DECK_COST}"
    yield from _of_copies([known[name] for name in deck if name in known])


def _of_copies(cards: list[LibraryAbility]) -> Iterator[str]:
    counts = Counter(card.id for card in cards)
    limits = {card.id: card.limit for card in cards}
    for name, count in counts.items():
        if count > limits[name]:
            yield f"has {count} copies of {name}, but the limit is {limits[name]}"


def _card(battle: Battle, name: str) -> LibraryAbility | None:
    try:
        return library_of(battle).card(name)
    except Refusal:
        return None


def require_room(battle: Battle, position: Position, who: Recruit | Combatant) -> None:
    """Refuse a place if any of the spaces that the figure would cover is occupied or blocked."""
    sheet = read_sheet(who.sheet)
    if not isinstance(sheet, FigureSheet):
        require_open(battle, position)
        return
    mover = who if isinstance(who, Combatant) else None
    pose = Pose(position, mover is not None and mover.has(TURNED))
    _require_ground(battle, sheet, pose)
    spaces = spaces_at(sheet.base, pose)
    occupant = occupant_of(battle, spaces, mover)
    if occupant is not None:
        raise taken(next(space for space in spaces_of(occupant) if space in spaces), occupant)


def _require_ground(battle: Battle, sheet: FigureSheet, pose: Pose) -> None:
    for space in spaces_at(sheet.base, pose):
        require_open(battle, space)
    board = board_of(battle)
    if not fits(board.bare if sheet.ignores_terrain else board, sheet.base, pose):
        x, y = pose.place
        raise Refusal(
            "place/terrain",
            f"Terrain or a wall blocks a figure of size {sheet.size} at {x},{y}; choose another place.",
            destination=pose.place,
            size=sheet.size,
        )
