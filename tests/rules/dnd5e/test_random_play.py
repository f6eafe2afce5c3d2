"""Random legal play never breaks what must hold in every fight."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.dnd5e.battlemap.space import others_in, width_of
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.verification.verify import check_declarations
from ledger.errors import Problem
from ledger.events import AttackResolved, Declared, Event, ReactionUsed
from ledger.registry import decode, encode
from projections.battle.fold import Battle, fold
from tests.effort import examples
from tests.rules.dnd5e.random_play import RandomFight

DEAD = "dnd5e:condition:dead"
COMMANDS = 50
NEEDED = {"ready": {"trigger": "attacks"}}
"""Options that have to be given."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_legal_play_never_breaks(part: int) -> None:
    @examples(50)
    @given(seed=st.integers(0, 2**32))
    def check(seed: int) -> None:
        play(seed * 4 + part)

    check()


def test_play_goes_on_without_those_who_find_no_room() -> None:
    play(693)  # an ogre, on a small map with three heroes


def play(seed: int) -> None:
    random_fight = RandomFight(seed)
    fight = random_fight.fight
    seen = fold(fight.events)
    for _ in range(COMMANDS):
        for event in random_fight.command():
            check_event(event, seen)
            seen.apply(event)
        check_state(fight.battle)
        check_menu(random_fight)
    assert snapshot(fight.battle) == snapshot(seen) == snapshot(fold(fight.events))
    if seed % 20 < 4:  # resolving everything again takes its time
        assert list(check_declarations(fight.events)) == []


def check_event(event: Event, before: Battle) -> None:
    assert event.seq == before.seq + 1
    assert event.encounter == before.encounter.encounter
    assert event.cause is None or event.cause < event.seq
    assert decode(*encode(event)) == event  # whatever it carries survives the store
    for name in acting(event):
        assert not before.combatants[name].has(DEAD), f"{name} is dead and acts: {event!r}"


def acting(event: Event) -> list[str]:
    if isinstance(event, AttackResolved):
        return [event.attacker]
    if isinstance(event, ReactionUsed):
        return [event.reactor]
    return []


def check_state(battle: Battle) -> None:
    if battle.window is None:  # somebody may be asked while it crosses an ally's square
        for one in battle.present():
            if one.position is not None and not one.has(DEAD):
                assert not others_in(battle, one, one.position, width_of(one)), one.id
    for combatant in battle.combatants.values():
        assert all(resource.current >= 0 for resource in combatant.economy.values()), combatant.economy
        hp = combatant.vitals["hp"]
        assert 0 <= hp.current <= (hp.maximum or 0)
        assert combatant.vitals["temp_hp"].current >= 0


def check_menu(random_fight: RandomFight) -> None:
    """What the menu says cannot be used now is refused, and in the same words."""
    fight, rules = random_fight.fight, random_fight.rules
    turn = fight.battle.clock.turn
    if turn is None or fight.battle.window is not None or random_fight.random.random() < 0.8:
        return
    entries = [
        choice for section in rules.menu(fight.battle, fight.battle.combatants[turn]) for choice in section.choices
    ]
    declared = rules.action_refs().keys() - rules.reaction_refs().keys()
    closed = [choice for choice in entries if choice.why_not is not None and choice.name in declared]
    if closed:
        choice = random_fight.random.choice(closed)
        with pytest.raises(Problem) as refused:
            fight.declare(Declaration(actor=turn, action=choice.name, options=NEEDED.get(choice.name, {})))
        assert refused.value.sentence == choice.why_not


def snapshot(battle: Battle) -> dict[str, Any]:
    fields = ("seq", "clock", "window", "actions", "combatants")
    return {field: getattr(battle, field) for field in fields}


def test_the_dead_declare_nothing() -> None:
    random_fight = RandomFight(7)
    for _ in range(200):
        before = {name for name, combatant in random_fight.fight.battle.combatants.items() if combatant.has(DEAD)}
        declared = [event for event in random_fight.command() if isinstance(event, Declared)]
        said = [event.actor for event in declared if event.action != "core:time:end-turn"]
        assert not before.intersection(said)
