"""A character keeps one identity across the fights of a campaign, by its name."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill
from ledger.events import CombatantJoined, Event
from ledger.store.ledger import LedgerStore
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic
from tests.projections.readmodels.support import renamed


def strike(name: str, campaign: str | None, *, hit: bool) -> list[Event]:
    """A fight in which Rurik strikes once at a goblin of 20 hp: 15 + 5 hits and takes 4 + 3, 2 + 5 misses."""
    drill = Drill(options={"campaign": campaign} if campaign else None)
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("goblin", "Snig", (4, 2), side="foes", overrides={"hp": 20})
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 4] if hit else [2])
    return renamed(drill.fight.events, name)


def with_other_id(events: list[Event], old: str, new: str, name: str) -> list[Event]:
    """The same fight, as if the combatant had joined under another id, with this name."""
    changed = []
    for event in events:
        data = event.model_dump_json().replace(f'"{old}"', f'"{new}"')
        copy = type(event).model_validate_json(data)
        if isinstance(copy, CombatantJoined) and copy.combatant == new:
            copy = copy.model_copy(update={"name": name})
        changed.append(copy)
    return changed


def attacks(
    ledger: LedgerStore, scope: StatisticScope, statistic: Statistic = Statistic.HITS
) -> list[tuple[str, int, int]]:
    return [tuple(row[:3]) for row in statistics(ledger, statistic, scope, By.ACTOR)[0].rows]


@pytest.fixture
def campaign(ledger: LedgerStore) -> LedgerStore:
    """Rurik is `rurik` in the first fight and `rurik-2`, written otherwise, in the second."""
    ledger.append(strike("one", "Riverlands", hit=True))
    ledger.append(with_other_id(strike("two", "Riverlands", hit=False), "rurik", "rurik-2", "RURIK "))
    return ledger


def test_one_character_whatever_its_id(campaign: LedgerStore) -> None:
    assert attacks(campaign, StatisticScope(campaign="Riverlands")) == [("rurik", 2, 1)]
    assert attacks(campaign, StatisticScope()) == [("rurik", 2, 1)]
    luck = statistics(campaign, Statistic.LUCK, StatisticScope(), By.ACTOR)[0].rows
    assert [(row.actor, row.attacks, row.expected_hits) for row in luck] == [("rurik", 2, 1.1)]


def test_both_ends_of_a_fact_are_characters(campaign: LedgerStore) -> None:
    campaign.append(with_other_id(strike("three", "Riverlands", hit=True), "rurik", "rurik-3", "rurik"))
    (row,) = statistics(campaign, Statistic.TAKEN, StatisticScope(), By.ACTOR)[0].rows
    assert tuple(row)[:4] == ("snig", "rurik", 2, 14)


def test_another_campaign_has_another_rurik(campaign: LedgerStore) -> None:
    campaign.append(strike("far away", "Winter", hit=True))
    campaign.append(strike("one evening", None, hit=False))
    assert attacks(campaign, StatisticScope()) == [
        ("rurik", 1, 0),
        ("rurik (Riverlands)", 2, 1),
        ("rurik (Winter)", 1, 1),
    ]
    assert attacks(campaign, StatisticScope(campaign="Winter")) == [("rurik", 1, 1)]


def test_two_of_the_same_name_in_one_fight_are_two(ledger: LedgerStore) -> None:
    drill = Drill()
    drill.join("goblin", "Goblin", (3, 2))
    drill.join("goblin", "Other", (3, 3))
    drill.join("fighter", "Rurik", (4, 2), side="foes")
    drill.start(dice=[20, 10, 1])
    for goblin in ("goblin", "other"):
        drill.do(goblin, "attack")
        drill.do(goblin, "strike", target="rurik", dice=[2])
        drill.end_turn(goblin)
    ledger.append(with_other_id(drill.fight.events, "other", "goblin-2", "Goblin"))
    assert attacks(ledger, StatisticScope()) == [("goblin", 1, 0), ("goblin-2", 1, 0)]


def test_another_name_is_somebody_else(ledger: LedgerStore) -> None:
    ledger.append(strike("one", "Riverlands", hit=True))
    ledger.append(with_other_id(strike("two", "Riverlands", hit=False), "rurik", "borin", "Borin"))
    assert attacks(ledger, StatisticScope()) == [("borin", 1, 0), ("rurik", 1, 1)]
