"""The benchmarks: every function `run_NAME` in this package is the benchmark NAME."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

import benchmarks
from benchmarks.measure import Result

Benchmark = Callable[..., Iterator[Result]]
"""Takes the address of a database, how many seconds each side may take and, in some, the size of a ledger."""
_PREFIX = "run_"


def known_benchmarks() -> dict[str, Benchmark]:
    modules = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__")
    found = (vars(import_module(f"benchmarks.{module}")).items() for module in modules)
    functions = {name: value for names in found for name, value in names if name.startswith(_PREFIX)}
    return {name.removeprefix(_PREFIX): functions[name] for name in sorted(functions)}
