"""Statistics, SQL and the read models from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from tests.cases import each
from tests.cli.conftest import Prepare, Run

BRIDGE = str(Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml")


@pytest.fixture
def fought(prepare: Prepare) -> Run:
    return prepare(("run", BRIDGE))


def test_a_statistic_as_table_json_and_csv(fought: Run) -> None:
    shown = fought("stats", "hits", "bridge")
    assert shown.status == 0
    assert "rurik" in shown.out
    (report,) = json.loads(fought("stats", "hits", "--campaign", "riverlands", "--json").out)
    assert report["rows"][1]["hit_percent"] == 100.0
    lines = fought("stats", "hits", "--by", "side", "--csv").out.splitlines()
    assert lines[0] == "side,attacks,hits,misses,criticals,hit_percent,mean_total,mean_against"
    assert lines[1] == "foes,2,1,1,0,50.0,15.0,16.0"


def test_an_answer_knows_what_was_recorded_a_moment_ago(bridge: Run) -> None:
    assert json.loads(bridge("stats", "hits", "--json").out)[0]["rows"] == []
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik")
    bridge("react", "bridge", "osric", "pass", "--dice", "3")
    assert len(json.loads(bridge("stats", "hits", "--json").out)[0]["rows"]) == 1


@each(
    ("arguments", "status", "said"),
    [
        (("stats", "hits", "nowhere"), 1, "ledger/unknown-encounter"),
        (("stats", "hits", "--campaign", "nowhere"), 1, "stats/unknown-campaign"),
        (("stats", "economy", "--by", "weapon"), 1, "stats/by"),
        (("stats", "nonsense"), 2, "nonsense"),
        (("stats", "hits", "--since", "yesterday"), 2, "yesterday"),
        (("stats", "hits", "--json", "--csv"), 2, "give only one"),
        (("stats", "corrections", "--plot", "figure.svg"), 1, "plot/no-figure"),
        (("sql",), 2, "give one query"),
        (("sql", "SELECT nothing FROM nowhere"), 1, "sql/refused"),
        (("sql", "SELECT 1; SELECT 2"), 1, "sql/refused"),
        (("sql", "DELETE FROM attacks"), 1, "sql/refused"),
        (("sql", "WITH gone AS (DELETE FROM attacks RETURNING *) SELECT * FROM gone"), 1, "sql/refused"),
        (("sql", "SELECT * FROM combatlog.dice_seeds"), 1, "sql/read-only"),
        (("sql", "SELECT * FROM combatlog.ledger_events"), 1, "sql/read-only"),
        (("sql", "SELECT pg_sleep(5)", "--seconds", "0.2"), 1, "sql/too-slow"),
    ],
)
def test_what_is_refused(fought: Run, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = fought(*arguments)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err


def test_a_query_that_takes_the_owners_role_still_cannot_write(fought: Run, cli_database: str) -> None:
    with psycopg.connect(cli_database) as conn:
        conn.execute(
            "CREATE FUNCTION public.meddle() RETURNS integer LANGUAGE plpgsql AS"
            " 'BEGIN DELETE FROM combatlog_read.attacks; RETURN 1; END'"
        )
    meddled = fought("sql", "SELECT set_config('role', 'none', true), public.meddle()")
    assert meddled.status == 1
    assert "sql/read-only" in meddled.err
    assert json.loads(fought("sql", "SELECT count(*) AS left_over FROM attacks", "--json").out) == [{"left_over": 5}]


def test_sql_answers_and_describes(fought: Run) -> None:
    query = "SELECT attacker, count(*) AS n FROM attacks WHERE attacker LIKE '%i%' GROUP BY 1 ORDER BY 1;"
    assert fought("sql", query, "--csv").out == "attacker,n\nosric,1\nrurik,2\nsnig,2\n"
    schema = fought("sql", "--schema")
    assert "attacks: Attacks that hit or missed." in schema.out
    assert {table["table"] for table in json.loads(fought("sql", "--schema", "--json").out)} >= {"dice", "turns"}


def test_the_read_models_from_the_command_line(fought: Run) -> None:
    before = json.loads(fought("projections", "status", "--json").out)
    assert before["behind"] == before["head"] > 0
    assert f"Read {before['head']} new events" in fought("projections", "run", "--once").out
    after = json.loads(fought("projections", "status", "--json").out)
    assert (after["behind"], after["tables"]["attacks"]) == (0, 5)
    assert f"from {before['head']} events" in fought("projections", "rebuild").out
    assert json.loads(fought("projections", "status", "--json").out)["tables"] == after["tables"]


def test_a_figure_beside_the_numbers(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "fight.svg"
    assert fought("stats", "turns", "bridge", "--plot", str(file)).status == 0
    assert ">Timeline: bridge<" in file.read_text()
    assert fought("stats", "turns", "--figure", "dice").status == 2
