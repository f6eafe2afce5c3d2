"""Hostile input: a clear refusal or a correct result, never a traceback, a hang or a write.

Runs in a short form with all the other tests; `COMBATLOG_FAULTS=full pytest tests/fuzz` tries many times more.
"""

import os

FULL = os.environ.get("COMBATLOG_FAULTS") == "full"
