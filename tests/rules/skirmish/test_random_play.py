"""Random legal play: whatever two players do, some things always hold."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import Phase, given
from hypothesis import strategies as st

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.board import spaces_of
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.sheet import (
    TOKEN_LIMIT,
    figure_sheet,
    figures_in_play,
    is_player,
    player_sheet,
    token_count,
)
from combatlog.rules.skirmish.targeting import targets_of
from combatlog.rules.skirmish.turns import may_activate
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.events import Event
from ledger.registry import decode, encode
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle, fold
from tests.effort import examples
from tests.randomplay import correct_at_random
from tests.rules.skirmish import effects
from tests.rules.skirmish.test_properties import PROPERTY_CASES

STEPS = 40
FIGURES = (
    ("scout", "Scout", (2, 2), "rebels", {}),
    ("vanguard", "Vanguard", (3, 3), "rebels", {}),
    ("field-captain", "Captain", (2, 3), "rebels", {}),
    ("trooper", "First", (6, 2), "empire", {"group": "Troopers"}),
    ("trooper", "Second", (6, 3), "empire", {"group": "Troopers"}),
    ("officer", "Officer", (7, 2), "empire", {}),
    ("hunter", "Hunter", (4, 3), "empire", {}),
    ("gun-crew", "Crew", (8, 0), "empire", {}),
    ("strider", "Strider", (0, 2), "rebels", {"size": "2x2"}),
    ("jump-trooper", "Jumper", (5, 4), "rebels", {}),
)
MAP = """
..........
....#.....
....#..~~.
.......~..
..........
"""


BOARD = {"terminals": ["5,0", "1,1"], "blocking": ["9,4"], "impassable": ["8,4"]}


def skirmish(seed: int, library: dict[str, Any] | None = None, decks: Sequence[Sequence[str]] = ()) -> Drill:
    options = {"hand": 5, **BOARD, **({"library": library} if library is not None else {})}
    drill = Drill(ruleset="skirmish", dice=f"seed:{seed}", map=MAP, options=options)
    for place, (name, usual) in enumerate((("Rebels", "rebel-player"), ("Empire", "imperial-player"))):
        sheet = {"kind": "player", "name": name, "deck": list(decks[place])} if decks else usual
        drill.join(sheet, name, side=name.lower(), reactions={"*": "ask"})
    for sheet, name, at, side, more in FIGURES:
        drill.join(sheet, name, at, side=side, overrides=more)
    drill.do("gm", "start")
    for who, condition in (("vanguard", "bleeding"), ("officer", "stunned"), ("hunter", "focused")):
        drill.do("gm", "rule", target=who, options={"add": [condition], "reason": "to have something to do"})
    drill.do("gm", "rule", target="hunter", options={"set": {"surge_token": 1, "hit_token": 1}, "reason": "likewise"})
    return drill


def play_one(drill: Drill, draw: Callable[[Any], Any]) -> None:
    """One step that the menu or the open window says is legal."""
    battle = drill.fight.battle
    window = battle.window
    if window is not None and window.waiting is not None:
        drill.react(window.waiting.reactor, draw(st.sampled_from([None, *window.waiting.reactions])))
    elif battle.clock.turn is None:
        drill.do(draw(st.sampled_from(may_activate(battle))).id, "activate")
    else:
        _act(drill, battle.combatants[battle.clock.turn], draw)


def _act(drill: Drill, actor: Combatant, draw: Callable[[Any], Any]) -> None:
    battle = drill.fight.battle
    menu = drill.ruleset.menu(battle, actor)
    possible = [
        (section.title, choice.name)
        for section in menu
        for choice in section.choices
        if section.title in ("actions", "cards", "special actions", "attachments") and choice.why_not is None
    ]
    title, name = draw(st.sampled_from([*possible, ("actions", "end-turn")]))
    target = draw(st.sampled_from(targets_of(battle, actor) or [actor])).id
    if name in ("move", "walk"):
        _wander(drill, actor, name, draw)
    elif title == "cards":
        is_attack = library_of(battle).card(name).is_attack
        drill.do(actor.id, "play", options={"card": name}, target=target if is_attack else ())
    elif title == "attachments":
        how = next(choice.cost for section in menu for choice in section.choices if choice.name == name and choice.cost)
        drill.do(actor.id, how, options={"card": name})
    elif title == "special actions":
        drill.do(actor.id, "special", options={"ability": name})
    elif name == "shake_off":
        held = draw(st.sampled_from([c.name for c in actor.conditions.values() if c.name in ("stunned", "bleeding")]))
        drill.do(actor.id, name, options={"condition": held})
    else:
        drill.do(actor.id, name, target=target if name == "attack" else ())


def _wander(drill: Drill, actor: Combatant, how: str, draw: Callable[[Any], Any]) -> None:
    """To some space nearby; not every one can be gone to."""
    assert actor.position is not None
    x, y = actor.position
    to = (x + draw(st.integers(-2, 2)), y + draw(st.integers(-2, 2)))
    turns_too = figure_sheet(actor).size == "1x2" and draw(st.booleans())
    try:
        drill.do(actor.id, how, to=to, options={"turn": True} if turns_too else {})
    except Refusal as refusal:
        if not refusal.code.startswith(("move/", "economy/no-mp")):
            raise


def check(battle: Battle) -> None:
    for combatant in battle.combatants.values():
        assert all(resource.current >= 0 for resource in combatant.economy.values())
        for vital in combatant.vitals.values():
            assert 0 <= vital.current <= (vital.maximum or 0)
        if not is_player(combatant) and battle.window is None:
            assert token_count(combatant) <= TOKEN_LIMIT  # until the player has chosen, there is one too many
    both = [combatant for combatant in battle.combatants.values() if is_player(combatant)]
    in_piles = Counter(card for player in both for pile in player.piles.values() for card in pile)
    assert in_piles <= Counter(card for player in both for card in player_sheet(player).deck)  # some are borrowed

    covered = Counter(space for figure in figures_in_play(battle) for space in spaces_of(figure))
    assert battle.window is not None or max(covered.values()) == 1


def snapshot(battle: Battle) -> Any:
    """Everything that is folded, without the rulesets' views of it."""
    people = [
        (c.id, c.position, c.vitals, dict(c.economy), c.conditions, c.granted, c.piles, c.present)
        for c in battle.combatants.values()
    ]
    return battle.seq, battle.clock, people, battle.window, battle.questions


def check_causes(events: Sequence[Event]) -> None:
    by_seq = {event.seq: event for event in events}
    for event in events:
        assert event.declaration <= event.seq
        assert event.cause is None or (event.cause < event.seq and by_seq[event.cause].encounter == event.encounter)


# A failing fight is reproduced by its seed; to shrink one of so many steps takes minutes.
at_length = examples(20, phases=[Phase.explicit, Phase.reuse, Phase.generate])


@at_length
@given(seed=st.integers(0, 10_000), data=st.data())
def test_whatever_is_played(seed: int, data: st.DataObject) -> None:
    drill = skirmish(seed)
    for _ in range(STEPS):
        if drill.fight.battle.clock.closed:
            break
        play_one(drill, data.draw)
        check(drill.fight.battle)
    stored = [decode(*encode(event)) for event in drill.fight.events]
    check_causes(stored)
    assert list(check_declarations(stored)) == []
    assert snapshot(fold(stored)) == snapshot(drill.fight.battle)


@at_length
@given(seed=st.integers(0, 10_000), data=st.data(), chance=st.randoms(use_true_random=False))
def test_whatever_is_played_and_corrected(seed: int, data: st.DataObject, chance: Random) -> None:
    """Every ten steps something that was declared before is taken back or amended, and play goes on from there."""
    drill = skirmish(seed)
    begun = drill.fight.battle.seq
    for number in range(1, STEPS + 1):
        if not drill.fight.battle.clock.closed:
            play_one(drill, data.draw)
        if number % 10 == 0:
            correct_at_random(drill.fight, chance, begun)
            check(drill.fight.battle)
    stored = [decode(*encode(event)) for event in drill.fight.events]
    assert list(check_declarations(stored)) == []
    assert snapshot(fold(stored)) == snapshot(drill.fight.battle)


def every_card() -> dict[str, dict[str, Any]]:
    """A card for each case of each property."""
    cases = dict(PROPERTY_CASES)
    for module in pkgutil.iter_modules(effects.__path__):
        cases |= importlib.import_module(f"{effects.__name__}.{module.name}").CASES
    return {
        f"{name} {number}": {"type": "ccEffect", "label": name, **case.entry}
        for name, found in cases.items()
        for number, case in enumerate(found)
    }


@at_length
@given(seed=st.integers(0, 10_000), data=st.data())
def test_whatever_is_played_with_cards_of_every_property(seed: int, data: st.DataObject) -> None:
    cards = every_card()
    decks = [data.draw(st.lists(st.sampled_from(sorted(cards)), min_size=12, max_size=12)) for _ in range(2)]
    drill = skirmish(seed, {"abilities": cards}, decks)
    for _ in range(STEPS):
        if drill.fight.battle.clock.closed:
            break
        play_one(drill, data.draw)
        check(drill.fight.battle)
    stored = [decode(*encode(event)) for event in drill.fight.events]
    check_causes(stored)
    assert list(check_declarations(stored)) == []
