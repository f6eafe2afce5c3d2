"""Whatever is legally played, and whatever is tried besides: the invariants hold after every command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.action_points import RULESET
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import declarations, plan_undo
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from ledger.errors import Problem
from ledger.events import Declared, Event, ReactionChosen
from ledger.registry import decode, encode
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle, fold
from tests.effort import examples
from tests.randomplay import correct_at_random

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CAST = (
    ("duelist", "Ana", "heroes", (2, 2)),
    ("hedge_mage", "Mia", "heroes", (1, 2)),
    ("archer", "Ada", "heroes", (1, 3)),
    ("guard", "Gil", "foes", (3, 2)),
    ("man_at_arms", "Max", "foes", (3, 3)),
    ("troll", "Tor", "foes", (4, 3)),
)
NAMES = tuple(name.lower() for _, name, _, _ in CAST)
ACTIONS = sorted(RULESET.action_refs())
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"pay": "fatigue-free"},
    {"boost_ap": 1},
    {"boost_fat": 3},
    {"pay": "fatigue-free", "boost_fat": 1},
)
OWN_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "rest": ({"ap": 1}, {"ap": 2}),
    "cast": tuple({"spell": name} for name in ("firebolt", "mend", "bless", "hamper")),
    "use_item": ({"item": "vigour draught"}, {"item": "healing salve"}),
    "use_skill": ({"skill": "focus", "tv": 8}, {"skill": "stealth", "against": "perception"}),
}

moves = st.lists(st.tuples(*[st.integers(0, 59)] * 4), min_size=10, max_size=60)


class Player:
    """Plays what drawn numbers say: mostly attacks, and everything else there is."""

    def __init__(self, seed: int) -> None:
        self.fight = FightEngine.open(
            Opening(name="random", ruleset="action_points", dice=f"seed:{seed}"), UUID(int=0), now=lambda: NOW
        )
        self._commands = (UUID(int=number) for number in count(1))
        for sheet, name, side, place in CAST:
            joins = {"sheet": RULESET.sheet(sheet), "name": name, "side": side, "position": place}
            self._declare("gm", "core:time:join", options=joins)
        self._declare("gm", "core:time:start")

    def play(self, drawn: tuple[int, int, int, int]) -> list[Event]:
        """The events of the next command; none if it was refused."""
        battle = self.fight.battle
        try:
            if battle.window is not None and battle.window.waiting is not None:
                return self._answer(drawn)
            return self._act(drawn) if drawn[0] % 4 else self._declare(battle.clock.turn or "gm", "core:time:end-turn")
        except Problem:
            return []

    def _act(self, drawn: tuple[int, int, int, int]) -> list[Event]:
        actor = self.fight.battle.clock.turn or NAMES[drawn[1] % len(NAMES)]
        action = "attack" if drawn[0] % 2 else ACTIONS[drawn[0] % len(ACTIONS)]
        own = OWN_OPTIONS.get(action, ({},))
        effort = {} if action == "rest" else OPTIONS[drawn[2] % len(OPTIONS)]
        return self._declare(actor, action, **_said(action, drawn, {**own[drawn[3] % len(own)], **effort}))

    def _answer(self, drawn: tuple[int, int, int, int]) -> list[Event]:
        assert self.fight.battle.window is not None
        offer = self.fight.battle.window.waiting
        assert offer is not None
        chosen = (*offer.reactions, None)[drawn[0] % (len(offer.reactions) + 1)]
        effort = OPTIONS[drawn[2] % len(OPTIONS)] if chosen else {}
        reply = Reply(reactor=offer.reactor, reaction=chosen, options=effort)
        return self.fight.answer(reply, command=next(self._commands))

    def _declare(self, actor: str, action: str, **said: Any) -> list[Event]:
        return self.fight.declare(Declaration(actor=actor, action=action, **said), command=next(self._commands))


def _said(action: str, drawn: tuple[int, int, int, int], options: dict[str, Any]) -> dict[str, Any]:
    """Only what the action takes: the rest would be refused before it is played."""
    signature = RULESET.signature(RULESET.action_ref(action))
    assert signature is not None
    takes = {
        Part.TARGET: {"targets": (NAMES[drawn[1] % len(NAMES)],)},
        Part.DESTINATION: {"destination": (drawn[1] % 8, drawn[2] % 8)},
    }
    said = {key: value for part, named in takes.items() if part in signature.parts for key, value in named.items()}
    known = {name: value for name, value in options.items() if name in signature.options.model_fields}
    return {**said, "options": known}


def dead(battle: Battle) -> set[str]:
    return {one.id for one in battle.combatants.values() if one.vitals["vit"].current == 0}


def broken(combatant: Combatant) -> Iterator[str]:
    ap = combatant.economy["ap"]
    if ap.maximum is None or not 0 <= ap.current <= ap.maximum or ap.spent < 0 or ap.locked < 0:
        yield f"{combatant.id}: {ap.current} AP of {ap.maximum}, {ap.spent} spent, {ap.locked} locked"
    for name, vital in combatant.vitals.items():
        if vital.maximum is None or not 0 <= vital.current <= vital.maximum:
            yield f"{combatant.id}: {name} {vital.current} of {vital.maximum}"
    for name, pool in combatant.economy.items():
        if pool.current < 0:
            yield f"{combatant.id}: {name} {pool.current}"


def actors(events: Sequence[Event]) -> set[str]:
    """Who acted or answered in these events, other than by standing there."""
    declared = {
        event.actor for event in events if isinstance(event, Declared) and event.action.startswith("action_points")
    }
    answered = {event.reactor for event in events if isinstance(event, ReactionChosen)}
    return declared | answered


@examples(60)
@given(seed=st.integers(0, 10**6), script=moves)
def test_the_invariants_hold_whatever_is_played(seed: int, script: list[tuple[int, int, int, int]]) -> None:
    player = Player(seed)
    for drawn in script:
        were_dead = dead(player.fight.battle)
        new = player.play(drawn)
        assert not actors(new) & were_dead
        assert [problem for one in player.fight.battle.combatants.values() for problem in broken(one)] == []
    _check_log(player.fight)


def _check_log(fight: FightEngine) -> None:
    events = fight.events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert {event.encounter for event in events} == {events[0].encounter}
    assert all(event.cause is None or event.cause < event.seq for event in events)
    assert all(event.declaration <= event.seq for event in events)
    folded = fold(events)
    for part in ("seq", "clock", "combatants", "window", "actions"):
        assert getattr(folded, part) == getattr(fight.battle, part), part
    assert list(check_declarations(events)) == []


@examples(15)
@given(seed=st.integers(0, 10**6), script=moves)
def test_the_same_play_comes_out_the_same(seed: int, script: list[tuple[int, int, int, int]]) -> None:
    one, other = Player(seed), Player(seed)
    for drawn in script:
        assert one.play(drawn) == other.play(drawn)


@examples(30)
@given(seed=st.integers(0, 10**6), script=moves, which=st.integers(0, 10**6))
def test_an_undo_of_anything_leaves_a_fight_that_holds(
    seed: int, script: list[tuple[int, int, int, int]], which: int
) -> None:
    player = Player(seed)
    for drawn in script:
        player.play(drawn)
    fight = player.fight
    after_start = declarations(fight)[len(CAST) + 1 :]
    if not after_start:
        return
    plan = _undo(fight, after_start[which % len(after_start)].seq)
    if plan is not None:
        corrected = FightEngine([*fight.events, *plan.new])
        assert [problem for one in corrected.battle.combatants.values() for problem in broken(one)] == []
        assert list(check_declarations(corrected.events)) == []


def _undo(fight: FightEngine, seq: int) -> Plan | None:
    """What is no longer possible is dropped. None where a player would have to be asked: there is nobody to."""
    remedies = Remedies(impossible=Impossible.DROP)
    try:
        return plan_undo(fight, {seq}, by="gm", reason="a test", remedies=remedies)
    except Problem as problem:
        if problem.code != "correction/needs-answer":
            raise
        return None


@examples(30)
@given(seed=st.integers(0, 10**6), script=moves, chance=st.randoms(use_true_random=False))
def test_whatever_is_played_and_corrected(seed: int, script: list[tuple[int, int, int, int]], chance: Random) -> None:
    """Every ten commands something that was declared before is taken back or amended, and play goes on from there."""
    player = Player(seed)
    begun = player.fight.battle.seq
    for number, drawn in enumerate(script, start=1):
        player.play(drawn)
        if number % 10 == 0:
            correct_at_random(player.fight, chance, begun)
            assert [problem for one in player.fight.battle.combatants.values() for problem in broken(one)] == []
    events = [decode(*encode(event)) for event in player.fight.events]
    assert list(check_declarations(events)) == []
    assert fold(events).combatants == player.fight.battle.combatants
    assert fold(events).clock == player.fight.battle.clock
