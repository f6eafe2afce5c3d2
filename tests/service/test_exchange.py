"""Fights that leave and arrive over HTTP: every format, from every seat, by the same code as on the command line."""

from __future__ import annotations

import gzip
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

import combatlog
from tests.cases import each
from tests.rules.logs.test_dice_text import SESSION
from tests.service.conftest import FIGHT, Service

EXPORTED = Path(__file__).parents[1] / "old_ledgers" / "v5" / "ledger.jsonl.gz"
BYTES = {"Content-Type": "application/octet-stream"}


def send(service: Service, seat: str, path: str, content: bytes, **query: str | bool) -> tuple[int, dict[str, object]]:
    answer = service.client(seat).post(f"/v1/{path}", content=content, params=query, headers=BYTES)
    return answer.status_code, answer.json()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "media_type"),
    [("jsonl", "application/x-ndjson"), ("markdown", "text/markdown"), ("html", "text/html")],
)
def test_what_a_seat_exports_is_what_it_saw(service: Service, form: str, media_type: str) -> None:
    whole = service.get("gm", f"export?format={form}")
    seen = service.get("rurik", f"export?format={form}")
    assert (whole.status_code, seen.status_code) == (200, 200)
    assert whole.headers["content-type"].partition(";")[0] == media_type
    assert "Grimjaw" in whole.text
    assert "grimjaw" not in seen.text.lower()
    assert "Rurik" in seen.text


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_are_for_those_who_see_everything(service: Service, database: str, tmp_path: Path, form: str) -> None:
    with combatlog.open(database) as ledger:
        expected = {path.name for path in ledger.export_tables(tmp_path, form, FIGHT).values()}
    for seat in ("gm", "auditor"):
        answer = service.get(seat, f"export?format={form}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
        with zipfile.ZipFile(BytesIO(answer.content)) as file:
            assert set(file.namelist()) == expected
            assert file.testzip() is None
    for seat in ("rurik", "spectator"):
        assert service.get(seat, f"export?format={form}").json()["code"] == "seat/not-allowed"


def test_fights_of_another_ledger(service: Service, database: str) -> None:
    """Sent again they are there already; from a seat at one fight they are refused, and nothing is recorded."""
    exported = gzip.decompress(EXPORTED.read_bytes())
    assert send(service, "gm", "imports", exported)[0] == 403
    with combatlog.open(database) as ledger:
        before = len(ledger.begun())
        status, done = send(service, "host", "imports", exported)
        assert status == 200
        assert done["events"] == len(exported.splitlines())
        assert len(ledger.begun()) > before
        assert all(ledger.fight(fight).verify().findings == [] for fight in ledger.begun())
    assert send(service, "host", "imports", exported)[1]["events"] == 0


def test_a_fight_under_another_name(service: Service, database: str) -> None:
    exported = service.get("gm", "export").content
    with combatlog.open(database) as ledger:
        ledger.fight(FIGHT).rule(note="it rains", reason="mood")
    changed = exported.replace(b"bridge", b"brigde")
    assert send(service, "host", "imports", changed)[0] == 422  # the hashes no longer fit
    status, done = send(service, "host", "imports", exported)
    assert (status, done["events"]) == (200, 0)  # it has gone on here since


@pytest.mark.slow
@each("content", [b"", b"\n", b"no json\n", b"\xff\xfe", b'{"kind": "nonsense"}\n'])
def test_what_is_no_export_is_refused(service: Service, content: bytes) -> None:
    status, _ = send(service, "host", "imports", content)
    assert status in (200, 422)


def test_a_log_of_another_tool(service: Service, database: str) -> None:
    query = {"format": "dice", "name": "session.txt", "campaign": "Riverlands"}
    assert send(service, "gm", "imports/logs", SESSION.encode(), **query)[0] == 403
    status, tried = send(service, "host", "imports/logs", SESSION.encode(), **query, dry_run=True)
    assert (status, tried["dry_run"], tried["fights"]) == (200, True, 1)
    with combatlog.open(database) as ledger:
        assert "session" not in ledger.names()
        status, done = send(service, "host", "imports/logs", SESSION.encode(), **query)
        assert (status, done["lines"], done["unread"]) == (200, 7, {"dice text": 1})
        assert ledger.fight("session").verify().findings == []
    assert send(service, "host", "imports/logs", SESSION.encode(), **query)[1]["events"] == 0


def test_a_file_is_called_what_files_are_called(service: Service) -> None:
    for name in ("../../etc/passwd", ".hidden", "a/b", ""):
        assert send(service, "host", "imports/logs", b"", format="dice", name=name)[0] == 422
    assert send(service, "host", "imports/logs", b"x", format="nonsense")[0] == 422


def _zip(**files: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return packed.getvalue()


def test_several_logs_in_one_zip(service: Service) -> None:
    """In the order of their numbers, also if somebody packed the folders themselves first."""
    files = {"2/": b"", "2/evening.txt": SESSION.encode(), "10/late.txt": b"", "1/morning.txt": SESSION.encode()}
    status, done = send(service, "host", "imports/logs", _zip(**files), format="dice", packed=True)
    assert (status, done["fights"]) == (200, 2)
    assert send(service, "host", "imports/logs", _zip(**files), format="dice", packed=True)[1]["events"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "request/not-a-zip"),
        (b"PK\x03\x04 and nothing more", "request/not-a-zip"),
        (_zip(**{"morning.txt": b""}), "request/not-a-zip"),
        (_zip(**{"one/morning.txt": b"x"}), "request/not-a-zip"),
        (_zip(**{"1/a": b"", "1/a/b": b""}), "request/not-a-zip"),
        (_zip(**{f"1/{'n' * 300}": b""}), "request/not-a-zip"),
        (None, "request/too-large"),
    ],
    ids=["empty", "cut off", "no folder", "no number", "file and folder", "name too long", "bomb"],
)
def test_what_is_no_zip_of_logs_is_refused(service: Service, content: bytes | None, code: str) -> None:
    if content is None:  # packed here, because that takes a second in every worker that imports this file
        content = _zip(**{f"{number}/a": bytes(1 << 26) for number in range(9)})
    status, refused = send(service, "host", "imports/logs", content, format="dice", packed=True)
    assert (status, refused["code"]) == (413 if code.endswith("large") else 422, code)


def test_nothing_is_unpacked_elsewhere(service: Service, tmp_path: Path) -> None:
    """Whatever a ZIP calls its files: `..` and roots are left out of the names."""
    target = tmp_path / "out.txt"
    for name in (f"1/{'../' * 20}{str(target)[1:]}", f"1/{target}"):
        assert send(service, "host", "imports/logs", _zip(**{name: b"x"}), format="dice", packed=True)[0] == 200
    assert not target.exists()


def test_only_who_may_import_may_send_much(service: Service) -> None:
    """More than a megabyte from others is not even read."""
    much = b"\n" * (2 << 20)
    assert send(service, "gm", "imports", much)[0] == 413
    assert send(service, "nonsense", "imports", much)[0] == 413
    assert send(service, "host", "imports", much)[0] != 413
    assert service.client("host").post("/v1/scenarios", content=much).status_code == 413


def test_a_pack_is_checked(service: Service) -> None:
    sheets = "chilled_wolf:\n  name: Chilled wolf\n  hp: nonsense\n"
    answer = service.post("spectator", "/v1/packs/check", {"files": {"sheets.yaml": sheets}, "name": "frost"})
    assert answer.status_code == 200
    assert answer.json()["pack"] == "frost"
    assert answer.json()["problems"] != []
    for name in ("../sheets.yaml", "/etc/passwd", "a//b.yaml", ".yaml"):
        assert service.post("host", "/v1/packs/check", {"files": {name: ""}}).status_code == 422
