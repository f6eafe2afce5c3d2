"""The pages name only files, folders, functions and classes that exist, link only to pages and headings that exist, and
are listed in the index."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from functools import cache, reduce
from pathlib import Path

import pytest

from tests.cases import each

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("docs/*.md"), *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))])
PACKAGES = "benchmarks|cli|combatlog|ledger|projections|rules|service|tests|tools"

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PATH = re.compile(rf"(?:docs|{PACKAGES})/[\w./-]*")
NAME = re.compile(rf"(?:{PACKAGES})(?:\.\w+)+")


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text("utf-8"))


def spans(page: Path, pattern: re.Pattern[str]) -> list[str]:
    """What stands between backticks on a page and looks like this."""
    return [span for span in SPAN.findall(prose(page)) if pattern.fullmatch(span)]


def exists(name: str) -> bool:
    """Whether a dotted name is a module or something in one, or an object in the schema `combatlog` of PostgreSQL."""
    return _is_python(name) or _is_sql(name)


def _is_python(name: str) -> bool:
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        try:
            reduce(getattr, parts[end:], module)
        except AttributeError:
            return False
        return True
    return False


def _is_sql(name: str) -> bool:
    scripts = [*ROOT.glob("ledger/store/sql/*.sql"), ROOT / "pyproject.toml"]
    return any(re.search(rf"\b{re.escape(name)}\b", script.read_text("utf-8")) for script in scripts)


@each("page", PAGES, ids=lambda page: page.name)
def test_every_path_a_page_names_exists(page: Path) -> None:
    assert [path for path in spans(page, PATH) if not (ROOT / path).exists() and not is_code(path)] == []


def is_code(name: str) -> bool:
    """Whether it is the code of a problem, which looks like a path."""
    return any(f'"{name}"' in module.read_text("utf-8") for module in ROOT.glob("ledger/*.py"))


@each("page", [page for page in PAGES if page.name != "python.md"], ids=lambda page: page.name)
def test_every_dotted_name_on_a_page_exists(page: Path) -> None:
    """On the page about Python, `ledger.list` is a method of a variable; its own tests run its examples."""
    assert [name for name in spans(page, NAME) if not exists(name)] == []


@each("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [link for link in LINK.findall(prose(page)) if not (page.parent / link).exists()] == []


@cache
def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub writes them into addresses."""
    bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(prose(page)))
    return {heading.replace(" ", "-") for heading in bare}


@each("page", PAGES, ids=lambda page: page.name)
def test_every_link_into_a_page_leads_to_a_heading(page: Path) -> None:
    targets = [(page.parent / path if path else page, anchor) for path, anchor in ANCHOR.findall(prose(page))]
    assert [f"{path.name}#{anchor}" for path, anchor in targets if anchor not in anchors(path.resolve())] == []


def test_the_index_lists_every_page_once_in_four_groups() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    groups = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", index, re.MULTILINE | re.DOTALL))
    assert list(groups) == ["Play", "Run", "Build", "Understand"]
    listed = Counter(
        page for group in groups.values() for page in re.findall(r"^\| \[.*?\]\((.+?)\)", group, re.MULTILINE)
    )
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"README.md"}
    assert listed == Counter(pages | {"../CONTRIBUTING.md", "../CHANGELOG.md"})


def test_every_decision_is_indexed_by_topic() -> None:
    page = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| ([\d, ]+) \|$", page, re.MULTILINE)
    indexed = {int(number) for row in rows for number in row.split(", ")}
    decisions = [int(number) for number in re.findall(r"^(\d+)\. \*\*", page, re.MULTILINE)]
    assert decisions == list(range(1, len(decisions) + 1))
    assert indexed == set(decisions)


@each("page", PAGES, ids=lambda page: page.name)
def test_no_row_of_a_table_names_a_file_twice(page: Path) -> None:
    rows = [line for line in prose(page).splitlines() if line.startswith("|")]
    named = [(row, Counter(span for span in SPAN.findall(row) if PATH.fullmatch(span))) for row in rows]
    assert [row for row, files in named if any(count > 1 for count in files.values())] == []


def test_the_architecture_page_names_enough_for_this_to_mean_something() -> None:
    page = ROOT / "docs" / "architecture.md"
    assert len(spans(page, PATH)) > 40
    assert len(spans(page, NAME)) > 60


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("combatlog.rules.engine.resolution.table.Table.roll", True),
        ("combatlog.rules.engine.resolution.table.Table.rolls", False),
        ("combatlog.rules.engine.tables", False),
        ("combatlog.append_events", True),
        ("combatlog.append_everything", False),
    ],
)
def test_a_name_that_does_not_exist_is_found(name: str, there: bool) -> None:
    assert exists(name) is there
