"""How the stored fights resolve under each version of each ruleset, as digests in `resolutions.json`.

`python -m tests.old_ledgers.resolutions` adds the version of today, and fights that are new. What is written down for a
version is never changed: rules that resolve a fight differently are another version.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from gzip import decompress
from hashlib import sha256
from pathlib import Path
from typing import Any

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.verification.verify import check_declarations
from ledger.events import EncounterOpened, Event, meaning
from projections.views.visibility import CONCEALS
from tests.old_ledgers.exported import fights_in, read
from tests.old_ledgers.record import HERE, LEDGER, generations

FILE = HERE / "resolutions.json"
SCENARIOS = HERE.parent / "scenarios"
_OF_THE_RECORDING = {"encounter", "recorded_at", "command", "ruleset_version", "drawn", "contributions", "as_seen"}
"""What differs each time a fight is played, what its faces follow from, whose eyes decide, and the version itself."""

Digests = dict[str, dict[str, str]]
"""By ruleset and version, and then by fight."""


def written_down() -> Digests:
    found: Digests = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def resolved_now(only: str = "") -> Digests:
    """Every stored fight under the rules of today, or those with this in their names."""
    digests: Digests = {}
    for name, ruleset, resolution in (*_old_fights(only), *_golden_fights(only)):
        version = f"{ruleset} {rulesets.find(ruleset).version}"
        digests.setdefault(version, {})[name] = _digest(resolution)
    return digests


def changed(then: Digests, now: Digests) -> list[str]:
    """The fights that resolve differently under a version that has been written down."""
    return [
        f"{version}: {name}"
        for version, fights in now.items()
        for name, digest in fights.items()
        if then.get(version, {}).get(name, digest) != digest
    ]


def _old_fights(only: str) -> Iterator[tuple[str, str, list[Any]]]:
    """Each declaration over its tape: what does not come out as recorded says how it resolves."""
    for folder in generations():
        for name, rows in fights_in(decompress((folder / LEDGER).read_bytes()).splitlines()).items():
            if only not in name:
                continue
            events = read(rows)
            findings = [finding.model_dump(mode="json") for finding in check_declarations(events)]
            yield f"{folder.name}/{name}", _ruleset(events), findings


def _golden_fights(only: str) -> Iterator[tuple[str, str, list[Any]]]:
    """Each scenario, played with the dice in its file."""
    for path in sorted(SCENARIOS.glob("*/*.yaml")):
        if only not in f"{path.parent.name}/{path.stem}":
            continue
        fight, _ = play_in_memory(read_scenario(path))
        yield f"{path.parent.name}/{path.stem}", _ruleset(fight.events), [*_meanings(fight.events)]


def _meanings(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """Without what the ruleset declared as concealing: it is written down when a fight is opened, and not resolved.
    Where it makes a difference, that is in the events after it.
    """
    for event in events:
        said = {name: value for name, value in meaning(event, "json").items() if name not in _OF_THE_RECORDING}
        if isinstance(event, EncounterOpened):
            said["options"] = {name: value for name, value in said["options"].items() if name != CONCEALS}
        yield said


def _ruleset(events: list[Event]) -> str:
    opened = events[0]
    assert isinstance(opened, EncounterOpened)
    return opened.ruleset


def _digest(resolution: list[Any]) -> str:
    return sha256(json.dumps(resolution, sort_keys=True).encode()).hexdigest()


def main(file: Path = FILE) -> None:
    then, now = written_down(), resolved_now()
    if different := changed(then, now):
        sys.exit(f"Raise the version of the ruleset first; these resolve differently: {', '.join(different)}.")
    merged = {version: then.get(version, {}) | now.get(version, {}) for version in sorted({*then, *now})}
    file.write_text(json.dumps(merged, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
