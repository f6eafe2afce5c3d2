"""Who was hurt, healed and felled, and two fights side by side: reckoned by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import amend, undo
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Rolled
from ledger.store.ledger import LedgerStore, encounter_id
from projections.statistics.answers import statistics
from projections.statistics.question import Report
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic

BRIDGE = Path(__file__).parent / "bridge.yaml"

Rows = list[tuple[Any, ...]]


def rows(ledger: LedgerStore, statistic: str, by: str = "actor", scope: StatisticScope | None = None) -> Rows:
    return statistics(ledger, Statistic(statistic), scope or StatisticScope(), By(by))[0].rows


@pytest.fixture
def bridge(ledger: LedgerStore) -> LedgerStore:
    ledger.append(play_in_memory(read_scenario(BRIDGE))[0].events)
    return ledger


def test_damage_taken_and_from_whom(bridge: LedgerStore) -> None:
    # Snig lost 8 and 12 (with 4 to spare) to Rurik, who lost 6 to Snig.
    assert rows(bridge, "taken") == [
        ("rurik", "snig", 1, 6, 0, 6.0, 6),
        ("snig", "rurik", 2, 20, 4, 10.0, 12),
    ]
    assert [row[:4] for row in rows(bridge, "taken", "side")] == [
        ("foes", "rurik", 2, 20),
        ("heroes", "snig", 1, 6),
    ]


def test_who_fell_when_to_whom_and_by_which_blow(bridge: LedgerStore) -> None:
    (fall,) = rows(bridge, "deaths")
    assert fall[:3] == ("snig", "bridge", 2)
    assert fall[4:] == ("dead", "rurik", "longsword", 12, 4)


def test_a_fall_by_ruling_is_the_gm_s(bridge: LedgerStore) -> None:
    rule = Declaration(
        actor="gm", action="core:ruling:rule", targets=("rurik",), options={"add": ["dead"], "reason": "the river"}
    )
    Referee(bridge).declare("bridge", rule)
    assert [row[4:] for row in rows(bridge, "deaths") if row[0] == "rurik"] == [("dead", "gm", None, None, None)]
    Referee(bridge).apply(
        Referee(bridge).plan("bridge", lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="x"))
    )
    assert [row[0] for row in rows(bridge, "deaths")] == ["snig"]


def test_the_last_blow_is_corrected_with_the_fight(bridge: LedgerStore) -> None:
    """5 becomes 3 in round 1: Snig has 14 left instead of 12, and the 16 of round 2 leave 2 to spare."""
    referee = Referee(bridge)
    rolls = [event for event in bridge.find("bridge").events if isinstance(event, Rolled)]
    roll = next(roll for roll in rolls if roll.faces == (5,))
    change = amend.Amendment(faces={roll.seq: (3,)})
    plan = referee.plan("bridge", lambda f: amend.plan_amend(f, roll.declaration, change, by="gm", reason="misread"))
    referee.apply(plan)
    assert [row[4:] for row in rows(bridge, "deaths")] == [("dead", "rurik", "longsword", 14, 2)]


def test_healing_by_whom_and_of_whom(ledger: LedgerStore) -> None:
    """Ilse heals Rurik with 1d8 + 3: 6 makes 9 of which 7 fit, from 5 to 12."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("cleric", "Ilse", (3, 3))
    drill.start(dice=[1, 20])
    drill.rule("rurik", set={"hp": 5}, reason="an old wound")
    drill.do("ilse", "cure_wounds", target="rurik", dice=[6])
    ledger.append(drill.fight.events)
    assert rows(ledger, "healing") == [("ilse", "rurik", 1, 7, 7.0, 7)]
    assert [row[:4] for row in rows(ledger, "healing", "action")] == [("dnd5e:spell:cure_wounds", "rurik", 1, 7)]


def compared(ledger: LedgerStore, *names: str) -> Report:
    return statistics(ledger, Statistic.COMPARE, StatisticScope(tuple(map(encounter_id, names))), By.ACTOR)[0]


def test_a_fork_is_compared_with_its_parent_as_a_whole(bridge: LedgerStore) -> None:
    """In the fork Osric strikes once more: 18 + 5 hits, 1 + 3 is 4 damage of the 6 points that Rurik has."""
    referee = Referee(bridge)
    referee.fork("bridge", None, "what if", by="gm")
    referee.declare("what if", Declaration(actor="osric", action="attack"))
    referee.declare("what if", Declaration(actor="osric", action="strike", targets=("rurik",)), dice=[18, 1])
    report = compared(bridge, "bridge", "what if")
    assert {row.what: tuple(row)[1:] for row in report.rows} == {
        "rounds": (2, 2, 0),
        "turns": (5, 5, 0),
        "attacks": (5, 6, 1),
        "hits": (3, 4, 1),
        "hit percent": (60.0, 66.7, 6.7),
        "critical hits": (1, 1, 0),
        "damage": (26, 30, 4),
        "damage per round": (13.0, 15.0, 2.0),
        "healing": (0, 0, 0),
        "reactions used": (1, 1, 0),
        "reactions missed": (1, 1, 0),
        "falls": (1, 1, 0),
        "rulings": (0, 0, 0),
        "corrections": (0, 0, 0),
        "damage by foes": (6, 6, 0),
        "falls of foes": (1, 1, 0),
        "damage by heroes": (20, 24, 4),
        "falls of heroes": (0, 0, 0),
    }
    assert report.notes[0] == "first: bridge; second: what if."


@pytest.mark.parametrize("names", [(), ("bridge",), ("bridge", "bridge", "bridge")])
def test_two_fights_are_compared(bridge: LedgerStore, names: tuple[str, ...]) -> None:
    with pytest.raises(Problem) as caught:
        compared(bridge, *names)
    assert caught.value.code == "stats/two-fights"


def test_death_saves_lead_back_to_the_blow(ledger: LedgerStore) -> None:
    """The ogre fells Rurik (12 hp) with 15 + 6 and 4 + 5 + 4 = 13, one to spare; he rolls 2, 3 and 4, and dies."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("ogre", "Grob", (4, 2), side="foes")
    drill.start(dice=[1, 20])
    drill.do("grob", "attack")
    drill.do("grob", "strike", target="rurik", weapon="greatclub", dice=[15, 4, 5])
    for face in (2, 3, 4):
        drill.end_turn("grob", dice=[face])
        drill.end_turn("rurik")
    ledger.append(drill.fight.events)
    assert [(row[0], row[2], *row[4:]) for row in rows(ledger, "deaths")] == [
        ("rurik", 1, "dying", "grob", "greatclub", 12, 1),
        ("rurik", 3, "dead", "grob", "greatclub", 12, 1),
    ]
