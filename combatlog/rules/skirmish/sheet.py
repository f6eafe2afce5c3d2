"""The sheets of figures and players, the power tokens that figures hold, and asking a player to choose.

Every choice goes through a window, so that it is on the tape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.content.files import shipped_folder
from combatlog.rules.engine.options_and_validation import sheet_as, validated
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ACTIVATIONS,
    ATTACKS,
    DEFEATED,
    HEALTH,
    MELEE_ONLY,
    MOVEMENT,
    QUICKENED,
    REACHING,
    VICTORY_POINTS,
    AttackColour,
    DefenseColour,
    Symbol,
    name_in,
    ref,
)
from ledger.events import Data, Gauge, Offer, ReactionChosen
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

Name = Annotated[str, Field(min_length=1, max_length=60)]
Id = Annotated[str, Field(min_length=1, max_length=300, pattern=r"[A-Za-z0-9]")]
"""An id in the library; its letters and digits become a ref."""
Small = Annotated[int, Field(ge=0, le=20)]
Size = Annotated[str, Field(pattern=r"^[1-6]x[1-6]$")]


class StrictSheetModel(BaseModel):
    """Immutable data without undeclared fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FigureSheet(StrictSheetModel):
    """A figure as its deployment card describes it."""

    kind: Literal["figure"] = "figure"
    name: Name
    group: Name | None = Field(
        default=None, description="shared by the figures of one deployment card; none for a figure on its own"
    )
    traits: tuple[Name, ...] = ()
    cost: int = Field(ge=0, le=40, description="the victory points for defeating it")
    deployment_cost: int | None = Field(
        default=None,
        ge=-10,
        le=100,
        description="the cost of its deployment card in an army; by default, of its figures",
    )
    affiliation: Name | None = Field(default=None, description="the side it belongs to; neutral fits into any army")
    unique: bool = Field(default=False, description="an army has at most one deployment card of this name")
    elite: bool = Field(default=False, description="an army has at most two deployment cards of this name, not four")
    health: int = Field(ge=1, le=60)
    speed: int = Field(ge=0, le=12)
    attack: tuple[AttackColour, ...] = Field(max_length=10)
    defense: tuple[DefenseColour, ...] = Field(default=(), max_length=10)
    ranged: bool = False
    reach: bool = False
    size: Size = Field(default="1x1", description="the spaces that its base covers, across and down: 1x2, 2x2, 2x3")
    massive: bool = Field(default=False, description="it ignores terrain and pushes aside figures it ends its move on")
    mobile: bool = Field(default=False, description="it ignores terrain and the extra cost of passing hostile figures")
    innate: dict[Symbol, Small] = Field(
        default_factory=dict, description="symbols added to each of its attacks or defenses"
    )
    surges: tuple[Id, ...] = Field(default=(), description="its surge abilities, as in the library")
    abilities: tuple[Id, ...] = Field(
        default=(), description="its special actions and passive abilities, by their id in the library"
    )
    attack_rerolls: Small = 0
    defense_rerolls: Small = 0

    @cached_property
    def base(self) -> tuple[int, int]:
        """The size of its base in spaces, across and down."""
        across, down = self.size.split("x")
        return int(across), int(down)

    @property
    def ignores_terrain(self) -> bool:
        return self.massive or self.mobile

    @property
    def keywords(self) -> set[str]:
        """Properties of the figure that cards can require like traits."""
        held = {
            "MASSIVE": self.massive,
            "MOBILE": self.mobile,
            "LARGE": self.size != "1x1",
            "SMALL": self.size == "1x1",
        }
        return {keyword for keyword, holds in held.items() if holds}

    def vitals(self) -> dict[str, Gauge]:
        return {HEALTH: Gauge(current=self.health, maximum=self.health)}

    def resources(self) -> dict[str, Gauge]:
        """The figure's resources: it becomes ready when a round starts and gets its actions when it is activated."""
        return {
            ACTIVATIONS: Gauge(current=0, maximum=1),
            ACTIONS: Gauge(current=0, maximum=2),
            ATTACKS: Gauge(current=0, maximum=1),
            MOVEMENT: Gauge(current=0),
            **{resource_of(kind): Gauge(current=0, maximum=TOKEN_LIMIT) for kind in TokenKind},
        }


class PlayerSheet(StrictSheetModel):
    """A player, with a deck of cards for all figures on the same side."""

    kind: Literal["player"]
    name: Name
    deck: tuple[Id, ...] = Field(default=(), max_length=100, description="Command cards, by their id in the library")

    def vitals(self) -> dict[str, Gauge]:
        return {}

    def resources(self) -> dict[str, Gauge]:
        return {VICTORY_POINTS: Gauge(current=0)}


Sheet = FigureSheet | PlayerSheet


def read_sheet(data: Data) -> Sheet:
    model: type[Sheet] = PlayerSheet if data.get("kind") == "player" else FigureSheet
    return validated(model, data, "sheet/invalid", "The sheet's")


def _view(combatant: Combatant) -> Sheet:
    return cast(Sheet, sheet_as(cast(Any, Sheet), combatant))


def figure_sheet(combatant: Combatant) -> FigureSheet:
    view = _view(combatant)
    if not isinstance(view, FigureSheet):
        raise Refusal("figure/player", f"{combatant.name} is a player; name one of its figures.", who=combatant.id)
    return view


def player_sheet(combatant: Combatant) -> PlayerSheet:
    return cast(PlayerSheet, _view(combatant))


def is_player(combatant: Combatant) -> bool:
    return isinstance(_view(combatant), PlayerSheet)


def is_in_play(combatant: Combatant) -> bool:
    """Whether this is a figure on the map that is not defeated."""
    return (
        combatant.present
        and not is_player(combatant)
        and combatant.position is not None
        and combatant.vitals[HEALTH].current > 0
        and not combatant.has(DEFEATED)
    )


def figures_in_play(battle: Battle) -> list[Combatant]:
    return [combatant for combatant in battle.combatants.values() if is_in_play(combatant)]


def players(battle: Battle) -> list[Combatant]:
    """The players in initiative order."""
    return battle.by_initiative([combatant for combatant in battle.present() if is_player(combatant)])


def player_of(battle: Battle, figure: Combatant) -> Combatant:
    for player in players(battle):
        if player.side == figure.side:
            return player
    raise Refusal(
        "skirmish/no-player",
        f"{figure.side} has no player; one has to join on that side.",
        who=figure.id,
        side=figure.side,
    )


def opponent_of(battle: Battle, player: Combatant) -> Combatant:
    for other in players(battle):
        if other.side != player.side:
            return other
    raise Refusal(
        "skirmish/no-opponent",
        f"{player.name} has no opponent; a player has to join on another side.",
        who=player.id,
        side=player.side,
    )


def both_players(battle: Battle) -> tuple[Combatant, Combatant]:
    """The two players in initiative order; a refusal if there are more or fewer."""
    found = players(battle)
    if len(found) == 2:
        return found[0], found[1]
    raise Refusal(
        "skirmish/players",
        f"A skirmish needs two players, and this one has {len(found)}; one has to join or leave.",
        needed=2,
        found=[player.id for player in found],
    )


def has_trait(figure: Combatant | None, traits: Iterable[str]) -> bool:
    if figure is None:
        return False
    sheet = figure_sheet(figure)
    owned = {trait.upper() for trait in sheet.traits} | sheet.keywords
    return any(trait.upper() in owned for trait in traits)


def speed_of(figure: Combatant) -> int:
    """The figure's speed now."""
    held = figure.conditions.get(QUICKENED)
    return figure_sheet(figure).speed + (int(held.data.get("speed", 0)) if held is not None else 0)


def is_ranged(figure: Combatant) -> bool:
    """Whether the figure's attacks are ranged now."""
    return figure_sheet(figure).ranged and not figure.has(MELEE_ONLY)


def has_reach(figure: Combatant) -> bool:
    return figure_sheet(figure).reach or figure.has(REACHING)


def group_of(battle: Battle, figure: Combatant) -> list[Combatant]:
    """The figures in play that share a deployment card; a figure without a group is on its own."""
    return [other for other in figures_in_play(battle) if is_grouped(figure, other)]


def is_grouped(one: Combatant, other: Combatant) -> bool:
    group = figure_sheet(one).group
    return one is other or (group is not None and one.side == other.side and figure_sheet(other).group == group)


def shipped_sheets() -> dict[str, Data]:
    return shipped_folder("combatlog.rules.skirmish", "sheets")


TOKEN_LIMIT = 2


class TokenKind(StrEnum):
    HIT = "hit"
    SURGE = "surge"
    BLOCK = "block"
    EVADE = "evade"
    WILD = "wild"


SYMBOLS = {
    TokenKind.HIT: Symbol.DAMAGE,
    TokenKind.SURGE: Symbol.SURGE,
    TokenKind.BLOCK: Symbol.BLOCK,
    TokenKind.EVADE: Symbol.EVADE,
}
FOR_ATTACKER = (TokenKind.HIT, TokenKind.SURGE)
FOR_DEFENDER = (TokenKind.BLOCK, TokenKind.EVADE)


def resource_of(kind: TokenKind) -> str:
    return f"{kind}_token"


def tokens_held(figure: Combatant) -> list[TokenKind]:
    """The kinds of tokens that a figure has."""
    return [kind for kind in TokenKind if figure.economy.left(resource_of(kind)) > 0]


def token_count(figure: Combatant) -> int:
    return sum(figure.economy.left(resource_of(kind)) for kind in TokenKind)


def gain_power_tokens(
    table: Table, player: Combatant, figure: Combatant, kind: TokenKind, amount: int, why: str, source: str
) -> None:
    """Gain tokens. The player discards those above the limit."""
    table.gain(figure, resource_of(kind), amount, why, source)
    while token_count(figure) > TOKEN_LIMIT:
        refs = [ref("token", kind) for kind in tokens_held(figure)]
        discarded = choose(table, "tokens.limit", player, figure.id, refs, default=refs[0])
        too_many = f"a figure holds at most {TOKEN_LIMIT} tokens"
        table.gain(figure, resource_of(TokenKind(name_in(discarded))), -1, too_many, ref("rule", "token_limit"))


def spendable_tokens(figure: Combatant, usable: tuple[TokenKind, ...]) -> list[str]:
    """The tokens that a figure can spend: each usable kind that it has, and a wild token as any usable kind."""
    kinds = tokens_held(figure)
    own = [ref("token", kind) for kind in usable if kind in kinds]
    wild = [ref("token", f"wild_as_{kind}") for kind in usable if TokenKind.WILD in kinds]
    return own + wild


def spend_token(table: Table, figure: Combatant, token: str) -> tuple[TokenKind, Symbol]:
    """Spend the chosen token. Returns its kind and the symbol that it adds."""
    kind, _, chosen = name_in(token).partition("_as_")
    table.spend(figure, resource_of(TokenKind(kind)), 1, f"spent on an attack as {chosen or kind}", token)
    return TokenKind(kind), SYMBOLS[TokenKind(chosen or kind)]


def ask(
    table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], useful: Sequence[str] = ()
) -> ReactionChosen | None:
    """Ask the player to choose one of these, or none."""
    if not refs:
        return None
    offer = Offer(reactor=player.id, reactions=tuple(dict.fromkeys(refs)), useful=tuple(useful))
    chosen = table.window(moment, subject, [offer])
    return chosen[0] if chosen else None


def choose(table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], default: str) -> str:
    """Choose one of these. A single choice is taken without asking; passing takes the default."""
    if len(set(refs)) == 1:
        return refs[0]
    chosen = ask(table, moment, player, subject, refs, useful=[default])
    return chosen.reaction if chosen else default


def choose_up_to(
    table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], limit: int
) -> list[str]:
    """Choose up to the limit: all of them if they are few enough, otherwise one by one until the player passes."""
    if len(refs) <= limit:
        return list(refs)
    chosen: list[str] = []
    while len(chosen) < limit:
        left = [ref for ref in refs if ref not in chosen]
        answer = ask(table, moment, player, subject, left, useful=left)
        if answer is None:
            break
        chosen.append(answer.reaction)
    return chosen
