"""Archetypes: pieces are made by name with options."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.dnd5e.pieces import PIECES
from combatlog.rules.engine.pieces import Archetypes, Piece, options
from combatlog.rules.engine.refusal import Refusal


def test_a_piece_is_made_by_the_name_of_its_archetype() -> None:
    blink = ARCHETYPES.make("spells", "teleport", name="blink", level=2, range=30)
    assert (blink.ref, blink.type) == ("dnd5e:spell:blink", "spell")


def test_the_same_definition_makes_the_same_piece() -> None:
    one, other = (ARCHETYPES.make("spells", "teleport", name="blink", level=2, range=30) for _ in range(2))
    assert one is other
    assert one is not ARCHETYPES.make("spells", "teleport", name="blink", level=2, range=60)


def test_the_type_follows_from_the_section() -> None:
    refs = [
        ARCHETYPES.make(section, "stance", name="fade", condition="invisible").ref
        for section in ("features", "actions")
    ]
    assert refs == ["dnd5e:feature:fade", "dnd5e:action:fade"]


@pytest.mark.parametrize("ref", ["dnd5e:spell:fireball", "dnd5e:spell:bless", "dnd5e:feature:second_wind"])
def test_shipped_pieces_are_made_alike(ref: str) -> None:
    assert type(PIECES[ref]) in ARCHETYPES.of(f"{PIECES[ref].type}s").values()


@pytest.mark.parametrize(
    ("archetype", "given", "code"),
    [
        ("ray", {}, "archetype/unknown"),
        ("teleport", {"level": 2}, "archetype/invalid"),
        ("teleport", {"level": 2, "range": 30, "colour": "red"}, "archetype/unknown-option"),
        ("teleport", {"level": "two", "range": 30}, "archetype/invalid"),
    ],
)
def test_what_cannot_be_made_is_refused(archetype: str, given: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        ARCHETYPES.make("spells", archetype, name="blink", **given)
    assert refused.value.code == code


def test_an_archetype_is_there_once() -> None:
    archetypes = Archetypes("combatlog.rules", {"charms": "charm"})

    @archetypes.add("plain", "charms")
    @options
    class Plain(Piece):
        name: str
        ruleset = "test"

    assert archetypes.make("charms", "plain", name="x").ref == "test:charm:x"
    with pytest.raises(ValueError, match="twice"):
        archetypes.add("plain", "charms")(Plain)
