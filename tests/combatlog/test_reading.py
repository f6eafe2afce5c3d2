"""Reading a fight and a ledger through the public interface."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

import combatlog
from combatlog import Undo
from combatlog.events import AttackResolved


@pytest.fixture
def struck(fight: combatlog.RecordedFight) -> combatlog.RecordedFight:
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    return fight


def test_the_state_at_any_event(struck: combatlog.RecordedFight) -> None:
    joined = struck.events(kinds=["combatant_joined"])
    assert [list(struck.state(at=event.seq).combatants)[-1] for event in joined] == ["snig", "rurik", "osric"]
    now, before = struck.state(), struck.state(at=struck.history()[-1].seq - 1)
    assert (now.combatants["rurik"].vitals["hp"].current, before.combatants["rurik"].vitals["hp"].current) == (6, 12)


def test_the_latest_events(struck: combatlog.RecordedFight) -> None:
    everything = struck.history()
    assert struck.backend.latest(3) == everything[-3:]
    assert struck.backend.latest(1000) == everything
    fork = struck.fork("What if")
    assert fork.backend.latest(2) == [everything[-1], *fork.history()[-1:]]


def test_events_by_place_actor_kind_and_whether_they_stand(struck: combatlog.RecordedFight) -> None:
    everything = struck.history()
    assert struck.events() == everything
    assert [event.seq for event in struck.events(3, 5)] == [3, 4, 5]
    assert {event.kind for event in struck.events(kinds=["rolled"])} == {"rolled"}
    assert [event.kind for event in struck.events(actor="snig", kinds=["rolled", "damaged"])] == [
        "rolled",
        "rolled",
        "damaged",
    ]
    struck.apply(struck.plan(Undo()))
    assert len(struck.events()) == len(everything) + 1
    assert struck.events(kinds=["damaged"], standing=True) == []


def test_why_and_why_not(struck: combatlog.RecordedFight) -> None:
    hit = struck.events(kinds=["attack_resolved"])[0]
    explained = struck.seen_by().explain(hit.seq)
    assert (explained.tree.event.seq, explained.path[-1]) == (hit.declaration, hit.seq)
    assert struck.seen_by().why_not(hit.seq, "protection") == [
        f"Osric was offered protection and declined it when asked, at event {hit.seq - 4}."
    ]
    with pytest.raises(combatlog.Problem) as caught:
        struck.seen_by().explain(9999)
    assert caught.value.code == "explain/no-event"


def test_what_can_be_done_and_what_was_spent(struck: combatlog.RecordedFight) -> None:
    names = [choice.name for section in struck.seen_by().actions("snig") for choice in section.choices]
    assert "dodge" in names
    assert struck.seen_by().advise("snig")
    spent = [(change.before, change.after) for change in struck.seen_by().economy("snig", ["action"])]
    assert spent[-1] == (1, 0)


def test_an_event_in_words(struck: combatlog.RecordedFight) -> None:
    hit = struck.events(kinds=["attack_resolved"])[0]
    assert isinstance(hit, AttackResolved)
    said = combatlog.say(hit)
    assert all(word in said.lower() for word in ("snig", "rurik", "scimitar", "19", "16"))


def test_it_verifies_and_can_be_sealed(struck: combatlog.RecordedFight, opened: combatlog.Ledger) -> None:
    seal = struck.seal()
    report = struck.verify([seal])
    assert (report.findings, report.seals, report.events) == ([], 1, seal.seq)
    assert [report.name for report in opened.verify()] == ["bridge"]


def test_from_one_ledger_to_another(struck: combatlog.RecordedFight, opened: combatlog.Ledger, second: str) -> None:
    lines = "\n".join(opened.export([struck]))
    with combatlog.open(second) as other:
        done = other.import_events(BytesIO(lines.encode()))
        assert (done.encounters, done.events) == (1, len(struck.history()))
        assert other.fight("bridge").history() == struck.history()
        assert "\n".join(other.export()) == lines


@pytest.fixture
def second(make_database: object, embedded: str) -> str:
    assert callable(make_database)
    return str(make_database(embedded))


_READ = """
import sys, combatlog
with combatlog.open(sys.argv[1]) as ledger:
    fight = ledger.fight("bridge")
    fight.state(), fight.events(), fight.seen_by().explain(5), fight.seen_by().corrections(), ledger.list()
assert "combatlog.rules" not in sys.modules, "reading loaded the rules"
loaded = {name.partition(".")[0] for name in sys.modules}
assert not {"matplotlib", "duckdb", "fastapi", "uvicorn"} & loaded
"""


def test_reading_does_not_load_the_rules(struck: combatlog.RecordedFight, database: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _READ, database], check=True, cwd=tmp_path)


def test_every_public_name_is_there() -> None:
    assert all(getattr(combatlog, name) is not None for name in combatlog.__all__)
    with pytest.raises(AttributeError):
        combatlog.nonsense  # noqa: B018
