"""A connection to a Spark cluster, or one sentence that says why there is none.

Spark passes on only text, so a problem on a worker travels as one line of JSON.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from tempfile import TemporaryFile
from threading import Event, Thread
from time import monotonic, sleep
from typing import IO, Any

from pydantic_core import from_json, to_json

from ledger.errors import Problem, first_line


class ProblemOnWorker(Exception):
    """A problem as one line of JSON, which is the last line of a traceback."""


_TOLD = re.compile(rf"\b{ProblemOnWorker.__name__}: (\{{.*\}})\s*$", re.MULTILINE)


@contextmanager
def told_to_the_driver() -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        raise ProblemOnWorker(to_json(problem.to_json()).decode()) from problem


def problem_told(error: Exception) -> Problem | None:
    """The problem that a worker had, if that is what went wrong."""
    if (told := _TOLD.search(str(error))) is None:
        return None
    problem = from_json(told[1])
    return Problem(problem["code"], f"A Spark worker reports: {problem['sentence']}", **problem["facts"])


Progress = Callable[[int, int], None]
"""Called with the number of parts done and the total."""

_PORT = 7077
_PATIENCE = 5.0
"""Seconds that a master may take to answer."""
_WORKERS_PATIENCE = 60.0
"""Seconds until a worker has to be available."""
_POLLED = 0.3
_CLUSTER = re.compile(r"spark://(?P<places>[^/\s]+)")
_ADDRESS = re.compile(r"(?P<host>[^\[\]:]+|\[[^\]]+\])(?::(?P<port>\d{1,5}))?")
_LOCAL = re.compile(r"local(\[(\d+|\*)(,\d+)?\])?")


@contextmanager
def spark_session(master: str) -> Iterator[Any]:
    """A session on a cluster; `local[N]` is this machine with N threads. Spark's output goes to a file.

    A program has one connection to a cluster at a time. While it is open, further sessions share it.
    """
    _require_master(master)
    _require_installed()
    if (shared := _shared(master)) is not None:
        yield shared
        return
    with TemporaryFile("w+", errors="replace") as said:
        session = _started(master, said)
        try:
            if not _LOCAL.fullmatch(master):
                _wait_for_worker(session, master)
            yield session
        finally:
            _stop(session)


def _require_installed() -> None:
    if find_spec("pyspark") is None:
        raise Problem("spark/not-installed", "Spark is not installed with this combatlog.", needed=["pyspark"])
    home = os.environ.get("JAVA_HOME")
    if shutil.which(os.path.join(home, "bin", "java") if home else "java") is None:
        where = f"in {home}, which JAVA_HOME names" if home else "on this machine"
        raise Problem("spark/no-java", f"Spark needs Java 17 or newer, and there is none {where}.", found=home)


def _require_master(master: str) -> None:
    """Check that a master answers. Spark itself would try for a minute before giving up."""
    if _LOCAL.fullmatch(master) or master.startswith(("yarn", "k8s://")):
        return
    if (cluster := _CLUSTER.fullmatch(master)) is None:
        raise _not_a_master(master)
    errors = [_refusal(place, master) for place in cluster["places"].split(",")]
    if all(errors):
        raise _unreachable(master, errors[0] or "")


def _not_a_master(master: str) -> Problem:
    return Problem(
        "spark/master",
        f"{master!r} is not the address of a Spark master; spark://HOST:{_PORT} or local[2] would be one.",
        name=master,
    )


def _refusal(place: str, master: str) -> str | None:
    """Why there is no answer at an address; None if there is one."""
    address = _ADDRESS.fullmatch(place)
    if address is None or not 0 < int(address["port"] or _PORT) < 2**16:
        raise _not_a_master(master)
    try:
        socket.create_connection((address["host"].strip("[]"), int(address["port"] or _PORT)), _PATIENCE).close()
    except (OSError, UnicodeError) as error:
        return (error.strerror if isinstance(error, OSError) else None) or str(error)
    return None


def _unreachable(master: str, reason: str) -> Problem:
    sentence = f"The Spark master at {master} cannot be reached: {reason.strip().rstrip('.')}."
    return Problem("spark/unreachable", sentence, master=master, reason=reason)


def _settings(master: str) -> dict[str, str]:
    local = bool(_LOCAL.fullmatch(master))
    return {
        "spark.master": master,
        "spark.app.name": "combatlog",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
        "spark.pyspark.python": os.environ.get("PYSPARK_PYTHON") or sys.executable,
        "spark.pyspark.driver.python": sys.executable,
        # The rules do not depend on the order of sets, but workers that share a hash seed are easier to compare.
        "spark.executorEnv.PYTHONHASHSEED": "0",
        **({"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"} if local else {}),
    }


def _shared(master: str) -> Any:
    """A separate session on the existing connection, or None."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    context = SparkContext._active_spark_context
    return SparkSession(context).newSession() if context is not None and context.master == master else None


def _started(master: str, said: IO[str]) -> Any:
    from pyspark import SparkConf, SparkContext, java_gateway
    from pyspark.sql import SparkSession

    launch: Any = java_gateway.launch_gateway
    conf = SparkConf(loadDefaults=False).setAll(list(_settings(master).items()))
    with _own_environment():
        try:
            gateway = SparkContext._gateway or launch(conf, {"stdout": said, "stderr": said})
            return SparkSession(SparkContext(conf=conf, gateway=gateway))
        except Exception as error:
            raise _unreachable(master, _last_word(said) or first_line(error)) from error


@contextmanager
def _own_environment() -> Iterator[None]:
    """Tell Spark which Python its workers run, only while it starts."""
    before = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = before or sys.executable
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYSPARK_PYTHON"]


def _last_word(said: IO[str]) -> str:
    """The last error in Spark's output."""
    said.seek(0)
    lines = [line for line in said.read().splitlines() if re.search(r"ERROR|Exception|Error:", line)]
    return re.sub(r"^.*?(?:ERROR \w+:|Exception:|Error:)\s*", "", lines[-1]) if lines else ""


def _wait_for_worker(session: Any, master: str) -> None:
    """Without workers, jobs would wait forever."""
    end = monotonic() + _WORKERS_PATIENCE
    while session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 2:
        if session.sparkContext._jsc.sc().isStopped():
            raise _unreachable(master, "it did not accept the work")
        if monotonic() > end:
            raise Problem(
                "spark/no-workers",
                f"The Spark master at {master} has no worker that is free; start one, or wait until one is.",
                master=master,
            )
        sleep(_POLLED)


def _stop(session: Any) -> None:
    with suppress(Exception):  # a session whose cluster is gone cannot be stopped properly
        session.stop()


@contextmanager
def watched(session: Any, progress: Progress) -> Iterator[None]:
    """Report the progress of the work in this block, and turn Spark's errors into problems."""
    done = Event()
    watcher = Thread(target=_watch, args=(session.sparkContext.statusTracker(), progress, done), daemon=True)
    watcher.start()
    try:
        with spark_problems():
            yield
    finally:
        done.set()
        watcher.join()


def _watch(tracker: Any, progress: Progress, done: Event) -> None:
    while not done.wait(_POLLED):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if found := [stage for stage in stages if stage is not None]:
            progress(sum(one.numCompletedTasks for one in found), sum(one.numTasks for one in found))


@contextmanager
def spark_problems() -> Iterator[None]:
    """Turn any failure on the cluster into one sentence."""
    try:
        yield
    except Problem:
        raise
    except Exception as error:
        if (told := problem_told(error)) is not None:
            raise told from error
        reason = _reason(error)
        raise Problem("spark/failed", f"Spark could not do this: {reason.rstrip('.')}.", reason=reason) from error


def _reason(error: Exception) -> str:
    """The line that matters: for an error on a worker, the last one of its traceback."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[\w.]*(?:Error|Exception)\b: ?\S", line)]
    return (python or lines or [type(error).__name__])[0]
