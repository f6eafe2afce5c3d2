"""The page of a fight or a campaign, in each of its forms."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.render.terminal import console
from projections.report.models import CampaignReport, FightReport
from tests.cases import each
from tests.cli.conftest import Prepare, Run

BRIDGE = str(Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml")
SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=http://evil.example/x onerror=alert(1)>'
TABLE = "| a | [x](javascript:alert(1)) **b** `c`"
REASON = f"{SCRIPT} {IMAGE} {TABLE} \x1b[31m\u202e ]]> </style> </svg>"
FIGHTER, GOBLIN = "img-src-http-evil-example-x-onerror-alert-1", "a-x-javascript-alert-1-b-c"
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


@pytest.fixture
def fought(prepare: Prepare) -> Run:
    return prepare(("run", BRIDGE))


@pytest.fixture
def hostile(prepare: Prepare) -> Run:
    """Names and reasons that are markup everywhere they can be shown."""
    return prepare(
        ("new", SCRIPT, "--dice", "table", "--option", f"campaign={json.dumps(IMAGE)}"),
        ("join", SCRIPT, "fighter", "--as", IMAGE, "--at", "3,2", "--side", TABLE[:30]),
        ("join", SCRIPT, "goblin", "--as", TABLE, "--at", "4,2", "--side", SCRIPT),
        ("start", SCRIPT, "--dice", "11,6"),
        ("do", SCRIPT, FIGHTER, "attack"),
        ("do", SCRIPT, FIGHTER, "strike", "--target", GOBLIN, "--dice", "15,5"),
        ("rule", SCRIPT, GOBLIN, "--note", REASON, "--reason", REASON),
        ("conclude", SCRIPT, "--reason", REASON),
    )


class Page(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, and what is read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += f" {data} "


def test_the_page_on_the_terminal(fought: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = fought("report", "bridge").out
    for line in (
        r"Heroes won; it is not closed yet\. It lasted 2 rounds\.",
        r"Snig: round 2, event \d+, became dead",
        r"    \d+: Rurik with longsword, 12 hp, 0 left, overkill 4",
        "Osric      protection     1         0       1  1 hit prevented",
        r"Rurik            2     2       1\.1  0 to 2             within chance",
    ):
        assert re.search(rf"^{line} *$", shown, re.MULTILINE), line
    assert max(map(len, shown.splitlines())) <= 80


def test_a_narrow_terminal_gets_lists_where_tables_do_not_fit(fought: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    console.cache_clear()
    shown = fought("report", "bridge").out
    console.cache_clear()
    assert "Rurik: side heroes, dealt 20, taken 6, healed 0, regained 0," in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 60


def test_the_page_as_data(fought: Run) -> None:
    report = FightReport.model_validate_json(fought("report", "bridge", "--json").out)
    assert (report.version, report.fight, report.result.winner) == (1, "bridge", "heroes")
    campaign = CampaignReport.model_validate_json(fought("report", "--campaign", "riverlands", "--json").out)
    assert [line.fight for line in campaign.fights] == ["bridge"]


def test_the_page_in_markdown(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "bridge.md"
    assert fought("report", "bridge", "--output", str(file)).out == f"Wrote the report to {file}.\n"
    lines = file.read_text("utf-8").splitlines()
    assert lines[0] == "# bridge"
    assert "| Rurik | heroes | 20 | 6 | 0 | 0 | 2 of 2 | hp 6/12 |" in lines
    assert fought("report", "bridge", "--format", "md").out == file.read_text("utf-8")


def test_the_page_in_html_stands_alone(fought: Run, tmp_path: Path) -> None:
    file = tmp_path / "bridge.html"
    assert fought("report", "bridge", "--output", str(file)).status == 0
    text = file.read_text("utf-8")
    page = Page(text)
    assert {"h1", "table", "svg", "figure"} <= page.tags
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "object", "a"})
    for name, value in page.attributes:
        assert name not in ("src", "action", "srcset")
        assert name != "xlink:href" or str(value).startswith("#")
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= NAMESPACES
    assert "Snig hp" in page.words
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_the_figures_take_the_colour_of_the_text(fought: Run) -> None:
    """Otherwise they would be black on black in the dark."""
    text = fought("report", "bridge", "--format", "html").out
    drawn = text[text.index("<svg") : text.rindex("</svg>")]
    assert "currentColor" in drawn
    assert re.findall(r"#000000|#010203|fill: #ffffff", drawn) == []


def test_hostile_names_are_text_in_html(hostile: Run) -> None:
    for arguments in ((SCRIPT,), ("--campaign", IMAGE)):
        ran = hostile("report", *arguments, "--format", "html")
        assert ran.status == 0, ran.err
        page = Page(ran.out)
        assert page.tags.isdisjoint({"script", "img"})
        assert [name for name, _ in page.attributes if name.startswith("on")] == []
        assert SCRIPT in page.words
        assert IMAGE in page.words
        assert ran.out.count("</style>") == 1 + ran.out.count("<svg")
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out


def test_hostile_names_are_text_in_markdown(hostile: Run) -> None:
    text = hostile("report", SCRIPT, "--format", "md").out
    assert re.findall(r"(?<!\\)<", text) == []
    columns = [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")]
    assert set(columns) == {9, 7, 6, 5}  # people 8 columns, luck 6, falls and turning points 5, rulings 4
    assert re.findall(r"(?<!\\)\[x", text) == []


@each(
    ("arguments", "status", "said"),
    [
        ((), 2, "name an encounter, or give --campaign"),
        (("bridge", "--campaign", "riverlands"), 2, "name an encounter, or give --campaign"),
        (("bridge", "--output", "bridge.pdf"), 2, ".html or .md"),
        (("bridge", "--json", "--format", "md"), 2, "give only one"),
        (("bridge", "--format", "pdf"), 2, "pdf"),
        (("nowhere",), 1, "ledger/unknown-encounter"),
        (("--campaign", "nowhere"), 1, "stats/unknown-campaign"),
        (("bridge", "--output", "/nowhere/bridge.html"), 1, "file/unusable"),
    ],
)
def test_what_is_refused(fought: Run, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = fought("report", *arguments)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
