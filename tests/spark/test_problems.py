"""What a worker cannot do comes out as one sentence, with the code that it has on one machine."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

import combatlog
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.lake.writing import write_lake
from tests.object_stores import asking_for_permission
from tests.projections.readmodels.support import History

pytestmark = pytest.mark.usefixtures("master")


@pytest.fixture
def lake(ledger: LedgerStore, shared_s3: str) -> str:
    History(ledger, "one", Random(1)).play()
    write_lake(ledger, shared_s3)
    return shared_s3


def refusal(lake: combatlog.Lake) -> Problem:
    with pytest.raises(Problem) as caught:
        lake.statistics("hits")
    assert caught.value.sentence.startswith("A Spark worker reports: ")
    return caught.value


def test_a_worker_whose_credentials_are_not_accepted(lake: str, master: str, s3_server: str) -> None:
    with combatlog.open_lake(lake, spark=master) as cluster:
        with asking_for_permission(s3_server):
            found = refusal(cluster)
        assert found.code == "lake/credentials"
        assert cluster.statistics("hits")


def test_a_worker_without_a_package(lake: str, master: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", str(python_without(tmp_path, "obstore")))
    with combatlog.open_lake(lake, spark=master) as cluster:
        found = refusal(cluster)
    assert (found.code, found.facts["needed"]) == ("lake/not-installed", ["obstore"])


def test_no_worker_needs_what_spark_could_use(
    lake: str, master: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", str(python_without(tmp_path, "pandas", "pyarrow", "numpy")))
    with combatlog.open_lake(lake, spark=master) as cluster, combatlog.open_lake(lake) as alone:
        assert cluster.statistics("hits") == alone.statistics("hits")


def python_without(folder: Path, *packages: str) -> Path:
    """A Python that does not find some packages."""
    blocked = "".join(f"sys.modules[{name!r}] = None\n" for name in packages)
    (folder / "sitecustomize.py").write_text(f"import sys\n{blocked}")
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}:$PYTHONPATH" exec {sys.executable} "$@"\n')
    program.chmod(0o755)
    return program
