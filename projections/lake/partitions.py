"""Where the files of an encounter are filed: by its ruleset and the month in which it began, which never change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from ledger.dates import nearest_expressible
from ledger.listing import Listed
from ledger.listing import of as listed
from ledger.recorder import LedgerRecorder

UNKNOWN = "unknown"
"""For encounters whose beginning cannot be read."""
_LONGEST = 100


class Partition(NamedTuple):
    ruleset: str
    month: str

    def file(self, table: str, first: int, last: int, edition: int) -> PurePosixPath:
        place = PurePosixPath(table, f"ruleset={_file_name(self.ruleset)}", f"month={self.month}")
        return place / f"{first:012}-{last:012}.{edition}.parquet"


class Filed(NamedTuple):
    name: str
    partition: Partition


def filed(recorder: LedgerRecorder, encounters: Collection[UUID]) -> Mapping[UUID, Filed]:
    known = listed(recorder, encounters)
    return {encounter: _filed(encounter, known.get(encounter)) for encounter in encounters}


def _filed(encounter: UUID, found: Listed | None) -> Filed:
    if found is None or found.begun is None:
        return Filed(str(encounter), Partition(UNKNOWN, UNKNOWN))
    begun = nearest_expressible(found.begun)
    return Filed(found.name, Partition(found.ruleset or UNKNOWN, f"{begun.year:04}-{begun.month:02}"))


def _file_name(ruleset: str) -> str:
    """A ruleset's name may have any characters, and any length."""
    quoted = quote(ruleset, safe="")
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}~{sha256(quoted.encode()).hexdigest()[:16]}"
