"""A lake holds every event and every fact once, however often it is written, corrected and compacted in between."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.lake.location import MANIFEST, location_of
from projections.lake.manifest import read_manifest, writing
from projections.lake.reading import LakeReader
from projections.lake.writing import LakeWriteResult, compact_lake, write_lake
from projections.readmodels.schema_and_login import FINGERPRINT
from tests.projections.lake.support import events_in_lake, events_in_ledger, rows_in_lake, rows_in_read_models
from tests.projections.readmodels.support import History


def require_same(ledger: LedgerStore, where: str | Path) -> None:
    assert events_in_lake(where) == events_in_ledger(ledger)
    assert rows_in_lake(where) == rows_in_read_models(ledger)


@pytest.mark.slow
@pytest.mark.parametrize(("where", "seed"), [("folder", 1), ("s3", 2)], indirect=["where"])
def test_what_corrections_change_later_comes_out_right(ledger: LedgerStore, where: str, seed: int) -> None:
    """Fights that grow by play, undo, redo, amendments and forks; written in between, by batches of odd sizes."""
    chance = Random(seed)
    histories = [History(ledger, name, chance) for name in ("one", "two")]
    for _ in range(3):
        for history in histories:
            for _ in range(5):
                history.grow()
        write_lake(ledger, where, batch=chance.randrange(40, 300))
        require_same(ledger, where)
    compact_lake(where)
    require_same(ledger, where)
    histories[0].play()
    write_lake(ledger, where)
    require_same(ledger, where)


def test_files_are_filed_by_ruleset_and_month_and_named_by_what_they_are_made_from(
    ledger: LedgerStore, tmp_path: Path
) -> None:
    opened = Referee(ledger).open(Opening(name="bridge", ruleset="skirmish")).state
    Referee(ledger).open(Opening(name="hall"))
    written = write_lake(ledger, tmp_path)
    assert written == LakeWriteResult(events=2, encounters=2, files=written.files, position=2)
    month = f"{opened.encounter.recorded_at:%Y-%m}"
    for ruleset in ("skirmish", "dnd5e"):
        assert (tmp_path / f"events/ruleset={ruleset}/month={month}/000000000001-000000000002.1.parquet").is_file()
    assert {file.path for file in read_manifest(tmp_path).files} == {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.parquet")
    }


def test_writing_again_does_nothing(ledger: LedgerStore, where: str) -> None:
    Referee(ledger).open(Opening(name="bridge"))
    write_lake(ledger, where)
    before = read_manifest(where)
    assert write_lake(ledger, where) == LakeWriteResult(events=0, encounters=0, files=0, position=1)
    after = read_manifest(where)
    assert after.model_copy(update={"edition": before.edition, "writer": before.writer}) == before


@pytest.mark.slow
def test_the_facts_of_a_fight_are_written_once_in_a_run(ledger: LedgerStore, tmp_path: Path) -> None:
    """Fights that go on at the same time, so that every batch has events of all of them."""
    play_in_turns(ledger, 4)
    at_once = write_lake(ledger, tmp_path / "at once")
    one_by_one = write_lake(ledger, tmp_path / "one by one", batch=30)
    assert facts_in(tmp_path / "one by one") == facts_in(tmp_path / "at once")
    assert one_by_one._replace(files=0) == at_once._replace(files=0)
    assert one_by_one.encounters == 4


@pytest.mark.slow
def test_several_processes_write_the_same_lake_as_one(ledger: LedgerStore, where: str) -> None:
    play_in_turns(ledger, 5)
    write_lake(ledger, where, batch=30, jobs=2)
    require_same(ledger, where)


def play_in_turns(ledger: LedgerStore, fights: int) -> None:
    histories = [History(ledger, f"fight {number}", Random(number)) for number in range(fights)]
    for _ in range(3):
        for history in histories:
            history.play()


def facts_in(where: Path) -> dict[str, int]:
    """How many rows each table has in the files, those included that newer ones have replaced."""
    files = read_manifest(where).files
    tables = {file.table for file in files}
    return {table: sum(file.rows for file in files if file.table == table) for table in tables}


class Stopped(Exception):
    pass


def stop(done: int, total: int) -> None:
    """Interrupts a run after its first step."""
    assert 0 < done <= total
    raise Stopped


@pytest.mark.slow
@pytest.mark.parametrize("grows", [False, True])
def test_runs_that_come_one_step_far_write_the_lake_together(ledger: LedgerStore, tmp_path: Path, grows: bool) -> None:
    """Readers see the lake as the last complete run left it."""
    play_in_turns(ledger, 3)
    history = History(ledger, "another", Random(7))
    for step in range(50):
        try:
            write_lake(ledger, tmp_path, stop, batch=60)
        except Stopped:
            if grows and step in (2, 8):
                history.play()
                compact_lake(tmp_path)
            require_whole(tmp_path)
        else:
            break
    assert 8 < step < 49
    require_same(ledger, tmp_path)


@pytest.mark.slow
def test_what_an_interrupted_run_has_folded_is_not_folded_again(ledger: LedgerStore, tmp_path: Path) -> None:
    play_in_turns(ledger, 3)
    while (run := read_manifest(tmp_path).underway if any(tmp_path.iterdir()) else None) is None or not run.folded:
        with pytest.raises(Stopped):
            write_lake(ledger, tmp_path, stop, batch=60)
    Referee(ledger).open(Opening(name="another"))
    write_lake(ledger, tmp_path, batch=60)
    assert facts_in(tmp_path)["fights"] == 4
    require_same(ledger, tmp_path)


def require_whole(where: Path) -> None:
    """No events without facts, and no facts without events."""
    with LakeReader.open(where) as lake:
        last = {encounter: lake.own_rows(encounter)[-1][1] for encounter in lake.ids()}
        heads = lake.heads(lake.listed())
        assert heads == {encounter: (row.seq, row.hash) for encounter, row in last.items()}


def test_an_empty_ledger_makes_an_empty_lake(ledger: LedgerStore, where: str) -> None:
    assert write_lake(ledger, f"{where}/new/lake").events == 0
    with LakeReader.open(f"{where}/new/lake") as lake:
        assert lake.sql("SELECT count(*) FROM attacks").rows == [(0,)]


@pytest.mark.slow
def test_compaction_leaves_one_file_for_each_table_and_drops_what_was_replaced(ledger: LedgerStore, where: str) -> None:
    history = History(ledger, "one", Random(3))
    for _ in range(3):
        history.play()
        write_lake(ledger, where)
    compacted = compact_lake(where)
    files = read_manifest(where).files
    assert len(files) == len({file.table for file in files}) == compacted.after < compacted.before
    assert compacted.rows_dropped > 0
    assert compact_lake(where).rows_dropped == 0
    assert len(location_of(where).files()) == compacted.after
    require_same(ledger, where)


@pytest.mark.slow
def test_who_began_to_read_before_a_compaction_reads_on(ledger: LedgerStore, where: str) -> None:
    history = History(ledger, "one", Random(3))
    for _ in range(2):
        history.play()
        write_lake(ledger, where)
    with LakeReader.open(where) as lake:
        before = lake.sql("SELECT count(*) FROM events").rows
        compact_lake(where)
        assert lake.sql("SELECT count(*) FROM events").rows == before


def test_one_writer_at_a_time_in_a_folder(ledger: LedgerStore, tmp_path: Path) -> None:
    with writing(location_of(tmp_path), FINGERPRINT), pytest.raises(Problem) as caught:
        write_lake(ledger, tmp_path)
    assert caught.value.code == "lake/busy"


def test_a_folder_with_other_things_is_left_alone(ledger: LedgerStore, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Problem) as caught:
        write_lake(ledger, tmp_path)
    assert caught.value.code == "lake/not-empty"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_lake_knows_its_ledger(ledger: LedgerStore, make_database: object, embedded: str, where: str) -> None:
    Referee(ledger).open(Opening(name="bridge"))
    write_lake(ledger, where)
    with LedgerStore.open(make_database(embedded)) as other:  # type: ignore[operator]
        Referee(other).open(Opening(name="another"))
        with pytest.raises(Problem) as caught:
            write_lake(other, where)
    assert caught.value.code == "lake/other-ledger"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "lake/unreadable"),
        ('{"format": 2, "form": "x"}', "lake/other-format"),
        ('{"form": "x"}', "lake/other-form"),
    ],
)
def test_a_list_of_files_that_is_not_ours_is_refused(tmp_path: Path, content: str, code: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(Problem) as caught:
        LakeReader.open(tmp_path)
    assert caught.value.code == code


def test_any_folder_name_and_any_ruleset_name_will_do(ledger: LedgerStore, tmp_path: Path) -> None:
    folder = tmp_path / "a [lake] * 'here'?"
    Referee(ledger).open(Opening(name="bridge"))
    write_lake(ledger, folder)
    with LakeReader.open(folder) as lake:
        assert lake.sql("SELECT name FROM encounters").rows == [("bridge",)]
