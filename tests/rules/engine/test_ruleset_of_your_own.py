"""The ruleset that docs/rulesets.md builds is found when it is installed, and everything works with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from combatlog import Undo
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, only
from ledger.events import Damaged, ReactionWindowOpened

PAGE = (Path(__file__).parents[3] / "docs" / "rulesets.md").read_text("utf-8")


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Drill:
    """The page's ruleset, installed as its entry point says; it is Ann's turn against Bob."""
    source = re.search(r"```python\n(# coin_duel\.py\n.*?)```", PAGE, re.DOTALL)
    entry_point = re.search(r"```toml\n\[project\.entry-points\.\"(.+?)\"\]\n(.*?)```", PAGE, re.DOTALL)
    assert source is not None
    assert entry_point is not None
    installed = tmp_path / "coin_duel-1.0.dist-info"
    installed.mkdir()
    (tmp_path / "coin_duel.py").write_text(source[1])
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: coin_duel\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[{entry_point[1]}]\n{entry_point[2].replace(chr(34), '')}")
    monkeypatch.syspath_prepend(tmp_path)
    drill = Drill("coin_duel")
    drill.join("duelist", "Ann")
    drill.join("duelist", "Bob", side="foes")
    drill.start(dice=[12, 7])
    return drill


def test_it_pauses_goes_on_and_verifies(duel: Drill) -> None:
    only(duel.do("ann", "flip", target="bob", dice=[2]), ReactionWindowOpened)
    assert duel["waiting"] == "bob"
    assert only(duel.react("bob", "duck", dice=[1]), Damaged).left == 2
    duel.do("ann", "end-turn")
    duel.do("bob", "end-turn")
    assert (duel["round"], duel["turn"], duel["bob.ducks"]) == (2, "ann", 1)
    assert list(check_declarations(duel.fight.events)) == []


def test_a_duck_that_comes_up_heads_avoids_the_blow(duel: Drill) -> None:
    duel.do("ann", "flip", target="bob", dice=[2, 2], replies={"bob": "duck"})
    assert (duel["bob.hp"], duel["bob.ducks"]) == (3, 0)


def test_it_can_be_undone_in_the_middle(duel: Drill) -> None:
    flipped = duel.do("ann", "flip", target="bob", dice=[2, 1], replies={"bob": "duck"})
    duel.do("ann", "flip", target="bob", dice=[1])
    assert duel["bob.hp"] == 2
    plan = duel.plan(Undo(flipped[0].seq))
    assert plan.after.combatants["bob"].vitals["hp"].current == 3
    assert [entry.verdict.value for entry in plan.entries] == ["taken back", "kept"]


@pytest.mark.parametrize(
    ("actor", "targets", "code"), [("bob", "ann", "turn/other"), ("ann", ["bob", "ann"], "flip/one-target")]
)
def test_it_refuses(duel: Drill, actor: str, targets: str | list[str], code: str) -> None:
    assert duel.refusal(actor, "flip", target=targets).code == code


def test_the_tests_on_the_page_pass(duel: Drill) -> None:
    source = re.search(r"```python\n(# test_coin_duel\.py\n.*?)```", PAGE, re.DOTALL)
    assert source is not None
    written: dict[str, Any] = {}
    exec(source[1], written)
    tests = [test for name, test in written.items() if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        test()
