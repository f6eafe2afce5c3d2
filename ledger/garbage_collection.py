"""How the programs of this project set Python's garbage collector.

A program that only imports the library keeps its own settings.
"""

from __future__ import annotations

import gc

_ALLOCATED = 50_000
_COLLECTED = 20


def collect_less_often() -> None:
    """Look for cycles less often.

    Events and states are freed as soon as nobody refers to them, since they contain no cycles. Python would look
    through all of them again whenever another seven hundred objects exist.
    """
    gc.set_threshold(_ALLOCATED, _COLLECTED, _COLLECTED)
