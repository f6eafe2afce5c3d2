"""Delay, an optional rule: the turn is taken later, from this round on."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill


def trio(**options: Any) -> Drill:
    """Rurik acts first, then Ilse, then Snig."""
    drill = Drill(options=options)
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("cleric", "Ilse", (1, 2))
    drill.join("goblin", "Snig", (5, 1), side="foes")
    drill.start(dice=[20, 15, 2])
    assert drill["order"] == ["rurik", "ilse", "snig"]
    return drill


@pytest.mark.parametrize(("target", "order"), [((), ["ilse", "snig", "rurik"]), ("ilse", ["ilse", "rurik", "snig"])])
def test_delay(target: str | tuple[()], order: list[str]) -> None:
    """The others act as before, and the delayed turn is whole when it comes."""
    drill = trio(delay=True)
    drill.do("rurik", "delay", target=target)
    assert (drill["turn"], drill["order"]) == ("ilse", order)
    while drill["turn"] != "rurik":
        drill.next_turn()
    assert (drill["round"], drill["rurik.action"], drill["rurik.movement"]) == (1, 1, 30)
    drill.do("rurik", "dodge")
    drill.end_turn("rurik")
    assert list(check_declarations(drill.fight.events)) == []


def test_the_new_order_stays() -> None:
    drill = trio(delay=True)
    drill.do("rurik", "delay")
    for _ in range(3):
        drill.next_turn()
    assert (drill["round"], drill["turn"]) == (2, "ilse")


def test_when_it_is_not_possible() -> None:
    assert trio().refusal("rurik", "delay").code == "delay/not-allowed"
    drill = trio(delay=True)
    assert drill.refusal("rurik", "delay", target="rurik").code == "delay/not-later"
    drill.do("rurik", "move", to=(2, 1))
    assert drill.refusal("rurik", "delay").code == "delay/begun"
    drill.end_turn("rurik")
    drill.end_turn("ilse")
    assert drill.refusal("snig", "delay").code == "delay/last"


def test_it_is_on_the_menu_only_where_it_is_allowed() -> None:
    def names(drill: Drill) -> set[str]:
        return {choice.name for section in drill.seen_by().actions("rurik") for choice in section.choices}

    assert "delay" in names(trio(delay=True))
    assert "delay" not in names(trio())
