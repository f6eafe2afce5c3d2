"""Work in several processes ends with the one that divides it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

_WORK = """
import os, sys
from itertools import repeat
from projections.processes import in_processes
if __name__ == "__main__":
    for done in in_processes(os.path.abspath, repeat("x"), 2, start=sys.argv[1]):
        print(done, flush=True)
        sys.stdin.readline()
"""


def test_no_process_is_left_when_the_first_one_is_killed() -> None:
    """All of them have its standard output, which is at its end only when the last one is gone."""
    for start in ("spawn", "fork"):
        process = subprocess.Popen(
            [sys.executable, "-c", _WORK, start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == os.path.abspath("x") + "\n"
        os.kill(process.pid, signal.SIGKILL)
        assert process.communicate(timeout=60)[0] == ""
