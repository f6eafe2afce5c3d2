"""The benchmarks are found by name, and docs/performance.md has a ratio of each and nothing absolute."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from statistics import median

import pytest

from benchmarks import capacity, registry
from benchmarks.measure import TURNS, BenchmarkResult, added, in_turns
from benchmarks.registry import known_benchmarks

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


def test_the_page_has_every_benchmark_and_only_ratios() -> None:
    assert registry.findings(PAGE, known_benchmarks()) == []


def test_a_function_with_run_in_its_name_is_a_benchmark() -> None:
    known = set(known_benchmarks())
    assert {"declare", "fold", "load", "rebuild", "simulate", "strikes"} <= known
    assert not {"duel", "measure", "registry", "writer"} & known


def test_what_takes_turns_is_measured_in_turns() -> None:
    measured: list[tuple[str, float]] = []
    rates = {"ours": iter(range(TURNS)), "bare": iter([1000, *[10] * (TURNS - 1)])}

    def measure(who: str, seconds: float) -> float:
        measured.append((who, seconds))
        return next(rates[who])

    found = in_turns([partial(measure, "ours"), partial(measure, "bare")], 2 * TURNS)
    assert [median(one) for one in found] == [(TURNS - 1) / 2, 10]
    assert measured == [("ours", 2), ("bare", 2)] * TURNS


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with one benchmark: 30 against 60 is half, and half is wanted."""
    path = tmp_path / "performance.md"
    path.write_text(f"# Performance\n\n{registry.BEGIN}\nold\n{registry.END}\n\nThe end.\n")
    registry.write(
        path, {"fold": [BenchmarkResult("fold fights", "events", 30, 60, 0.5), BenchmarkResult("  again", "", 1, 4, 0)]}
    )
    return path


def test_what_was_measured_replaces_the_table(page: Path) -> None:
    lines = page.read_text().splitlines()
    assert lines[0] == "# Performance"
    assert lines[4:8] == [
        "| benchmark | measured | ratio | target |",
        "|---|---|---|---|",
        "| `fold` | fold fights | 0.50 | 0.5 |",
        "| `fold` | again | 0.25 |  |",
    ]
    assert lines[-1] == "The end."
    assert "old" not in lines


def test_what_was_not_measured_keeps_its_rows(page: Path) -> None:
    registry.write(page, {"declare": [BenchmarkResult("strikes", "", 1, 2, 0)]})
    registry.write(page, {"declare": [BenchmarkResult("strikes", "", 3, 4, 0)]})
    registry.write(page, {"declare": []})
    assert [line for line in page.read_text().splitlines() if line.startswith("| `")] == [
        "| `declare` | strikes | 0.75 |  |",
        "| `fold` | fold fights | 0.50 | 0.5 |",
        "| `fold` | again | 0.25 |  |",
    ]


def test_a_missing_benchmark_and_one_that_is_gone_are_found(page: Path) -> None:
    assert registry.findings(page, ["fold"]) == []
    assert registry.findings(page, ["fold", "load"]) == [
        "load is not in the table; run python -m benchmarks --write docs/performance.md"
    ]
    assert registry.findings(page, []) == ["fold is in the table, but there is no such benchmark"]


@pytest.mark.parametrize("said", ["3,000/s", "1.4 ms", "250 µs", "2 s", "20 per second", "5 a second", "0.3 seconds"])
def test_times_and_rates_are_found(page: Path, said: str) -> None:
    page.write_text(f"{page.read_text()}It takes {said}.\n")
    (finding,) = registry.findings(page, ["fold"])
    assert finding.endswith("is absolute; say it as a ratio")


@pytest.mark.parametrize("said", ["1,000 declarations", "40 x 40 squares", "0.35 of the bare loop", "a second look"])
def test_sizes_and_ratios_are_welcome(page: Path, said: str) -> None:
    page.write_text(f"{page.read_text()}It compares {said}.\n")
    assert registry.findings(page, ["fold"]) == []


def test_the_capacity_in_the_documents_follows_from_the_ratios() -> None:
    scaling = PAGE.with_name("scaling.md").read_text()
    assert capacity.brought_up_to_date(scaling, PAGE.read_text()) == scaling


@pytest.mark.parametrize(
    ("number", "shown"), [(0.0228, "0.023"), (2.28, "2.3"), (22.8, "23"), (3333.3, "3,300"), (222_000, "220,000")]
)
def test_capacity_has_two_digits(number: float, shown: str) -> None:
    assert capacity._rounded(number) == shown


def test_what_is_added_is_the_rest_of_the_time() -> None:
    """100 a second together take 10 ms each, and 200 a second alone 5 ms: the other half is 200 a second, too."""
    assert added([100] * 8, [200] * 8) == pytest.approx(200)
    assert added([100, 101, 99, 100] * 2, [200, 198, 202, 200] * 2) == pytest.approx(200, rel=0.05)


@pytest.mark.parametrize(
    "together",
    [[200] * 8, [201] * 8, [198, 203] * 4, [190, 210, 199, 201] * 2, [120, 190] * 4],
    ids=["as fast", "faster", "noise around it", "more noise", "slower now and then"],
)
def test_a_difference_that_is_lost_in_noise_is_none(together: list[float]) -> None:
    assert added(together, [200] * 8) is None
