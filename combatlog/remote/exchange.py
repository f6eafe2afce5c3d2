"""Taking fights from a ledger behind a service, bringing fights there, and asking it about campaigns."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import UUID

from combatlog.ledger import Ledger, _reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from combatlog.ledger import Reference
    from combatlog.remote.wire import Wire
    from projections.report.models import CampaignReport
    from rules.engine.importing import Imported
    from rules.engine.roster import Member
    from rules.logs.importing import ImportedLog


class RemoteExchange(Ledger):
    wire: Wire

    def path_of(self, reference: str) -> str:
        """The address of a fight, below /v1."""
        from ledger.store import encounter_id

        is_plain = "/" not in reference and reference.strip(".") != ""
        return f"/encounters/{quote(reference if is_plain else str(encounter_id(reference)), safe='')}"

    def report(self, campaign: str) -> CampaignReport:
        from projections.report.models import CampaignReport

        return CampaignReport.model_validate(self.wire.get(f"{_campaign(campaign)}/report"))

    def roster(self, campaign: str) -> Sequence[Member]:
        from rules.engine.roster import Member

        return [Member.model_validate(one) for one in self.wire.get(f"{_campaign(campaign)}/characters")]

    def export_tables(self, folder: Path, format: str = "csv", fight: Reference | None = None) -> dict[str, Path]:
        path = f"{self.path_of(_reference(fight))}/export" if fight is not None else "/exports"
        return _unpacked(self.wire.content(path, format=format), folder)

    def import_events(
        self,
        file: IO[bytes],
        *,
        rename: Mapping[str, str | None] | None = None,
        rename_taken: bool = False,
        skip_existing: bool = False,
    ) -> Imported:
        names = [old if new is None else f"{old}={new}" for old, new in (rename or {}).items()]
        told = self.wire.upload(
            "/imports", file.read(), rename=names, rename_taken=rename_taken, skip_existing=skip_existing
        )
        return _imported(told)

    def import_log(
        self,
        format: str,
        files: Sequence[str | Path],
        *,
        campaign: str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> ImportedLog:
        """In one request: what several files have in common can only be told where all of them are."""
        from combatlog.remote.packing import packed
        from rules.logs.importing import ImportedLog

        content = packed([Path(file) for file in files])
        asked = {"format": format, "dry_run": dry_run, "packed": True} | ({"campaign": campaign} if campaign else {})
        told = self.wire.upload("/imports/logs", content, **asked)
        progress(len(content), len(content))
        return ImportedLog.model_validate(told)


def _campaign(name: str) -> str:
    return f"/campaigns/{quote(name, safe='')}"


def _unpacked(packed: bytes, folder: Path) -> dict[str, Path]:
    """The files by table. The names are made safe as they are written, whoever packed them."""
    from ledger.errors import Problem
    from projections.parquet import unusable
    from rules.content.limits import MAX_IMPORT

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(BytesIO(packed)) as tables:
            if sum(one.file_size for one in tables.infolist()) > MAX_IMPORT:
                raise Problem(
                    "export/too-large", f"The tables would have more than {MAX_IMPORT} bytes.", needed=MAX_IMPORT
                )
            files = [Path(tables.extract(name, folder)) for name in tables.namelist()]
    except OSError as error:
        raise unusable(folder, error) from error
    return {file.stem: file for file in files}


def _imported(told: Mapping[str, Any]) -> Imported:
    from ledger.import_conflicts import LeftOut, Why
    from rules.engine.import_renaming import Renamed
    from rules.engine.importing import Imported

    return Imported(
        told["encounters"],
        told["events"],
        told["known"],
        [LeftOut(one["name"], UUID(one["encounter"]), Why(one["why"])) for one in told["left_out"]],
        [Renamed(one["name"], one["new_name"], UUID(one["encounter"]), one["new"]) for one in told["renamed"]],
    )
