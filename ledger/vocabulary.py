"""Writes docs/events.md from the models: `python -m ledger.vocabulary`, or `--check` to see whether it is stale."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from ledger.events import FAMILIES, Event

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "events.md"
SAMPLES = ROOT / "tests" / "samples"

INTRODUCTION = """# The event vocabulary

A fight is a stream of events. Each is a fact in the past tense, stored once and never changed. This page is
generated from the models by `python -m ledger.vocabulary`; CI fails when it is stale.

An event is stored as JSON under the name of its kind, from the second schema version on as `kind.VERSION`. Older
versions are upcast on read. A field that is `null` is left out.

Refs say what something is, as `ruleset:type:name`: `dnd5e:condition:raging`. Positions are `[column, row]` from 0.
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *_envelope(), *(line for name in FAMILIES for line in _family(name))])


def _envelope() -> Iterator[str]:
    yield "## The envelope\n"
    yield "Every event has these fields; the sections below list only what each kind adds.\n"
    yield from _fields(dict(Event.model_fields))


def _family(name: str) -> Iterator[str]:
    yield f"## {name.capitalize()}\n"
    for cls in FAMILIES[name]:
        yield from _kind(cls)


def _kind(cls: type[Event]) -> Iterator[str]:
    kind = cls.model_fields["kind"].default
    version = f", schema version {cls.class_version}" if cls.class_version > 1 else ""
    yield f"### `{kind}` ({cls.__name__}{version})\n"
    yield f"{(getdoc(cls) or '').strip()}\n"
    yield f"Written by {cls.written_by}. Read by {cls.read_by}.\n"
    own = {name: field for name, field in cls.model_fields.items() if name not in Event.model_fields}
    yield from _fields(own)
    sample = json.loads((SAMPLES / f"{kind}.{cls.class_version}.json").read_text())
    yield f"```json\n{json.dumps(_own_part(sample, own), ensure_ascii=False)}\n```\n"


def _own_part(sample: dict[str, Any], own: dict[str, FieldInfo]) -> dict[str, Any]:
    return {name: value for name, value in sample.items() if name in own or name in ("kind", "seq")}


def _fields(fields: dict[str, FieldInfo]) -> Iterator[str]:
    if not fields:
        return
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    for name, field in fields.items():
        needed = "" if field.is_required() else " (optional)"
        yield f"| `{name}` | {_type_name(field)}{needed} | {field.description or ''} |"
    yield ""


def _type_name(field: FieldInfo) -> str:
    annotation: Any = field.annotation
    is_plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    text = annotation.__name__ if is_plain else str(annotation)
    text = re.sub(r"\b(?:typing|uuid|datetime|ledger\.events(?:\.[a-z]+)?)\.", "", text)
    return "`" + text.replace("|", "or").replace("NoneType", "None") + "`"


def main(arguments: list[str]) -> int:
    text = page()
    if arguments == ["--check"]:
        stale = not PAGE.exists() or PAGE.read_text("utf-8") != text
        sys.stdout.write(f"{PAGE.name} is {'stale: run python -m ledger.vocabulary' if stale else 'up to date'}\n")
        return int(stale)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
