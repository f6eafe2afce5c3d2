"""Commands for what is derived from the ledger: the read models behind the statistics, and lakes of Parquet files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import combatlog
from cli.analyse import SPARK, opened_lake, why_behind
from cli.command import shows
from cli.context import open_ledger
from cli.options import JOBS, JOBS_BESIDE_SERVER, JSON, SEALS, TRUST, argument, flag, jobs_beside_server
from cli.render.report import print_table
from cli.render.terminal import present, print_json_list, progress_bar, say
from projections.readmodels.session import ReadModelProgress, catch_up, status_of
from projections.story.text import clean, counted

if TYPE_CHECKING:
    from cli.render.json_types import LakeCompacted, LakeStatus, LakeWritten, ReadModelStatus
    from combatlog.rules.verification.verify import VerificationReport
    from projections.lake.manifest import Manifest
    from projections.lake.writing import LakeCompaction, LakeWriteResult

LAKE = argument("Folder of the lake, or s3://, gs:// or az:// and BUCKET/FOLDER.", metavar="DIR|URL")


def _say_read_models(found: ReadModelProgress) -> None:
    behind = f"{counted(found.lag.events, 'event')} behind the ledger" if found.lag.events else "current"
    say(f"The read models are {behind} ({_positions(found)}).")
    say(why_behind(found.lag) if found.lag.writer else "Every statistic brings them up to date before it answers.")
    print_table(("table", "rows"), found.tables.items())
    for entry in found.set_aside:
        left_out = f"{counted(entry.events, 'event')} from event {entry.seq} on"
        say(f"Encounter {entry.encounter}: {left_out} left out: {clean(entry.reason)}", "yellow")


def _positions(found: ReadModelProgress) -> str:
    if len(found.head) == 1:
        return f"at notification {found.position[0]} of {found.head[0]}"
    return "; ".join(f"node {node} at notification {found.position[node]} of {found.head[node]}" for node in found.head)


def _read_models_as_data(found: ReadModelProgress) -> ReadModelStatus:
    first, last = min(found.head), found.lag.writer
    since = last.since.isoformat() if last is not None and last.since else None
    return {
        "position": found.position[first],
        "head": found.head[first],
        "nodes": [
            {"node": node, "position": found.position[node], "head": found.head[node]} for node in sorted(found.head)
        ],
        "behind": found.lag.events,
        "writer": {"user": last.user, "since": since} if last is not None else None,
        "tables": found.tables,
        "set_aside": [
            {"encounter": str(entry.encounter), "seq": entry.seq, "events": entry.events, "reason": entry.reason}
            for entry in found.set_aside
        ],
    }


@shows(_say_read_models, _read_models_as_data)
def show_read_models() -> ReadModelProgress:
    """Example: combatlog projections status"""
    with open_ledger() as ledger:
        return status_of(ledger.store)


def follow(once: bool = flag("Bring them up to date, then stop.")) -> None:
    """Example: combatlog projections run"""
    with open_ledger() as ledger:
        new = catch_up(ledger.store)
        lag = ledger.lag()
        url = ledger.store.url
    how_far = f"{counted(lag.events, 'event')} behind. {why_behind(lag)}" if lag.events else "current."
    say(f"Read {counted(new, 'new event')}; the read models are {how_far}")
    if not once:
        _follow(url)


def _follow(url: str) -> None:
    from projections.readmodels.runner import ReadModelFollower

    with ReadModelFollower(url) as follower:
        say("Following the ledger; press Ctrl-C to stop.")
        try:
            follower.run_forever()
        except KeyboardInterrupt:
            say("Stopped; the next run continues from here.")


def rebuild(jobs: int | None = JOBS_BESIDE_SERVER) -> None:
    """The old read models can be read until the new ones are in place.

    Examples:
    combatlog projections rebuild
    combatlog projections rebuild --jobs 8
    """
    from projections.readmodels.rebuild import rebuild as make_anew

    with open_ledger() as ledger:
        url = ledger.store.url
    with progress_bar("events") as progress:
        made = make_anew(url, progress, jobs=jobs_beside_server(jobs))
    say(f"Rebuilt {counted(made.rows, 'row')} from {counted(made.events, 'event')}.")
    if made.still_read:
        say("The old tables are still being read, so they were left; the next rebuild removes them.", "yellow")


def write_lake(lake: str = LAKE, jobs: int | None = JOBS_BESIDE_SERVER, as_json: bool = JSON) -> None:
    """The first run writes everything. The next run completes one that was interrupted; nothing is written twice.

    Examples:
    combatlog lake write /data/lake
    combatlog lake write s3://bucket/lake --jobs 8 --json
    """
    with open_ledger() as ledger, progress_bar("events and facts") as show:
        done = ledger.write_lake(lake, show, jobs=jobs_beside_server(jobs))
    present(as_json, lambda: _written(done), lambda: _say_written(done, lake))


def _written(done: LakeWriteResult) -> LakeWritten:
    return {"events": done.events, "encounters": done.encounters, "files": done.files, "position": done.position}


def _say_written(done: LakeWriteResult, lake: str) -> None:
    if done.events:
        of = counted(done.encounters, "encounter")
        say(f"Wrote {counted(done.events, 'event')} of {of} in {counted(done.files, 'file')} to {lake}.")
    else:
        say(f"Nothing is new; {lake} is current.")


def compact_lake(lake: str = LAKE, as_json: bool = JSON) -> None:
    """Rows that newer ones have replaced are dropped. The old files stay until the next run, since they may be in use.

    Examples:
    combatlog lake compact /data/lake
    combatlog lake compact s3://bucket/lake
    """
    with progress_bar("tables") as show:
        done = combatlog.compact_lake(lake, show)
    present(as_json, lambda: _compacted(done), lambda: _say_compacted(done, lake))


def _compacted(done: LakeCompaction) -> LakeCompacted:
    return {"files_before": done.before, "files_after": done.after, "rows_dropped": done.rows_dropped}


def _say_compacted(done: LakeCompaction, lake: str) -> None:
    if done.before == done.after:
        say(f"There was nothing to merge in {lake}.")
        return
    dropped = f"; dropped {counted(done.rows_dropped, 'replaced row')}" if done.rows_dropped else ""
    say(f"{lake} had {counted(done.before, 'file')} and has {done.after} now{dropped}.")


def verify_lake(
    lake: str = LAKE,
    seals: list[Path] | None = SEALS,
    trust: list[str] | None = TRUST,
    jobs: int | None = JOBS,
    spark: str | None = SPARK,
    as_json: bool = JSON,
) -> None:
    """Checks sequence numbers, hashes and seals, resolves every declaration again, and compares the facts with what
    follows from the events. No database is needed.

    Examples:
    combatlog lake verify /data/lake
    combatlog lake verify s3://bucket/lake --jobs 8 --seal bridge.seal.json
    combatlog lake verify s3://bucket/lake --spark spark://master:7077
    """
    from cli.render.findings import print_findings
    from combatlog.rules.verification.seals_and_seat_records import read_seals

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
    """Print JSON, and return whether all stand. A cluster may have more reports than fit into memory here."""
    stand = True

    def documents() -> Iterator[dict[str, Any]]:
        nonlocal stand
        for report in reports:
            stand = stand and report.stands
            yield report.model_dump(mode="json")

    print_json_list(documents())
    return stand


def show_lake(lake: str = LAKE, as_json: bool = JSON) -> None:
    """Examples:
    combatlog lake status /data/lake
    combatlog lake status s3://bucket/lake
    """
    with combatlog.open_lake(lake) as opened:
        manifest, rows = opened.manifest, opened.counts()
    present(as_json, lambda: _lake_as_data(manifest, rows), lambda: _say_lake(lake, manifest, rows))


def _lake_as_data(manifest: Manifest, rows: dict[str, int]) -> LakeStatus:
    return {
        "position": manifest.position,
        "nodes": {str(node): last for node, last in sorted(manifest.nodes.items())},
        "events": manifest.events,
        "files": len(manifest.files),
        "tables": rows,
    }


def _say_lake(lake: str, manifest: Manifest, rows: dict[str, int]) -> None:
    places = [f"{last} of node {node}" for node, last in sorted(manifest.nodes.items())] or [str(manifest.position)]
    files = counted(len(manifest.files), "file")
    say(f"{lake} has {counted(manifest.events, 'event')} in {files} (up to notification {' and '.join(places)}).")
    print_table(("table", "rows"), rows.items())
