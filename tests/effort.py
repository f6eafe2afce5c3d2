"""How much a run tries: plain `pytest` a little and always the same, `pytest --all` more and always something new.

`COMBATLOG_FAULTS=full` tries so often that a run takes hours.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import engine

SOAK = os.environ.get("COMBATLOG_FAULTS") == "full"
SECONDS_OF_SHRINKING = 20
EXAMPLES = 10
"""How many examples a property has in plain `pytest`, unless it says otherwise."""

_everything = SOAK
_seed = "0"


def set_up(config: pytest.Config) -> None:
    """Before any test is imported: decorators ask `often` how often a test runs."""
    global _everything, _seed
    _everything = SOAK or config.getoption("--all")
    engine.MAX_SHRINKING_SECONDS = SECONDS_OF_SHRINKING  # hypothesis has no setting for it, and allows 300
    common = settings(deadline=None, suppress_health_check=list(HealthCheck))
    settings.register_profile("plain", common, derandomize=True, database=None, max_examples=EXAMPLES)
    settings.register_profile("everything", common, print_blob=True, max_examples=100)
    settings.load_profile("everything" if _everything else "plain")
    if _everything and config.getoption("--hypothesis-seed") is None:
        # Chosen here rather than by each worker, so that one option repeats the whole run.
        config.option.hypothesis_seed = str(random.getrandbits(32))
    _seed = str(config.getoption("--hypothesis-seed") or 0) if _everything else "0"


def everything() -> bool:
    return _everything


def chance(*about: object) -> random.Random:
    """Random numbers for one case of a test: always the same in plain `pytest`, those of the seed with `--all`."""
    return random.Random(f"{_seed} {about}")


def summary(config: pytest.Config) -> str:
    """One line for the end of a run: how much was tried, and how to repeat it."""
    if not _everything:
        return "Slow tests were left out; pytest --all runs them and tries new examples."
    return f"The random examples of this run: --hypothesis-seed={config.option.hypothesis_seed}"


def often(plain: int, everything: int, soak: int | None = None) -> int:
    """How often something is tried."""
    if SOAK and soak is not None:
        return soak
    return everything if _everything else plain


def examples(everything: int, soak: int | None = None, **others: Any) -> settings:
    """So many examples in a run of everything, and a tenth of them in plain `pytest`."""
    return settings(max_examples=often(max(2, everything // 10), everything, soak), deadline=None, **others)


def slowly(*cases: Any) -> Iterator[ParameterSet]:
    """Cases of a test that run only with everything, beside others that always do."""
    return (pytest.param(case, marks=pytest.mark.slow) for case in cases)


def chances(plain: int, everything: int, soak: int | None = None) -> pytest.MarkDecorator:
    """Runs a test so often, with another `chance` each time."""
    return pytest.mark.parametrize("chance", range(often(plain, everything, soak)))
