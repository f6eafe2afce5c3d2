"""Every card that the ability library's document gives as an example, with fixed dice and the exact outcome."""

from __future__ import annotations

import pytest

from combatlog.rules.skirmish.library import shipped_library
from tests.cases import each
from tests.rules.skirmish.arena import Arena, Case, ruled, run

ALLY = ("Ally", "rebels", (5, 6), {})
OTHER_FOE = ("Other", "empire", (6, 6), {})
LEADER = {"traits": ["LEADER"]}
HIT_2, HIT_3, HIT_2_SURGE = "0/2/0", "0/3/0", "0/2/1"
NO_BLOCK, BLOCK_1, BLOCK_2 = "0/0", "1/0", "2/0"


def foe_played(arena: Arena) -> None:
    """The other player has a card on the discard pile."""
    arena.do("foe", "activate")
    arena.play("foe", "Force Rush")
    arena.end("foe")


FAR = {"ranged": True, "attack": ["blue"]}
SURGE_DAMAGE = {"surges": ["damage 1"]}

CARDS: dict[str, list[Case]] = {
    "There is Another": [Case({"rebels.pile.hand": ["Blitz"], "rebels.pile.deck": []}, pile=["Blitz"])],
    "Forbidden Knowledge": [
        Case({"rebels.pile.hand": ["Blitz"], "rebels.pile.deck": ["Focus"]}, pile=["Blitz", "Focus"])
    ],
    "Planning": [
        Case({"rebels.pile.hand": ["Blitz"], "rebels.pile.discard": ["Planning", "Focus"]}, pile=["Blitz", "Focus"]),
        Case({"rebels.pile.hand": ["Focus"]}, pile=["Blitz", "Focus"], then=["Blitz"]),
        Case({"rebels.pile.hand": ["Blitz", "Focus"]}, pile=["Blitz", "Focus"], hero=LEADER),
    ],
    "Black Market Prices": [
        Case({"rebels.pile.hand": ["Blitz"], "rebels.vp": 2}, pile=["Blitz", "Bladestorm"]),  # Bladestorm costs 2
        Case({"rebels.pile.hand": ["Bladestorm"], "rebels.vp": 0}, pile=["Blitz", "Bladestorm"], then=["Blitz"]),
    ],
    "Officer's Training": [
        Case({"rebels.pile.hand": ["Focus"]}, how="attack", dice=[HIT_2, NO_BLOCK], pile=["Focus"], hero=LEADER),
        Case({}, how="attack", dice=[HIT_2, NO_BLOCK], pile=["Focus"], is_offered=False),
    ],
    "Fool Me Once": [
        Case(
            {"empire.pile.discard": [], "rebels.pile.hand": ["Focus"]},
            pile=["Focus"],
            hero={"traits": ["SPY"]},
            foe_hand=["Force Rush"],
            first="empire",
            before=foe_played,
        ),
        Case(
            {"empire.pile.discard": [], "rebels.pile.hand": []},
            pile=["Focus"],
            foe_hand=["Force Rush"],
            first="empire",
            before=foe_played,
        ),
    ],
    "Fleet Footed": [Case({"hero.mp": 1, "hero.actions": 2})],
    "Advance Warning": [Case({"hero.mp": 2, "ally.mp": 2, "foe.mp": 0}, others=[ALLY])],
    "Force Rush": [Case({"hero.mp": 2})],
    "Heart of Freedom": [
        Case(
            {"hero.conditions": [], "hero.health": 7, "hero.mp": 2},
            before=ruled(hero={"set": {"health": 5}, "add": ["stunned"]}),
        ),
        Case(
            {"hero.conditions": ["stunned"], "hero.health": 10},
            before=ruled(hero={"set": {"health": 9}, "add": ["stunned", "bleeding"]}),
            then=["bleeding"],
        ),
    ],
    "Price of Glory": [
        Case({"hero.conditions": [], "hero.mp": 2}, before=ruled(hero={"add": ["weakened"]}), questions=1)
    ],
    "Worth Every Credit": [
        Case({"hero.conditions": ["on_the_hunt"], "hero.mp": 2}, before=ruled(hero={"add": ["bleeding"]})),
        Case(  # 3 for the foe, 2 for the card
            {"rebels.vp": 5, "hero.conditions": []},
            how="play, then attack",
            dice=[HIT_3, NO_BLOCK],
            others=[("Other", "empire", (9, 9), {})],
            before=ruled(foe={"set": {"health": 1}}),
        ),
    ],
    "Apex Predator": [
        Case({"hero.conditions": ["focused", "hidden", "on_the_hunt"], "hero.wild_token": 2, "hero.mp": 2}),
        Case(
            {"hero.health": 7},
            how="play, then attack",
            dice=[HIT_3, "1/1/1", NO_BLOCK],
            others=[("Other", "empire", (9, 9), {})],
            before=ruled(foe={"set": {"health": 1}}, hero={"set": {"health": 5}}),
        ),
    ],
    "Rank and File": [
        Case(
            {"hero.mp": 1, "ally.mp": 1, "second.mp": 0},
            others=[("Ally", "rebels", (5, 6), {"traits": ["TROOPER"]}), ("Second", "rebels", (4, 5), {})],
        )
    ],
    "Urgency": [Case({"hero.mp": 6, "hero.actions": 1})],
    "Focus": [Case({"hero.conditions": ["focused"], "hero.actions": 1})],
    "Meditation": [Case({"hero.conditions": ["focused"]}, questions=1)],
    "Battle Scars": [
        Case({"hero.wild_token": 1}, before=ruled(hero={"set": {"health": 8}})),
        Case({"hero.wild_token": 2}, before=ruled(hero={"set": {"health": 7}})),
    ],
    "Rally": [Case({"hero.conditions": []}, before=ruled(hero={"add": ["stunned", "weakened", "bleeding"]}))],
    "Regroup": [
        Case(
            {"ally.conditions": ["focused"], "hero.actions": 1},
            others=[ALLY],
            before=ruled(ally={"add": ["stunned", "bleeding", "focused"]}),
        )
    ],
    "Recovery": [Case({"hero.health": 7, "hero.actions": 1}, before=ruled(hero={"set": {"health": 5}}))],
    "Hour of Need": [Case({"hero.health": 6}, hero={"traits": ["REBEL"]}, before=ruled(hero={"set": {"health": 5}}))],
    "Emergency Aid": [
        Case({"ally.health": 7}, others=[ALLY], before=ruled(ally={"set": {"health": 5}})),
        Case({"ally.health": 8}, others=[ALLY], hero=LEADER, before=ruled(ally={"set": {"health": 5}})),
        Case(
            {"ally.health": 8}, others=[ALLY], hero={"traits": ["GUARDIAN"]}, before=ruled(ally={"set": {"health": 5}})
        ),
        Case({"hero.health": 5}, before=ruled(hero={"set": {"health": 5}}), questions=1),  # nobody is adjacent
    ],
    "Against the Odds": [
        Case({"hero.conditions": ["focused"]}, how="end of round", before=ruled(empire={"set": {"vp": 8}})),
        Case({}, how="end of round", before=ruled(empire={"set": {"vp": 7}}), is_offered=False),
    ],
    "Inspiring Speech": [Case({"ally.conditions": ["focused"], "hero.conditions": []}, others=[ALLY])],
    "Hit and Run": [
        Case({"foe.health": 8, "hero.mp": 3, "hero.actions": 1, "hero.attacks": 0}, dice=[HIT_2, NO_BLOCK])
    ],
    "Beatdown": [Case({"foe.health": 7}, how="play, then attack", dice=[HIT_2, NO_BLOCK])],
    "Maximum Firepower": [Case({"foe.health": 4, "hero.actions": 0}, dice=[HIT_2, NO_BLOCK])],
    "Size Advantage": [
        Case(
            {"foe.health": 6, "foe.conditions": ["weakened"]},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
        ),
        Case(  # a large target
            {"foe.health": 8, "foe.conditions": []},
            how="play, then attack",
            dice=[HIT_2, NO_BLOCK],
            foe={"size": "2x2"},
        ),
    ],
    "Blitz": [
        Case({"foe.health": 7}, how="attack", dice=[HIT_2, NO_BLOCK], hero=SURGE_DAMAGE, then=["damage 1"]),
    ],
    "Bladestorm": [
        Case(  # 2 hits, 1 of the surge, and 1 for everybody near
            {"foe.health": 6, "other.health": 9},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            hero=SURGE_DAMAGE,
            others=[OTHER_FOE],
            then=["damage 1"],
        )
    ],
    "Master Operative": [
        Case(  # red 2, green 1, the surge 1
            {"foe.health": 6, "hero.conditions": []},
            how="attack",
            dice=[HIT_2, "1/1/1", NO_BLOCK],
            hero=SURGE_DAMAGE,
            then=["damage 1"],
        )
    ],
    "Positioning Advantage": [Case({"foe.health": 7}, how="attack", dice=[HIT_2, NO_BLOCK])],
    "Heavy Ordnance": [Case({"foe.health": 7}, how="attack", dice=[HIT_2, NO_BLOCK], questions=1)],
    "Assassinate": [Case({"foe.health": 5}, how="attack", dice=[HIT_2, NO_BLOCK])],
    "Deathblow": [
        Case({"foe.health": 7}, how="attack", dice=[HIT_2, NO_BLOCK]),
        Case({"foe.health": 6}, how="attack", dice=[HIT_2, NO_BLOCK], foe={"ranged": True}),
        Case({}, how="attack", dice=["2/1/0", NO_BLOCK], hero=FAR, is_offered=False),
    ],
    "Primary Target": [
        Case({"foe.health": 5, "hero.conditions": []}, how="attack", dice=[HIT_2, "1/2/0", NO_BLOCK]),
        Case(
            {}, how="attack", dice=[HIT_2, NO_BLOCK], others=[("Big", "empire", (9, 9), {"cost": 8})], is_offered=False
        ),
    ],
    "Deadeye": [Case({"foe.health": 8}, how="attack", dice=["3/2/0", NO_BLOCK], hero=FAR, foe_at=(10, 5))],
    "Lock On": [
        Case(
            {"foe.health": 9},
            how="attack",
            dice=["2/1/0", NO_BLOCK],
            hero=FAR,
            foe_at=(10, 5),
            then=["choice:+3 Accuracy"],
        ),
        Case(
            {"foe.health": 8},
            how="attack",
            dice=[HIT_2, "dodge"],
            foe={"defense": ["white"]},
            then=["choice:-1 Dodge"],
        ),
        Case(  # the surge is not evaded
            {"foe.health": 7},
            how="attack",
            dice=[HIT_2_SURGE, "0/1"],
            hero=SURGE_DAMAGE,
            then=["choice:-1 Evade", "damage 1"],
        ),
    ],
    "Honoring the Fallen": [
        Case(
            {"foe.health": 7},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[ALLY],
            before=ruled(ally={"add": ["defeated"]}),
        ),
        Case(
            {"foe.health": 5},
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[(f"Ally{n}", "rebels", (n, 9), {}) for n in range(4)],
            before=ruled(**{f"ally{n}": {"add": ["defeated"]} for n in range(4)}),
        ),
    ],
    "Tools for the Job": [Case({"foe.health": 5}, how="attack", dice=[HIT_2, HIT_3, NO_BLOCK])],
    "Wild Attack": [
        Case({"foe.health": 8}, how="attack", dice=["2/1/0", HIT_3, BLOCK_1, "1/0"], hero={"attack": ["blue"]})
    ],
    "Trandoshan Terror": [Case({"foe.health": 6}, how="attack", dice=[HIT_2, "1/2/0", NO_BLOCK], questions=1)],
    "Wild Fire": [
        Case(
            {"foe.health": 9},
            how="attack",
            dice=[HIT_2, "1/0"],
            foe={"defense": ["black", "black", "white"]},
            then=["black", "black"],
        ),
        Case(  # up to 2: one is enough
            {"foe.health": 9},
            how="attack",
            dice=[HIT_2, "1/0", "0/0"],
            foe={"defense": ["black", "black", "white"]},
            then=["black"],
        ),
        Case(
            {"foe.health": 10},
            how="attack",
            dice=[HIT_2, "3/0"],
            foe={"defense": ["black", "black", "white"]},
            then=["black", "white"],
        ),
        Case({"foe.health": 8}, how="attack", dice=[HIT_2], then=["black"]),
    ],
    "Element of Surprise": [Case({"foe.health": 8}, how="attack", dice=[HIT_2], then=["black"], questions=1)],
    "One in a Million": [
        Case({"foe.health": 8}, how="interrupt", dice=[HIT_2], foe={"defense": ["black", "white"]}),
        Case({}, how="attack", dice=[HIT_2, BLOCK_2], is_offered=False),
    ],
    "Spinning Kick": [
        Case(
            {"foe.health": 8, "other.health": 8},
            how="attack",
            dice=[HIT_2_SURGE, NO_BLOCK],
            others=[OTHER_FOE],
            then=["cleave 2"],
        )
    ],
    "Cruel Strike": [
        Case(
            {"foe.health": 8, "foe.conditions": ["weakened"], "hero.actions": 1},
            dice=[HIT_2_SURGE, BLOCK_1],
            then=["pierce 1, weaken"],
        )
    ],
    "Explosive Weaponry": [
        Case(
            {"foe.health": 8, "other.health": 9, "hero.health": 9},  # the hero stands next to the target too
            how="attack",
            dice=[HIT_2, NO_BLOCK],
            others=[OTHER_FOE],
        )
    ],
    "Camouflage": [
        Case({"hero.conditions": ["hidden"], "hero.health": 10}, how="defend", dice=["2/1/0", NO_BLOCK], foe=FAR)
    ],
    "Parry": [Case({"hero.health": 10}, how="defend", dice=[HIT_2, "1/0"], questions=1)],
    "Brace Yourself": [
        Case({"hero.health": 10}, how="be interrupted", dice=[HIT_2, NO_BLOCK]),
        Case({}, how="defend", dice=[HIT_2, NO_BLOCK], is_offered=False),
    ],
    "Stroke of Brilliance": [
        Case({"hero.health": 10}, how="defend", dice=[HIT_2_SURGE, NO_BLOCK], foe=SURGE_DAMAGE),
    ],
    "Brace for Impact": [Case({"hero.health": 9}, how="defend", dice=[HIT_3, NO_BLOCK, BLOCK_2])],
    "Stealth Tactics": [Case({"hero.health": 9}, how="defend", dice=[HIT_3, "1/0", "1/1"])],
    "Knowledge and Defense": [Case({"hero.health": 10}, how="defend", dice=[HIT_3, NO_BLOCK, "3/0"])],
    "Take Position": [Case({"hero.health": 9}, how="play, then defend", dice=[HIT_2, NO_BLOCK])],
    "Take Cover": [
        Case({"hero.health": 9}, how="play, then defend", dice=[HIT_2_SURGE, NO_BLOCK], foe=SURGE_DAMAGE),
        Case(  # two evades count for the hit check: 3 accuracy less 2 is short of 2 spaces
            {"hero.health": 10}, how="play, then defend", dice=["3/2/0", NO_BLOCK], foe=FAR, foe_at=(7, 5)
        ),
        Case(  # 4 less 2 is enough
            {"hero.health": 9}, how="play, then defend", dice=["4/2/0", NO_BLOCK], foe=FAR, foe_at=(7, 5)
        ),
    ],
    "Survival Instincts": [
        Case({"hero.health": 9}, how="play, then defend", dice=[HIT_2_SURGE, NO_BLOCK], foe=SURGE_DAMAGE)
    ],
}


@each(("card", "case"), [pytest.param(card, case, id=card) for card, cases in CARDS.items() for case in cases])
def test_card_does_what_it_says(card: str, case: Case) -> None:
    run(case, card)


def test_every_shipped_card_is_tested() -> None:
    shipped = [name for name, entry in shipped_library()["abilities"].items() if entry["type"] == "ccEffect"]
    assert sorted(CARDS) == sorted(shipped)
    assert len(shipped) == 59  # as many as the document counts
