"""Adds a generation: run `python -m tests.old_ledgers.record` once some kind of event has a new version.

The code of today plays the same fights again. What they come to has to be worked out by hand and written down in
`expected.yaml`. A generation that is there is never touched.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import combatlog
from combatlog.rules.verification.seals_and_seat_records import seal_encounter
from ledger.exchange.export import export_lines
from ledger.registry import KINDS
from ledger.store.database import HOME_VARIABLE, EmbeddedPostgres
from ledger.store.ledger import LedgerStore
from tests.old_ledgers.stories import tell_all

HERE = Path(__file__).parent
LEDGER, SEAL, VERSIONS = "ledger.jsonl.gz", "seal.json", "versions.json"
SEALED = "Old bridge"


def generations() -> list[Path]:
    return sorted(HERE.glob("v[0-9]*"), key=lambda folder: int(folder.name[1:]))


def versions_now() -> dict[str, int]:
    return {kind: cls.class_version for kind, cls in sorted(KINDS.items())}


def recorded_versions(generation: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((generation / VERSIONS).read_text())
    return found


def main() -> None:
    done = generations()
    if done and recorded_versions(done[-1]) == versions_now():
        sys.exit(f"{done[-1].name} has every kind in its current version; there is nothing to add.")
    folder = HERE / f"v{len(done) + 1}"
    with fresh_ledger() as ledger:
        tell_all(combatlog.Ledger(ledger))
        folder.mkdir()
        _write(ledger, folder)
    print(f"Recorded {folder}. Now work out what the fights come to, and write it into {folder / 'expected.yaml'}.")


def _write(ledger: LedgerStore, folder: Path) -> None:
    lines = export_lines(ledger, [listed.name for listed in ledger.list_encounters()])
    text = "".join(f"{line}\n" for line in lines)
    (folder / LEDGER).write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / SEAL).write_text(seal_encounter(ledger, SEALED).model_dump_json(indent=2) + "\n")
    (folder / VERSIONS).write_text(json.dumps(versions_now(), indent=2) + "\n")


@contextmanager
def fresh_ledger() -> Iterator[LedgerStore]:
    with TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as home:
        os.environ[HOME_VARIABLE] = home
        server = EmbeddedPostgres(Path(home) / "postgres")
        with LedgerStore.open(server.start()) as ledger:
            yield ledger
        server.stop()


if __name__ == "__main__":
    main()
