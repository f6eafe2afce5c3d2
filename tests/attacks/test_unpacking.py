"""What is packed is unpacked no further than its limits, however little of it was sent."""

from __future__ import annotations

import gzip
import json
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO

import pytest

from combatlog.rules.content.limits import MAX_IMPORT
from combatlog.rules.verification.seals_and_seat_records import LONGEST_LINE, SeatRecord
from combatlog.service.problems import Refused
from combatlog.service.routes.verification import LARGEST_SHOWN, _lines
from combatlog.zip_files import LARGEST, MOST_FILES, unpacked_tables
from ledger.errors import Problem
from ledger.exchange.export import MAX_EVENTS
from ledger.store.ledger import encounter_id
from tests.service.conftest import FIGHT, Service
from tests.service.conftest import make_service as make_service
from tests.service.conftest import opening as opening
from tests.service.conftest import service as service

ABOUT = json.dumps({"shown": 1, "encounter": str(encounter_id(FIGHT)), "name": FIGHT, "seat": "player:rurik"}).encode()
MIB = 1 << 20
SHOWN: dict[str, tuple[bytes, bytes, int, bytes, int, str]] = {
    "numbers": (b"", b"0\n", 8 * MIB - 1000, b"", 422, "shown/unreadable"),
    "empty lines": (b"", b"\n", 16 * MIB - 1000, b"", 413, "shown/too-large"),
    "tiny events": (b"", b'{"event":{}}\n', MIB, b"", 413, "shown/too-large"),
    "one long line": (b'{"event":{"a":[', b"[],", 5 * MIB, b"0]}}", 413, "shown/too-large"),
    "one line without an end": (b"", b" ", 64 * MIB, b"", 413, "request/too-large"),
    "many long lines": (b"", b'{"event":{"a":"' + b"x" * 900_000 + b'"}}\n', 40, b"", 413, "request/too-large"),
}
"""What is packed: a beginning, something that is repeated so often, and an end. How it is refused."""


def packed(begin: bytes, repeated: bytes, times: int, end: bytes) -> bytes:
    """Packed piece by piece, so that the tests need little memory."""
    at_once = max(1, MIB // len(repeated))
    pack = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    pieces = [pack.compress(ABOUT + b"\n" + begin)]
    pieces += [pack.compress(repeated * min(at_once, times - done)) for done in range(0, times, at_once)]
    return b"".join([*pieces, pack.compress(end), pack.flush()])


@pytest.mark.parametrize(("begin", "repeated", "times", "end", "status", "code"), SHOWN.values(), ids=SHOWN)
def test_what_was_shown_grows_no_further_than_its_limits(
    service: Service, begin: bytes, repeated: bytes, times: int, end: bytes, status: int, code: str
) -> None:
    sent = packed(begin, repeated, times, end)
    assert len(sent) < MIB
    refused = service.client("rurik").post(service.at("verification/shown"), content=sent)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert len(refused.content) < 1000
    if status == 413:
        limits = (str(MAX_EVENTS), str(LONGEST_LINE), str(LARGEST_SHOWN))
        assert any(limit in refused.json()["detail"] for limit in limits)


def test_no_more_is_unpacked_than_may_be_there() -> None:
    """A gigabyte of lines, sent as a megabyte."""
    sent, unpacked = gzip.compress((b"x" * 1023 + b"\n") * 1024) * 1024, list[int]()
    with pytest.raises(Refused) as refused:
        unpacked.extend(map(len, _lines(sent)))
    assert refused.value.code == "request/too-large"
    assert sum(unpacked) == LARGEST_SHOWN


@pytest.mark.parametrize("cut", [11, 40, -1])
def test_a_packed_file_that_was_cut_is_not_taken_for_a_whole_one(service: Service, cut: int) -> None:
    sent = gzip.compress(service.get("rurik", "export").content)[:cut]
    refused = service.client("rurik").post(service.at("verification/shown"), content=sent)
    assert (refused.status_code, refused.json()["code"]) == (422, "shown/unreadable")


def test_what_was_shown_is_read_no_further_than_to_its_first_wrong_line() -> None:
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        yield ABOUT.decode()
        for _ in range(1000):
            read += 1
            yield "0"

    with pytest.raises(Problem) as refused:
        SeatRecord.read(lines())
    assert (refused.value.code, read) == ("shown/unreadable", 1)


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", method) as file:
        for name, text in files.items():
            file.writestr(name, text)
    return content.getvalue()


def test_a_list_of_very_many_files_is_not_even_read(service: Service) -> None:
    entries = zipped({f"1/{number}": b"" for number in range(MOST_FILES + 1)})
    refused = service.client("host").post("/v1/imports/logs?format=avrae&packed=true", content=entries)
    assert (refused.status_code, refused.json()["code"]) == (413, "request/too-large")
    assert str(MOST_FILES) in refused.json()["detail"]
    assert str(LARGEST) in refused.json()["detail"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_logs_are_packed_in_a_way_that_can_be_bounded(service: Service, method: int) -> None:
    content = zipped({"1/log.txt": b"x" * MIB}, method)
    refused = service.client("host").post("/v1/imports/logs?format=avrae&packed=true", content=content)
    assert (refused.status_code, refused.json()["code"]) == (422, "request/not-a-zip")
    assert "stored or deflated" in refused.json()["detail"]


def test_tables_from_a_service_are_unpacked_up_to_a_limit(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The sizes are those that the ZIP says; no more is written than that."""
    folder = tmp_path_factory.mktemp("tables")
    packed = bytearray(zipped({"events.csv": b"a,b\n"} | {f"{number}.csv": b"" for number in range(3)}))
    at, said = 0, (4_000_000_000).to_bytes(4, "little")
    while (at := packed.find(b"PK\x01\x02", at + 1)) >= 0:
        packed[at + 24 : at + 28] = said
    with pytest.raises(Problem) as refused:
        unpacked_tables(bytes(packed), folder)
    assert refused.value.code == "export/too-large"
    assert str(MAX_IMPORT) in refused.value.sentence
    assert list(folder.iterdir()) == []
