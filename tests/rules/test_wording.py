"""Every wording that ships can change, and what was recorded before verifies, goes on and is corrected as ever."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from combatlog.rules.content.scenario import Scenario, ScenarioStep, play_in_memory, read_scenario
from combatlog.rules.engine.corrections.plan import PlanEntry, PlanVerdict
from combatlog.rules.engine.corrections.undo import plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine, revealed_seed
from combatlog.rules.verification.verify import check_declarations
from ledger.events import Declared, Event, meaning
from ledger.events.base import prose_of
from ledger.registry import encode
from projections.battle.timeline import standing
from tests.old_ledgers.exported import fights_in, read
from tests.old_ledgers.record import generations
from tests.old_ledgers.test_generations import exported
from tests.rules.rewording import reword_records
from tests.support import protected_duel

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted(ROOT.glob("tests/scenarios/*/*.yaml"))
NOTE = ScenarioStep(do="rule", options={"note": "the torches flicker", "reason": "mood"})
"""A declaration that changes nothing, to be taken back."""


@pytest.fixture
def reword(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: reword_records(monkeypatch)


def with_note(path: Path) -> Scenario:
    """A scenario with a note of the GM after its start."""
    scenario = read_scenario(path)
    return scenario.model_copy(update={"script": [scenario.script[0], NOTE, *scenario.script[1:]]})


@cache
def recorded(path: Path) -> list[Event]:
    """In the words that ship: call it before they are changed. Events are frozen, so three tests share them."""
    fight, played = play_in_memory(with_note(path))
    assert [step.differences for step in played] == [[] for _ in played]
    return list(fight.events)


def prose_in(events: list[Event]) -> list[str]:
    """Everything a resolution wrote for people: not what people said themselves."""
    fields = [(event, name) for event in events for name, excluded in prose_of(type(event)).items() if excluded is True]
    return [getattr(event, name) for event, name in fields]


def without_place(event: Event) -> dict[str, object]:
    return {key: value for key, value in meaning(event).items() if key not in ("recorded_at", "command")}


by_file = pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
by_generation = pytest.mark.parametrize("generation", generations(), ids=lambda folder: folder.name)


@by_file
def test_the_test_changes_every_wording_and_nothing_else(path: Path, reword: Callable[[], None]) -> None:
    before = recorded(path)
    reword()
    scenario = with_note(path)
    silent = [step.model_copy(update={"events": []}) for step in scenario.script]  # they may expect words
    fight, _ = play_in_memory(scenario.model_copy(update={"script": silent}))
    assert [without_place(event) for event in fight.events] == [without_place(event) for event in before]
    changed = [old != new for old, new in zip(prose_in(before), prose_in(fight.events), strict=True)]
    assert changed
    assert all(changed)


@by_file
def test_a_fight_verifies_in_other_words(path: Path, reword: Callable[[], None]) -> None:
    events = recorded(path)
    reword()
    assert list(check_declarations(events)) == []


@by_generation
def test_an_old_ledger_verifies_in_other_words(generation: Path, reword: Callable[[], None]) -> None:
    fights = fights_in(exported(generation).splitlines())
    reword()
    assert [finding for rows in fights.values() for finding in check_declarations(read(rows))] == []


@by_file
def test_an_undo_in_the_middle_finds_nothing_changed_in_other_words(path: Path, reword: Callable[[], None]) -> None:
    fight = FightEngine(list(recorded(path)))
    note = next(e for e in fight.events if isinstance(e, Declared) and "note" in e.options)
    reword()
    assert {entry.verdict for entry in undo_of(fight, note)} == {PlanVerdict.KEPT}


def undo_of(fight: FightEngine, declared: Declared) -> list[PlanEntry]:
    """What would become of the declarations after one that is taken back."""
    taken_back, *later = plan_undo(fight, {declared.seq}, by="gm", reason="it was never said").entries
    assert (taken_back.declared, taken_back.verdict) == (declared, PlanVerdict.TAKEN_BACK)
    return later


@by_generation
def test_an_undo_in_an_old_ledger_finds_nothing_changed_in_other_words(
    generation: Path, reword: Callable[[], None]
) -> None:
    """The arrow that hurt Mila has no influence on what was declared after it."""
    events = read(fights_in(exported(generation).splitlines())["Old bridge"])
    arrow = [e for e in standing(events) if isinstance(e, Declared) and e.action == "core:ruling:rule"][-1]
    reword()
    fight = FightEngine(events, seed=revealed_seed(events, arrow.encounter))
    later = undo_of(fight, arrow)
    said = [entry.declared.action.rsplit(":", 1)[1] for entry in later]
    assert [action for action in said if action != "label"] == [  # only the newest generation has labels
        *("end-turn", "attack", "strike", "end-turn", "leave", "close")
    ]
    assert {entry.verdict for entry in later} == {PlanVerdict.KEPT}


def test_a_fight_goes_on_after_a_pause_in_other_words(reword: Callable[[], None]) -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    waiting = drill.do("snig", "strike", target="rurik")
    said = list(drill.fight.events)
    reword()
    new = drill.react("osric", "protection", dice=[15, 8])
    assert drill.fight.events == [*said, *new]
    assert new[0].declaration == waiting[0].seq
    assert any(text.endswith("in other words") for text in prose_in(new))
    assert list(check_declarations(drill.fight.events)) == []


@pytest.mark.slow  # it resolves once more what the tests above resolve; only `tests.rules.rewording` is its own
def test_words_are_in_prose_fields_only(tmp_path: Path) -> None:
    """The words in the rules' source code are changed; see `tests.rules.rewording`.

    If this names something new: is it a key that reads like words? Then it belongs into `KEYS`. Or have words for
    people got into a field that is compared? Then that field needs a key.
    """
    fights = {f"{path.parent.name}/{path.stem}": _rows(recorded(path)) for path in SCENARIOS}
    for generation in generations():
        old = fights_in(exported(generation).splitlines())
        fights |= {f"{generation.name}/{name}": list(rows) for name, rows in old.items()}
    file = tmp_path / "fights.json"
    file.write_text(json.dumps(fights))
    command = [sys.executable, "-m", "tests.rules.rewording", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def _rows(events: list[Event]) -> list[tuple[str, str]]:
    return [(name, content.decode()) for name, content in map(encode, events)]
