"""Lakes from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.render.terminal import print_json, print_json_list
from projections.lake.manifest import read_manifest
from tests.cli.conftest import Run
from tests.projections.lake.support import put_in_place_of_another, read_file, remove_file, replace_file

BRIDGE = Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml"


@pytest.mark.slow
def test_a_lake_is_written_extended_and_put_together(bridge: Run, where: str) -> None:
    written = bridge("lake", "write", where)
    assert written.status == 0
    assert written.out.startswith("Wrote ")
    assert bridge("lake", "write", where).out == f"Nothing is new; {where} is current.\n"
    bridge("do", "bridge", "snig", "attack")
    added = json.loads(bridge("lake", "write", where, "--json").out)
    assert (added["events"], added["encounters"]) == (4, 1)
    before = json.loads(bridge("lake", "status", where, "--json").out)
    compacted = json.loads(bridge("lake", "compact", where, "--json").out)
    assert compacted["files_before"] == before["files"] > compacted["files_after"]
    after = json.loads(bridge("lake", "status", where, "--json").out)
    assert after == {**before, "files": compacted["files_after"]}
    assert after["tables"]["events"] == after["events"] == added["position"]
    assert "combatants" in bridge("lake", "status", where).out


@pytest.mark.slow
def test_a_lake_is_verified_without_its_ledger(bridge: Run, where: str) -> None:
    bridge("lake", "write", where)
    verified = bridge("lake", "verify", where)
    assert verified.status == 0
    assert "bridge is as recorded" in verified.out
    (report,) = json.loads(bridge("lake", "verify", where, "--jobs", "1", "--json").out)
    assert (report["name"], report["findings"]) == ("bridge", [])
    put_in_place_of_another(where, "combatants", "events")
    damaged = bridge("lake", "verify", where)
    assert (damaged.status, damaged.code) == (1, "lake/damaged-file")


@pytest.mark.slow
def test_a_lake_answers_like_the_ledger(run: Run, where: str) -> None:
    assert run("run", str(BRIDGE)).status == 0
    run("lake", "write", where)
    asked = ("stats", "hits", "--by", "side", "--csv")
    assert run(*asked, "--lake", where) == run(*asked)
    query = ("sql", "SELECT attacker, count(*) AS n FROM attacks GROUP BY 1 ORDER BY 1", "--json")
    assert run(*query, "--lake", where) == run(*query)
    assert "events: Every event as it is stored." in run("sql", "--schema", "--lake", where).out
    assert run("sql", "SELECT * FROM read_text('/etc/hostname')", "--lake", where).code == "sql/read-only"
    assert run("stats", "hits", "--lake", where, "--plot", "x.svg").status == 2


def test_a_replica_and_a_lake_exclude_each_other(bridge: Run, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bridge("lake", "write", folder)
    refused = bridge("stats", "hits", "--lake", folder, "--replica", "postgresql://nowhere/ledger")
    assert (refused.status, "a lake is read without a database" in refused.err) == (2, True)
    monkeypatch.setenv("COMBATLOG_REPLICA_URL", "postgresql://nowhere/ledger")
    assert bridge("stats", "hits", "--lake", folder).status == 0


def test_what_a_query_is_refused_with(bridge: Run, folder: str) -> None:
    bridge("lake", "write", folder)
    for query, sentence in (
        ("DROP TABLE attacks", "Only a SELECT can be asked of a lake."),
        ("SELEC 1", 'This is not valid SQL: syntax error at or near "SELEC".'),
        ("SELECT * FROM nowhere", "Table with name nowhere does not exist."),
        ("SELECT * FROM glob('/*')", "Only the tables of the lake can be queried, and nothing can be changed"),
    ):
        refused = bridge("sql", query, "--lake", folder)
        assert (refused.status, sentence in refused.err) == (1, True), refused.err


def test_columns_of_a_query_keep_their_names(bridge: Run, folder: str) -> None:
    bridge("lake", "write", folder)
    assert (
        bridge("sql", "SELECT count(*) FROM encounters", "--lake", folder).out.splitlines()[0].strip() == "count_star()"
    )


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_a_writer_finds_files_that_are_gone_or_cut_off(bridge: Run, where: str, damage: str) -> None:
    bridge("lake", "write", where)
    (file,) = read_manifest(where).of("events")
    if damage == "missing":
        remove_file(where, file.path)
    else:
        replace_file(where, file.path, read_file(where, file.path)[:-10])
    code = {"missing": "lake/missing-file", "truncated": "lake/damaged-file"}[damage]
    for command in ("write", "compact"):
        found = bridge("lake", command, where)
        assert (found.status, found.code) == (1, code), found


def test_nothing_to_put_together(bridge: Run, folder: str) -> None:
    bridge("lake", "write", folder)
    assert bridge("lake", "compact", folder).out == f"There was nothing to merge in {folder}.\n"


def test_an_empty_name_names_no_lake_and_no_replica(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (("lake", "write", ""), ("lake", "status", " "), ("stats", "hits", "--lake", "")):
        assert run(*arguments).code == "lake/address"
    assert "There is no lake in '.'." in run("lake", "status", ".").err
    refused = run("stats", "hits", "--replica", "")
    assert (refused.status, "give the URL of a replica" in refused.err) == (2, True)
    monkeypatch.setenv("COMBATLOG_REPLICA_URL", "")
    assert run("stats", "hits").status == 0


def test_a_cluster_divides_the_work_by_itself(run: Run) -> None:
    refused = run("lake", "verify", "lake", "--spark", "local[1]", "--jobs", "2")
    assert (refused.status, "a Spark cluster divides the work by itself" in refused.err) == (2, True)


@pytest.mark.parametrize("items", [[], [{"a": [1, {"b": "é\n\x1b"}]}], [1, [], {}, "x"]])
def test_a_list_that_is_written_while_it_comes_is_the_same_document(
    items: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    print_json(items)
    whole = capsys.readouterr().out
    print_json_list(iter(items))
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("status", "nowhere"), "lake/none"),
        (("compact", "nowhere"), "lake/none"),
        (("write", "/dev/null/lake"), "file/unusable"),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], code: str) -> None:
    assert run("lake", *arguments).code == code
