"""Long tables of cases that all take the same path: one test, which names every case that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from _pytest.mark.structures import ParameterSet


def each(names: str | Sequence[str], cases: Iterable[Any], ids: object = None) -> Callable[[Any], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, for a test that needs nothing made anew for each case.

    It exists because ten thousand dots tell a reader nothing, and each of them costs a worker some milliseconds.
    """
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_values(case, len(parameters)) for case in cases]
    assert table, "a table without cases shows nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def through_the_table(**fixtures: Any) -> None:
            failures = []
            for values in table:
                try:
                    test(**dict(zip(parameters, values, strict=True)), **fixtures)
                except Exception as failure:
                    failure.add_note(f"the case: {', '.join(map(repr, values))}")
                    failures.append(failure)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} cases fail", failures)

        through_the_table.__signature__ = _without(test, parameters)  # type: ignore[attr-defined]
        return through_the_table

    return decorate


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if isinstance(case, ParameterSet):
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)


def _without(test: Callable[..., None], parameters: Sequence[str]) -> inspect.Signature:
    """What is left for pytest to fill in with fixtures."""
    signature = inspect.signature(test)
    left = [one for name, one in signature.parameters.items() if name not in parameters]
    return signature.replace(parameters=left)
