"""`python -m cli.documents` writes docs/schemas; with `--check` it only says what is out of date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.documents.catalogue import DOCUMENTS, Document
from cli.documents.changes import broken_promises

FOLDER = Path(__file__).parent.parent.parent / "docs" / "schemas"


def main(arguments: list[str]) -> int:
    findings = [finding for document in DOCUMENTS if (finding := _finding(document))]
    if "--check" in arguments:
        stale = [document.name for document in DOCUMENTS if _text(document) != _stored(document)]
        findings += [f"docs/schemas/{name}.json is out of date; run python -m cli.documents" for name in stale]
    elif not findings:
        FOLDER.mkdir(exist_ok=True)
        for document in DOCUMENTS:
            _file(document).write_text(_text(document), encoding="utf-8")
    for finding in findings:
        print(finding)  # noqa: T201 - for the developer who runs it
    return 1 if findings else 0


def _finding(document: Document) -> str | None:
    """What is wrong with publishing the schema under its version, if anything is."""
    stored = _stored(document)
    if not stored:
        return None
    old, new = json.loads(stored), document.schema()
    if old["$id"] != new["$id"] or not (broken := broken_promises(old, new)):
        return None
    return f"raise the version of {document.name!r} above {document.version}: {'; '.join(broken)}"


def _file(document: Document) -> Path:
    return FOLDER / f"{document.name}.json"


def _stored(document: Document) -> str:
    return _file(document).read_text(encoding="utf-8") if _file(document).exists() else ""


def _text(document: Document) -> str:
    return json.dumps(document.schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
