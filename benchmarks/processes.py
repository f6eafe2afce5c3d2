"""Work in a process of its own: what it takes there, in seconds and memory."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

# VmHWM, because the other count of a process's memory begins with that of the process which started it.
_MEASURED = """
import re, sys, time
start = time.perf_counter()
{work}
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(time.perf_counter() - start, peak)
"""


class Taken(NamedTuple):
    seconds: float
    kib: float
    printed: tuple[float, ...]


def taken_by(work: str, *arguments: str) -> Taken:
    """Run Python code that finds its arguments in `sys.argv` and may print numbers."""
    command = [sys.executable, "-c", _MEASURED.format(work=work), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    *printed, seconds, kib = map(float, done.stdout.split())
    return Taken(seconds, kib, tuple(printed))
