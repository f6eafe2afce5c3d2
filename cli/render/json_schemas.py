"""List every JSON document, the commands that print it, and its schema.

The type checker compares the type of a document with the code that makes it. Raise the version of a document when
programs that read it would have to change; new fields alone do not need that.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import GenericAlias
from typing import Any

from combatlog.rules.engine.refusal import choices, suggest
from ledger.errors import Problem


@dataclass(frozen=True, slots=True)
class JsonDocument:
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


_TYPES = "cli.render.json_types"
_RECORDING = (
    *("new", "join", "start", "do", "react", "time-up", "end-turn", "leave", "conclude", "rule", "fork", "label"),
    *("dice sit", "dice link"),
    *("hit", "cast", "move", "hurt", "heal", "initiative", "reactions", "reveal", "conceal", "roll", "note"),
    *("agree", "overrule"),
    *("rest short", "rest long"),
)

DOCUMENTS: tuple[JsonDocument, ...] = (
    JsonDocument("problem", (), "Why any command with --json was refused; on standard error.", f"{_TYPES}:ProblemData"),
    # a fight
    JsonDocument("event", (), "An event of a fight; docs/events.md says what each kind means.", f"{_TYPES}:AnyEvent"),
    JsonDocument(
        "recorded", _RECORDING, "The events that a command recorded.", "ledger.json_shapes:EventData", many=True
    ),
    JsonDocument(
        "status",
        ("status",),
        "The state of a fight after one of its events.",
        "combatlog.rules.engine.status:StatusData",
    ),
    JsonDocument(
        "advice",
        ("advise",),
        "What a combatant could do, best first.",
        "combatlog.rules.engine.ruleset_types:Advice",
        many=True,
    ),
    JsonDocument(
        "economy", ("economy",), "The changes of a combatant's resources.", "ledger.events:ResourceChanged", many=True
    ),
    JsonDocument(
        "why-not", ("explain",), "What kept something out (explain --why-not).", f"{_TYPES}:Sentence", many=True
    ),
    JsonDocument(
        "log",
        ("log",),
        "Events, with the corrections that took them back.",
        "projections.battle.timeline:LoggedEvent",
        many=True,
    ),
    JsonDocument(
        "explanation",
        ("explain",),
        "An event, with everything behind it.",
        "projections.review.explanation:ExplanationData",
    ),
    JsonDocument("aim", ("aim",), "Whom an area would catch.", "combatlog.rules.engine.ruleset_types:AreaPreview"),
    JsonDocument(
        "menu",
        ("actions",),
        "What a combatant can do now.",
        "combatlog.rules.content.reference:MenuSection",
        many=True,
    ),
    JsonDocument("list", ("list",), "A page of the encounters, the newest first.", "ledger.store.encounters:Page"),
    JsonDocument(
        "roster", ("roster",), "The characters of a campaign.", "combatlog.rules.engine.status:Member", many=True
    ),
    JsonDocument("difficulty", ("difficulty",), "How hard a fight is.", "combatlog.rules.content.bestiary:Difficulty"),
    # corrections
    JsonDocument(
        "plan",
        ("undo", "redo", "amend", "insert"),
        "What a correction would do.",
        "combatlog.rules.engine.corrections.plan:PlanData",
    ),
    JsonDocument(
        "proposal",
        ("proposal",),
        "The correction that the table is asked about.",
        "combatlog.rules.engine.corrections.consent:ProposalData",
    ),
    JsonDocument(
        "difference", ("diff",), "How two fights or two moments differ.", "projections.review.difference:ComparisonData"
    ),
    JsonDocument(
        "corrections",
        ("corrections",),
        "Who corrected what, and why.",
        "projections.review.audit:CorrectionData",
        many=True,
    ),
    # sharing the table
    JsonDocument(
        "shared_dice",
        ("dice show",),
        "Who has sat down with a chain of secrets, and the roll that waits for a link.",
        "projections.battle.dice:SharedDice",
    ),
    JsonDocument("seats", ("seat",), "The seats at a fight.", "combatlog.seats:SeatData", many=True),
    JsonDocument("webhooks", ("webhook",), "The webhooks of a fight.", "combatlog.webhooks:WebhookData", many=True),
    JsonDocument(
        "new-webhook",
        ("webhook",),
        "A new webhook with its secret (webhook --add).",
        "combatlog.webhooks:NewWebhookData",
    ),
    JsonDocument(
        "invitation", ("seat",), "A new seat with its token (seat --player ...).", "combatlog.seats:InvitationData"
    ),
    # playing by itself
    JsonDocument(
        "auto",
        ("auto",),
        "What was played automatically, and why.",
        "combatlog.rules.autoplay.player:AutoStep",
        many=True,
    ),
    JsonDocument(
        "simulation",
        ("simulate",),
        "How many simulated fights went.",
        "combatlog.rules.autoplay.simulate:SimulationSummary",
    ),
    JsonDocument("run", ("run",), "The steps of a scenario.", "combatlog.rules.content.scenario:ScriptStep", many=True),
    # analysis
    JsonDocument(
        "statistics",
        ("stats",),
        "The answer to a question.",
        "projections.statistics.question:StatisticData",
        many=True,
    ),
    JsonDocument("report", ("report",), "A fight or a campaign on one page.", f"{_TYPES}:AnyReport"),
    JsonDocument("rows", ("sql",), "The rows of an answer in SQL.", f"{_TYPES}:Record", many=True),
    JsonDocument("tables", ("sql",), "The tables of the read models (sql --schema).", f"{_TYPES}:TableData", many=True),
    # the ledger
    JsonDocument(
        "verification", ("verify", "lake verify"), "What was checked and found.", f"{_TYPES}:Verified", many=True
    ),
    JsonDocument(
        "imported", ("import",), "What an import brought in.", "combatlog.rules.exchange.importing:ImportedEvents"
    ),
    JsonDocument("imported-log", ("import-log",), "What an import of other tools' logs did.", "combatlog:ImportedLog"),
    JsonDocument("read-models", ("projections status",), "How far the read models are.", f"{_TYPES}:ReadModelStatus"),
    JsonDocument("lake-written", ("lake write",), "What was written to a lake.", f"{_TYPES}:LakeWritten"),
    JsonDocument("lake-compacted", ("lake compact",), "What a compaction came to.", f"{_TYPES}:LakeCompacted"),
    JsonDocument("lake", ("lake status",), "How far a lake is, and what is in it.", f"{_TYPES}:LakeStatus"),
    JsonDocument(
        "cluster", ("db distribute",), "The nodes that a ledger is distributed to.", "ledger.store.citus:ClusterData"
    ),
    JsonDocument("database", ("db status",), "Where the ledger is, and what is in it.", f"{_TYPES}:DatabaseStatus"),
    # content
    JsonDocument(
        "reference",
        ("reference",),
        "What actions and reactions take.",
        "combatlog.rules.content.reference:ReferenceEntryData",
        many=True,
    ),
    JsonDocument(
        "messages", ("reference",), "What programs send.", "combatlog.message_reference:MessageData", many=True
    ),
    JsonDocument(
        "archetypes",
        ("pack archetypes",),
        "What a pack's entries can be.",
        "combatlog.rules.content.reference:ArchetypeData",
        many=True,
    ),
    JsonDocument(
        "pack-check",
        ("pack check",),
        "What packs bring, and their problems.",
        "combatlog.rules.content.pack_files:PackReport",
        many=True,
    ),
    JsonDocument("pack-import", ("pack import",), "What an import of creatures came to.", "combatlog:PackImport"),
    JsonDocument(
        "creatures",
        ("creatures list",),
        "Creatures that can join by name.",
        "combatlog.rules.content.bestiary:Creature",
        many=True,
    ),
    JsonDocument("creature", ("creatures show",), "A stat block.", "combatlog.rules.content.bestiary:Card"),
    JsonDocument("abilities", ("abilities list",), "The abilities of a library.", f"{_TYPES}:AbilityData", many=True),
    JsonDocument("ability", ("abilities show",), "One ability of a library.", f"{_TYPES}:AbilityData"),
    JsonDocument("library-check", ("abilities check",), "What is wrong with a library.", f"{_TYPES}:LibraryCheckData"),
)


def document_called(name: str) -> JsonDocument:
    """The document with this name, or the one that a command of this name prints."""
    for document in DOCUMENTS:
        if name == document.name or name in document.commands:
            return document
    known = sorted(document.name for document in DOCUMENTS)
    raise Problem(
        "schema/unknown",
        f"There is no document {name!r}; choose {choices(known)}.",
        name=name,
        available=known,
        suggestions=suggest(name, known),
    )
