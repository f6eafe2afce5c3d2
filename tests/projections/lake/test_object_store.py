"""A lake in an object store: writers that meet there, and what can go wrong on the way, in one sentence each."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Barrier, Thread
from urllib.parse import urlsplit

import pytest

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.lake.location import MANIFEST, WriterTurn, location_of
from projections.lake.manifest import LakeFile, Partition, read_manifest, writing
from projections.lake.reading import LakeReader
from projections.lake.writing import LakeWriteResult, compact_lake, write_lake
from projections.readmodels.schema_and_login import FINGERPRINT
from tests.conftest import free_port
from tests.object_stores import BUCKET, asking_for_permission, azure_server, key_without_permission
from tests.projections.lake.support import not_listed, replace_file
from tests.projections.lake.test_writing import require_same
from tests.projections.readmodels.support import History

READ = "SELECT sum(seq) FROM events"

# Two writers


def test_whoever_begins_later_goes_on_and_the_other_gives_up(ledger: LedgerStore, s3: str) -> None:
    History(ledger, "one", Random(1)).grow()
    with writing(location_of(s3), FINGERPRINT) as earlier:
        assert write_lake(ledger, s3).events
        with pytest.raises(Problem) as caught:
            earlier.replace(files=())
    assert caught.value.code == "lake/busy"
    require_same(ledger, s3)


def test_of_two_who_make_a_lake_at_once_one_gives_up(s3: str) -> None:
    place = location_of(s3)
    with place.turn() as one, place.turn() as other:
        one.replace_list(b"{}")
        with pytest.raises(Problem) as caught:
            other.replace_list(b"{ }")
    assert caught.value.code == "lake/busy"
    assert place.read_list() == b"{}"


def test_nobody_tidies_up_the_files_of_somebody_who_began_later(s3: str) -> None:
    place = location_of(s3)
    with writing(place, FINGERPRINT) as earlier, writing(place, FINGERPRINT) as later:
        left_behind = add_file(earlier.turn, earlier.manifest.edition + 1)
        file = add_file(later.turn, later.manifest.edition + 1)
        later.replace(files=(file,))
        earlier.remove_leftovers()
        assert file.path in place.files()
    assert not_listed(s3) in ([], [left_behind.path])
    with writing(place, FINGERPRINT):
        assert place.files() == {file.path: 4}


def add_file(turn: WriterTurn, edition: int) -> LakeFile:
    path = str(Partition("d&d 5%/ü", "2026-11").file("events", 1, 2, edition))
    with turn.adding(path) as file:
        file.write_bytes(b"rows")
    return LakeFile(table="events", ruleset="d&d 5%/ü", month="2026-11", path=path, rows=1, first=1, last=2)


@pytest.mark.slow
def test_several_at_once_add_nothing_twice(ledger: LedgerStore, s3: str) -> None:
    """All begin together, in small batches; whoever is overtaken says so, and in the end everything is there once."""
    for name in ("one", "two"):
        History(ledger, name, Random(name)).play()
    start = Barrier(3)

    def write(_: int) -> LakeWriteResult | Problem:
        with LedgerStore.open(ledger.url) as own:
            start.wait()
            try:
                return write_lake(own, s3, batch=25)
            except Problem as problem:
                return problem

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(write, range(3)))
    lost = [one for one in found if isinstance(one, Problem)]
    assert {one.code for one in lost} <= {"lake/busy"}
    assert len(lost) < 3
    require_same(ledger, s3)
    write_lake(ledger, s3)
    assert not_listed(s3) == []


def test_a_lake_that_does_not_fit_is_left_to_whoever_writes_it(ledger: LedgerStore, s3: str) -> None:
    with writing(location_of(s3), "another form") as earlier:
        with pytest.raises(Problem) as caught:
            write_lake(ledger, s3)
        assert caught.value.code == "lake/other-form"
        earlier.replace(files=())


# What is lost on the way


class Between(BaseHTTPRequestHandler):
    """Passes requests on to a store, without some headers, and may lose its answers to every other list that is put."""

    protocol_version = "HTTP/1.1"
    store: str
    without: Collection[str] = ()
    loses = False
    lists = 0

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = HTTPConnection(urlsplit(self.store).netloc)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in self.without}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if self.command == "PUT" and self.path.endswith(MANIFEST):
            type(self).lists += 1
            if self.loses and self.lists % 2 and answer.status == 200:
                self.close_connection = True
                return
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass_on  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Nobody wants to read it."""


@contextmanager
def between(store: str, **how: object) -> Iterator[str]:
    handler = type("Own", (Between,), {"store": store, **how})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_a_list_whose_answer_was_lost_is_known_again(
    ledger: LedgerStore, s3: str, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request is repeated and then refused, since the list is no longer the one that was to be replaced."""
    History(ledger, "one", Random(1)).play()
    with between(s3_server, loses=True) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy)
        write_lake(ledger, s3, batch=30)
        compact_lake(s3)
        require_same(ledger, s3)


@pytest.mark.parametrize("without", [["if-match"], ["if-none-match"]])
def test_a_store_that_ignores_conditions_is_refused(
    ledger: LedgerStore, s3: str, s3_server: str, monkeypatch: pytest.MonkeyPatch, without: list[str]
) -> None:
    with between(s3_server, without=without) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy)
        with pytest.raises(Problem) as caught:
            write_lake(ledger, s3)
        assert caught.value.code == "lake/no-conditions"
        assert refusal(s3).code == "lake/none"


@pytest.mark.slow
def test_a_file_that_is_gone_while_it_is_read(ledger: LedgerStore, s3: str) -> None:
    history = History(ledger, "one", Random(3))
    for _ in range(2):
        history.play()
        write_lake(ledger, s3)
    with LakeReader.open(s3) as lake:
        compact_lake(s3)
        compact_lake(s3)
        for ask in (lake.ids, partial(lake.sql, READ), partial(lake.cursor().execute, READ)):
            with pytest.raises(Problem) as caught:
                ask()
            assert caught.value.code == "lake/changed"


# What is refused


@pytest.mark.parametrize(
    "url",
    [
        "ftp://bucket/x",
        "file:///tmp/x",
        "s3://",
        "s3:///x",
        "s3://key:secret@bucket/x",
        "s3://b/../x",
        "s3://b/x?y",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(Problem) as caught:
        read_manifest(url)
    assert caught.value.code == "lake/address"


def test_without_a_scheme_a_folder_is_meant() -> None:
    with pytest.raises(Problem) as caught:
        read_manifest("://")
    assert caught.value.code == "lake/none"


def test_a_place_has_one_name(s3: str) -> None:
    assert str(location_of(f"{s3}/")) == s3
    assert str(location_of("gs://bucket/")) == "gs://bucket"


def refusal(where: str) -> Problem:
    with pytest.raises(Problem) as caught:
        read_manifest(where)
    return caught.value


def test_what_the_store_says(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(s3).code == "lake/none"
    assert refusal("s3://nowhere/lake").code == "lake/no-bucket"
    with pytest.raises(Problem) as caught, location_of("s3://nowhere/lake").turn():
        pass
    assert caught.value.code == "lake/no-bucket"
    replace_file(s3, "notes.txt", b"mine")
    with pytest.raises(Problem) as caught, location_of(s3).turn():
        pass
    assert caught.value.code == "lake/not-empty"
    assert caught.value.facts["found"] == ["notes.txt"]
    replace_file(s3, MANIFEST, b"{")
    assert refusal(s3).code == "lake/unreadable"
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    assert refusal(s3).code == "lake/unreachable"


@pytest.mark.parametrize("address", ["nonsense", "ftp://here", "http://", "http://here:x", "http://a b"])
def test_what_is_no_server(s3: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    found = refusal(s3)
    assert found.code == "lake/endpoint"
    assert address in found.sentence


def test_who_may_do_what(s3: str, s3_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, secret = key_without_permission(s3_server)
    with asking_for_permission(s3_server):
        found = refusal(s3)
        assert found.code == "lake/credentials"
        assert "AWS_ACCESS_KEY_ID" in found.facts["variables"]
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
        assert refusal(s3).code == "lake/denied"


@pytest.mark.parametrize(
    "missing", [["AWS_ACCESS_KEY_ID"], ["AWS_SECRET_ACCESS_KEY"], ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]]
)
def test_without_credentials(s3: str, monkeypatch: pytest.MonkeyPatch, missing: list[str]) -> None:
    for name in missing:
        monkeypatch.delenv(name)
    assert refusal(s3).code == "lake/no-credentials"


@pytest.mark.parametrize("package", ["obstore", "fsspec"])
def test_without_a_package(s3: str, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    found = refusal(s3)
    assert (found.code, found.facts["needed"]) == ("lake/not-installed", [package])


# Other stores


def test_azure_without_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT", "AZURE_ACCOUNT_NAME"):
        monkeypatch.delenv(name, raising=False)
    assert refusal("az://container/lake").code == "lake/no-credentials"


def test_azure(ledger: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(ledger, "one", Random(1))
    with azure_server(tmp_path, free_port()) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert refusal("az://nowhere/lake").code == "lake/no-bucket"
        lake = f"az://{BUCKET}/lake"
        for _ in range(2):
            history.play()
            write_lake(ledger, lake, batch=60)
        compact_lake(lake)
        require_same(ledger, lake)
        with writing(location_of(lake), FINGERPRINT) as earlier:
            compact_lake(lake)
            with pytest.raises(Problem) as caught:
                earlier.replace(files=())
        assert caught.value.code == "lake/busy"
        assert not_listed(lake) == []
        monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "d3Jvbmc=")
        assert refusal(lake).code in ("lake/credentials", "lake/denied")
