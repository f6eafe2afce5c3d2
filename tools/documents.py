"""`python -m tools.documents` writes docs/schemas; with `--check` it only says what is out of date."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.render.json_schemas import DOCUMENTS, JsonDocument

Schema = dict[str, Any]
FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def main(arguments: list[str]) -> int:
    findings = [finding for document in DOCUMENTS if (finding := _finding(document))]
    if "--check" in arguments:
        stale = [document.name for document in DOCUMENTS if _text(document) != _stored(document)]
        findings += [f"docs/schemas/{name}.json is out of date; run python -m tools.documents" for name in stale]
    elif not findings:
        FOLDER.mkdir(exist_ok=True)
        for document in DOCUMENTS:
            _file(document).write_text(_text(document), encoding="utf-8")
    for finding in findings:
        print(finding)  # noqa: T201 - for the developer who runs it
    return 1 if findings else 0


def _finding(document: JsonDocument) -> str | None:
    """What is wrong with publishing the schema under its version, if anything is."""
    stored = _stored(document)
    if not stored:
        return None
    old, new = json.loads(stored), document.schema()
    if old["$id"] != new["$id"] or not (broken := broken_promises(old, new)):
        return None
    return f"raise the version of {document.name!r} above {document.version}: {'; '.join(broken)}"


def _file(document: JsonDocument) -> Path:
    return FOLDER / f"{document.name}.json"


def _stored(document: JsonDocument) -> str:
    return _file(document).read_text(encoding="utf-8") if _file(document).exists() else ""


def _text(document: JsonDocument) -> str:
    return json.dumps(document.schema(), indent=2, ensure_ascii=False) + "\n"


# What a new schema takes from programs that read documents of the old one


def broken_promises(old: Schema, new: Schema) -> list[str]:
    """What a reader of the old schema can no longer rely on, in words. New fields are no problem."""
    return list(_compare(old, new, old, new, "the document", frozenset()))


def _compare(
    old: Schema, new: Schema, old_root: Schema, new_root: Schema, where: str, seen: frozenset[str]
) -> Iterator[str]:
    reference = old.get("$ref", "")
    if reference in seen:
        return
    seen |= {reference} if reference else frozenset()
    old, new = _resolved(old, old_root), _resolved(new, new_root)
    if _kinds(new, new_root) - _kinds(old, old_root):
        added = ", ".join(sorted(_kinds(new, new_root) - _kinds(old, old_root)))
        yield f"{where} can now be {added}"
        return
    for name, part in old.get("properties", {}).items():
        if name not in new.get("properties", {}):
            yield f"{where} has no {name!r} any more"
            continue
        if name in old.get("required", ()) and name not in new.get("required", ()):
            yield f"{name!r} of {where} may now be absent"
        yield from _compare(part, new["properties"][name], old_root, new_root, f"{name!r} of {where}", seen)
    for key in ("items", "additionalProperties"):
        if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
            yield from _compare(old[key], new[key], old_root, new_root, f"an entry of {where}", seen)


def _resolved(schema: Schema, root: Schema) -> Schema:
    while schema.get("$ref", "").startswith("#"):  # anything else is another document
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def _kinds(schema: Schema, root: Schema) -> set[str]:
    """The sorts of values that are possible: types, and the values of an enumeration."""
    schema = _resolved(schema, root)
    if "$ref" in schema:
        return {schema["$ref"]}
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return set().union(*(_kinds(branch, root) for branch in branches))
    if "const" in schema:
        return {repr(schema["const"])}
    if "enum" in schema:
        return {repr(value) for value in schema["enum"]}
    kind = schema.get("type")
    return {kind} if isinstance(kind, str) else set(kind or ())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
