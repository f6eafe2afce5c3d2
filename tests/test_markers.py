"""The list of slow tests names tests that exist: an entry that matches nothing would make the quick run slow again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SLOW

HERE = Path(__file__).parent


@pytest.mark.parametrize("entry", SLOW)
def test_an_entry_names_a_folder_a_file_or_a_test(entry: str) -> None:
    path, _, function = entry.partition("::")
    files = list(HERE.glob(f"{path}*"))
    assert files
    assert not function or f"def {function}" in files[0].read_text("utf-8")
