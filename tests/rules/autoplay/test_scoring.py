"""The best choice is looked at closely; if it is not legal, so is the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from combatlog.rules.autoplay.option import Option, OptionAim, Tags
from combatlog.rules.autoplay.scoring import Metrics, best, best_first
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position

METRICS = Metrics()


@METRICS.add(1.0)
def worth(option: Guess, aim: OptionAim) -> float:
    """What it seems to be worth."""
    return option.seems


class Guess(Option):
    """Seems to be worth more than it is, until it is looked at closely."""

    archetype = "guess"
    actor = "somebody"
    tags = Tags([])
    cost: ClassVar[dict[str, int]] = {}

    def __init__(self, name: str, seems: float, is_worth: float, *, legal: bool = True) -> None:
        self.name, self.seems, self.is_worth, self.legal = name, seems, is_worth, legal

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim()]

    def check(self, aim: OptionAim) -> None:
        if not self.legal:
            raise Refusal("test/illegal", "It is not legal.")

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        return []

    def average_damage(self) -> float:
        return 0.0

    def standing_at(self, place: Position) -> Option:
        return self

    def look_closer(self, aim: OptionAim) -> bool:
        found, self.seems = self.seems != self.is_worth, self.is_worth
        return found


def chosen(*options: Option) -> str | None:
    found = best(best_first(options, METRICS))
    return found and found.option.name


def test_what_only_seems_to_be_the_best_is_not_chosen() -> None:
    assert chosen(Guess("bluff", 9, 1), Guess("plain", 5, 5)) == "plain"


def test_what_seems_to_be_the_best_after_an_illegal_choice_is_looked_at_as_well() -> None:
    assert chosen(Guess("illegal", 12, 12, legal=False), Guess("bluff", 9, 1), Guess("plain", 5, 5)) == "plain"


def test_nothing_legal_is_no_choice() -> None:
    assert chosen(Guess("illegal", 12, 12, legal=False)) is None
