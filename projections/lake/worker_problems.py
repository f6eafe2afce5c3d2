"""Problems on their way from a worker of Spark to the machine that asked: Spark passes on nothing but text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic_core import from_json, to_json

from ledger.errors import Problem


class ProblemOnWorker(Exception):
    """A problem as JSON in one line, which is the last one of a traceback."""


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
