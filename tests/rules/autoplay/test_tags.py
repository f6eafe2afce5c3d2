from __future__ import annotations

import pytest

from combatlog.rules.autoplay.option import Tags, lineage


@pytest.mark.parametrize(
    ("tag", "is_one"),
    [
        ("resource", True),
        ("resource.spellslot", True),
        ("resource.spellslot.1", True),
        ("resource.spellslot.2", False),
        ("resource.spell", False),
        ("spellslot", False),
        ("attack", True),
    ],
)
def test_a_tag_is_everything_above_it(tag: str, is_one: bool) -> None:
    assert (tag in Tags(["resource.spellslot.1", "attack"])) is is_one


def test_tags_are_listed_by_the_alphabet_whatever_the_order_they_came_in() -> None:
    assert list(Tags(["b", "a.c"]) | ["a.b"]) == ["a.b", "a.c", "b"]


def test_those_below_a_tag() -> None:
    assert Tags(["resource.action", "resource.spellslot.3", "spell"]).below("resource") == [
        "resource.action",
        "resource.spellslot.3",
    ]


def test_the_lineage_of_a_tag() -> None:
    assert lineage("resource.spellslot.1") == ["resource.spellslot.1", "resource.spellslot", "resource"]
