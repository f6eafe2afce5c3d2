"""Checking a pack: every part of it, whether or not a sheet uses it, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.content.pack_files import Reading, read_folder, read_pack
from combatlog.rules.content.packs import OPTION, Pack, in_full, of_encounter, packs_in
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.ruleset import Enlistment, PackSection, Ruleset
from ledger.events import Data
from projections.phrases import counted


class PackProblem(TypedDict):
    where: str
    code: str
    problem: str
    suggestions: Annotated[list[str], Field(description="what may have been meant")]


class PackReport(TypedDict):
    pack: str
    brings: dict[str, list[str]]
    problems: list[PackProblem]
    unchecked: Annotated[list[str], Field(description="what could not be checked because of them")]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a pack that cannot be used: where it is, and why."""

    where: str
    code: str
    problem: str
    suggestions: tuple[str, ...] = ()
    """What may have been meant, where something is mistyped."""
    says_where: bool = False
    """Whether the problem itself names the file, as that of a file that cannot be read does."""

    @property
    def sentence(self) -> str:
        return self.problem if self.says_where else f"{self.where}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Report:
    """What a pack contains, by section, and everything that is wrong with it."""

    name: str
    brings: dict[str, list[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """Sheets that cannot be judged, because they name entries of a file that could not be read as a whole."""

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
    """The packs in these folders, or a refusal that names the first thing that cannot be used."""
    packs = [read_pack(folder) for folder in folders]
    for pack in packs:
        check_pack(rules, pack)
    return packs


def packs_to_join(folders: Iterable[Path], rules: Ruleset) -> list[Pack]:
    """Packs for somebody who joins. It is too late for what belongs to the encounter."""
    packs = read_packs(folders, rules)
    for pack in of_encounter(rules, packs):
        raise Refusal(
            "pack/too-late",
            f"The pack {pack.name} has entries that belong to an encounter, which has to be opened with it.",
            name=pack.name,
        )
    return packs


def settled(rules: Ruleset, options: Data) -> Data:
    """An encounter's options as its ruleset settles them, with the packs among them checked."""
    packs = packs_in(options)
    for pack in packs:
        check_pack(rules, pack)
    rest = {name: value for name, value in options.items() if name != OPTION}
    done = rules.settle(rules.equip(rest, [pack.entries for pack in packs]))
    return {**done, OPTION: [pack.model_dump(mode="json") for pack in packs]} if packs else done


def examine(rules: Ruleset, folder: Path) -> Report:
    """A report on a folder, whatever is in it."""
    try:
        reading = read_folder(folder)
    except Refusal as refusal:
        return Report(folder.name, {}, [_finding(folder.name, refusal)])
    pack = reading.pack
    unchecked = _unchecked(rules, reading)
    judged = pack.model_copy(
        update={"sheets": {name: pack.sheets[name] for name in pack.sheets if name not in unchecked}}
    )
    findings = [*starmap(_finding, reading.unread), *findings_in(rules, judged)]
    return Report(pack.name, _brings(pack), findings, [pack.origin(name) for name in unchecked])


def _brings(pack: Pack) -> dict[str, list[str]]:
    brings = {"sheets": sorted(pack.sheets), **{name: sorted(entries) for name, entries in pack.entries.items()}}
    return {name: names for name, names in brings.items() if names}


def _unchecked(rules: Ruleset, reading: Reading) -> list[str]:
    """The sheets that name entries of files that could not be read, which would seem to be unknown."""
    sections = {section.name for section in rules.pack_sections()} & reading.incomplete
    return [name for name, sheet in reading.pack.sheets.items() if any(sheet.get(section) for section in sections)]


def check_pack(rules: Ruleset, pack: Pack) -> None:
    """Refuse a pack that has something in it that cannot be used."""
    findings = list(findings_in(rules, pack))
    if findings:
        first, count = findings[0], len(findings)
        more = "" if count == 1 else f" The pack has {counted(count - 1, 'more problem')}."
        raise Refusal(first.code, f"{first.sentence}{more}", name=pack.name, where=first.where, count=count)


def findings_in(rules: Ruleset, pack: Pack) -> Iterator[Finding]:
    sections = {section.name: section for section in rules.pack_sections()}
    for name in pack.entries:
        if name in sections:
            yield from _in_section(pack, sections[name])
        else:
            known = [f"{known}.yaml" for known in sections]
            can_have = choices(["sheets/", "creatures/", *known])
            problem = f"{rules.name} does not know this file; a pack for it can have {can_have}."
            file = f"{name}.yaml"
            yield Finding(f"{pack.name}/{file}", "pack/unknown-file", problem, tuple(suggest(file, known)))
    for name in pack.sheets:
        yield from _tried(pack.origin(name), partial(_enlist, rules, pack, name))


def _in_section(pack: Pack, section: PackSection) -> Iterator[Finding]:
    for name, entry in pack.entries[section.name].items():
        yield from _tried(f"{pack.name}/{section.name}.yaml, {name}", partial(section.check, name, entry))


def _enlist(rules: Ruleset, pack: Pack, name: str) -> None:
    rules.recruit(Enlistment(sheet=in_full(rules, [pack], pack.sheets[name])))


def _tried(where: str, check: Callable[[], object]) -> Iterator[Finding]:
    try:
        check()
    except Refusal as refusal:
        yield _finding(where, refusal)


def _finding(where: str, refusal: Refusal) -> Finding:
    meant = tuple(refusal.facts.get("suggestions", ()))
    return Finding(where, refusal.code, refusal.sentence, meant, says_where="file" in refusal.facts)
