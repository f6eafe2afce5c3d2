from __future__ import annotations

from functools import partial

import pytest

from combatlog.rules.autoplay.simulate import SimulationPlan, digest, play_one, record_in, run_all, summarize, wilson
from combatlog.rules.content.scenario import Scenario
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.verification.verify import verify
from ledger.store.ledger import LedgerStore


def skirmish_of(*foes: str, runs: int = 6, seed: int = 7, **more: object) -> SimulationPlan:
    entrants = [{"sheet": "fighter", "as": "Rurik", "at": [2, 2]}]
    entrants += [{"sheet": foe, "as": f"Foe {n}", "side": "foes", "at": [5, 2 + n]} for n, foe in enumerate(foes)]
    scenario = Scenario.model_validate({"encounter": "simulated", "combatants": entrants, **more})
    return SimulationPlan(scenario, runs, seed)


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_same_seed_gives_the_same_fights_whatever_the_number_of_jobs(jobs: int) -> None:
    plan = skirmish_of("goblin", "goblin")
    alone, together = list(run_all(plan, 1)), list(run_all(plan, jobs))
    assert together == alone
    assert [result.number for result in together] == list(range(6))


def test_the_same_fight_comes_out_event_by_event() -> None:
    plan = skirmish_of("goblin")
    ignored = {"recorded_at", "command"}
    one, other = ([event.model_dump(exclude=ignored) for event in play_one(plan, 3).events] for _ in range(2))
    assert one == other


def test_another_seed_gives_other_fights() -> None:
    one, other = (list(run_all(skirmish_of("goblin", seed=seed), 1)) for seed in (7, 8))
    assert {result.digest for result in one}.isdisjoint(result.digest for result in other)


def test_recorded_fights_are_those_of_memory_and_verify(ledger: LedgerStore, database: str) -> None:
    plan = skirmish_of("goblin", runs=2)
    recorded = list(run_all(SimulationPlan(plan.scenario, 2, 7, record=partial(record_in, database)), 2))
    assert recorded == list(run_all(plan, 1))
    names = sorted(listed.name for listed in ledger.list_encounters())
    assert names == ["simulated, seed 7 fight 1", "simulated, seed 7 fight 2"]
    for name, result in zip(names, recorded, strict=True):
        assert verify(ledger, name).findings == []
        events = ledger.find(name).events
        assert digest(events[: result.events]) == result.digest
        assert [event.kind for event in events[result.events :]] == ["declared", "encounter_labelled"]


def test_what_a_fight_came_to() -> None:
    summary = summarize(list(run_all(skirmish_of("goblin"), 1)))
    assert summary.fights == 6
    assert sum(win.fights for win in summary.wins) == 6
    assert {"rounds", "damage by heroes", "damage by foes", "rurik's hp left", "rurik's second_wind left"} <= set(
        summary.figures
    )
    heroes = next(win for win in summary.wins if win.side == "heroes")
    # A goblin has 7 hit points: whenever the heroes win, they have dealt them all.
    assert summary.figures["damage by heroes"].most == 7
    assert heroes.low <= heroes.share <= heroes.high


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_intervals(successes: int, trials: int, low: float, high: float) -> None:
    """The last is the worked example of Newcombe (1998), Statistics in Medicine 17, 857-872."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=0.00005)


def test_a_ruleset_that_cannot_play_is_refused_before_the_first_fight() -> None:
    scenario = Scenario.model_validate({"encounter": "none", "ruleset": "action_points", "combatants": []})
    with pytest.raises(Refusal):
        list(run_all(SimulationPlan(scenario, 2, 1), 1))


def test_a_simulation_that_is_stopped_plays_no_more_than_was_under_way(ledger: LedgerStore, database: str) -> None:
    runs = run_all(SimulationPlan(skirmish_of("goblin").scenario, 200, 7, record=partial(record_in, database)), 2)
    assert next(runs).number == 0
    runs.close()  # type: ignore[attr-defined]
    listed = ledger.list_encounters()
    assert 1 <= len(listed) < 50
    assert [finding for entry in listed for finding in verify(ledger, entry.name).findings] == []
