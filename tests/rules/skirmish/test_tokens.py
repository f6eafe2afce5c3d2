"""Power tokens: gaining, the limit, spending."""

from __future__ import annotations

import pytest

from combatlog.testing import all_of
from ledger.events import ChainModified, ReactionWindowOpened
from tests.rules.skirmish.arena import Arena

ATTACK = {"target": "foe", "dice": ["0/2/0", "0/0"]}


def offered(events: list[object]) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (offer.reactor, tuple(ref.removeprefix("skirmish:token:") for ref in offer.reactions))
        for event in all_of(events, ReactionWindowOpened)
        if event.moment == "attack.declared"
        for offer in event.offers
    ]


@pytest.mark.parametrize(("token", "health"), [("hit", 7), ("surge", 7), ("wild_as_hit", 7), ("wild_as_surge", 7)])
def test_the_attacker_spends_hit_and_surge(token: str, health: int) -> None:
    arena = Arena(hero={"surges": ["damage 1"]})
    arena.rule("hero", set={f"{token.split('_')[0]}_token": 1})
    arena.do("hero", "activate")
    replies = [f"token:{token}", *(["damage 1"] if token.endswith("surge") else [])]
    events = arena.do("hero", "attack", **ATTACK, replies={"rebels": replies})
    assert arena["foe.health"] == health
    spent = [event for event in all_of(events, ChainModified) if event.stage == "tokens"]
    assert [(event.owner, event.change.amount) for event in spent] == [("hero", 1)]
    assert arena["hero.hit_token"] + arena["hero.surge_token"] + arena["hero.wild_token"] == 0


@pytest.mark.parametrize(
    ("token", "face", "health"),
    [
        ("block", "0/2/0", 9),
        ("wild_as_block", "0/2/0", 9),
        ("evade", "0/2/1", 8),  # the surge is cancelled
        ("wild_as_evade", "0/2/1", 8),
    ],
)
def test_the_defender_spends_block_and_evade(token: str, face: str, health: int) -> None:
    arena = Arena(hero={"surges": ["damage 1"]})
    arena.rule("foe", set={f"{token.split('_')[0]}_token": 1})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=[face, "0/0"], replies={"empire": f"token:{token}"})
    assert arena["foe.health"] == health


def test_neither_is_offered_the_others_kinds() -> None:
    arena = Arena()
    for who in ("hero", "foe"):
        arena.rule(who, set={"hit_token": 1, "evade_token": 1})
    arena.do("hero", "activate")
    assert offered(arena.do("hero", "attack", **ATTACK)) == [("rebels", ("hit",)), ("empire", ("evade",))]


def test_one_token_is_spent_per_attack_and_figure() -> None:
    arena = Arena()
    arena.rule("hero", set={"hit_token": 2})
    arena.rule("foe", set={"block_token": 2})
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", **ATTACK, replies={"rebels": "token:hit", "empire": "token:block"})
    assert offered(events) == [("rebels", ("hit",)), ("empire", ("block",))]  # asked once, then nothing is left
    assert (arena["foe.health"], arena["hero.hit_token"], arena["foe.block_token"]) == (8, 1, 1)


def test_a_third_token_has_to_be_discarded_by_choice() -> None:
    arena = Arena(hand=["Battle Scars"])
    arena.rule("hero", set={"hit_token": 1, "block_token": 1})
    arena.do("hero", "activate")
    arena.play("hero", "Battle Scars", replies={"rebels": "token:block"})
    assert [arena[f"hero.{kind}_token"] for kind in ("hit", "block", "wild")] == [1, 0, 1]


def test_nobody_is_asked_which_of_equal_tokens_to_discard() -> None:
    arena = Arena(hand=["Battle Scars"])
    arena.rule("hero", set={"wild_token": 2})
    arena.do("hero", "activate")
    events = arena.play("hero", "Battle Scars")
    assert all_of(events, ReactionWindowOpened) == []
    assert arena["hero.wild_token"] == 2
