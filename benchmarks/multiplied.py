"""A ledger that is many times as large in everything that statistics read: the read models, and the facts of a lake.

To fold millions of events takes long and is not what is measured. So the rows of simulated fights are copied where they
are, under ids of their own. Their events are not, because no statistic reads them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from projections.lake.manifest import LakeFile, Writing, writing
from projections.lake.partitions import Partition
from projections.lake.places import Mounted, place_of
from projections.lake.reading import rows_in
from projections.lake.tables import EVENTS, LAKE_TABLES
from projections.parquet import Staging, staging, write_rows
from projections.readmodels.catalogue import TABLES
from projections.readmodels.ddl import FINGERPRINT, SCHEMA
from projections.readmodels.tables import Table


def multiply_read_models(url: str, times: int) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        for table in TABLES.values():
            conn.execute(_copies(table, times))
            conn.execute(SQL("VACUUM ANALYZE {}").format(Identifier(SCHEMA, table.name)))


def _copies(table: Table, times: int) -> Composed:
    others = SQL(", ").join(Identifier(column) for column in table.column_names if column != "encounter")
    return SQL(
        "INSERT INTO {table} (encounter, {others}) SELECT md5(encounter::text || copy)::uuid, {others}"
        " FROM {table}, generate_series(2, {times}) AS copy"
    ).format(table=Identifier(SCHEMA, table.name), others=others, times=times)


def multiply_lake(folder: Path, times: int) -> None:
    place = place_of(folder)
    with writing(place, FINGERPRINT) as lake, staging(lake.turn.room) as staged:
        files = place.mount(staged.conn)
        copies = [
            _copied(staged, lake, files, file, times) for file in lake.manifest.files if file.table != EVENTS.name
        ]
        lake.replace(files=(*lake.manifest.files, *copies))


def _copied(staged: Staging, lake: Writing, files: Mounted, file: LakeFile, times: int) -> LakeFile:
    table = LAKE_TABLES[file.table]
    rows = (
        f"SELECT * EXCLUDE (copy) REPLACE (md5(encounter || copy)::UUID::VARCHAR AS encounter)"
        f" FROM ({rows_in(table, files, [file])}), range(2, {times + 1}) AS copies (copy)"
    )
    write = partial(write_rows, staged.conn, rows, table)
    place, made_from = Partition(file.ruleset, file.month), range(file.first, file.last + 1)
    return lake.add(file.table, place, made_from, file.rows * (times - 1), write)
