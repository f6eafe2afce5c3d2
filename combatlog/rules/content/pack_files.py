"""Read the folder of a pack, check every part of it, and write a pack to a folder.

The check lists all faults, even in parts that no sheet uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import yaml
from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.content.files import files_like, read_yaml
from combatlog.rules.content.packs import FOLDERS, OPTION, Pack, in_full, of_encounter, packs_in
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.ruleset import Enlistment, Ruleset
from combatlog.rules.engine.ruleset_types import PackSection
from ledger.events import Data
from projections.story.phrases import counted


class Unread(NamedTuple):
    """An unreadable part of a pack: its place and the reason."""

    where: str
    refusal: Refusal


class Reading:
    """The content read from a folder so far. An unreadable file does not hide the problems of the next one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pack: dict[str, Any] = {"name": folder.resolve().name, "sheets": {}, "entries": {}, "files": {}}
        self.unread: list[Unread] = []
        self.incomplete: set[str] = set()
        """Files with unreadable entries, without suffix. Sheets that name such entries may be valid."""

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
        """Check a part on its own, so that one name that is too long does not make the rest unusable."""
        found = {"name": self._pack["name"], part: content}
        return dict(validated(Pack, found, "pack/malformed", "The pack's"))

    def _once(self, paths: list[Path]) -> list[Path]:
        """The files with unique names; files that share a name are ambiguous, so they are noted and left out."""
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
        """Note a refusal and continue."""
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
    """Read as much of a folder as possible. Refuses one that has nothing of a pack."""
    if not folder.is_dir():
        raise Refusal(
            "pack/no-folder",
            f"{folder} is not a folder; a pack is a folder.",
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
    """The content of a folder, even if it cannot be used. Refuses a folder with unreadable parts."""
    reading = read_folder(folder)
    for unread in reading.unread:
        raise unread.refusal
    return reading.pack


def _yaml_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in (".yaml", ".yml"))


def _mapping(path: Path) -> Data:
    data = read_yaml(path)
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise Refusal("pack/malformed", f"{path} must contain a mapping with named fields.", file=str(path))
    return data


def _entry(path: Path, name: str, entry: Any) -> Data:
    if not isinstance(entry, dict) or not all(isinstance(field, str) for field in entry):
        sentence = f"{path}: {name} must be a mapping with named fields."
        raise Refusal("pack/malformed", sentence, file=str(path), name=name)
    return entry


class PackProblem(TypedDict):
    where: str
    code: str
    problem: str
    suggestions: Annotated[list[str], Field(description="similar names")]


class PackReport(TypedDict):
    pack: str
    brings: dict[str, list[str]]
    problems: list[PackProblem]
    unchecked: Annotated[list[str], Field(description="sheets that could not be checked because of the problems")]


@dataclass(frozen=True, slots=True)
class PackFinding:
    """An unusable part of a pack: its place and the reason."""

    where: str
    code: str
    problem: str
    suggestions: tuple[str, ...] = ()
    """Similar names, for a mistyped one."""
    says_where: bool = False
    """Whether the problem already names the file, as for an unreadable file."""

    @property
    def sentence(self) -> str:
        return self.problem if self.says_where else f"{self.where}: {self.problem}"


@dataclass(frozen=True, slots=True)
class PackCheck:
    """The contents of a pack, by section, and all its problems."""

    name: str
    brings: dict[str, list[str]] = field(default_factory=dict)
    findings: list[PackFinding] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """Sheets that cannot be checked, because they name entries of a file that was not completely readable."""

    def to_json(self) -> PackReport:
        return {
            "pack": self.name,
            "brings": self.brings,
            "problems": [
                {"where": one.where, "code": one.code, "problem": one.problem, "suggestions": list(one.suggestions)}
                for one in self.findings
            ],
            "unchecked": self.unchecked,
        }


def read_packs(folders: Iterable[Path], rules: Ruleset) -> list[Pack]:
    """The packs in these folders. Refuses unusable ones, naming the first problem."""
    packs = [read_pack(folder) for folder in folders]
    for pack in packs:
        check_pack(rules, pack)
    return packs


def packs_to_join(folders: Iterable[Path], rules: Ruleset) -> list[Pack]:
    """Packs for a joining combatant. Refuses packs with entries that have to be there when an encounter is opened."""
    packs = read_packs(folders, rules)
    for pack in of_encounter(rules, packs):
        raise Refusal(
            "pack/too-late",
            f"The pack {pack.name} has entries that belong to an encounter; open the encounter with this pack.",
            name=pack.name,
        )
    return packs


def settled(rules: Ruleset, options: Data) -> Data:
    """An encounter's options as settled by its ruleset, with the packs in them checked."""
    packs = packs_in(options)
    for pack in packs:
        check_pack(rules, pack)
    rest = {name: value for name, value in options.items() if name != OPTION}
    done = rules.settle(rules.equip(rest, [pack.entries for pack in packs]))
    return {**done, OPTION: [pack.model_dump(mode="json") for pack in packs]} if packs else done


def examine(rules: Ruleset, folder: Path) -> PackCheck:
    """Check a folder with any content and report on it."""
    try:
        reading = read_folder(folder)
    except Refusal as refusal:
        return PackCheck(folder.name, {}, [_finding(folder.name, refusal)])
    pack = reading.pack
    unchecked = _unchecked(rules, reading)
    judged = pack.model_copy(
        update={"sheets": {name: pack.sheets[name] for name in pack.sheets if name not in unchecked}}
    )
    findings = [*starmap(_finding, reading.unread), *findings_in(rules, judged)]
    return PackCheck(pack.name, _brings(pack), findings, [pack.origin(name) for name in unchecked])


def _brings(pack: Pack) -> dict[str, list[str]]:
    brings = {"sheets": sorted(pack.sheets), **{name: sorted(entries) for name, entries in pack.entries.items()}}
    return {name: names for name, names in brings.items() if names}


def _unchecked(rules: Ruleset, reading: Reading) -> list[str]:
    """The sheets that name entries of unreadable files, which would wrongly count as unknown."""
    sections = {section.name for section in rules.pack_sections()} & reading.incomplete
    return [name for name, sheet in reading.pack.sheets.items() if any(sheet.get(section) for section in sections)]


def check_pack(rules: Ruleset, pack: Pack) -> None:
    """Refuse a pack with unusable parts."""
    findings = list(findings_in(rules, pack))
    if findings:
        first, count = findings[0], len(findings)
        more = "" if count == 1 else f" The pack has {counted(count - 1, 'more problem')}."
        raise Refusal(first.code, f"{first.sentence}{more}", name=pack.name, where=first.where, count=count)


def findings_in(rules: Ruleset, pack: Pack) -> Iterator[PackFinding]:
    sections = {section.name: section for section in rules.pack_sections()}
    for name in pack.entries:
        if name in sections:
            yield from _in_section(pack, sections[name])
        else:
            known = [f"{known}.yaml" for known in sections]
            can_have = choices(["sheets/", "creatures/", *known])
            problem = f"{rules.name} does not use this file; a pack for it can have {can_have}."
            file = f"{name}.yaml"
            yield PackFinding(f"{pack.name}/{file}", "pack/unknown-file", problem, tuple(suggest(file, known)))
    for name in pack.sheets:
        yield from _tried(pack.origin(name), partial(_enlist, rules, pack, name))


def _in_section(pack: Pack, section: PackSection) -> Iterator[PackFinding]:
    for name, entry in pack.entries[section.name].items():
        yield from _tried(f"{pack.name}/{section.name}.yaml, {name}", partial(section.check, name, entry))


def _enlist(rules: Ruleset, pack: Pack, name: str) -> None:
    rules.recruit(Enlistment(sheet=in_full(rules, [pack], pack.sheets[name])))


def _tried(where: str, check: Callable[[], object]) -> Iterator[PackFinding]:
    try:
        check()
    except Refusal as refusal:
        yield _finding(where, refusal)


def _finding(where: str, refusal: Refusal) -> PackFinding:
    meant = tuple(refusal.facts.get("suggestions", ()))
    return PackFinding(where, refusal.code, refusal.sentence, meant, says_where="file" in refusal.facts)


SOURCE = "SOURCE.txt"
"""The file that names the source of a pack and its licence."""
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
WIDTH = 120


def write_pack(pack: Pack, folder: Path, source: str, *, replace: bool = False) -> None:
    """Write a pack. Existing content is never changed, except, with `replace`, a pack that was written before."""
    try:
        if folder.exists() and not (replace and (folder / SOURCE).is_file()) and any(folder.iterdir()):
            raise Refusal("pack-import/exists", f"{folder} already exists and is not empty.", file=str(folder))
        _write(pack, folder, source)
    except OSError as error:
        raise Refusal("file/unwritable", f"{folder} cannot be written: {error.strerror}.", file=str(folder)) from error


def _write(pack: Pack, folder: Path, source: str) -> None:
    sheets = folder / FOLDERS[0]
    sheets.mkdir(parents=True, exist_ok=True)
    for stale in (*folder.glob("*.yaml"), *sheets.glob("*.yaml")):
        stale.unlink()
    (folder / SOURCE).write_text(source + "\n", "utf-8")
    for name, sheet in pack.sheets.items():
        (sheets / f"{name}.yaml").write_text(_yaml(sheet), "utf-8")
    for name, entries in pack.entries.items():
        (folder / f"{name}.yaml").write_text(_yaml(entries), "utf-8")


def _yaml(data: Any) -> str:
    text: str = yaml.dump(
        data, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=None
    )
    return text
