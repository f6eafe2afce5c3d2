"""A Spark cluster: a master and two workers on this machine, or the one that COMBATLOG_TEST_SPARK names.

Spark takes a while to start and is not part of the default install, so these tests run only if they are asked for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.conftest import free_port

VARIABLE = "COMBATLOG_TEST_SPARK"


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    asked = os.environ.get(VARIABLE)
    if not asked:
        pytest.skip(f"set {VARIABLE}=1 for a cluster on this machine, or to the address of a Spark master")
    if asked != "1":
        yield asked
        return
    folder = tmp_path_factory.mktemp("spark")
    with ExitStack() as running:
        url = f"spark://127.0.0.1:{(port := free_port())}"
        arguments = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        running.enter_context(part(folder, "master.Master", *arguments, says="I have been elected leader"))
        for number in range(2):
            own = ("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
            own = (*own, "--work-dir", str(folder / f"work {number}"), url)
            running.enter_context(part(folder, "worker.Worker", *own, says="Successfully registered with master"))
        yield url


@contextmanager
def part(folder: Path, which: str, *arguments: str, says: str) -> Iterator[None]:
    """A master or a worker, once it says that it is ready."""
    import pyspark

    home = Path(pyspark.__file__).parent
    own = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{which}", *arguments]
    started = subprocess.Popen(
        command, env={**os.environ, **own}, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert started.stderr is not None
    try:
        for line in started.stderr:
            if says in line:
                break
        else:
            pytest.fail(f"{which} did not start")
        with (folder / f"{which}.{started.pid}.log").open("w") as log:
            drain = subprocess.Popen(["cat"], stdin=started.stderr, stdout=log)
        yield
    finally:
        started.terminate()
        started.wait()
        drain.wait()
        started.stderr.close()
