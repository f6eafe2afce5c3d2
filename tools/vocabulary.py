"""Write docs/events.md from the models: `python -m tools.vocabulary`, or `--check` to see whether it is stale."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import Enum
from inspect import getdoc
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ledger.events import FAMILIES, UNRECORDED, Data, Event, Position, TextRole

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "events.md"
EXAMPLE = ROOT / "docs" / "examples" / "strike_with_protection.jsonl"
SAMPLES = ROOT / "tests" / "samples"

INTRODUCTION = """# The event vocabulary

A fight is a stream of events. Each event is a fact in the past tense, stored once and never changed; the state of the
fight is folded from them. This page describes every kind of event. It is generated from the models by
`python -m tools.vocabulary`, and the build fails when it is out of date.
"""

FIGHT = """## A fight, event by event

Snig the goblin strikes at Rurik. Osric stands next to Rurik and knows Protection: as a reaction he imposes
disadvantage on the attack. The goblin rolls 15 and 8, has to take the 8, and misses. This is the whole fight, one line
for each event:
"""

STRIKE = """Every event of the strike names it as its `declaration`, and `cause` says which event led to it directly.
The declaration in full, as the ledger stores it:
"""

FOLLOWS = """What follows from it, without the fields that all events share:
"""

STORED = f"""## How events are stored

An event is stored as JSON under the name of its kind. When the shape of a kind changes, the kind gets a new schema
version, and its events are stored as `kind.VERSION` from the second version on. Events of older versions stay as they
are and are converted each time they are read. A field that the old version did not have then reads
`{UNRECORDED}`: nobody knows what would have been recorded, so it is never compared.

A field without a value is absent. Positions are `[column, row]`, both from 0. `data` belongs to the ruleset and may
hold anything that JSON can.

## Meaning and wording

Some texts identify something; others are only there for people to read. The type of a field says which:

| type | meaning |
|---|---|
"""

WORDING = """
Only meaning is compared. When a fight is verified or corrected, its declarations are resolved again, and the events
must come out the same in every field except prose. So a reason can be reworded at any time, and old fights still
verify.
"""


def page() -> str:
    return "\n".join(
        [
            INTRODUCTION,
            *_fight(),
            STORED + "\n".join(f"| `{role.name}` | {role.meaning} |" for role in ROLES),
            WORDING,
            *_envelope(),
            *(line for name in FAMILIES for line in _family(name)),
            *_parts(),
        ]
    )


# The example


def _fight() -> Iterator[str]:
    told = [json.loads(line) for line in EXAMPLE.read_text("utf-8").splitlines()]
    strike = max(one["event"]["declaration"] for one in told)
    yield FIGHT
    yield "```text"
    yield from (f"{one['event']['seq']:>3}  {one['said']}" for one in told)
    yield "```\n"
    yield STRIKE
    declared, *following = [one["event"] for one in told if one["event"]["declaration"] == strike]
    yield f"```json\n{_json(declared)}\n```\n"
    yield FOLLOWS
    yield "```json"
    yield from (_json(_without_envelope(event)) for event in following)
    yield "```\n"


def _without_envelope(event: dict[str, Any]) -> dict[str, Any]:
    shown = ("kind", "seq", "cause")
    return {name: value for name, value in event.items() if name in shown or name not in Event.model_fields}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# The kinds


def _envelope() -> Iterator[str]:
    yield "## The envelope\n"
    yield "Every event has these fields. The sections below list only what each kind adds.\n"
    yield from _fields(Event, Event.model_fields)


def _family(name: str) -> Iterator[str]:
    yield f"## {name.capitalize()}\n"
    for cls in FAMILIES[name]:
        yield from _kind(cls)


def _kind(cls: type[Event]) -> Iterator[str]:
    kind = cls.model_fields["kind"].default
    version = f", schema version {cls.class_version}" if cls.class_version > 1 else ""
    yield f"### `{kind}` ({cls.__name__}{version})\n"
    yield f"{_about(cls)}\n"
    yield f"Written by: {cls.written_by}. Read by: {cls.read_by}.\n"
    own = [name for name in cls.model_fields if name not in Event.model_fields]
    yield from _fields(cls, own)
    sample = json.loads((SAMPLES / f"{kind}.{cls.class_version}.json").read_text())
    shown = {name: value for name, value in sample.items() if name in own or name in ("kind", "seq")}
    yield f"```json\n{_json(shown)}\n```\n"


def _parts() -> Iterator[str]:
    yield "## Parts of events\n"
    models = all_models()
    for value in values_in(models):
        yield f"### {value.__name__}\n"
        yield f"{_about(value)}\n"
        yield from _fields(value, value.model_fields)
    yield "## Closed lists\n"
    for enum in enums_in(models):
        yield f"### {enum.__name__}\n"
        yield f"{_about(enum)}\n"
        yield f"One of {', '.join(f'`{member.value}`' for member in enum)}.\n"


def _about(cls: type[BaseModel] | type[Enum]) -> str:
    text = (getdoc(cls) or "").strip()
    if not cls.__doc__ or not text:
        raise ValueError(f"{cls.__name__} has no description; give it a docstring.")
    return text


def _fields(model: type[BaseModel], names: Iterable[str]) -> Iterator[str]:
    rows = [_row(model, name) for name in names]
    if rows:
        yield from ("| field | type | meaning |", "|---|---|---|", *rows, "")


def _row(model: type[BaseModel], name: str) -> str:
    field = model.model_fields[name]
    if not field.description:
        raise ValueError(f"{model.__name__}.{name} has no meaning; give its field a description.")
    needed = "" if field.is_required() else ", optional"
    return f"| `{name}` | {type_of(field)}{needed} | {field.description} |"


def main(arguments: list[str]) -> int:
    text = page()
    if arguments == ["--check"]:
        stale = not PAGE.exists() or PAGE.read_text("utf-8") != text
        sys.stdout.write(f"{PAGE.name} is {'stale: run python -m tools.vocabulary' if stale else 'up to date'}\n")
        return int(stale)
    PAGE.write_text(text, "utf-8")
    return 0


_NAMES: dict[Any, str] = {
    int: "`integer`",
    bool: "`boolean`",
    UUID: "`uuid`",
    datetime: "`timestamp`",
    Position: "`position`",
    Data: "`data`",
}


def type_of(field: FieldInfo) -> str:
    role = next((mark for mark in field.metadata if isinstance(mark, TextRole)), None)
    return f"`{role.name}`" if role else _named(field.annotation)


def _named(annotation: Any) -> str:
    if annotation in _NAMES:
        return _NAMES[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return next(f"`{mark.name}`" for mark in annotation.__metadata__ if isinstance(mark, TextRole))
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin is tuple:
        return f"list of {_named(arguments[0])}"
    if origin is dict:
        return f"{_named(arguments[1])} by {_named(arguments[0])}"
    if not arguments:
        raise TypeError(f"{annotation!r} has no name for readers of docs/events.md")
    return " or ".join(_named(argument) for argument in arguments if argument is not NoneType)


# What there is


def all_models() -> list[type[BaseModel]]:
    """The envelope, every kind of event, and every value in them, each once."""
    found: dict[type[BaseModel], None] = {Event: None}
    for cls in (cls for family in FAMILIES.values() for cls in family):
        found[cls] = None
        found.update(dict.fromkeys(_values_of(cls)))
    return list(found)


def _values_of(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for part in _types_in([model]):
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield part
            yield from _values_of(part)


def values_in(models: Iterable[type[BaseModel]]) -> list[type[BaseModel]]:
    return sorted((model for model in models if not issubclass(model, Event)), key=lambda model: model.__name__)


def enums_in(models: Iterable[type[BaseModel]]) -> list[type[Enum]]:
    found = {part for part in _types_in(models) if isinstance(part, type) and issubclass(part, Enum)}
    return sorted(found, key=lambda enum: enum.__name__)


def _types_in(models: Iterable[type[BaseModel]]) -> Iterator[Any]:
    for model in models:
        for field in model.model_fields.values():
            yield from _flattened(field.annotation)


def _flattened(annotation: Any) -> Iterator[Any]:
    yield annotation
    for argument in get_args(annotation):
        yield from _flattened(argument)


def _roles() -> list[TextRole]:
    """Every role that a text has somewhere, in the order in which they are first met."""
    marks = [mark for model in all_models() for field in model.model_fields.values() for mark in _marks(field)]
    return list(dict.fromkeys(mark for mark in marks if isinstance(mark, TextRole)))


def _marks(field: FieldInfo) -> Iterator[Any]:
    yield from field.metadata
    for part in _flattened(field.annotation):
        yield from getattr(part, "__metadata__", ())


ROLES = _roles()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
