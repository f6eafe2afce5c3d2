"""What holds for all figures of a player until the round ends, and what a figure does in its activation."""

from __future__ import annotations

from combatlog.testing import all_of
from ledger.events import Moved
from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, of, run_property

PILE = ["Blitz", "Focus", "Bladestorm"]
HIT_2, HIT_3, NO_BLOCK = "0/2/0", "0/3/0", "0/0"
TERMINALS = {"terminals": ["5,6", "20,20"]}
FAR_FOE = ("Far", "empire", (20, 21), {})


def block_token_spent(arena: Arena) -> None:
    """3 hits against the block of the token: 2 damage, of which the hero recovers 1."""
    arena.rule("hero", set={"block_token": 1})
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_3, NO_BLOCK], replies={"rebels": ["token:block"]})


def no_token_spent(arena: Arena) -> None:
    arena.do("foe", "activate")
    arena.do("foe", "attack", target="hero", dice=[HIT_3, NO_BLOCK])


def strain_paid_with_cards(arena: Arena) -> None:
    """Three strain, each paid with the top card: Blitz and Focus, which cost 0 and 1, and Bladestorm, which costs 2."""
    for _ in range(3):
        arena.hurt("hero", 1, "strain", replies={"rebels": ["discard_top_card"]})


def droids_turn(arena: Arena, *answers: str) -> None:
    arena.do("foe", "activate")
    arena.end("foe")
    arena.do("hero", "activate", replies={"rebels": list(answers)})


def pass_over(arena: Arena) -> None:
    moved = arena.do("hero", "move", to=(7, 5))
    assert [move.to for move in all_of(moved, Moved)] == [(6, 5), (7, 5)]


def stunned_and_hit_hard(arena: Arena) -> None:
    """1 of 10 health is left, whatever hits it, and no harmful condition sticks. Then a foe is defeated."""
    arena.hurt("hero", 30)
    assert (arena["hero.health"], arena["hero.conditions"]) == (1, ["undeniable"])
    arena.hurt("other", 10)


def round_ends(arena: Arena) -> None:
    for name in ("hero", "foe", "far"):
        if arena["turn"] is None:
            arena.do(name, "activate")
        arena.end(name)


CASES: dict[str, list[Case]] = {
    "setsMandaAsteel": [
        Case({"hero.health": 9}, {"setsMandaAsteel": True}, how="start of round", after=block_token_spent),
        Case({"hero.health": 7}, {"setsMandaAsteel": True}, how="start of round", after=no_token_spent),
    ],
    "setsWindfall": [
        Case(
            {"rebels.vp": 0 + 1 + 2, "hero.health": 10},
            {"setsWindfall": True},
            how="start of round",
            pile=PILE,
            options={"draw": 0},
            after=strain_paid_with_cards,
        )
    ],
    "roundDroidExtraActionCostDamage": [
        Case(
            {"hero.actions": 3, "hero.health": 8},
            {"roundDroidExtraActionCostDamage": 2},
            how="start of round",
            hero={"traits": ["DROID"]},
            after=lambda arena: droids_turn(arena, "choice:overdrive"),
        ),
        Case(
            {"hero.actions": 2, "hero.health": 10},
            {"roundDroidExtraActionCostDamage": 2},
            how="start of round",
            hero={"traits": ["DROID"]},
            after=droids_turn,
        ),
    ],
    "overrunThisActivation": [
        Case(  # through the foe's space, in a corridor
            {"hero.position": [7, 5], "foe.health": 8, "hero.mp": 4 - 3},
            {"overrunThisActivation": True},
            options={"map": "\n".join([*["#" * 12] * 5, "." * 12, "#" * 12])},
            after=pass_over,
        )
    ],
    "setsYouWillNotDenyMe": [
        Case(
            {"hero.health": 1 + 2, "hero.conditions": []},
            {"setsYouWillNotDenyMe": True},
            others=[("Other", "empire", (9, 9), {})],
            after=stunned_and_hit_hard,
        )
    ],
    "drawCCIfAdjacentTerminal": [
        Case({"rebels.pile.hand": ["Blitz"]}, {"drawCCIfAdjacentTerminal": 1}, pile=PILE, options=TERMINALS),
        Case({"rebels.pile.hand": []}, {"drawCCIfAdjacentTerminal": 1}, pile=PILE),  # there is no terminal
    ],
    "setsTerminalControl": [
        Case(  # 1 card for the round, and 2 for the terminals, one of which a foe stands on
            {"rebels.pile.hand": PILE},
            {"setsTerminalControl": True},
            pile=PILE,
            others=[FAR_FOE],
            foe_at=(20, 20),
            options=TERMINALS,
            after=round_ends,
        )
    ],
    "roundSmugglersTricksPlayerNum": [
        Case(  # at 5,6 the hero is next to one foe, who does not count there
            {"rebels.pile.hand": ["Blitz", "Focus"]},
            {"roundSmugglersTricksPlayerNum": True},
            pile=PILE,
            others=[FAR_FOE],
            options=TERMINALS,
            then=["space:5_6"],
            after=round_ends,
        ),
        Case({}, {"roundSmugglersTricksPlayerNum": True}, questions=1),  # there is no terminal
    ],
}


@each("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)


def test_no_harmful_condition_sticks_to_the_undeniable() -> None:
    case = Case({"hero.conditions": ["undeniable"]}, {"setsYouWillNotDenyMe": True, "applySelfCondition": "Stun"})
    run_property(case)


def test_without_a_card_a_terminal_that_both_are_at_is_nobodys() -> None:
    arena = Arena(hand=["Blitz"], pile=["Focus", "Parry"], others=[FAR_FOE], **TERMINALS)
    round_ends(arena)
    assert arena["rebels.pile.hand"] == ("Blitz", "Focus")
