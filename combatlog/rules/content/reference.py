"""The reference: the possible declarations of a ruleset, and the fields of pack entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, cast

import pydantic
from typing_extensions import TypedDict

from combatlog.rules.engine.declarations.core_actions import CORE
from combatlog.rules.engine.options_and_validation import Part, Signature, adapter
from combatlog.rules.engine.refusal import Refusal, choices, listing, suggest, unknown
from combatlog.rules.engine.ruleset import Ruleset, looked_up
from combatlog.rules.engine.ruleset_types import Choice, ChoiceSection, PackSection
from projections.battle.combatant import Combatant

Schema = dict[str, Any]


class OptionData(TypedDict):
    """An option of an action, or of an entry in a pack."""

    name: str
    required: bool
    takes: Annotated[str, pydantic.Field(description="the values it takes, in words")]
    values: Annotated[list[Any], pydantic.Field(description="the possible values, if there are only a few")]
    default: Any
    about: str
    options: Annotated[list[OptionData], pydantic.Field(description="its fields, if it is a mapping")]


class ArchetypeData(TypedDict):
    section: str
    archetype: str | None
    about: str
    options: list[OptionData]


@dataclass(frozen=True, slots=True)
class ReferenceField:
    name: str
    takes: str
    """The values it takes, in words."""
    default: Any
    """None if the field can be omitted and then has no value."""
    required: bool
    note: str
    parts: tuple[ReferenceField, ...] = ()
    """The fields of the value, or of each value in a list."""
    values: tuple[str, ...] = ()
    """All possible values if they can be listed: of an enum, or true and false."""

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
    """The models of an archetype or a section, each with both names; without a name, all of them."""
    every = [(section.name, archetype, model) for section in sections for archetype, model in section.forms.items()]
    found = [form for form in every if name is None or name in form[:2]]
    if not found and name is not None:
        known = sorted({archetype or section for section, archetype, _ in every})
        sentence = f"There is no archetype {name!r}; the archetypes are {listing(known)}."
        raise unknown("archetype/unknown", sentence, name, known)
    return found


def archetypes(sections: Sequence[PackSection], name: str | None) -> list[ArchetypeData]:
    """The possible kinds of pack entries: all of them, or those with this name."""
    return [
        {
            "section": section,
            "archetype": archetype or None,
            "about": summary_of(model),
            "options": [field.to_json() for field in fields_of(model)],
        }
        for section, archetype, model in forms_called(sections, name)
    ]


def fields_of(model: type[Any], left_out: tuple[str, ...] = ("name",)) -> list[ReferenceField]:
    """The fields of a model, required ones first. In a pack, an entry's name is not one of them."""
    return [field for field in _every_field(cast(Any, model)) if field.name not in left_out]


@cache
def _every_field(model: type[Any]) -> tuple[ReferenceField, ...]:
    return tuple(fields_in(adapter(cast(Any, model)).json_schema()))


def fields_in(schema: Schema) -> list[ReferenceField]:
    """The fields of a JSON Schema, required ones first."""
    return _fields(schema, schema.get("$defs", {}))


def summary_of(model: type[Any]) -> str:
    """The first line of a model's docstring."""
    return str(vars(model).get("__doc__") or "").strip().split("\n")[0]


def _fields(schema: Schema, known: Schema) -> list[ReferenceField]:
    required = schema.get("required", ())
    fields = [
        ReferenceField(
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
    """The possible schemas of a value; for a list, of its items."""
    if "$ref" in schema:
        return _kinds(known[schema["$ref"].rsplit("/", 1)[1]], known)
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return [kind for part in several if part.get("type") != "null" for kind in _kinds(part, known)]
    return _kinds(schema["items"], known) if "items" in schema else [schema]


def _values(schema: Schema, known: Schema) -> tuple[str, ...]:
    """Every value of a field as users write it; empty if there are other values, too."""
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


class ReferenceEntryKind(StrEnum):
    ACTION = "action"
    REACTION = "reaction"
    CORE_ACTION = "core action"
    ENCOUNTER = "encounter"


class ReferenceEntryData(TypedDict):
    kind: Annotated[str, pydantic.Field(description="`action`, `reaction`, `core action` or `encounter`")]
    name: str
    ref: str | None
    about: str
    declared: Annotated[bool, pydantic.Field(description="false if the rules do not say what it takes")]
    parts: Annotated[
        list[str], pydantic.Field(description="the parts of a declaration besides options, such as a target")
    ]
    options: list[OptionData]


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One possible declaration, or the opening of an encounter, with its options."""

    kind: ReferenceEntryKind
    name: str
    ref: str
    about: str
    parts: tuple[Part, ...]
    """The parts of a declaration besides its options, in the order in which users give them."""
    options: tuple[ReferenceField, ...]
    is_declared: bool = True
    """False if the ruleset does not say what this takes, so that anything is accepted."""

    def to_json(self) -> ReferenceEntryData:
        return {
            "kind": self.kind.value,
            "name": self.name,
            "ref": self.ref,
            "about": self.about,
            "declared": self.is_declared,
            "parts": [part.value for part in self.parts],
            "options": [option.to_json() for option in self.options],
        }


class MenuChoice(Choice):
    takes: ReferenceEntryData | None


class MenuSection(ChoiceSection):
    choices: list[MenuChoice]  # type: ignore[assignment]


def with_options(sections: Sequence[ChoiceSection], entries: Sequence[ReferenceEntry]) -> list[MenuSection]:
    """A menu with the options of each choice."""
    known = [entry for entry in entries if entry.kind in (ReferenceEntryKind.ACTION, ReferenceEntryKind.REACTION)]
    takes = {entry.name: entry for entry in reversed(known)}

    def choice(one: Choice) -> MenuChoice:
        found = takes.get(one.name)
        return MenuChoice.model_construct(**dict(one), takes=found.to_json() if found is not None else None)

    return [MenuSection.model_construct(title=one.title, choices=[*map(choice, one.choices)]) for one in sections]


def reference(rules: Ruleset, actor: Combatant | None = None) -> list[ReferenceEntry]:
    """Every entry of a ruleset; with a combatant, also the actions that only this combatant has."""
    return [*_actions(rules, actor), *_reactions(rules), *_core_actions(), _encounter(rules)]


def is_called(entry: ReferenceEntry, name: str) -> bool:
    return looked_up(name) in (looked_up(entry.name), looked_up(entry.ref))


def entries_called(entries: Sequence[ReferenceEntry], name: str) -> list[ReferenceEntry]:
    """The entries with this name or ref; an action and a reaction can share a name."""
    found = [entry for entry in entries if is_called(entry, name)]
    if not found:
        known = sorted({entry.name for entry in entries})
        raise Refusal(
            "reference/unknown",
            f"There is no action or reaction {name!r}.",
            name=name,
            available=known,
            suggestions=suggest(name, known),
        )
    return found


def _actions(rules: Ruleset, actor: Combatant | None) -> Iterator[ReferenceEntry]:
    for name, ref in rules.action_refs(actor).items():
        yield _entry(ReferenceEntryKind.ACTION, name, ref, rules.signature(ref, actor))


def _reactions(rules: Ruleset) -> Iterator[ReferenceEntry]:
    for name, ref in rules.reaction_refs().items():
        yield _entry(ReferenceEntryKind.REACTION, name, ref, rules.reaction_signature(ref))


def _core_actions() -> Iterator[ReferenceEntry]:
    for ref, core in CORE.items():
        if core.for_people:
            yield _entry(ReferenceEntryKind.CORE_ACTION, ref.rsplit(":", 1)[1], ref, core.signature)


def _encounter(rules: Ruleset) -> ReferenceEntry:
    model = rules.encounter_options
    signature = Signature(model, about=summary_of(model)) if model is not None else None
    return _entry(ReferenceEntryKind.ENCOUNTER, "encounter", f"{rules.name}:encounter:options", signature)


def _entry(kind: ReferenceEntryKind, name: str, ref: str, signature: Signature | None) -> ReferenceEntry:
    if signature is None:
        return ReferenceEntry(kind, name, ref, "", (), (), is_declared=False)
    parts = tuple(part for part in Part if part in signature.parts)
    return ReferenceEntry(kind, name, ref, signature.about, parts, tuple(fields_of(signature.options, left_out=())))
