"""Where there is no cluster, one sentence says why, before anything is started."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from ledger.errors import Problem
from projections.lake import spark_session as module
from projections.lake.spark import in_spark
from projections.statistics.statistic_names import By
from projections.statistics.statistics_by_name import CORRECTIONS, TURNS
from tests.cases import each
from tests.conftest import free_port


def refusal(master: str) -> Problem:
    with pytest.raises(Problem) as refused, module.spark_session(master):
        pass
    return refused.value


@each(
    "master",
    [
        "",
        "here",
        "http://somewhere:7077",
        "local[x]",
        "spark://",
        "spark://a:b:c",
        "spark://here:0",
        "spark://here:99999",
    ],
)
def test_what_is_no_address_of_a_master(master: str) -> None:
    assert refusal(master).code == "spark/master"


def test_a_master_that_does_not_answer_is_named_with_the_reason() -> None:
    master = f"spark://127.0.0.1:{free_port()},127.0.0.1:{free_port()}"
    found = refusal(master)
    assert found.code == "spark/unreachable"
    assert found.sentence == f"The Spark master at {master} cannot be reached: Connection refused."


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert refusal("local[2]").code == "spark/not-installed"
    monkeypatch.setattr(module, "find_spec", lambda name: ModuleSpec(name, None))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refusal("local[2]").code == "spark/no-java"
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert str(tmp_path) in refusal("local[2]").sentence


def test_what_spark_says_otherwise() -> None:
    assert "max_by(f.reason, struct(f.recorded_at, f.seq))" in in_spark(CORRECTIONS.sql(By.ACTOR))
    assert "sum((unix_micros(f.ended_at) - unix_micros(f.started_at)))" in in_spark(TURNS.sql(By.ACTOR))
    assert in_spark("WHERE encounter = ANY(%(ids)s)") == "WHERE array_contains(:ids, encounter)"
