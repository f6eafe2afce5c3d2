"""Every document, and the commands that print it.

The type of a document stands next to the code that makes it, so that a change of one is checked against the other. Raise
the version of a document when programs that read it would have to change; new fields alone do not need that.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import GenericAlias
from typing import Any

from ledger.errors import Problem


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    commands: tuple[str, ...]
    about: str
    type: str
    """Where its type is, as `module:name`."""
    many: bool = False
    """Whether it is a list of these."""
    version: int = 1

    def load(self) -> Any:
        module, _, name = self.type.partition(":")
        found = getattr(import_module(module), name)
        return GenericAlias(list, (found,)) if self.many else found

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema, draft 2020-12."""
        from pydantic import TypeAdapter
        from pydantic.json_schema import GenerateJsonSchema

        class WithoutTitles(GenerateJsonSchema):
            """A title that only repeats a field's name in capitals says nothing."""

            def field_title_should_be_set(self, schema: Any) -> bool:
                return False

        made = TypeAdapter(self.load()).json_schema(mode="serialization", schema_generator=WithoutTitles)
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"combatlog:{self.name}:{self.version}",
            **made,
            "title": self.name,
            "description": self.about,
        }


DOCUMENTS: tuple[Document, ...] = (
    Document("status", ("status",), "The state of a fight after one of its events.", "projections.snapshot:State"),
)


def document_called(name: str) -> Document:
    """The document with this name, or the one that a command of this name prints."""
    for document in DOCUMENTS:
        if name == document.name or name in document.commands:
            return document
    from rules.engine.refusal import choices, suggest

    known = sorted(document.name for document in DOCUMENTS)
    raise Problem(
        "schema/unknown",
        f"There is no document {name!r}; choose {choices(known)}.",
        name=name,
        available=known,
        suggestions=suggest(name, known),
    )
