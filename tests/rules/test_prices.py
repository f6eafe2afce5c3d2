"""What whoever is asked is told that a choice costs is what it costs: in every reaction of every scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from combatlog.messages.commands import SetReactions
from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.ruleset_types import Price
from combatlog.rules.engine.status import asked_data
from combatlog.testing import Drill
from ledger.events import CardsMoved, Event, ReactionChosen, ReactionLapsed, ReactionUsed, ResourceChanged
from projections.battle.event_history import EventHistory
from tests.rules.action_points.support import duel
from tests.rules.skirmish.arena import Arena

SCENARIOS = Path(__file__).parents[1] / "scenarios"
Told = tuple[ReactionChosen, list[Price], list[Event]]


@cache
def chosen_in(ruleset: str) -> list[Told]:
    """Every reaction that somebody takes, with what it was told to cost, and what followed in its declaration."""
    return [told for path in sorted((SCENARIOS / ruleset).glob("*.yaml")) for told in _chosen(path)]


def _chosen(path: Path) -> Iterator[Told]:
    fight, _ = play_in_memory(read_scenario(path))
    course = EventHistory()
    for place, event in enumerate(fight.events):
        if isinstance(event, ReactionChosen):
            battle = course.battle
            prices = fight.ruleset.reaction_prices(battle, battle.combatants[event.reactor], event.reaction)
            later = [one for one in fight.events[place:] if one.declaration == event.declaration]
            yield event, list(prices), later
        course.feed(event)


def spent(chosen: ReactionChosen, later: list[Event]) -> dict[str, int]:
    """What the reaction used up, by the source that the events name."""
    found: Counter[str] = Counter()
    for event in later:
        if isinstance(event, ResourceChanged) and event.source == chosen.reaction and event.after < event.before:
            found[event.resource] += event.before - event.after
    return dict(found)


def told(price: Price) -> dict[str, int]:
    return {cost.resource: cost.amount for cost in price.costs}


@pytest.mark.parametrize("ruleset", ["dnd5e", "action_points"])
def test_the_price_is_what_is_spent(ruleset: str) -> None:
    compared = 0
    for chosen, prices, later in chosen_in(ruleset):
        used = [one for one in later if isinstance(one, ReactionUsed) and one.reaction == chosen.reaction]
        if not used or any(isinstance(one, ReactionLapsed) for one in later) or chosen.options:
            continue
        again = [one for one in later if isinstance(one, ReactionChosen) and one.reaction == chosen.reaction]
        usual = prices[0] if not prices[0].options else None
        if usual is None or len(again) > 1 or any(cost.resource.startswith("dnd5e:") for cost in usual.costs):
            continue
        assert spent(chosen, later) == told(usual), (chosen.reaction, later[0].encounter)
        compared += 1
    assert compared >= 5


def test_every_choice_of_a_skirmish_says_what_it_takes() -> None:
    """Cards leave the hand, and tokens are spent; choosing a figure, a space or a die costs nothing."""
    kinds: dict[str, set[str]] = {}
    for chosen, prices, later in chosen_in("skirmish"):
        kind = chosen.reaction.split(":")[1]
        for price in prices:
            kinds.setdefault(kind, set()).update(told(price))
        if kind == "token":
            assert spent(chosen, later) == told(prices[0])
        elif kind == "card" and told(prices[0]):
            assert any(isinstance(one, CardsMoved) and one.owner == chosen.reactor for one in later)
    assert kinds["card"] == {"card"}
    assert all(not kinds.get(kind) for kind in ("figure", "space", "die", "player", "face"))


def prices_in(drill: Drill, reaction: str) -> list[tuple[dict[str, object], dict[str, int]]]:
    asked = asked_data(drill.battle)
    assert asked is not None
    (choice,) = [one for one in asked["choices"] if one["reaction"].endswith(f":{reaction}")]
    return [
        (price["options"], {cost["resource"]: cost["amount"] for cost in price["costs"]}) for price in choice["prices"]
    ]


def test_a_smite_can_take_any_slot_that_is_left() -> None:
    drill = Drill()
    drill.join("paladin_5", "Osric", (1, 1))
    drill.join("ogre", "Grum", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("osric", "attack")
    drill.do("osric", "strike", target="grum", dice=[19])
    assert prices_in(drill, "divine_smite") == [({}, {"slot_1": 1}), ({"slot": 2}, {"slot_2": 1})]


def test_a_spell_takes_the_reaction_and_a_slot() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("wizard", "Mira", (1, 1))
    drill.start(dice=[20, 1])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="mira", dice=[10])
    assert prices_in(drill, "shield") == [({}, {"reaction": 1, "slot_1": 1})]
    asked = asked_data(drill.battle)
    assert asked is not None
    assert [cost["words"] for cost in asked["choices"][0]["prices"][0]["costs"]] == ["1 reaction", "1 level 1 slot"]


def test_a_defence_is_paid_in_one_of_two_ways_and_free_in_parry_mode() -> None:
    """Ana has 4 AP and 16 FAT; Bor, who attacks, needs no more than that."""
    drill = duel()
    drill.send(SetReactions("ana", {"*": "ask"}))
    drill.rule("bor", set={"ap": 2}, reason="fresh")
    drill.next_turn()
    drill.do("bor", "attack", target="ana")
    both = [({}, {"ap": 1, "fat": 1}), ({"pay": "fatigue-free"}, {"ap": 2})]
    assert (prices_in(drill, "dodge"), prices_in(drill, "passive")) == (both, [({}, {})])


def test_with_too_little_left_there_is_one_way_to_pay() -> None:
    drill = duel()
    drill.send(SetReactions("ana", {"*": "ask"}))
    drill.rule("ana", set={"ap": 1}, reason="spent")
    drill.next_turn()
    drill.do("bor", "attack", target="ana")
    assert prices_in(drill, "dodge") == [({}, {"ap": 1, "fat": 1})]


def test_a_token_is_spent_as_what_it_is_held() -> None:
    arena = Arena(policies={})
    arena.rule("hero", set={"wild_token": 1})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe")
    assert prices_in(arena, "wild_as_hit") == [({}, {"wild_token": 1})]
