"""The benchmarks: every module of this package with a function `run` is one, and has its name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

import benchmarks
from benchmarks.measure import Result

Benchmark = Callable[[str, float], Iterator[Result]]
"""Takes the address of a database and how many seconds each side may take."""


def known_benchmarks() -> dict[str, Benchmark]:
    names = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    modules = {name: import_module(f"benchmarks.{name}") for name in names if name != "__main__"}
    return {name: module.run for name, module in modules.items() if hasattr(module, "run")}
