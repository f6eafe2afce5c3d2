"""Library files: what is checked without a problem can be loaded, shown and fought with."""

from __future__ import annotations

import json

from rules.skirmish import RULESET, listing
from rules.skirmish.checking import parse_library
from rules.skirmish.library import shipped_library

assert RULESET.name == "skirmish"  # loading it registers the properties
_SHIPPED = shipped_library()["abilities"]
SEEDS = tuple(json.dumps({"abilities": {name: entry}}).encode() for name, entry in list(_SHIPPED.items())[::4])


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    report = listing.check(text)
    if report.problems:
        return
    own = parse_library(text)
    library = listing.library_to_show(text)
    assert set(own["abilities"]) <= set(library.abilities)
    json.dumps(own, allow_nan=False).encode()
