"""Every document, and the commands that print it.

The type checker compares the type of a document with the code that makes it. Raise the version of a document when
programs that read it would have to change; new fields alone do not need that.
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

    @property
    def id(self) -> str:
        return f"combatlog:{self.name}:{self.version}"

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
            "$id": self.id,
            **_published(made),
            "title": self.name,
            "description": self.about,
        }


def _published(schema: Any) -> Any:
    """The schema as others may rely on it: open to new fields, and with references to the documents it mentions."""
    if isinstance(schema, list):
        return [_published(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$document" in schema:
        described = {"description": schema["description"]} if "description" in schema else {}
        return {"$ref": document_called(schema["$document"]).id, **described}
    kept = {name: part for name, part in schema.items() if (name, part) != ("additionalProperties", False)}
    return {name: _published(part) for name, part in kept.items()}


_SHAPES = "cli.shapes"
_RECORDING = (
    *("new", "join", "start", "do", "react", "time-up", "end-turn", "leave", "conclude", "rule", "fork", "label"),
    *("dice sit", "dice link"),
    *("hit", "cast", "move", "hurt", "heal", "initiative", "reactions", "reveal", "conceal", "roll", "note"),
    *("agree", "overrule"),
    *("rest short", "rest long"),
)

DOCUMENTS: tuple[Document, ...] = (
    Document("problem", (), "Why any command with --json was refused; on standard error.", f"{_SHAPES}:ProblemData"),
    # a fight
    Document("event", (), "An event of a fight; docs/events.md says what each kind means.", f"{_SHAPES}:AnyEvent"),
    Document("recorded", _RECORDING, "The events that a command recorded.", "ledger.json_shapes:EventData", many=True),
    Document(
        "status",
        ("status",),
        "The state of a fight after one of its events.",
        "combatlog.rules.engine.status:StatusData",
    ),
    Document(
        "advice",
        ("advise",),
        "What a combatant could do, best first.",
        "combatlog.rules.engine.ruleset:Advice",
        many=True,
    ),
    Document(
        "economy", ("economy",), "The changes of a combatant's resources.", "ledger.events:ResourceChanged", many=True
    ),
    Document("why-not", ("explain",), "What kept something out (explain --why-not).", f"{_SHAPES}:Sentence", many=True),
    Document(
        "log",
        ("log",),
        "Events, with the corrections that took them back.",
        "projections.timeline:LoggedEvent",
        many=True,
    ),
    Document(
        "explanation", ("explain",), "An event, with everything behind it.", "projections.explanation:ExplanationData"
    ),
    Document("aim", ("aim",), "Whom an area would catch.", "combatlog.rules.engine.aiming:Aim"),
    Document(
        "menu",
        ("actions",),
        "What a combatant can do now.",
        "combatlog.rules.content.action_reference:MenuSection",
        many=True,
    ),
    Document("list", ("list",), "A page of the encounters, the newest first.", "ledger.listing:Page"),
    Document("roster", ("roster",), "The characters of a campaign.", "combatlog.rules.engine.roster:Member", many=True),
    Document("difficulty", ("difficulty",), "How hard a fight is.", "combatlog.rules.content.bestiary:Difficulty"),
    # corrections
    Document(
        "plan",
        ("undo", "redo", "amend", "insert"),
        "What a correction would do.",
        "combatlog.rules.engine.corrections.plan:PlanData",
    ),
    Document(
        "proposal",
        ("proposal",),
        "The correction that the table is asked about.",
        "combatlog.rules.engine.corrections.proposed:ProposalData",
    ),
    Document("difference", ("diff",), "How two fights or two moments differ.", "projections.comparison:ComparisonData"),
    Document(
        "corrections", ("corrections",), "Who corrected what, and why.", "projections.audit:CorrectionData", many=True
    ),
    # sharing the table
    Document(
        "shared_dice",
        ("dice show",),
        "Who has sat down with a chain of secrets, and the roll that waits for a link.",
        "projections.links:SharedDice",
    ),
    Document("seats", ("seat",), "The seats at a fight.", "combatlog.seats:SeatData", many=True),
    Document("webhooks", ("webhook",), "The webhooks of a fight.", "combatlog.webhooks:WebhookData", many=True),
    Document(
        "new-webhook",
        ("webhook",),
        "A new webhook with its secret (webhook --add).",
        "combatlog.webhooks:NewWebhookData",
    ),
    Document(
        "invitation", ("seat",), "A new seat with its token (seat --player ...).", "combatlog.seats:InvitationData"
    ),
    # playing by itself
    Document(
        "auto",
        ("auto",),
        "What was played automatically, and why.",
        "combatlog.rules.autoplay.auto:AutoStep",
        many=True,
    ),
    Document(
        "simulation", ("simulate",), "How many simulated fights went.", "combatlog.rules.autoplay.summary:Summary"
    ),
    Document("run", ("run",), "The steps of a scenario.", "combatlog.rules.content.scenario:ScriptStep", many=True),
    # analysis
    Document(
        "statistics", ("stats",), "The answer to a question.", "projections.statistics.report:StatisticData", many=True
    ),
    Document("report", ("report",), "A fight or a campaign on one page.", f"{_SHAPES}:AnyReport"),
    Document("rows", ("sql",), "The rows of an answer in SQL.", f"{_SHAPES}:Record", many=True),
    Document("tables", ("sql",), "The tables of the read models (sql --schema).", f"{_SHAPES}:TableData", many=True),
    # the ledger
    Document(
        "verification", ("verify", "lake verify"), "What was checked and found.", f"{_SHAPES}:Verified", many=True
    ),
    Document("imported", ("import",), "What an import brought in.", "combatlog.rules.engine.importing:Imported"),
    Document("imported-log", ("import-log",), "What an import of other tools' logs did.", "combatlog:ImportedLog"),
    Document("read-models", ("projections status",), "How far the read models are.", f"{_SHAPES}:ReadModelStatus"),
    Document("lake-written", ("lake write",), "What was written to a lake.", f"{_SHAPES}:LakeWritten"),
    Document("lake-compacted", ("lake compact",), "What a compaction came to.", f"{_SHAPES}:LakeCompacted"),
    Document("lake", ("lake status",), "How far a lake is, and what is in it.", f"{_SHAPES}:LakeStatus"),
    Document(
        "cluster", ("db distribute",), "The nodes that a ledger is distributed to.", "ledger.distribution:ClusterData"
    ),
    Document("database", ("db status",), "Where the ledger is, and what is in it.", f"{_SHAPES}:DatabaseStatus"),
    # content
    Document("messages", ("reference",), "What programs send.", "combatlog.catalogue:MessageData", many=True),
    Document(
        "reference",
        ("reference",),
        "What actions and reactions take.",
        "combatlog.rules.content.action_reference:EntryData",
        many=True,
    ),
    Document(
        "archetypes",
        ("pack archetypes",),
        "What a pack's entries can be.",
        "combatlog.rules.content.field_reference:ArchetypeData",
        many=True,
    ),
    Document(
        "pack-check",
        ("pack check",),
        "What packs bring, and their problems.",
        "combatlog.rules.content.pack_checks:PackReport",
        many=True,
    ),
    Document("pack-import", ("pack import",), "What an import of creatures came to.", "combatlog:PackImport"),
    Document(
        "creatures",
        ("creatures list",),
        "Creatures that can join by name.",
        "combatlog.rules.content.bestiary:Creature",
        many=True,
    ),
    Document("creature", ("creatures show",), "A stat block.", "combatlog.rules.content.bestiary:Card"),
    Document("abilities", ("abilities list",), "The abilities of a library.", f"{_SHAPES}:AbilityData", many=True),
    Document("ability", ("abilities show",), "One ability of a library.", f"{_SHAPES}:AbilityData"),
    Document("library-check", ("abilities check",), "What is wrong with a library.", f"{_SHAPES}:LibraryReport"),
)


def document_called(name: str) -> Document:
    """The document with this name, or the one that a command of this name prints."""
    for document in DOCUMENTS:
        if name == document.name or name in document.commands:
            return document
    from combatlog.rules.engine.refusal import choices, suggest

    known = sorted(document.name for document in DOCUMENTS)
    raise Problem(
        "schema/unknown",
        f"There is no document {name!r}; choose {choices(known)}.",
        name=name,
        available=known,
        suggestions=suggest(name, known),
    )
