"""Statistics through the public interface, and what the command for them asks of the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest

import combatlog
from cli.app import main
from combatlog import Undo

Connection = psycopg.Connection[Any]


@pytest.fixture
def fought(fight: combatlog.RecordedFight) -> combatlog.RecordedFight:
    """Snig hits Rurik with 15 + 4 against 16 for 4 + 2, then Rurik misses Snig with 3 + 5 against 15."""
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    fight.end_turn("snig")
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="snig", dice=[3])
    return fight


def test_rows_have_names(opened: combatlog.Ledger, fought: combatlog.RecordedFight) -> None:
    (report,) = opened.statistics("hits", by="weapon")
    assert [(row.weapon, row.attacks, row.hits) for row in report.rows] == [("longsword", 1, 0), ("scimitar", 1, 1)]
    assert report.records()[1]["mean_total"] == 19.0
    luck, dice = opened.statistics("luck")
    assert {row.actor: row.expected_hits for row in luck.rows} == {"rurik": 0.55, "snig": 0.45}
    assert {row.die: row.rolled for row in dice.rows} == {"d20": 5, "d6": 1}


@pytest.mark.slow
def test_which_fights_are_counted(opened: combatlog.Ledger, fought: combatlog.RecordedFight) -> None:
    other = opened.new("other")
    assert opened.statistics("hits", fights=[fought, "other"])[0].rows
    assert opened.statistics("hits", fights=[other])[0].rows == []
    assert opened.statistics("hits", until=date(2000, 1, 1))[0].rows == []
    fought.apply(fought.plan(Undo()))
    assert [row.actor for row in opened.statistics("hits")[0].rows] == ["snig"]
    assert [row.actor for row in opened.statistics("hits", with_undone=True)[0].rows] == ["rurik", "snig"]


@pytest.mark.parametrize(
    ("statistic", "by", "more", "code"),
    [
        ("hit", "actor", {}, "stats/unknown-name"),
        ("hits", "colour", {}, "stats/unknown-name"),
        ("economy", "weapon", {}, "stats/by"),
        ("hits", "actor", {"fights": ["nowhere"]}, "ledger/unknown-encounter"),
        ("hits", "actor", {"campaign": "nowhere"}, "stats/unknown-campaign"),
    ],
)
def test_what_cannot_be_asked(opened: combatlog.Ledger, statistic: str, by: str, more: Any, code: str) -> None:
    with pytest.raises(combatlog.Problem) as caught:
        opened.statistics(statistic, by, **more)
    assert caught.value.code == code


def test_queries_tables_figures_and_files(
    opened: combatlog.Ledger, fought: combatlog.RecordedFight, tmp_path: Path
) -> None:
    answer = opened.sql("SELECT attacker, hit FROM attacks ORDER BY attacker")
    assert answer.records() == [{"attacker": "rurik", "hit": False}, {"attacker": "snig", "hit": True}]
    assert "attacks" in [table.table for table in opened.tables()]
    opened.plot(tmp_path / "dice.svg", "luck")
    opened.plot(tmp_path / "fight.svg", "hits", "timeline", fights=[fought])
    assert ">Timeline: bridge<" in (tmp_path / "fight.svg").read_text()
    files = opened.export_tables(tmp_path / "tables", "csv", fought)
    assert files["attacks"].read_text().count("\n") == 3


# What a command costs


@pytest.fixture
def counted(fought: combatlog.RecordedFight, cli_database: str) -> Iterator[Connection]:
    """From here on the database writes down everybody who logs in."""
    with psycopg.connect(cli_database, autocommit=True) as conn:
        conn.execute("CREATE TABLE public.logins (pid integer)")
        conn.execute(
            "CREATE FUNCTION public.note_login() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS"
            " 'BEGIN INSERT INTO public.logins VALUES (pg_backend_pid()); END'"
        )
        conn.execute("CREATE EVENT TRIGGER noted ON login EXECUTE FUNCTION public.note_login()")
        yield conn


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["combatlog", *arguments])
    with pytest.raises(SystemExit) as exited:
        main()
    return int(exited.value.code or 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("stats", "hits", "bridge", "--by", "weapon"),
        ("stats", "luck", "--plot", "dice.svg"),
        ("projections", "status"),
        ("status", "bridge"),
        ("do", "bridge", "osric", "dodge"),
    ],
)
def test_a_command_opens_one_connection(
    counted: Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(monkeypatch, *command)
    assert counted.execute("SELECT count(*) FROM public.logins").fetchone() == (1,)


def test_a_query_of_ones_own_opens_one_more_as_a_user_of_its_own(
    counted: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(monkeypatch, "sql", "SELECT count(*) FROM attacks") == 0
    assert counted.execute("SELECT count(*) FROM public.logins").fetchone() == (2,)


def test_a_statistic_reads_no_event_that_is_in_the_tables_already(
    counted: Connection, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "stats", "hits", "bridge") == 0
    assert run(monkeypatch, "stats", "hits", "nowhere") == 1
    counted.execute("ALTER TABLE combatlog.ledger_events RENAME COLUMN state TO out_of_sight")
    assert run(monkeypatch, "stats", "hits", "bridge") == 0
    assert "rurik" in capsys.readouterr().out
    with pytest.raises(psycopg.errors.UndefinedColumn):
        counted.execute("SELECT state FROM combatlog.ledger_events")
