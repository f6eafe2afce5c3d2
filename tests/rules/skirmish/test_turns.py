"""Rounds, activations, movement, decks, victory."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import CardsMoved, EncounterClosed, Moved, Rolled
from tests.rules.skirmish.arena import FOE, HERO, Arena

TROOPS: Any = [(f"Trooper{n}", "empire", (9, n), {"group": "Troopers"}) for n in (1, 2)]


def pass_activation(arena: Arena, who: str) -> None:
    arena.do(who, "activate")
    arena.end(who)


def test_players_take_turns_and_the_initiative_passes_each_round() -> None:
    arena = Arena()
    assert (arena["order"], arena["rebels.granted"], arena["turn"]) == (["rebels", "empire"], ["activate"], None)
    assert arena.refusal("foe", "activate").code == "turn/other-player"
    pass_activation(arena, "hero")
    assert arena.refusal("hero", "activate").code == "turn/other-player"
    pass_activation(arena, "foe")
    assert (arena["round"], arena["order"], arena["empire.granted"]) == (2, ["empire", "rebels"], ["activate"])


def test_an_activation_has_two_actions_and_one_attack_among_them() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    assert (arena["hero.actions"], arena["hero.attacks"]) == (2, 1)
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    assert arena.refusal("hero", "attack", target="foe").code == "economy/no-attacks-left"
    arena.do("hero", "move")
    assert arena.refusal("hero", "move").code == "economy/no-actions-left"


def test_movement_points_stay_in_the_bank_until_the_activation_ends() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    arena.do("hero", "move")
    arena.do("hero", "walk", to=(4, 5))
    arena.do("hero", "walk", to=(4, 6))
    assert (arena["hero.mp"], arena["hero.position"]) == (2, (4, 6))
    arena.end("hero")
    assert arena["hero.mp"] == 0


def test_moving_to_a_place_gives_the_points_and_walks() -> None:
    arena = Arena()
    arena.do("hero", "activate")
    steps = all_of(arena.do("hero", "move", to=(2, 5)), Moved)
    assert [step.to for step in steps] == [(4, 5), (3, 5), (2, 5)]
    assert arena["hero.mp"] == 1


@pytest.mark.parametrize(
    ("to", "code"),
    [
        ((5, 5), "move/already-there"),
        ((6, 5), "move/occupied"),
        ((0, 5), "economy/no-mp-left"),  # five spaces at speed 4
        ((5, 3), "move/not-open"),
        ((99, 99), "move/not-open"),
    ],
)
def test_where_one_cannot_move(to: tuple[int, int], code: str) -> None:
    rows = ["." * 12 for _ in range(10)]
    rows[3] = ".....#......"
    arena = Arena(map="\n".join(rows))
    arena.do("hero", "activate")
    assert arena.refusal("hero", "move", to=to).code == code


def test_difficult_ground_costs_two() -> None:
    rows = ["." * 12 for _ in range(10)]
    rows[5] = "...~~......."
    arena = Arena(map="\n".join(rows), foe_at=(6, 5))
    arena.do("hero", "activate")
    arena.do("hero", "move", to=(4, 5))
    assert arena["hero.mp"] == 2


def test_walking_needs_points_and_a_destination() -> None:
    arena = Arena(hand=["Fleet Footed"])
    arena.do("hero", "activate")
    assert arena.refusal("hero", "walk", to=(4, 5)).code == "economy/no-mp-left"
    arena.play("hero", "Fleet Footed")
    assert arena.refusal("hero", "walk").code == "move/no-destination"


def test_the_figures_of_a_deployment_card_follow_one_another() -> None:
    arena = Arena(foe_at=(9, 9), others=TROOPS)
    pass_activation(arena, "hero")
    pass_activation(arena, "trooper1")
    assert arena.refusal("foe", "activate").code == "turn/group"
    assert arena.refusal("trooper1", "activate").code == "turn/exhausted"
    pass_activation(arena, "trooper2")
    assert arena["empire.granted"] == ["activate"]  # the rebels have nobody left
    pass_activation(arena, "foe")
    assert arena["round"] == 2


def test_a_bonus_for_next_attacks_lasts_for_the_deployment_card() -> None:
    """Beatdown: the next 2 attacks of this activation, by whichever figure, and no third."""
    group = {"group": "Heroes"}
    others = [(name, "rebels", at, group) for name, at in (("Second", (6, 4)), ("Third", (6, 6)))]
    arena = Arena(hand=["Beatdown"], hero=group, others=others)
    for name in ("hero", "second", "third"):
        arena.do(name, "activate")
        if name == "hero":
            arena.play("hero", "Beatdown")
        arena.do(name, "attack", target="foe", dice=["0/1/0", "0/0"])
        arena.end(name)
    assert arena["foe.health"] == 5  # 2 and 2 and 1


def test_what_is_left_of_a_bonus_ends_with_the_activation() -> None:
    arena = Arena(hand=["Beatdown"])
    arena.do("hero", "activate")
    arena.play("hero", "Beatdown")
    assert arena["rebels.conditions"] == ["next_attacks"]
    arena.end("hero")
    assert arena["rebels.conditions"] == []


def test_a_bonus_for_the_round_ends_with_it() -> None:
    arena = Arena(hand=["Take Position"])
    arena.do("hero", "activate")
    arena.play("hero", "Take Position")
    arena.end("hero")
    assert arena["rebels.conditions"] == ["round_defense"]
    pass_activation(arena, "foe")
    assert arena["rebels.conditions"] == []


def test_everybody_draws_at_the_end_of_a_round() -> None:
    arena = Arena(hand=["Blitz"], pile=["Focus", "Rally"], draw=1)
    pass_activation(arena, "hero")
    pass_activation(arena, "foe")
    assert (arena["rebels.pile.hand"], arena["rebels.pile.deck"]) == (("Blitz", "Focus"), ("Rally",))


@pytest.mark.parametrize(
    ("faces", "order"),
    [
        ([1, 1], ("Blitz", "Focus", "Rally")),
        ([3, 1], ("Rally", "Blitz", "Focus")),
        ([2, 2], ("Focus", "Rally", "Blitz")),
    ],
)
def test_the_order_of_a_deck_is_rolled(faces: list[int], order: tuple[str, ...]) -> None:
    drill = Drill(ruleset="skirmish", options={"hand": 0})
    for name, deck in (("Rebels", ["Blitz", "focus", "Rally"]), ("Empire", [])):
        drill.join({"kind": "player", "name": name, "deck": deck}, name, side=name.lower())
    drill.join(HERO, "Hero", (1, 1), side="rebels")
    drill.join(FOE, "Foe", (2, 1), side="empire")
    events = drill.start(dice=[1, *faces])
    assert [roll.purpose for roll in all_of(events, Rolled)] == ["initiative", "shuffle"]
    assert only(events, CardsMoved).cards == order
    assert drill["rebels.pile.deck"] == order


def test_a_defeated_figure_leaves_and_its_cost_goes_to_the_other_player() -> None:
    arena = Arena(others=[("Other", "empire", (1, 1), {})])
    arena.rule("foe", set={"health": 2})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"])
    assert (arena["rebels.vp"], arena["foe.health"], arena["foe.conditions"]) == (3, 0, ["defeated"])
    assert not arena.fight.battle.combatants["foe"].present
    arena.do("hero", "move", to=(6, 5))  # its space is free


def test_the_skirmish_ends_when_no_hostile_figure_is_left() -> None:
    arena = Arena()
    arena.rule("foe", set={"health": 1})
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"])
    assert only(events, EncounterClosed).why == "rebels wins: no hostile figures are left"
    assert arena.refusal("hero", "move").code == "encounter/closed"


def test_the_skirmish_ends_with_enough_victory_points() -> None:
    arena = Arena(victory=5, others=[("Other", "empire", (1, 1), {})])
    arena.rule("rebels", set={"vp": 2})
    arena.rule("foe", set={"health": 1})
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"])
    assert only(events, EncounterClosed).why == "rebels wins with 5 victory points"


def test_a_skirmish_needs_two_players_with_figures_and_known_cards() -> None:
    drill = Drill(ruleset="skirmish")
    drill.join(HERO, "Hero", (1, 1), side="rebels")
    assert drill.refusal("gm", "start").code == "start/players"
    drill.join({"kind": "player", "name": "Rebels", "deck": ["No Such Card"]}, "Rebels", side="rebels")
    drill.join({"kind": "player", "name": "Empire"}, "Empire", side="empire")
    assert drill.refusal("gm", "start").code == "start/no-figures"
    drill.join(FOE, "Foe", (2, 1), side="empire")
    assert drill.refusal("gm", "start").code == "card/unknown"


def test_nobody_acts_outside_an_activation() -> None:
    arena = Arena()
    assert arena.refusal("hero", "move").code == "turn/none"
    arena.do("hero", "activate")
    assert arena.refusal("foe", "move").code == "turn/other"
    assert arena.refusal("foe", "activate").code == "turn/other"
    assert arena.refusal("rebels", "activate").code == "figure/player"


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ("Blitz", "card/timing"),  # when attacking
        ("Against the Odds", "card/timing"),  # at the end of the round
        ("Focus", "card/not-in-hand"),
        ("Hour of Need", "card/trait"),  # for rebels by trait
        ("No Such Card", "card/unknown"),
    ],
)
def test_when_a_card_cannot_be_played(card: str, code: str) -> None:
    arena = Arena(hand=["Blitz", "Against the Odds", "Hour of Need", "Maximum Firepower"])
    arena.do("hero", "activate")
    assert arena.refusal("hero", "play", options={"card": card}).code == code


def test_a_start_of_activation_card_comes_first() -> None:
    arena = Arena(hand=["Rally"])
    arena.do("hero", "activate")
    arena.do("hero", "move")
    assert arena.refusal("hero", "play", options={"card": "Rally"}).code == "card/timing"


def test_a_double_action_takes_both() -> None:
    arena = Arena(hand=["Maximum Firepower"])
    arena.do("hero", "activate")
    arena.do("hero", "move")
    assert arena.refusal("hero", "play", options={"card": "Maximum Firepower"}).code == "economy/no-actions-left"


def test_an_attack_card_is_the_one_attack_of_the_activation() -> None:
    arena = Arena(hand=["Hit and Run"])
    arena.do("hero", "activate")
    arena.play("hero", "Hit and Run", target="foe", dice=["0/2/0", "0/0"])
    assert arena.refusal("hero", "attack", target="foe").code == "economy/no-attacks-left"


def test_special_actions_of_deployment_cards() -> None:
    arena = Arena(hero={"abilities": ["dc_special:Field Medic:0"]}, others=[("Ally", "rebels", (5, 6), {})])
    arena.rule("ally", set={"health": 5})
    arena.do("hero", "activate")
    arena.do("hero", "special")
    assert (arena["ally.health"], arena["hero.actions"]) == (7, 1)


def test_a_special_action_that_the_library_does_not_have_is_left_to_people() -> None:
    arena = Arena(hero={"abilities": ["dc_special:Hero:0", "dc_special:Hero:1"]})
    arena.do("hero", "activate")
    assert arena.refusal("hero", "special").code == "special/which"
    arena.do("hero", "special", options={"ability": "dc_special:Hero:1"})
    assert [question.effect for question in arena.fight.battle.questions.values()] == ["dc_special:Hero:1"]
    assert arena["hero.actions"] == 1


def test_the_other_player_goes_on_when_whoever_was_ready_left_the_map() -> None:
    arena = Arena(others=[("Ally", "rebels", (1, 1), {})])
    pass_activation(arena, "hero")
    pass_activation(arena, "foe")
    assert arena["rebels.granted"] == ["activate"]
    arena.do("ally", "leave")
    arena.do("hero", "end_round")
    assert (arena["round"], arena["empire.granted"], arena["rebels.granted"]) == (2, ["activate"], [])
    arena.do("foe", "leave")
    assert arena.refusal("hero", "end_round").code == "round/goes-on"
    arena.do("hero", "activate")  # though it was the empire's turn; nobody is left there, so this wins
    assert arena.fight.battle.clock.closed


def test_a_round_ends_when_the_last_ready_figure_is_defeated_out_of_turn() -> None:
    arena = Arena(others=[("Ally", "rebels", (5, 6), {}), ("Other", "empire", (9, 9), {})])
    for who in ("hero", "foe", "ally"):
        pass_activation(arena, who)
    arena.rule("other", to=(6, 6), set={"health": 1})
    arena.interrupt("hero", "other", ["0/3/0", "0/0"], {})
    assert (arena["round"], arena["rebels.vp"], arena["order"]) == (2, 3, ["empire", "rebels"])
