"""The documents of a Foundry world, from a JSON export, an old .db file or a folder with a LevelDB, and the rolls in
them.

A roll is a list of terms, each with its results.
"""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic_core import from_json

from combatlog.importers.logs.fight_writer import FightWriter
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import record, records, slug, whole
from combatlog.rules.engine.refusal import Refusal
from ledger.events import FaceOrigin, Rolled, RollMode, RollModifier

_CHUNK = 1_000_000
_LONGEST = 16_000_000


class FoundryDocument(NamedTuple):
    number: int
    """Its position in the file, from 1."""
    data: Any
    text: str
    """The text in the file, if it could not be read."""


def documents(path: Path, desk: LogImport) -> Iterator[FoundryDocument]:
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


def _of_lines(file: BinaryIO, desk: LogImport) -> Iterator[FoundryDocument]:
    """One document per line, as Foundry stored them before version 11."""
    for number, line in desk.lines(file):
        yield _document(number, line)


def _document(number: int, text: bytes) -> FoundryDocument:
    try:
        return FoundryDocument(number, from_json(text, allow_inf_nan=False), "")
    except ValueError:
        return FoundryDocument(number, None, text[:4_000].decode("utf-8", "replace"))


def _of_array(file: BinaryIO, desk: LogImport) -> Iterator[FoundryDocument]:
    """The elements of one long list, with one at a time in memory."""
    decoder, characters = json.JSONDecoder(), getincrementaldecoder("utf-8-sig")("replace")
    text, number = characters.decode(file.read(_CHUNK)).lstrip().removeprefix("["), 0
    while text:
        at = _next_element(text, 0)
        for data, end in _elements(decoder, text, at):
            number, at = number + 1, _next_element(text, end)
            desk.tally.lines += 1
            yield FoundryDocument(number, data, "")
        more = characters.decode(file.read(_CHUNK)) if len(text) - at <= _LONGEST else ""
        desk.advance(at)
        text = text[at:] + more
        if not more:
            break
    if text.strip(" \r\n\t,]"):
        desk.tally.lines += 1
        yield FoundryDocument(number + 1, None, text[:4_000])


def _next_element(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \r\n\t,":
        at += 1
    return at


def _elements(decoder: json.JSONDecoder, text: str, at: int) -> Iterator[tuple[Any, int]]:
    """The complete elements, each with the position of its end."""
    while True:
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield data, at
        at = _next_element(text, at)


def _of_world(folder: Path, desk: LogImport) -> Iterator[FoundryDocument]:
    """The databases `combats` and `messages` in a world's folder `data`, or a single one of them."""
    parts = [folder / name for name in ("combats", "messages") if (folder / name).is_dir()]
    for part in parts or [folder]:
        yield from _of_leveldb(part, desk)


def _of_leveldb(folder: Path, desk: LogImport) -> Iterator[FoundryDocument]:
    """The documents in order of their time; the database orders them by id."""
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
    """A combat with its combatants, which the database stores separately."""
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
            f"{folder} is a database; install the package plyvel to read it.",
            package="plyvel",
        ) from error
    if not (folder / "CURRENT").is_file():  # every database has this file; plyvel would create files in any folder
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


_MOST = 1_000
_LONGEST_NOTATION = 300


class FoundryRoll(NamedTuple):
    notation: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifiers: tuple[RollModifier, ...]
    total: int
    mode: RollMode
    options: dict[str, Any]

    @property
    def natural(self) -> int | None:
        return self.kept[0] if self.kept and "d20" in self.notation else None

    @property
    def is_critical(self) -> bool:
        least = whole(self.options.get("criticalSuccess"))
        return self.natural is not None and self.natural >= (least if least is not None else 20)

    @property
    def is_fumble(self) -> bool:
        most = whole(self.options.get("criticalFailure"))
        return self.natural is not None and self.natural <= (most if most is not None else 1)


def rolls_of(message: dict[str, Any]) -> list[FoundryRoll | None]:
    """The rolls of a message; None for an unreadable one."""
    found = message.get("rolls")
    if not isinstance(found, list):
        found = [message["roll"]] if message.get("roll") else []
    return [_roll(one) for one in found[:_MOST]]


def _roll(stored: Any) -> FoundryRoll | None:
    """Parse a roll, which is stored as JSON within the JSON of its message."""
    try:
        data = json.loads(stored) if isinstance(stored, str) else stored
    except (ValueError, RecursionError):
        return None
    total = whole(record(data).get("total"))
    if total is None:
        return None
    options, terms = record(data.get("options")), records(data.get("terms"))[:_MOST]
    dice = [term for term in terms if _is_dice(term)]
    plain = _is_sum(terms)
    dice_notation = "+".join(_notation(term) for term in dice)
    formula = str(data.get("formula") or "")[:_LONGEST_NOTATION]
    faces = tuple(face for term in dice for face, _ in _results(term))
    kept = tuple(face for term in dice for face, counts in _results(term) if counts)
    added = _modifiers(terms) if plain else ()
    return FoundryRoll(
        dice_notation if plain and dice else formula, faces, kept, added, total, _mode(options, dice), options
    )


def _is_dice(term: dict[str, Any]) -> bool:
    return isinstance(term.get("results"), list) and whole(term.get("faces")) is not None


def _notation(term: dict[str, Any]) -> str:
    done = "".join(_keeping(str(each)) for each in _listed(term.get("modifiers"))[:10])
    return f"{whole(term.get('number')) or 1}d{whole(term.get('faces'))}{done}"[:100]


def _keeping(modifier: str) -> str:
    """`kh` as `kh1`: without a number, it keeps one die."""
    return f"{modifier}1" if modifier in ("kh", "kl") else modifier


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _results(term: dict[str, Any]) -> list[tuple[int, bool]]:
    found = ((whole(one.get("result")), one.get("active") is not False) for one in records(term.get("results"))[:_MOST])
    return [(face, counts) for face, counts in found if face is not None]


def _is_sum(terms: list[dict[str, Any]]) -> bool:
    """Whether the terms only add dice and numbers or subtract numbers."""
    sign = "+"
    for term in terms:
        if "operator" in term:
            sign = str(term["operator"]).strip()
        elif not (_is_dice(term) and sign == "+") and not (_is_number(term) and sign in ("+", "-")):
            return False
    return True


def _is_number(term: dict[str, Any]) -> bool:
    return whole(term.get("number")) is not None and "faces" not in term


def _modifiers(terms: list[dict[str, Any]]) -> tuple[RollModifier, ...]:
    found, sign = [], 1
    for term in terms:
        if "operator" in term:
            sign = -1 if str(term["operator"]).strip() == "-" else 1
        elif _is_number(term):
            flavor = record(term.get("options")).get("flavor")
            source = slug(flavor) if isinstance(flavor, str) and flavor else "bonus"
            found.append(RollModifier(source=f"recorded:modifier:{source}", amount=sign * (whole(term["number"]) or 0)))
    return tuple(found)


def _mode(options: dict[str, Any], dice: list[dict[str, Any]]) -> RollMode:
    said = whole(options.get("advantageMode"))
    first = [str(each) for each in _listed(dice[0].get("modifiers"))] if dice else []
    if said == 1 or (said is None and "kh" in first):
        return RollMode.ADVANTAGE
    return RollMode.DISADVANTAGE if said == -1 or (said is None and "kl" in first) else RollMode.NORMAL


def record_foundry_roll(scribe: FightWriter, roller: str, what_for: str, roll: FoundryRoll) -> Rolled:
    return scribe.record(
        Rolled,
        purpose=what_for,
        roller=roller,
        notation=roll.notation,
        mode=roll.mode,
        faces=roll.faces,
        kept=roll.kept,
        modifiers=roll.modifiers,
        total=roll.total,
        dice_source=FaceOrigin.RECORDED,
    )
