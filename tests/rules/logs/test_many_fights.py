"""A thousand fights of a log, and questions across them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatlog
from tests.rules.logs.avrae import SNIG, attack, on, run, rurik, snig, state
from tests.rules.logs.conftest import Import

pytestmark = pytest.mark.slow

RIVERLANDS, HILLS = 600, 400


def fights(name: str, count: int) -> Iterator[str]:
    """In each, Rurik attacks once with +5 against 15. Every face from 1 to 20 comes up equally often."""
    for number in range(count):
        fight, natural = f"{name}-{number}", number % 20 + 1
        hit = natural == 20 or (natural != 1 and natural + 5 >= 15)
        made = attack(f"1d20 ({natural}) + 5 = `{natural + 5}`", natural + 5, hit)
        yield state(rurik(), snig(), fight=fight) + run(rurik(), [snig()], on(SNIG, made), fight=fight)


def test_luck_by_campaign_over_a_thousand_fights(opened: combatlog.Ledger, take_in: Import) -> None:
    """10 to 20 hit: 11 of 20 faces. So 330 of 600 attacks hit, and 220 of 400, which is just what is expected."""
    for name, count in (("Riverlands", RIVERLANDS), ("Hills", HILLS)):
        done = take_in("fireball", "".join(fights(name, count)), f"{name}.jsonl", campaign=name)
        assert done.fights == count
    for name, attacks, hits in (("Riverlands", RIVERLANDS, 330), ("Hills", HILLS, 220)):
        luck, dice = opened.statistics("luck", campaign=name)
        (rurik_,) = luck.rows
        assert (rurik_.actor, rurik_.attacks, rurik_.hits, rurik_.expected_hits) == ("rurik", attacks, hits, hits)
        assert rurik_.in_words == "within chance"
        (d20,) = dice.rows
        assert (d20.dice_source, d20.die, d20.rolled, d20.chi_squared) == ("recorded", "d20", attacks, 0.0)
        assert d20.in_words == "nothing suspicious"
