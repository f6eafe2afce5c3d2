"""Explaining a skirmish: every die face, modifier, surge and token behind a number, and why a card did not count."""

from __future__ import annotations

import pytest

from combatlog.rules.engine.menu import why_not
from ledger.errors import Problem
from ledger.events import AttackResolved, Rolled
from projections.review.explanation import ExplanationNode, explain
from tests.rules.skirmish.arena import Arena
from tests.rules.skirmish.fights import with_a_rich_attack


def nodes(node: ExplanationNode) -> list[ExplanationNode]:
    return [node, *(found for child in node.effects for found in nodes(child))]


def test_a_damage_value_is_explained_by_every_face_modifier_surge_and_token() -> None:
    arena, damaged = with_a_rich_attack()
    explanation = explain(arena.fight.events, damaged.seq)
    found = nodes(explanation.tree)
    faces = [node.event.faces for node in found if isinstance(node.event, Rolled)]
    assert faces == [("0/2/1", "1/2/0"), ("1/0", "0/1")]
    (resolved,) = [node for node in found if isinstance(node.event, AttackResolved)]
    counted = [(m.source.removeprefix("skirmish:"), m.change.label, m.change.amount) for m in resolved.counted]
    assert counted == [
        ("figure:hero", "pierce", 1),
        ("card:blitz", "surge", 1),
        ("card:positioning_advantage", "damage", 1),
        ("token:block", "block", 1),
        ("token:hit", "damage", 1),
        ("result:evade", "surge", -1),
        ("surge:damage_1", "surge", -1),
        ("surge:damage_1", "damage", 1),
    ]
    assert explanation.path == (resolved.event.declaration, resolved.event.seq, damaged.seq)


@pytest.mark.parametrize(
    ("card", "code"), [("Focus", "card/not-in-hand"), ("Parry", "card/timing"), ("Hour of Need", "card/trait")]
)
def test_a_card_did_not_count_for_the_reason_that_it_would_be_refused_for(card: str, code: str) -> None:
    arena = Arena(hand=["Parry", "Hour of Need"])
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    with pytest.raises(Problem) as refused:
        arena.play("hero", card)
    assert refused.value.code == code
    assert refused.value.sentence in why_not(arena.fight.events, events[-1].seq, card)


def test_a_card_that_was_let_pass() -> None:
    arena = Arena(hand=["Blitz"])
    arena.do("hero", "activate")
    events = arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"])
    (first, *_) = why_not(arena.fight.events, events[-1].seq, "blitz")
    assert first.startswith("Rebels was offered blitz and declined it by policy")
