"""What a fuzzer once broke a reader with, and what it starts from: tried again without it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.cases import each
from tests.fuzz.targets import NAMES

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_seed_is_read_or_refused(name: str) -> None:
    module = import_module(f"tests.fuzz.targets.{name}")
    for seed in module.SEEDS:
        module.target(seed)
    module.target(b"")


@each("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name[:20]}")
def test_what_was_found_stays_mended(path: Path) -> None:
    import_module(f"tests.fuzz.targets.{path.parent.name}").target(path.read_bytes())


def test_every_target_is_tried() -> None:
    folder = Path(__file__).parent / "targets"
    assert set(NAMES) == {path.stem for path in folder.glob("[!_]*.py")}
