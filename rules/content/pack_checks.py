"""Checking a pack: every part of it, whether or not a sheet uses it, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ledger.events import Data
from projections.phrases import counted
from rules.content.packs import OPTION, Pack, in_full, of_encounter, packs_in, read_pack
from rules.engine.refusal import Refusal, choices
from rules.engine.ruleset import Enlistment, PackSection, Ruleset


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a pack that cannot be used: where it is, and why."""

    where: str
    code: str
    problem: str

    @property
    def sentence(self) -> str:
        return f"{self.where}: {self.problem}" if self.where else self.problem


@dataclass(frozen=True, slots=True)
class Report:
    """What a pack contains, by section, and everything that is wrong with it."""

    name: str
    brings: dict[str, list[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


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
        pack = read_pack(folder)
    except Refusal as refusal:
        return Report(folder.name, {}, [Finding("", refusal.code, refusal.sentence)])
    brings = {"sheets": sorted(pack.sheets), **{name: sorted(entries) for name, entries in pack.entries.items()}}
    return Report(pack.name, {name: names for name, names in brings.items() if names}, list(findings_in(rules, pack)))


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
            known = choices(["sheets/", "creatures/", *(f"{known}.yaml" for known in sections)])
            problem = f"{rules.name} does not know this file; a pack for it can have {known}."
            yield Finding(f"{pack.name}/{name}.yaml", "pack/unknown-file", problem)
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
        yield Finding(where, refusal.code, refusal.sentence)
