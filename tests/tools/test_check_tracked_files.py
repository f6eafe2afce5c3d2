"""Files that were committed by accident are found, in a real repository."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.optional import need
from tools.check_tracked_files import findings

Commit = Callable[..., str]


@pytest.fixture
def commit(tmp_path: Path) -> Commit:
    """Writes files and commits them; gives the commit."""
    who = ("-c", "user.name=Rurik", "-c", "user.email=rurik@example.org")

    def git(*arguments: str) -> str:
        command = [need("git"), "-C", str(tmp_path), *who, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(message: str, **files: str) -> str:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", message)
        return git("rev-parse", "HEAD")

    git("init", "-q")
    return commit


README = "| `ledger/` | the events |\n| `docs/` | pages |\n"


def test_a_file_is_in_a_folder_of_the_readme_and_named_by_another_file(commit: Commit, tmp_path: Path) -> None:
    files = {
        "README.md": README,
        "ledger/events.py": "",
        "ledger/store/ledger.py": "from ledger import events",
        "docs/a.md": "",
    }
    first = commit("Begin", **files, **{"ledger/readers.py": "import store", "srd-pack/goblin.yaml": "hp: 7"})
    assert list(findings(tmp_path, first)) == [
        "nothing refers to docs/a.md",
        "nothing refers to ledger/readers.py",
        "srd-pack/goblin.yaml is not in a folder that the README names",
    ]


def test_a_known_folder_further_up_does_not_excuse_a_file(commit: Commit, tmp_path: Path) -> None:
    files = {"README.md": README, "ledger/__init__.py": "folder = 'cards'", "ledger/cards/goblin.yaml": ""}
    first = commit("Begin", **files, **{"ledger/cards/imported/ogre.yaml": ""})
    assert list(findings(tmp_path, first)) == ["nothing refers to ledger/cards/imported/ogre.yaml"]


@pytest.mark.parametrize(
    ("count", "body", "found"),
    [(50, "", False), (51, "", True), (51, "Adds 51 files: the cards.", False), (52, "Adds 51 files.", True)],
)
def test_a_commit_of_many_files_says_so(commit: Commit, tmp_path: Path, count: int, body: str, found: bool) -> None:
    first = commit("Begin", **{"README.md": README, "ledger/cards.py": "folder = 'cards'"})
    last = commit(f"Add cards\n\n{body}", **{f"ledger/cards/{number}.yaml": "" for number in range(count)})
    wrong = f"commit {last[:8]} adds {count} files and does not say so"
    assert list(findings(tmp_path, first)) == (
        ["nothing refers to ledger/cards.py"] if not found else ["nothing refers to ledger/cards.py", wrong]
    )


def test_tests_may_add_as_many_as_they_like(commit: Commit, tmp_path: Path) -> None:
    first = commit("Begin", **{"README.md": README + "`tests/`"})
    commit("Test every card", **{f"tests/cards/test_{number}.py": "" for number in range(60)})
    assert list(findings(tmp_path, first)) == []
