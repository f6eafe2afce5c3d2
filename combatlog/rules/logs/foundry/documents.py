"""The documents of a world: from a JSON export, from an old .db file, or from a folder with a LevelDB."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic_core import from_json

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.logs.desk import Desk
from combatlog.rules.logs.plain import whole

_CHUNK = 1_000_000
_LONGEST = 16_000_000


class Document(NamedTuple):
    number: int
    """Its place in the file, from 1."""
    data: Any
    text: str
    """As it is in the file, if it could not be read."""


def documents(path: Path, desk: Desk) -> Iterator[Document]:
    if path.is_dir():
        yield from _of_world(path, desk)
        return
    with path.open("rb") as file:
        first = _first_character(file)
        yield from _of_array(file, desk) if first == b"[" else _of_lines(file, desk)


def _first_character(file: BinaryIO) -> bytes:
    first = file.read(1)
    while first.isspace() or first in (b"\xef", b"\xbb", b"\xbf"):
        first = file.read(1)
    file.seek(0)
    return first


def _of_lines(file: BinaryIO, desk: Desk) -> Iterator[Document]:
    """One document a line, as Foundry kept them before version 11."""
    for number, line in desk.lines(file):
        yield _document(number, line)


def _document(number: int, text: bytes) -> Document:
    try:
        return Document(number, from_json(text, allow_inf_nan=False), "")
    except ValueError:
        return Document(number, None, text[:4_000].decode("utf-8", "replace"))


def _of_array(file: BinaryIO, desk: Desk) -> Iterator[Document]:
    """The elements of one long list, of which one at a time is in memory."""
    decoder, characters = json.JSONDecoder(), getincrementaldecoder("utf-8-sig")("replace")
    text, number = characters.decode(file.read(_CHUNK)).lstrip().removeprefix("["), 0
    while text:
        at = _next_element(text, 0)
        for data, end in _elements(decoder, text, at):
            number, at = number + 1, _next_element(text, end)
            desk.tally.lines += 1
            yield Document(number, data, "")
        more = characters.decode(file.read(_CHUNK)) if len(text) - at <= _LONGEST else ""
        desk.advance(at)
        text = text[at:] + more
        if not more:
            break
    if text.strip(" \r\n\t,]"):
        desk.tally.lines += 1
        yield Document(number + 1, None, text[:4_000])


def _next_element(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \r\n\t,":
        at += 1
    return at


def _elements(decoder: json.JSONDecoder, text: str, at: int) -> Iterator[tuple[Any, int]]:
    """The elements that are complete, each with its end."""
    while True:
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield data, at
        at = _next_element(text, at)


def _of_world(folder: Path, desk: Desk) -> Iterator[Document]:
    """The databases `combats` and `messages` of a world's folder `data`, or one of them alone."""
    parts = [folder / name for name in ("combats", "messages") if (folder / name).is_dir()]
    for part in parts or [folder]:
        yield from _of_leveldb(part, desk)


def _of_leveldb(folder: Path, desk: Desk) -> Iterator[Document]:
    """In the order of their time: the database has them in the order of their ids."""
    database = _open(folder)
    try:
        places = sorted((_time(value), key) for key, value in database if key.count(b".") == 0)
        parts = [(key, value) for key, value in database if key.startswith(b"!combats.combatants!")]
        for number, (_, key) in enumerate(places, 1):
            value = database.get(key)
            desk.advance(len(value))
            desk.tally.lines += 1
            document = _document(number, value)
            yield document._replace(data=_with_parts(document.data, key, parts)) if parts else document
    finally:
        database.close()


def _with_parts(data: Any, key: bytes, parts: list[tuple[bytes, bytes]]) -> Any:
    """A combat with its combatants, which the database keeps apart from it."""
    of_it = b"!combats.combatants!" + key.rpartition(b"!")[2] + b"."
    found = [_document(0, value).data for part, value in parts if part.startswith(of_it)]
    return {**data, "combatants": found} if isinstance(data, dict) and found else data


def _time(value: bytes) -> int:
    data = _document(0, value).data
    return (whole(data.get("timestamp", 0) // 1000) or 0) if _has_time(data) else 0


def _has_time(data: Any) -> bool:
    return isinstance(data, dict) and type(data.get("timestamp")) in (int, float)


def _open(folder: Path) -> Any:
    try:
        import plyvel
    except ImportError as error:
        raise Refusal(
            "import-log/needs-leveldb",
            f"{folder} is a database; reading it needs the package plyvel, which is not installed.",
            package="plyvel",
        ) from error
    if not (folder / "CURRENT").is_file():  # every database has it; plyvel would leave files of its own in any folder
        raise Refusal("import-log/leveldb", f"{folder} is not the folder of a world's database.", path=str(folder))
    try:
        return plyvel.DB(str(folder), create_if_missing=False)
    except (plyvel.Error, OSError) as error:
        raise Refusal(
            "import-log/leveldb",
            f"{folder} cannot be opened as a world's database: {' '.join(str(error).split())[:200]}. "
            "Close Foundry, or copy the folder first.",
            path=str(folder),
        ) from error
