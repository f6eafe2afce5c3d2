"""Everything a player can be asked to choose in a window, and what choosing it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from combatlog.rules.skirmish import attachments
from combatlog.rules.skirmish.ability import CHOOSE_ONE, AbilityType
from combatlog.rules.skirmish.board import board_of, space_ref
from combatlog.rules.skirmish.card_piles import DISCARD_FROM_DECK
from combatlog.rules.skirmish.conditions.round_rules import ACT_MORE
from combatlog.rules.skirmish.dice import DICE
from combatlog.rules.skirmish.library import Library, library_from, library_of, shipped_library
from combatlog.rules.skirmish.sheet import figure_sheet, is_player
from combatlog.rules.skirmish.tokens import FOR_ATTACKER, FOR_DEFENDER, TokenKind
from combatlog.rules.skirmish.vitality import DISCARD_TOP
from combatlog.rules.skirmish.vocabulary import CONDITION_WORDS, ref
from projections.battle import Battle

ABOUT = {
    "card": "Play this Command card, or discard it if one has to be discarded.",
    "choice": "Choose this.",
    "deplete": "Deplete this attachment: use it once, and never again.",
    "exhaust": "Exhaust this attachment: use it, and then not again in this round.",
    "player": "Choose this player.",
    "condition": "Discard this condition.",
    "die": "Choose this die.",
    "face": "Turn the die to this side.",
    "figure": "Choose this figure.",
    "secret": "Choose this card face down; only you and the GM see which.",
    "space": "Choose this space.",
    "surge": "Spend surges on this ability.",
    "token": "Spend this power token, or discard it if there are too many.",
}
"""What an answer does, by the type of its ref."""


_ABOUT_ONE = {
    DISCARD_TOP: "Discard the top Command card instead of suffering 1 strain.",
    ACT_MORE: "Suffer the damage that the card says, for an action more.",
    DISCARD_FROM_DECK: "Discard the cards from the top of the deck, so that the opponent gains no victory points.",
}


@cache
def shipped() -> Library:
    return library_from(shipped_library())


def about(reference: str) -> str:
    """For any ref that people may write, even one that is never offered. Shipped entries come with their label."""
    what = _ABOUT_ONE.get(reference) or ABOUT.get(reference.split(":")[1], "Choose this.")
    entry = shipped().by_ref.get(reference)
    return f"{what} {entry.label}." if entry is not None and entry.type is AbilityType.CC_EFFECT else what


def choosable(battle: Battle | None) -> Iterator[str]:
    """The refs of everything somebody may be asked to choose; without a battle, what the shipped library has."""
    yield from library_refs(battle)
    if battle is not None:
        yield from _in_battle(battle)
    yield from (DISCARD_TOP, DISCARD_FROM_DECK, ACT_MORE)
    yield from (ref("token", kind) for kind in TokenKind)
    yield from (ref("token", f"wild_as_{kind}") for kind in FOR_ATTACKER + FOR_DEFENDER)
    yield from CONDITION_WORDS.values()
    yield from (ref("die", colour) for colour in DICE)
    yield from dict.fromkeys(ref("face", str(face)) for die in DICE.values() for face in die.faces)


def library_refs(battle: Battle | None) -> Iterator[str]:
    """Cards first: where a card and another entry have the same name, people mean the card."""
    library = library_of(battle) if battle is not None else shipped()
    for wanted in (AbilityType.CC_EFFECT, AbilityType.SURGE):
        yield from (ability.ref for ability in library.abilities.values() if ability.type is wanted)
    cards = [ability.id for ability in library.abilities.values() if ability.type is AbilityType.CC_EFFECT]
    yield from (ref("secret", card) for card in cards)
    for ability in library.abilities.values():
        yield from (ref("choice", inner.label) for inner in ability.inner(CHOOSE_ONE))
        yield from (ref(how, ability.id) for how, part in attachments.USES.items() if part in ability.properties)


def _in_battle(battle: Battle) -> Iterator[str]:
    grid = board_of(battle).grid
    yield from (space_ref((x, y)) for y in range(grid.height) for x in range(grid.width))
    for combatant in battle.combatants.values():
        if is_player(combatant):
            yield ref("player", combatant.id)
        else:
            yield ref("figure", combatant.id)
            sheet = figure_sheet(combatant)
            yield from (ref("surge", key) for key in sheet.surges)
            dice = (("attack", sheet.attack), ("defense", sheet.defense))
            yield from (ref("die", f"{p}_{n}_{c}") for p, pool in dice for n, c in enumerate(pool, start=1))
