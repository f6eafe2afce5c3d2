"""Declared options: every action and reaction of the shipped rulesets has them, and third parties need not."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from combatlog.rules.content.reference import ReferenceEntry, ReferenceEntryKind, ReferenceField, reference
from combatlog.rules.engine.ruleset import GROUP, find
from combatlog.testing import Drill, only
from ledger.events import Declared

INSTALLED = sorted({entry.name for entry in entry_points(group=GROUP)} - {"recorded"})
"""Nothing can be declared in fights that were recorded by other tools."""


def every_entry(ruleset: str) -> list[ReferenceEntry]:
    """What everybody can declare, and what only the owners of shipped sheets can."""
    rules = find(ruleset)
    drill = Drill(ruleset=ruleset)
    for number, sheet in enumerate(rules.sheets()):
        drill.join(sheet, f"Owner {number}")
    own = [entry for combatant in drill.fight.battle.present() for entry in reference(rules, combatant)]
    return [*reference(rules), *own]


@pytest.mark.parametrize("ruleset", INSTALLED)
def test_everything_that_can_be_declared_says_what_it_takes(ruleset: str) -> None:
    assert {f"{entry.kind} {entry.name}" for entry in every_entry(ruleset) if not entry.is_declared} == set()


@pytest.mark.parametrize("ruleset", INSTALLED)
def test_everything_that_can_be_declared_says_what_it_does(ruleset: str) -> None:
    assert {f"{entry.kind} {entry.name}" for entry in every_entry(ruleset) if not entry.about} == set()


@pytest.mark.parametrize("ruleset", INSTALLED)
def test_every_option_has_a_description(ruleset: str) -> None:
    without = {
        f"{entry.kind} {entry.name}: {field.name}"
        for entry in every_entry(ruleset)
        for field in all_fields(entry.options)
        if not field.note
    }
    assert without == set()


def all_fields(fields: tuple[ReferenceField, ...]) -> Iterator[ReferenceField]:
    for field in fields:
        yield field
        yield from all_fields(field.parts)


# A ruleset of a third party


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Drill:
    """A fight under a ruleset that another package installs, found by its entry point like any other."""
    installed = tmp_path / "tiny_ruleset-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-ruleset\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[{GROUP}]\ntiny = tests.rules.tiny_ruleset:RULESET\n")
    monkeypatch.syspath_prepend(tmp_path)
    drill = Drill("tiny", options={"mood": "friendly"})
    drill.join("anybody", "Ann")
    drill.do("gm", "start")
    return drill


def test_a_ruleset_that_declares_no_options_takes_any(tiny: Drill) -> None:
    events = tiny.do("ann", "wave", target="ann", to=(1, 1), weapon="flag", options={"how": "wildly"})
    declared = only(events, Declared)
    assert (declared.targets, declared.destination, declared.weapon) == (("ann",), (1, 1), "flag")
    assert declared.options == {"how": "wildly"}
    assert tiny.fight.battle.encounter.options == {"mood": "friendly"}


def test_its_reference_says_that_anything_is_taken(tiny: Drill) -> None:
    entries = {entry.name: entry for entry in reference(tiny.ruleset)}
    assert not entries["wave"].is_declared
    assert not entries["wave_back"].is_declared
    assert not entries["encounter"].is_declared
    assert entries["start"].is_declared


def test_core_actions_are_checked_under_any_ruleset(tiny: Drill) -> None:
    assert tiny.refusal("gm", "close", options={"wy": "tired"}).code == "declaration/unknown-option"
    assert {entry.kind for entry in reference(tiny.ruleset)} == set(ReferenceEntryKind)
