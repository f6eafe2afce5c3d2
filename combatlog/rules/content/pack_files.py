"""Reading the folder of a pack: all of it that can be read, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from combatlog.rules.content.files import files_like, read_yaml
from combatlog.rules.content.packs import FOLDERS, Pack
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.validation import validated
from ledger.events import Data


class Unread(NamedTuple):
    """A part of a pack that cannot be read: where it is, and why."""

    where: str
    refusal: Refusal


class Reading:
    """What has been read of a folder so far. A file that cannot be read does not hide what is wrong with the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pack: dict[str, Any] = {"name": folder.resolve().name, "sheets": {}, "entries": {}, "files": {}}
        self.unread: list[Unread] = []
        self.incomplete: set[str] = set()
        """Files with entries that could not be read, without their suffix. What names such an entry may be right."""

    @property
    def pack(self) -> Pack:
        return Pack(**self._pack)

    @property
    def is_empty(self) -> bool:
        return not self.unread and not self._pack["sheets"] and not any(self._pack["entries"].values())

    def take_sheets(self, paths: list[Path]) -> None:
        for path in self._once(paths):
            with self._noting(path):
                self._add("sheets", {path.stem: _mapping(path)})
                self._add("files", {path.stem: self._within(path)})

    def take_entries(self, paths: list[Path]) -> None:
        for path in self._once(paths):
            with self._noting(path):
                found = _mapping(path)
                self._add("entries", {path.stem: {}})
                for name, entry in found.items():
                    self._take_entry(path, name, entry)

    def _take_entry(self, path: Path, name: str, entry: Any) -> None:
        with self._noting(path, name):
            checked = self._checked("entries", {path.stem: {name: _entry(path, name, entry)}})
            self._pack["entries"][path.stem] |= checked["entries"][path.stem]

    def _add(self, part: str, content: Data) -> None:
        self._pack[part] |= self._checked(part, content)[part]

    def _checked(self, part: str, content: Data) -> Data:
        """Checked by itself, so that one name that is too long does not make the rest unusable."""
        found = {"name": self._pack["name"], part: content}
        return dict(validated(Pack, found, "pack/malformed", "The pack's"))

    def _once(self, paths: list[Path]) -> list[Path]:
        """The files whose names belong to one file only; of the others, nobody can say which is meant."""
        by_name: dict[str, list[Path]] = {}
        for path in paths:
            by_name.setdefault(path.stem, []).append(path)
        for name, same in by_name.items():
            if len(same) > 1:
                sentence = f"The pack has two files for {name!r}; rename one."
                with self._noting(same[-1]):
                    raise Refusal("pack/twice", sentence, name=name, file=str(same[-1]))
        return [path for path in paths if len(by_name[path.stem]) == 1]

    @contextmanager
    def _noting(self, path: Path, entry: str | None = None) -> Iterator[None]:
        """Note a refusal, and go on."""
        try:
            yield
        except Refusal as refusal:
            where = f"{self._pack['name']}/{self._within(path)}"
            self.unread.append(Unread(f"{where}, {entry}" if entry is not None else where, refusal))
            if path.parent == self._folder:
                self.incomplete.add(path.stem)

    def _within(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


def read_folder(folder: Path) -> Reading:
    """Whatever can be read of a folder; a refusal if there is nothing that could be a pack."""
    if not folder.is_dir():
        raise Refusal(
            "pack/no-folder",
            f"{folder} is not a folder, which a pack has to be.",
            file=str(folder),
            suggestions=files_like(folder),
        )
    reading = Reading(folder)
    reading.take_sheets([path for name in FOLDERS for path in _yaml_files(folder / name)])
    reading.take_entries(_yaml_files(folder))
    if reading.is_empty:
        raise Refusal(
            "pack/empty", f"{folder} has neither sheets/NAME.yaml nor a file such as weapons.yaml.", file=str(folder)
        )
    return reading


def read_pack(folder: Path) -> Pack:
    """The content of a folder, whether or not it can be used; a refusal if any of it cannot be read."""
    reading = read_folder(folder)
    for unread in reading.unread:
        raise unread.refusal
    return reading.pack


def _yaml_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in (".yaml", ".yml"))


def _mapping(path: Path) -> Data:
    data = read_yaml(path)
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise Refusal("pack/malformed", f"{path} has to be a mapping, with named fields.", file=str(path))
    return data


def _entry(path: Path, name: str, entry: Any) -> Data:
    if not isinstance(entry, dict) or not all(isinstance(field, str) for field in entry):
        sentence = f"{path}: {name} has to be a mapping, with named fields."
        raise Refusal("pack/malformed", sentence, file=str(path), name=name)
    return entry
