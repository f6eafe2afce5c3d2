"""The fields of a model in words, for people who write an entry of a pack or declare an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, cast

import pydantic
from typing_extensions import TypedDict

from combatlog.rules.engine.refusal import choices, listing, unknown
from combatlog.rules.engine.ruleset import PackSection
from combatlog.rules.engine.validation import adapter

Schema = dict[str, Any]


class OptionData(TypedDict):
    """An option of an action, or of an entry in a pack."""

    name: str
    required: bool
    takes: Annotated[str, pydantic.Field(description="what values it takes, in words")]
    values: Annotated[list[Any], pydantic.Field(description="the possible values, if there are only a few")]
    default: Any
    about: str
    options: Annotated[list[OptionData], pydantic.Field(description="what is inside, if it is a mapping")]


class ArchetypeData(TypedDict):
    section: str
    archetype: str | None
    about: str
    options: list[OptionData]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    takes: str
    """The values that it takes, in words."""
    default: Any
    """None: the field can be omitted, and has no value then."""
    required: bool
    note: str
    parts: tuple[Field, ...] = ()
    """The fields of the value, or of each value in a list."""
    values: tuple[str, ...] = ()
    """All possible values, if they can be listed: those of an enum, or true and false."""

    def to_json(self) -> OptionData:
        return {
            "name": self.name,
            "required": self.required,
            "takes": self.takes,
            "values": list(self.values),
            "default": self.default,
            "about": self.note,
            "options": [part.to_json() for part in self.parts],
        }


def forms_called(sections: Sequence[PackSection], name: str | None) -> list[tuple[str, str, type[Any]]]:
    """The models of an archetype or of a section, each with section and archetype; all of them without a name."""
    every = [(section.name, archetype, model) for section in sections for archetype, model in section.forms.items()]
    found = [form for form in every if name is None or name in form[:2]]
    if not found and name is not None:
        known = sorted({archetype or section for section, archetype, _ in every})
        sentence = f"There is no archetype {name!r}; there are {listing(known)}."
        raise unknown("archetype/unknown", sentence, name, known)
    return found


def archetypes(sections: Sequence[PackSection], name: str | None) -> list[ArchetypeData]:
    """What the entries of a pack can be: all of them, or those of this name."""
    return [
        {
            "section": section,
            "archetype": archetype or None,
            "about": summary_of(model),
            "options": [field.to_json() for field in fields_of(model)],
        }
        for section, archetype, model in forms_called(sections, name)
    ]


def fields_of(model: type[Any], left_out: tuple[str, ...] = ("name",)) -> list[Field]:
    """The fields of a model, required ones first. In a pack, an entry's name is not among its fields."""
    return [field for field in _every_field(cast(Any, model)) if field.name not in left_out]


@cache
def _every_field(model: type[Any]) -> tuple[Field, ...]:
    return tuple(fields_in(adapter(cast(Any, model)).json_schema()))


def fields_in(schema: Schema) -> list[Field]:
    """The fields of a JSON Schema, required ones first."""
    return _fields(schema, schema.get("$defs", {}))


def summary_of(model: type[Any]) -> str:
    """The first line of a model's docstring."""
    return str(vars(model).get("__doc__") or "").strip().split("\n")[0]


def _fields(schema: Schema, known: Schema) -> list[Field]:
    required = schema.get("required", ())
    fields = [
        Field(
            name,
            _words(field, known),
            field.get("default"),
            name in required,
            field.get("description", ""),
            tuple(part for kind in _kinds(field, known) for part in _fields(kind, known)),
            _values(field, known),
        )
        for name, field in schema.get("properties", {}).items()
    ]
    return sorted(fields, key=lambda field: not field.required)


def _kinds(schema: Schema, known: Schema) -> list[Schema]:
    """The schemas that a value can have; for a list, those of its items."""
    if "$ref" in schema:
        return _kinds(known[schema["$ref"].rsplit("/", 1)[1]], known)
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return [kind for part in several if part.get("type") != "null" for kind in _kinds(part, known)]
    return _kinds(schema["items"], known) if "items" in schema else [schema]


def _values(schema: Schema, known: Schema) -> tuple[str, ...]:
    """Every value of a field as people write it; none if there are others as well."""
    kinds = [] if "items" in schema else _kinds(schema, known)
    listed = [_listed(kind) for kind in kinds]
    return tuple(value for values in listed for value in values) if all(listed) else ()


def _listed(schema: Schema) -> tuple[str, ...]:
    if schema.get("type") == "boolean":
        return ("true", "false")
    return tuple(map(str, schema.get("enum", [schema["const"]] if "const" in schema else ())))


def _words(schema: Schema, known: Schema) -> str:
    if "$ref" in schema:
        return _words(known[schema["$ref"].rsplit("/", 1)[1]], known)
    if several := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [_words(kind, known) for kind in several if kind.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema or "const" in schema:
        return choices(map(str, schema.get("enum", [schema.get("const")])))
    kind = schema.get("type", "")
    if kind in _OF_TYPE:
        return _OF_TYPE[kind](schema, known)
    return str(schema.get("format", "text")) if kind else "any value"


def _number(schema: Schema, known: Schema) -> str:
    least, most, step = (schema.get(bound) for bound in ("minimum", "maximum", "multipleOf"))
    span = f"{least} to {most}" if most is not None else f"{least} or more" if least is not None else "a number"
    return f"{span} by {step}s" if step else span


def _object(schema: Schema, known: Schema) -> str:
    if "properties" in schema:
        return f"{{{', '.join(schema['properties'])}}}"
    values = schema.get("additionalProperties")
    return f"{{name: {_words(values if isinstance(values, dict) else {}, known)}}}"


def _array(schema: Schema, known: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_words(item, known) for item in schema['prefixItems'])}]"
    return f"a list of {_words(schema.get('items', {}), known)}"


_OF_TYPE: dict[str, Callable[[Schema, Schema], str]] = {
    "integer": _number,
    "number": _number,
    "object": _object,
    "array": _array,
    "boolean": lambda schema, known: "true or false",
}
