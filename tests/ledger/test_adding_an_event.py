"""A new kind of event needs an entry in five places, and a test names each of them that is forgotten.

Both are tried in a copy of the sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, copy_checkout

pytestmark = pytest.mark.slow

CLASS = '''

class CombatantRenamed(Event):
    """A combatant goes by another name from now on."""

    written_by: ClassVar[str] = "a rename"
    read_by: ClassVar[str] = "every display"

    kind: Literal["combatant_renamed"] = "combatant_renamed"
    combatant: Who = Field(description="the combatant")
    name: Name = Field(description="what it is called now")
'''
SAMPLE = (
    '{"kind":"combatant_renamed","encounter":"97a9ae4e-c04c-52fe-a74e-6094ea08070f","seq":22,'
    '"recorded_at":"2026-01-07T20:15:30.250000Z","declaration":21,"round":1,"by":"gm",'
    '"combatant":"snig","name":"Old Snig"}\n'
)
VOCABULARY, FOLD = "ledger/events/__init__.py", "projections/battle/fold.py"
WORDS, REDACTION = "projections/story/event_words.py", "projections/views/redaction.py"
THE_SAMPLE = "tests/samples/combatant_renamed.1.json"
IMPORTED = "    CombatantLeft,\n"
ENTRIES = {
    FOLD: ("    CombatantLeft: _left,\n", "    CombatantRenamed: _renamed,\n"),
    WORDS: (
        "    InitiativeSet: _initiative,\n",
        '    CombatantRenamed: lambda e: f"{who(e.combatant)} is now {e.name}",\n',
    ),
    REDACTION: ("    InitiativeSet: _initiative,\n", '    CombatantRenamed: _if_seen("combatant"),\n'),
}
"""By file: the line before or after which an entry of the table goes, and the entry."""
RENAMED = """def _renamed(battle: Battle, event: CombatantRenamed) -> None:
    battle.combatants[event.combatant].name = event.name


FOLDS: dict"""
FORGOTTEN = {
    VOCABULARY: ("tests/projections/test_battle.py", "cannot import name 'CombatantRenamed' from 'ledger.events'"),
    FOLD: ("tests/projections/test_battle.py", "test_every_kind_has_a_fold"),
    WORDS: ("tests/projections/test_words.py", "test_every_kind_has_words"),
    REDACTION: ("tests/projections/views/test_secrecy.py", "test_every_kind_has_a_line"),
    THE_SAMPLE: ("tests/ledger/test_registry.py", "test_every_version_of_every_kind_has_a_sample"),
}
"""Where it is noticed, and how."""
ALSO = ("tests/projections/test_journal.py", "tests/projections/views/test_fuzz.py", "tests/ledger/test_vocabulary.py")


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def add(folder: Path) -> None:
    """All that is needed, and what is generated from it."""
    with (folder / "ledger/events/time.py").open("a") as file:
        file.write(CLASS)
    replace(folder / VOCABULARY, IMPORTED, IMPORTED + "    CombatantRenamed,\n")
    replace(folder / VOCABULARY, '    "CombatantLeft",\n', '    "CombatantLeft",\n    "CombatantRenamed",\n')
    replace(folder / FOLD, "FOLDS: dict", RENAMED)
    for file, (neighbour, entry) in ENTRIES.items():
        replace(folder / file, IMPORTED, IMPORTED + "    CombatantRenamed,\n")
        replace(folder / file, neighbour, neighbour + entry)
    (folder / THE_SAMPLE).write_text(SAMPLE)
    generated = python(folder, "-m", "tools.vocabulary")
    assert generated.returncode == 0, generated.stderr


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    file.write_text(text.replace(old, new), "utf-8")


def run_tests(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    about_kinds = "renamed or every or sample or taken_back or page"
    return python(folder, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-k", about_kinds, *files)


def test_five_places_are_enough_and_each_is_missed(tmp_path: Path) -> None:
    folder = copy_checkout(tmp_path / "copy")
    add(folder)
    complete = run_tests(folder, *ALSO, *{file for file, _ in FORGOTTEN.values()})
    assert complete.returncode == 0, complete.stdout
    for place, (tests, notice) in FORGOTTEN.items():
        added = (folder / place).read_text("utf-8")
        (folder / place).unlink()
        if (ROOT / place).exists():
            (folder / place).write_text((ROOT / place).read_text("utf-8"), "utf-8")
        missed = run_tests(folder, tests)
        assert missed.returncode != 0, place
        assert notice in missed.stdout + missed.stderr
        (folder / place).write_text(added, "utf-8")
