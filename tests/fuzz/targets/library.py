"""Library files: what is checked without a problem can be loaded, shown and fought with."""

from __future__ import annotations

import json

from combatlog.rules.skirmish import RULESET
from combatlog.rules.skirmish.library import shipped_library
from combatlog.rules.skirmish.library_checks import parse_library

assert RULESET.name == "skirmish"  # loading it registers the properties
_SHIPPED = shipped_library()["abilities"]
SEEDS = tuple(json.dumps({"abilities": {name: entry}}).encode() for name, entry in list(_SHIPPED.items())[::4])


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    report = RULESET.library.check(text)
    if report.problems:
        return
    own = parse_library(text)
    assert set(own["abilities"]) <= {entry.id for entry in RULESET.library.entries(text)}
    json.dumps(own, allow_nan=False).encode()
