"""Statistics of a fight that was reckoned by hand (see bridge.yaml), to the digit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Declared
from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import ask as sql
from projections.readmodels.session import current_session
from projections.statistics.answers import scope_of, statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic

BRIDGE = Path(__file__).parent / "bridge.yaml"

Ask = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def ask(ledger: LedgerStore) -> Ask:
    """The rows of a statistic's first report over the fight at the bridge."""
    ledger.append(play_in_memory(read_scenario(BRIDGE))[0].events)

    def ask(
        statistic: str, by: str = "actor", scope: StatisticScope | None = None, report: int = 0
    ) -> list[tuple[Any, ...]]:
        return statistics(ledger, Statistic(statistic), scope or StatisticScope(), By(by))[report].rows

    return ask


def test_hits(ask: Ask) -> None:
    assert ask("hits") == [
        ("osric", 1, 0, 1, 0, 0.0, 8.0, 15.0),
        ("rurik", 2, 2, 0, 1, 100.0, 21.0, 15.0),
        ("snig", 2, 1, 1, 0, 50.0, 15.0, 16.0),
    ]
    assert ask("hits", "side") == [
        ("foes", 2, 1, 1, 0, 50.0, 15.0, 16.0),
        ("heroes", 3, 2, 1, 1, 66.7, 16.67, 15.0),
    ]
    assert [row[:4] for row in ask("hits", "round")] == [(1, 3, 1, 2), (2, 2, 2, 0)]
    assert [row[:3] for row in ask("hits", "weapon")] == [("longsword", 3, 2), ("scimitar", 2, 1)]
    assert [row[:3] for row in ask("hits", "action")] == [("dnd5e:action:strike", 5, 3)]


def test_damage(ask: Ask) -> None:
    assert ask("damage") == [
        ("rurik", 2, 20, 4, 10.0, 12, 10.0),
        ("snig", 1, 6, 0, 6.0, 6, 3.0),
    ]
    assert [row[:4] for row in ask("damage", "round")] == [(1, 1, 8, 0), (2, 2, 18, 4)]


def test_what_each_source_was_worth(ask: Ask) -> None:
    # source, parts, points, attacks, hits made, damage made, hits spoilt, damage spoilt
    assert ask("damage", "source") == [
        ("dnd5e:weapon:longsword", 3, 18, 0, 0, 0, 0, None),
        ("dnd5e:score:str", 2, 6, 3, 1, 8, 0, None),
        ("dnd5e:weapon:scimitar", 1, 4, 0, 0, 0, 0, None),
        ("dnd5e:score:dex", 1, 2, 2, 0, 0, 0, None),
        ("dnd5e:feature:protection", 0, 0, 1, 0, 0, 1, 6.0),
        ("dnd5e:score:proficiency", 0, 0, 5, 0, 0, 0, None),
    ]


def test_rolls(ask: Ask) -> None:
    # Initiative is rolled with a d20, too: 11, 6 and 17.
    assert ask("rolls") == [
        ("osric", "d20", 2, 4.5, 10.5, 3, 6),
        ("rurik", "d20", 3, 14.33, 10.5, 11, 20),
        ("rurik", "d8", 3, 6.0, 4.5, 5, 7),
        ("snig", "d20", 4, 13.5, 10.5, 8, 17),
        ("snig", "d6", 1, 4.0, 3.5, 4, 4),
    ]


def test_reactions(ask: Ask) -> None:
    assert ask("reactions") == [("osric", 2, 1, 0, 1, 50.0, 2)]


def test_economy(ask: Ask) -> None:
    assert [row for row in ask("economy") if row[0] == "osric"] == [
        ("osric", "action", 1, 1, 0, 0, 0.0),
        ("osric", "attacks", 1, 1, 0, 0, 0.0),
        ("osric", "bonus_action", 1, 0, 1, 1, 1.0),
        ("osric", "movement", 1, 0, 30, 1, 30.0),
        ("osric", "reaction", 1, 1, 1, 1, 1.0),  # spent on Protection, and back when his turn began
        ("osric", "slot_1", 1, 0, 2, 1, 2.0),  # a paladin of level 2 has two, and cast nothing
    ]


def test_turns(ask: Ask) -> None:
    assert [row[:5] for row in ask("turns")] == [
        ("osric", 1, 2, 2.0, 0),
        ("rurik", 2, 4, 2.0, 0),
        ("snig", 2, 4, 2.0, 0),
    ]


def test_conditions(ask: Ask) -> None:
    assert ask("conditions") == [("snig", "dnd5e:condition:dead", 1, 0)]


def test_luck(ask: Ask) -> None:
    # Rurik and Osric need 10 of a d20: 11/20. Snig needs 12: 9/20, and 81/400 when the lower of two counts.
    # Damage: 1d8+3 is 7.5 on average, 2d8+3 is 12, 1d6+2 is 5.5.
    assert ask("luck") == [
        ("osric", 1, 0, 0.55, 0, 1, 0.45, 0, 0.0, "within chance"),
        ("rurik", 2, 2, 1.1, 0, 2, 0.505, 24, 19.5, "within chance"),
        ("snig", 2, 1, 0.65, 0, 2, 1.0, 6, 5.5, "within chance"),
    ]
    assert [row[:3] for row in ask("luck", report=1)] == [("table", "d6", 1), ("table", "d8", 3), ("table", "d20", 9)]
    assert {row[-1] for row in ask("luck", report=1)} == {"too few rolls to tell"}


def test_two_natural_twenties_of_three_are_luck(ledger: LedgerStore) -> None:
    """Snig needs 20 + 4 against AC 24: one in twenty. Two or three hits of three happen in 58 of 8000 cases."""
    drill = Drill()
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.join("fighter", "Rurik", (3, 2), overrides={"ac": 24, "hp": 99})
    drill.start(dice=[20, 1])
    for dice in ([20, 1, 1], [20, 1, 1], [5]):
        drill.do("snig", "attack")
        drill.do("snig", "strike", target="rurik", dice=dice)
        drill.end_turn("snig")
        drill.end_turn("rurik")
    ledger.append(drill.fight.events)
    (row,) = statistics(ledger, Statistic.LUCK, StatisticScope(), By.ACTOR)[0].rows
    assert tuple(row)[:6] == ("snig", 3, 2, 0.15, 0, 1)
    assert row.p_value == pytest.approx(58 / 8000, abs=0.0001)
    assert row.in_words == "very lucky"


def test_corrections_and_what_they_take_back(ask: Ask, ledger: LedgerStore) -> None:
    referee = Referee(ledger)
    referee.declare("bridge", Declaration(actor="osric", action="attack"))
    strike = Declaration(actor="osric", action="strike", targets=("rurik",))
    referee.declare("bridge", strike, dice=[18, 1])  # 23 hits; 1 + 3 damage of the 6 points that Rurik has
    assert ("osric", 1, 4, 0, 4.0, 4, 2.0) in ask("damage")
    referee.apply(referee.plan("bridge", lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="wrong one")))
    assert [row[0] for row in ask("damage")] == ["rurik", "snig"]
    assert ("osric", 1, 4, 0, 4.0, 4, 2.0) in ask("damage", scope=StatisticScope(with_undone=True))
    assert ask("corrections") == [("gm", "undone", 1, 0, 1, "wrong one")]


def test_a_ruling_is_neither_damage_nor_healing(ask: Ask, ledger: LedgerStore) -> None:
    before = [ask("damage"), ask("damage", "source"), ask("damage", "round")]
    for value in (999, 30):  # up from 6 by 993, then down by 969
        rule = {"set": {"hp": value}, "reason": "a blessing"}
        declaration = Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=rule)
        Referee(ledger).declare("bridge", declaration)
    assert [ask("damage"), ask("damage", "source"), ask("damage", "round")] == before
    assert found(ledger, "SELECT target, pool, change, remaining, said_by, reason FROM rulings ORDER BY seq") == [
        ("rurik", "hp", 993, 999, "gm", "a blessing"),
        ("rurik", "hp", -969, 30, "gm", "a blessing"),
    ]
    assert found(ledger, "SELECT count(*) FROM healing") == [(0,)]


def test_what_a_ruling_upholds_is_still_the_damage_of_whoever_dealt_it(ask: Ask, ledger: LedgerStore) -> None:
    """Without the action there is no strike, but its 8 points stay; the 16 of round 2 are not touched."""
    before, referee = ask("damage"), Referee(ledger)
    attack = next(e for e in ledger.find("bridge").events if isinstance(e, Declared) and e.actor == "rurik")
    remedies = Remedies(Impossible.KEEP)
    referee.apply(
        referee.plan("bridge", lambda f: undo.plan_undo(f, {attack.seq}, by="gm", reason="x", remedies=remedies))
    )
    assert found(ledger, "SELECT count(*) FROM damage WHERE action = 'core:ruling:uphold'") == [(1,)]
    assert ask("damage") == before


def found(ledger: LedgerStore, query: str) -> list[tuple[Any, ...]]:
    with current_session(ledger) as session:
        return sql(session.conn, query).rows


def test_the_shared_past_of_a_fork_counts_once(ask: Ask, ledger: LedgerStore) -> None:
    before = ask("hits")
    Referee(ledger).fork("bridge", None, "what if", by="gm")
    assert ask("hits") == before


def test_scopes(ask: Ask, ledger: LedgerStore) -> None:
    begun = ledger.list_encounters()[0].begun.date()
    everything = ask("hits")
    for scope in (
        scope_of(ledger, ["bridge"]),
        StatisticScope(campaign="riverlands"),
        StatisticScope(since=begun, until=begun),
    ):
        assert ask("hits", scope=scope) == everything
    assert ask("hits", scope=StatisticScope(until=date(2000, 1, 1))) == []
    assert ask("hits", scope=StatisticScope((uuid4(),))) == []


@pytest.mark.parametrize(
    ("statistic", "by", "scope", "code"),
    [
        ("economy", "weapon", StatisticScope(), "stats/by"),
        ("luck", "weapon", StatisticScope(), "stats/by"),
        ("hits", "actor", StatisticScope(campaign="nowhere"), "stats/unknown-campaign"),
    ],
)
def test_what_cannot_be_asked(ask: Ask, statistic: str, by: str, scope: StatisticScope, code: str) -> None:
    with pytest.raises(Problem) as caught:
        ask(statistic, by, scope)
    assert caught.value.code == code
