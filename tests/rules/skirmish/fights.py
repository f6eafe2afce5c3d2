"""Fights for tests of corrections and explanations: small, with everything in them that those are about."""

from __future__ import annotations

from combatlog.testing import all_of, only
from ledger.events import Damaged, Declared
from tests.rules.skirmish.arena import Arena


def with_a_drawn_card() -> Arena:
    """The hero draws Blitz, plays it in an attack for a surge, and is attacked in turn.

    The foe is at 7: 2 hits and 1 of the surge. The hero is at 9: 2 hits less 1 block.
    """
    arena = Arena(hand=["There is Another"], pile=["Blitz", "Focus"], hero={"surges": ["damage 1"]})
    arena.do("hero", "activate")
    arena.play("hero", "There is Another")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": ["Blitz", "damage 1"]})
    arena.end("hero")
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=["0/2/0", "1/0"])
    return arena


def with_a_rich_attack() -> tuple[Arena, Damaged]:
    """An attack with dice on both sides, a condition, cards, tokens, a surge and an evade; and its damage.

    Hits: red 2, green of Focus 2, a card 1, a token 1, a surge 1. Block: black 1, a token 1; pierced 1. So 6.
    Surges: 1 on red and 1 of Blitz, of which an evade cancels one.
    """
    arena = Arena(
        hand=["Blitz", "Positioning Advantage"],
        hero={"surges": ["damage 1"], "innate": {"pierce": 1}},
        foe={"defense": ["black", "black"]},
    )
    arena.rule("hero", add=["focused"], set={"hit_token": 1})
    arena.rule("foe", set={"block_token": 1})
    arena.do("hero", "activate")
    events = arena.do(
        "hero",
        "attack",
        target="foe",
        dice=["0/2/1", "1/2/0", "1/0", "0/1"],
        replies={"rebels": ["Blitz", "Positioning Advantage", "token:hit", "damage 1"], "empire": ["token:block"]},
    )
    return arena, only(events, Damaged)


def declaration(arena: Arena, actor: str, action: str) -> int:
    """The seq of the last declaration of an action by somebody."""
    declared = all_of(arena.fight.events, Declared)
    return [one.seq for one in declared if one.actor == actor and one.action.endswith(f":{action}")][-1]
