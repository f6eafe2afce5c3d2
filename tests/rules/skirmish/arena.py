"""A skirmish in memory for tests: a hero and a foe side by side, cards in hand, dice given by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import pytest

from combatlog import Outcome
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Event, Face, ManualResolutionNeeded

HERO: dict[str, Any] = {"name": "Hero", "cost": 5, "health": 10, "speed": 4, "attack": ["red"], "defense": ["white"]}
FOE: dict[str, Any] = {"name": "Foe", "cost": 3, "health": 10, "speed": 4, "attack": ["red"], "defense": ["black"]}
PASSES = {"*": "never"}
"""Players who let everything pass that the test does not answer."""


class Arena(Drill):
    """Rebels with a hero at 5,5 against an empire with a foe at 6,5. Decks keep the order they are given in."""

    def __init__(
        self,
        *,
        hand: Sequence[str] = (),
        pile: Sequence[str] = (),
        foe_hand: Sequence[str] = (),
        foe_pile: Sequence[str] = (),
        hero: dict[str, Any] | None = None,
        foe: dict[str, Any] | None = None,
        foe_at: tuple[int, int] = (6, 5),
        first: str = "rebels",
        others: Sequence[tuple[str, str, tuple[int, int], dict[str, Any]]] = (),
        policies: dict[str, str] | None = None,
        map: str | None = None,
        **options: Any,
    ) -> None:
        size = max(len(hand), len(foe_hand))
        assert len(hand) == size or not pile, "the pile would be drawn into the hand"
        assert len(foe_hand) == size or not foe_pile, "the foe's pile would be drawn into its hand"
        super().__init__("skirmish", map=map, options={"hand": size, **options})
        self._player("Rebels", [*hand, *pile], policies)
        self._player("Empire", [*foe_hand, *foe_pile], policies)
        self.join(HERO, "Hero", (5, 5), side="rebels", overrides=hero)
        self.join(FOE, "Foe", foe_at, side="empire", overrides=foe)
        for name, side, at, more in others:
            self.join(HERO if side == "rebels" else FOE, name, at, side=side, overrides=more)
        decks = [len(hand) + len(pile), len(foe_hand) + len(foe_pile)]
        decks = decks if first == "rebels" else decks[::-1]
        self.start(dice=[1 if first == "rebels" else 2, *[1 for deck in decks for _ in range(deck - 1)]])

    def _player(self, name: str, deck: Sequence[str], policies: dict[str, str] | None) -> None:
        sheet = {"kind": "player", "name": name, "deck": list(deck)}
        self.join(sheet, name, side=name.lower(), reactions=PASSES if policies is None else policies)

    def rule(self, subject: str, **ruling: Any) -> Outcome:
        return super().rule(subject, reason="the test says so", **ruling)

    def play(self, who: str, card: str, **more: Any) -> Sequence[Event]:
        return self.do(who, "play", options={"card": card}, **more)

    def end(self, who: str, **more: Any) -> Sequence[Event]:
        return self.do(who, "end-turn", **more)

    def interrupt(self, who: str, target: str, dice: Sequence[Face], replies: dict[str, list[str]]) -> Sequence[Event]:
        """An attack outside the attacker's activation, because the GM says so."""
        return self.do(who, "interrupt", target=target, dice=dice, replies=replies, by="gm")


def _nothing(arena: Arena) -> None:
    """For cases that need no preparation."""


@dataclass
class Case:
    """A card in the hero's hand, how it comes into play, and what is expected after it."""

    expect: dict[str, Any]
    entry: dict[str, Any] = field(default_factory=dict)
    how: str = "play"
    dice: Sequence[Face] = ()
    then: Sequence[str] = ()
    """What the hero's player answers after the card."""
    hero: dict[str, Any] = field(default_factory=dict)
    foe: dict[str, Any] = field(default_factory=dict)
    foe_at: tuple[int, int] = (6, 5)
    others: Sequence[tuple[str, str, tuple[int, int], dict[str, Any]]] = ()
    pile: Sequence[str] = ()
    foe_hand: Sequence[str] = ()
    foe_pile: Sequence[str] = ()
    first: str = "rebels"
    before: Callable[[Arena], None] = _nothing
    questions: int = 0
    after: Callable[[Arena], None] = _nothing
    """What happens after the card, before the state is looked at."""
    foe_then: Sequence[str] = ()
    """What the foe's player answers after the card."""
    lies_in: str = "discard"
    """The pile that the card is in afterwards."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of the encounter."""
    is_offered: bool = True
    """False: the card would change nothing, so nobody is asked about it."""


def run(case: Case, card: str, **options: Any) -> Arena:
    by_foe = ("defend", "defend and reroll", "interrupt", "foe activates", "foe comes near", "foe plays")
    first = "empire" if case.how in by_foe else case.first
    arena = Arena(
        hand=[card],
        pile=case.pile,
        foe_hand=case.foe_hand,
        foe_pile=case.foe_pile,
        hero=case.hero,
        foe=case.foe,
        foe_at=case.foe_at,
        others=case.others,
        first=first,
        **case.options,
        **options,
    )
    case.before(arena)
    if not case.is_offered:
        with pytest.raises(Problem, match="is not offered"):
            WAYS[case.how](arena, case, card)
        return arena
    events = WAYS[case.how](arena, case, card)
    assert len(all_of(events, ManualResolutionNeeded)) == case.questions
    case.after(arena)
    found = {path: _plain(arena[path]) for path in case.expect}
    assert found == case.expect
    assert card in arena[f"rebels.pile.{case.lies_in}"]
    return arena


def library(entry: dict[str, Any]) -> dict[str, Any]:
    return {"abilities": {"Tested": {"type": "ccEffect", "label": "what is tested", **entry}}}


def of(cases: dict[str, list[Case]]) -> list[Any]:
    """The cases of every property, for `parametrize`."""
    return [pytest.param(case, id=name) for name, found in cases.items() for case in found]


def run_property(case: Case) -> Arena:
    return run(case, "Tested", library=library(case.entry))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _play(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    target = "foe" if case.dice else ()
    return arena.play("hero", card, target=target, dice=case.dice, replies=_after_card(case))


def _after_card(case: Case, *card: str) -> dict[str, list[str]]:
    return {"rebels": [*card, *case.then], "empire": list(case.foe_then)}


def _play_with_dice(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """A card that rolls dice, but is no attack."""
    arena.do("hero", "activate")
    return arena.play("hero", card, dice=case.dice, replies=_after_card(case))


def _move_then_play(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """The hero has its Speed in movement points."""
    arena.do("hero", "activate")
    arena.do("hero", "move")
    return arena.play("hero", card, replies=_after_card(case))


def _play_then_attack(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    events = arena.play("hero", card)
    attack = arena.do("hero", "attack", target="foe", dice=case.dice, replies={"rebels": list(case.then)})
    return [*events, *attack]


def _play_then_defend(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    events = arena.play("hero", card)
    arena.end("hero")
    arena.do("foe", "activate")
    return [*events, *arena.do("foe", "attack", target="hero", dice=case.dice)]


def _attack(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    return arena.do("hero", "attack", target="foe", dice=case.dice, replies=_after_card(case, card))


def _defend(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("foe", "activate")
    return arena.do("foe", "attack", target="hero", dice=case.dice, replies=_after_card(case, card))


def _defend_and_reroll(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """The foe rerolls, and the hero's player answers with the card."""
    arena.do("foe", "activate")
    replies = {"empire": list(case.foe_then), "rebels": [card, *case.then]}
    return arena.do("foe", "attack", target="hero", dice=case.dice, replies=replies)


def _interrupt(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("foe", "activate")
    return arena.interrupt("hero", "foe", case.dice, {"rebels": [card, *case.then]})


def _be_interrupted(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    return arena.interrupt("foe", "hero", case.dice, {"rebels": [card, *case.then]})


def _at_end_of_round(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """Everybody is activated, in turn; the card is played when the last one ends."""
    figures = arena.fight.battle.combatants.values()
    rebels = [figure.id for figure in figures if figure.side == "rebels" and figure.position]
    empire = [figure.id for figure in figures if figure.side == "empire" and figure.position]
    *earlier, last = [name for pair in zip_longest(rebels, empire) for name in pair if name]
    for name in earlier:
        arena.do(name, "activate")
        arena.end(name)
    arena.do(last, "activate")
    return arena.end(last, dice=case.dice, replies={"rebels": [card, *case.then]})


def _at_end_of_activation(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    arena.do("hero", "activate")
    return arena.end("hero", dice=case.dice, replies=_after_card(case, card))


def _when_activated(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    return arena.do("foe", "activate", dice=case.dice, replies=_after_card(case, card))


def _when_near(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """The foe walks up to the hero."""
    arena.do("foe", "activate")
    return arena.do("foe", "move", to=(6, 5), dice=case.dice, replies=_after_card(case, card))


def _when_played(arena: Arena, case: Case, card: str) -> Sequence[Event]:
    """The foe plays the card it has."""
    arena.do("foe", "activate")
    return arena.play("foe", case.foe_hand[0], dice=case.dice, replies=_after_card(case, card))


WAYS: dict[str, Callable[[Arena, Case, str], Sequence[Event]]] = {
    "play": _play,
    "roll": _play_with_dice,
    "move, then play": _move_then_play,
    "play, then attack": _play_then_attack,
    "play, then defend": _play_then_defend,
    "attack": _attack,
    "defend": _defend,
    "defend and reroll": _defend_and_reroll,
    "interrupt": _interrupt,
    "be interrupted": _be_interrupted,
    "end of round": _at_end_of_round,
    "start of round": _at_end_of_round,  # of the next one
    "end of activation": _at_end_of_activation,
    "foe activates": _when_activated,
    "foe comes near": _when_near,
    "foe plays": _when_played,
}


def ruled(**rulings: dict[str, Any]) -> Callable[[Arena], None]:
    """The GM puts figures into a state before the card is played."""

    def rule(arena: Arena) -> None:
        for who, ruling in rulings.items():
            arena.rule(who, **ruling)

    return rule
