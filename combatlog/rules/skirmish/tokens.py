"""Power tokens: a figure holds at most two, and can spend one per attack."""

from __future__ import annotations

from enum import StrEnum

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.vocabulary import Symbol, name_in, ref
from projections.combatant import Combatant

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
    """The ways in which a figure can spend a token: each usable kind it has, and a wild token as any of them."""
    kinds = tokens_held(figure)
    own = [ref("token", kind) for kind in usable if kind in kinds]
    wild = [ref("token", f"wild_as_{kind}") for kind in usable if TokenKind.WILD in kinds]
    return own + wild


def spend_token(table: Table, figure: Combatant, token: str) -> tuple[TokenKind, Symbol]:
    """Spend the chosen token. Returns its kind and the symbol that it adds."""
    kind, _, chosen = name_in(token).partition("_as_")
    table.spend(figure, resource_of(TokenKind(kind)), 1, f"spent on an attack as {chosen or kind}", token)
    return TokenKind(kind), SYMBOLS[TokenKind(chosen or kind)]
