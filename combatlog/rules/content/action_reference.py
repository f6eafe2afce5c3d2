"""What can be declared under a ruleset, and what each declaration takes: the reference that interfaces show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import pydantic
from typing_extensions import TypedDict

from combatlog.rules.content.field_reference import Field, OptionData, fields_of, summary_of
from combatlog.rules.engine.core_actions import CORE
from combatlog.rules.engine.options import Part, Signature
from combatlog.rules.engine.refusal import Refusal, suggest
from combatlog.rules.engine.ruleset import Choice, Ruleset, Section, looked_up
from projections.combatant import Combatant


class EntryKind(StrEnum):
    ACTION = "action"
    REACTION = "reaction"
    CORE_ACTION = "core action"
    ENCOUNTER = "encounter"


class EntryData(TypedDict):
    kind: Annotated[str, pydantic.Field(description="`action`, `reaction`, `core action` or `encounter`")]
    name: str
    ref: str | None
    about: str
    declared: Annotated[bool, pydantic.Field(description="false: the rules do not say what it takes")]
    parts: Annotated[
        list[str], pydantic.Field(description="what a declaration names besides options, such as a target")
    ]
    options: list[OptionData]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be declared, or the opening of an encounter, with the options it takes."""

    kind: EntryKind
    name: str
    ref: str
    about: str
    parts: tuple[Part, ...]
    """What a declaration can name beside its options, in the order people say it."""
    options: tuple[Field, ...]
    is_declared: bool = True
    """False: the ruleset does not say what this takes, so anything is accepted."""

    def to_json(self) -> EntryData:
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
    takes: EntryData | None


class MenuSection(Section):
    choices: list[MenuChoice]  # type: ignore[assignment]


def with_options(sections: Sequence[Section], entries: Sequence[Entry]) -> list[MenuSection]:
    """A menu that says what each of its choices takes."""
    known = [entry for entry in entries if entry.kind in (EntryKind.ACTION, EntryKind.REACTION)]
    takes = {entry.name: entry for entry in reversed(known)}

    def choice(one: Choice) -> MenuChoice:
        found = takes.get(one.name)
        return MenuChoice.model_construct(**dict(one), takes=found.to_json() if found is not None else None)

    return [MenuSection.model_construct(title=one.title, choices=[*map(choice, one.choices)]) for one in sections]


def reference(rules: Ruleset, actor: Combatant | None = None) -> list[Entry]:
    """Every entry of a ruleset; with a combatant, also the actions that only this combatant has."""
    return [*_actions(rules, actor), *_reactions(rules), *_core_actions(), _encounter(rules)]


def is_called(entry: Entry, name: str) -> bool:
    return looked_up(name) in (looked_up(entry.name), looked_up(entry.ref))


def entries_called(entries: Sequence[Entry], name: str) -> list[Entry]:
    """The entries of this name or ref; an action and a reaction can share a name."""
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


def _actions(rules: Ruleset, actor: Combatant | None) -> Iterator[Entry]:
    for name, ref in rules.action_refs(actor).items():
        yield _entry(EntryKind.ACTION, name, ref, rules.signature(ref, actor))


def _reactions(rules: Ruleset) -> Iterator[Entry]:
    for name, ref in rules.reaction_refs().items():
        yield _entry(EntryKind.REACTION, name, ref, rules.reaction_signature(ref))


def _core_actions() -> Iterator[Entry]:
    for ref, core in CORE.items():
        if core.for_people:
            yield _entry(EntryKind.CORE_ACTION, ref.rsplit(":", 1)[1], ref, core.signature)


def _encounter(rules: Ruleset) -> Entry:
    model = rules.encounter_options
    signature = Signature(model, about=summary_of(model)) if model is not None else None
    return _entry(EntryKind.ENCOUNTER, "encounter", f"{rules.name}:encounter:options", signature)


def _entry(kind: EntryKind, name: str, ref: str, signature: Signature | None) -> Entry:
    if signature is None:
        return Entry(kind, name, ref, "", (), (), is_declared=False)
    parts = tuple(part for part in Part if part in signature.parts)
    return Entry(kind, name, ref, signature.about, parts, tuple(fields_of(signature.options, left_out=())))
