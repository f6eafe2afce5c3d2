"""The lines in docs/dice.md that check shared dice without this program do so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import combatlog
from combatlog import Undo
from combatlog.messages.commands import GiveLink

PAGE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text("utf-8")
(LINES,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def check(lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "check.py").write_text(LINES, "utf-8")
    (folder / "duel.jsonl").write_text("\n".join(lines), "utf-8")
    return subprocess.run(
        [sys.executable, "-I", "check.py", "duel.jsonl"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def exported(database: str, tmp_path: Path) -> list[str]:
    """Rurik strikes, Snig strikes back without his player's link, and one roll is taken back."""
    with combatlog.open(database) as ledger:
        fight = ledger.new("Duel", dice="shared")
        fight.join("fighter", "Rurik", (3, 2), overrides={"hp": 500})
        fight.join("goblin", "Snig", (4, 2), side="foes", overrides={"hp": 500})
        keeper = fight.keeper = combatlog.Keeper(tmp_path / "chains")
        keeper.sit(fight, "rurik")
        fight.start(dice=[20, 1])
        fight.do("rurik", "attack")
        fight.do("rurik", "strike", target="snig")
        fight.apply(fight.plan(Undo()))
        fight.do("rurik", "strike", target="snig")
        fight.end_turn("rurik")
        fight.do("snig", "attack")
        fight.keeper = None
        fight.do("snig", "strike", target="rurik")
        fight.send(GiveLink("rurik", None, by="gm"))
        keeper.answer(fight)
        fight.conclude()
        report = fight.verify()
        assert report.findings == []
        assert report.shared is not None
        assert len(report.shared.alone) == 1
        return list(ledger.export([fight]))


def test_the_lines_come_to_the_same_as_verify(exported: list[str], tmp_path: Path) -> None:
    rolls = sum('\\"dice_source\\":\\"shared\\"' in line for line in exported)
    assert rolls >= 3
    assert check(exported, tmp_path).stdout == f"{rolls} rolls are as they should be\n"
    assert len([line for line in LINES.splitlines() if line]) <= 20


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("rolled.3", "faces"),
        ("links_committed", "anchor"),
        ("link_revealed", "secret"),
        ("link_asked", "binding"),
        ("encounter_closed", "seed"),
    ],
)
def test_the_lines_find_what_was_changed(exported: list[str], tmp_path: Path, kind: str, field: str) -> None:
    at = max(at for at, line in enumerate(exported) if f'"{kind}"' in line)
    line = json.loads(exported[at])
    state = json.loads(line["state"])
    was = state[field]
    state[field] = (
        [face % 6 + 1 for face in was] if isinstance(was, list) else was[:-1] + ("0" if was[-1] != "0" else "1")
    )
    exported[at] = json.dumps({**line, "state": json.dumps(state)})
    assert check(exported, tmp_path).returncode == 1
