"""Settings of Python's garbage collector for the programs of this project.

A program that only imports the library keeps its own settings.
"""

from __future__ import annotations

import gc

_ALLOCATED = 50_000
_COLLECTED = 20


def collect_less_often() -> None:
    """Look for reference cycles less often.

    Events and states contain no cycles, so they are freed as soon as nothing refers to them. By default, Python would
    scan objects after every seven hundred new ones.
    """
    gc.set_threshold(_ALLOCATED, _COLLECTED, _COLLECTED)
