"""Readers of bytes, each as a target for a fuzzer that is led by coverage.

A target takes any bytes and fails where a reader neither reads them rightly nor refuses them with a `Problem`. Its
SEEDS are what the fuzzer starts from. What once failed is kept in tests/fuzz/corpus and tried with all other tests.

    pip install -e '.[test,fuzz]'
    python -m tests.fuzz.targets dice --seconds 300
"""

NAMES = ("arguments", "dice", "event", "export_line", "library", "scenario", "sheet")
