"""A Spark cluster: a master and two workers on this machine, or the one that COMBATLOG_TEST_SPARK names.

Spark takes a while to start and is not part of the default install, so these tests run only if they are asked for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.conftest import free_port
from tests.object_stores import s3_environment
from tests.optional import SERVICES, need, need_service

VARIABLE, _ = SERVICES["Spark"]


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory, s3_server: str) -> Iterator[str]:
    """Its workers have access to the S3 server, from their own environment."""
    asked = need_service("Spark")
    if asked != "1":
        yield asked
        return
    need("java")
    folder = tmp_path_factory.mktemp("spark")
    with ExitStack() as running:
        url = f"spark://127.0.0.1:{(port := free_port())}"
        access = s3_environment(s3_server)
        arguments = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        running.enter_context(part(folder, "master.Master", *arguments, given={}, says="I have been elected leader"))
        for number in range(2):
            own = ("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
            own = (*own, "--work-dir", str(folder / f"work {number}"), url)
            ready = "Successfully registered with master"
            running.enter_context(part(folder, "worker.Worker", *own, given=access, says=ready))
        yield url


@pytest.fixture(params=["folder", "s3"])
def where(request: pytest.FixtureRequest, master: str, tmp_path: Path) -> str:
    """Where a lake is to be: a folder whose name Spark could misread, and an object store."""
    if request.param == "folder":
        return str(tmp_path / "50% [of a] {lake}, *?")
    return str(request.getfixturevalue("shared_s3"))


@pytest.fixture
def shared_s3(master: str, s3: str) -> str:
    """An object store that the workers can read as well."""
    if os.environ[VARIABLE] != "1":
        pytest.skip("the workers of this cluster have no access to a store on this machine")
    return s3


@contextmanager
def part(folder: Path, which: str, *arguments: str, given: Mapping[str, str], says: str) -> Iterator[None]:
    """A master or a worker, once it says that it is ready."""
    import pyspark

    home = Path(pyspark.__file__).parent
    own = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    environment = {**os.environ, **own, **given}
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{which}", *arguments]
    started = subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
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
