"""What docs/json.md says about values in Python: each writes its document, and every document is accounted for."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

from cli.render.json_schemas import DOCUMENTS

TEXT = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8").partition("## In Python")[2]
ROWS = re.findall(r"^\| (`[^|]*) \| (`[^|]*) \|$", TEXT, re.MULTILINE)
PUT_TOGETHER_BY_COMMANDS = {
    *("read-models", "lake", "lake-written", "lake-compacted", "database", "rows", "tables"),
    *("abilities", "ability", "library-check"),
}


def test_every_value_writes_its_document() -> None:
    for _, values in ROWS:
        for value in re.findall(r"`([^`]+)`", values):
            assert callable(resolve_name(value).to_json), value


def test_every_document_is_accounted_for() -> None:
    told = {name for documents, _ in ROWS for name in re.findall(r"`([^`]+)`", documents)}
    plain = set(re.findall(r"`([a-z_-]+)`", TEXT.rpartition("|\n")[2]))
    assert told | plain | PUT_TOGETHER_BY_COMMANDS >= {document.name for document in DOCUMENTS}
