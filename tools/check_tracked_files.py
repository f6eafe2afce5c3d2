"""`python -m tools.check_tracked_files`: fails on files that were committed by accident.

Twice an imported pack of 336 files slipped into the repository. So every tracked file has to be in a folder that the
README names, or be one of the few files at the top, and something else has to refer to it. A commit that adds more than
50 files outside of tests/ has to say so in its body: "Adds 57 files: ...".
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

FIRST_CHECKED = "c12c775d"
"""Commits after this one are checked. Older ones cannot be changed any more."""
MANY = 50
AT_THE_TOP = {
    ".ci",
    ".dockerignore",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "README.md",
    "docker-compose.yml",
    "pyproject.toml",
    "setup.py",
}
FOUND_BY_NAME = re.compile(r"(test_.*|conftest|__init__|__main__|py)\.(py|typed)$")
"""What Python and pytest look for themselves."""
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".js", ".html", ".css", ".sh", ".sql", ""}
_WORD = re.compile(r"[\w-]+")
_COUNTED = re.compile(r"\badds (\d[\d,]*) files\b", re.IGNORECASE)


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]  # git is what this is about: without it there is nothing to check
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def findings(root: Path, first: str = FIRST_CHECKED) -> Iterator[str]:
    yield from _files(root)
    yield from _commits(root, first)


def _files(root: Path) -> Iterator[str]:
    tracked = [PurePosixPath(line) for line in git(root, "ls-files", "-z").split("\0") if line]
    named = named_folders((root / "README.md").read_text("utf-8"))
    mentions = _Mentions(root, tracked)
    for path in tracked:
        if path.parts[0] not in named | AT_THE_TOP:
            yield f"{path} is not in a folder that the README names"
        elif not FOUND_BY_NAME.search(path.name) and path.parts[0] not in AT_THE_TOP and not mentions.has(path):
            yield f"nothing refers to {path}"


def named_folders(readme: str) -> set[str]:
    """The folders of the README's table, which it writes as `ledger/`."""
    return set(re.findall(r"`(\w+)/`", readme))


class _Mentions:
    """Every word of the repository, and the files that have it."""

    def __init__(self, root: Path, tracked: list[PurePosixPath]) -> None:
        self._where: dict[str, set[PurePosixPath]] = {}
        for path in tracked:
            if path.suffix in TEXT and (root / path).is_file():
                for word in _WORD.findall((root / path).read_text("utf-8", errors="replace")):
                    self._where.setdefault(word, set()).add(path)

    def has(self, path: PurePosixPath) -> bool:
        """Another file names it, or the folder that it is in: tables of samples are read as a whole.

        Folders further up do not count: `dnd5e` is named everywhere.
        """
        names = (path.name.split(".")[0], *path.parts[1:-1][-1:])
        return any(self._where.get(name, set()) - {path} for name in names)


def _commits(root: Path, first: str) -> Iterator[str]:
    for commit in git(root, "rev-list", "--no-merges", f"{first}..HEAD").split():
        added = git(root, "show", "--format=", "--diff-filter=A", "--no-renames", "--name-only", commit).split("\n")
        outside = [path for path in added if path and not path.startswith("tests/")]
        if len(outside) > MANY and not _says_so(git(root, "show", "-s", "--format=%b", commit), len(outside)):
            yield f"commit {commit[:8]} adds {len(outside)} files and does not say so"


def _says_so(body: str, count: int) -> bool:
    return any(int(found.replace(",", "")) == count for found in _COUNTED.findall(body))


if __name__ == "__main__":
    found = list(findings(Path(__file__).parents[1]))
    print(*found, sep="\n")  # noqa: T201
    sys.exit(1 if found else 0)
