"""Commands for lakes: the events and facts of a ledger as Parquet files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

import combatlog
from cli.analyse import SPARK, opened_lake
from cli.context import open_ledger
from cli.options import JOBS, JOBS_BESIDE_SERVER, JSON, SEALS, TRUST, argument, jobs_beside_server
from cli.render.findings import print_findings
from cli.render.json_types import LakeCompacted, LakeStatus, LakeWritten
from cli.render.report import print_table
from cli.render.terminal import print_json, print_json_list, progress_bar, say
from combatlog.rules.verification.seals_and_seat_records import read_seals
from combatlog.rules.verification.verify import VerificationReport
from projections.lake.manifest import Manifest
from projections.story.text import counted

LAKE = argument("lake", "Folder of the lake, or s3://, gs:// or az:// and BUCKET/FOLDER.", metavar="DIR|URL")


def write(lake: str = LAKE, jobs: int | None = JOBS_BESIDE_SERVER, as_json: bool = JSON) -> None:
    """The first run writes everything. A run that is interrupted is completed by the next one; nothing is written
    twice.

    Examples:
    combatlog lake write /data/lake
    combatlog lake write s3://bucket/lake --jobs 8 --json
    """
    with open_ledger() as ledger, progress_bar("events and facts") as show:
        done = ledger.write_lake(lake, show, jobs=jobs_beside_server(jobs))
    if as_json:
        written: LakeWritten = {
            "events": done.events,
            "encounters": done.encounters,
            "files": done.files,
            "position": done.position,
        }
        print_json(written)
    elif done.events:
        of = counted(done.encounters, "encounter")
        say(f"Wrote {counted(done.events, 'event')} of {of} in {counted(done.files, 'file')} to {lake}.")
    else:
        say(f"Nothing is new; {lake} is current.")


def compact(lake: str = LAKE, as_json: bool = JSON) -> None:
    """Rows that newer ones have replaced are dropped. The old files stay until the next run, for those who are reading
    them.

    Examples:
    combatlog lake compact /data/lake
    combatlog lake compact s3://bucket/lake
    """

    with progress_bar("tables") as show:
        done = combatlog.compact_lake(lake, show)
    if as_json:
        compacted: LakeCompacted = {
            "files_before": done.before,
            "files_after": done.after,
            "rows_dropped": done.rows_dropped,
        }
        print_json(compacted)
    elif done.before == done.after:
        say(f"There was nothing to put together in {lake}.")
    else:
        dropped = f"; dropped {counted(done.rows_dropped, 'replaced row')}" if done.rows_dropped else ""
        say(f"{lake} had {counted(done.before, 'file')} and has {done.after} now{dropped}.")


def verify(
    lake: str = LAKE,
    seals: list[Path] | None = SEALS,
    trust: list[str] | None = TRUST,
    jobs: int | None = JOBS,
    spark: str | None = SPARK,
    as_json: bool = JSON,
) -> None:
    """Checks sequence numbers, hashes and seals, resolves every declaration again, and compares the facts with what the
    events come to. No database is needed.

    Examples:
    combatlog lake verify /data/lake
    combatlog lake verify s3://bucket/lake --jobs 8 --seal bridge.seal.json
    combatlog lake verify s3://bucket/lake --spark spark://master:7077
    """
    if spark is not None and jobs is not None:
        raise typer.BadParameter("a Spark cluster divides the work by itself; omit --jobs.", param_hint="--jobs")
    held = read_seals(seals or [], trust or [])
    with opened_lake(lake, spark) as opened:
        reports = opened.verify(held, jobs=jobs or os.cpu_count() or 1)
        if as_json:
            stand = _print_reports(reports if spark is not None else list(reports))
        else:
            stand = print_findings(reports, opened.fights(held) if spark is None else None)
    if not stand:
        raise typer.Exit(1)


def _print_reports(reports: Iterable[VerificationReport]) -> bool:
    """As JSON; whether all of them stand. A cluster may have more reports than this machine can hold."""
    stand = True

    def documents() -> Iterator[dict[str, Any]]:
        nonlocal stand
        for report in reports:
            stand = stand and report.stands
            yield report.model_dump(mode="json")

    print_json_list(documents())
    return stand


def status(lake: str = LAKE, as_json: bool = JSON) -> None:
    """Examples:
    combatlog lake status /data/lake
    combatlog lake status s3://bucket/lake
    """
    with combatlog.open_lake(lake) as opened:
        manifest, rows = opened.manifest, opened.counts()
    if as_json:
        found: LakeStatus = {
            "position": manifest.position,
            "nodes": {str(node): last for node, last in sorted(manifest.nodes.items())},
            "events": manifest.events,
            "files": len(manifest.files),
            "tables": rows,
        }
        print_json(found)
        return
    files = counted(len(manifest.files), "file")
    say(f"{lake} has {counted(manifest.events, 'event')} in {files} (up to notification {_places(manifest)}).")
    print_table(("table", "rows"), rows.items())


def _places(manifest: Manifest) -> str:
    if not manifest.nodes:
        return str(manifest.position)
    return " and ".join(f"{last} of node {node}" for node, last in sorted(manifest.nodes.items()))
