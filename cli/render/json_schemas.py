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
    type: str
    """Where its type is, as `module:name`; with `[]`, the document is a list of these."""
    about: str
    commands: tuple[str, ...] = ()
    version: int = 1

    @property
    def id(self) -> str:
        return f"combatlog:{self.name}:{self.version}"

    def load(self) -> Any:
        module, _, name = self.type.removesuffix("[]").partition(":")
        found = getattr(import_module(module), name)
        return GenericAlias(list, (found,)) if self.type.endswith("[]") else found

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema, draft 2020-12."""
        from pydantic import TypeAdapter
        from pydantic.json_schema import GenerateJsonSchema

        class WithoutTitles(GenerateJsonSchema):
            """Omit titles, which only repeat the names of fields in capitals."""

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
    """The schema as published: it allows new fields, and refers to other documents by their ids."""
    if isinstance(schema, list):
        return [_published(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$document" in schema:
        described = {"description": schema["description"]} if "description" in schema else {}
        return {"$ref": document_called(schema["$document"]).id, **described}
    kept = {name: part for name, part in schema.items() if (name, part) != ("additionalProperties", False)}
    return {name: _published(part) for name, part in kept.items()}


_RECORDING = (
    *("new", "join", "start", "do", "react", "time-up", "end-turn", "leave", "conclude", "rule", "fork", "label"),
    *("dice sit", "dice link"),
    *("hit", "cast", "move", "hurt", "heal", "initiative", "reactions", "reveal", "conceal", "roll", "note"),
    *("agree", "overrule"),
    *("rest short", "rest long"),
)


def _document(name: str, type: str, about: str, *commands: str) -> JsonDocument:
    """A document that these commands print, by default the command of the same name."""
    return JsonDocument(name, type, about, commands or (name,))


DOCUMENTS: tuple[JsonDocument, ...] = (
    JsonDocument(
        "problem", "cli.render.json_types:ProblemData", "Why any command with --json was refused; on standard error."
    ),
    # a fight
    JsonDocument(
        "event", "cli.render.json_types:AnyEvent", "An event of a fight; docs/events.md says what each kind means."
    ),
    _document("recorded", "ledger.json_shapes:EventData[]", "The events that a command recorded.", *_RECORDING),
    _document("status", "combatlog.rules.engine.status:StatusData", "The state of a fight after one of its events."),
    _document(
        "advice", "combatlog.rules.engine.ruleset_types:Advice[]", "What a combatant could do, best first.", "advise"
    ),
    _document("economy", "ledger.events:ResourceChanged[]", "The changes of a combatant's resources."),
    _document(
        "why-not", "cli.render.json_types:Sentence[]", "Why something did not apply (explain --why-not).", "explain"
    ),
    _document("log", "projections.battle.timeline:LoggedEvent[]", "Events, with the corrections that took them back."),
    _document(
        "explanation",
        "projections.review.explanation:ExplanationData",
        "An event, with everything behind it.",
        "explain",
    ),
    _document("aim", "combatlog.rules.engine.ruleset_types:AreaPreview", "The combatants that an area would affect."),
    _document("menu", "combatlog.rules.content.reference:MenuSection[]", "What a combatant can do now.", "actions"),
    _document("list", "ledger.store.encounters:Page", "A page of the encounters, the newest first."),
    _document("roster", "combatlog.rules.engine.status:Member[]", "The characters of a campaign."),
    _document("difficulty", "combatlog.rules.content.bestiary:Difficulty", "How hard a fight is."),
    # corrections
    _document(
        "plan",
        "combatlog.rules.engine.corrections.plan:PlanData",
        "What a correction would do.",
        "undo",
        "redo",
        "amend",
        "insert",
    ),
    _document(
        "proposal",
        "combatlog.rules.engine.corrections.consent:ProposalData",
        "The correction that the table is asked about.",
    ),
    _document(
        "difference", "projections.review.difference:ComparisonData", "How two fights or two moments differ.", "diff"
    ),
    _document("corrections", "projections.review.audit:CorrectionData[]", "Who corrected what, and why."),
    # sharing the table
    _document(
        "shared_dice",
        "projections.battle.dice:SharedDice",
        "The players who joined with a chain of secrets, and the roll that waits for a link.",
        "dice show",
    ),
    _document("seats", "combatlog.seats:SeatData[]", "The seats at a fight.", "seat"),
    _document("webhooks", "combatlog.webhooks:WebhookData[]", "The webhooks of a fight.", "webhook"),
    _document(
        "new-webhook", "combatlog.webhooks:NewWebhookData", "A new webhook with its secret (webhook --add).", "webhook"
    ),
    _document("invitation", "combatlog.seats:InvitationData", "A new seat with its token (seat --player ...).", "seat"),
    # playing by itself
    _document("auto", "combatlog.rules.autoplay.player:AutoStep[]", "What was played automatically, and why."),
    _document(
        "simulation",
        "combatlog.rules.autoplay.simulate:SimulationSummary",
        "The results of simulated fights.",
        "simulate",
    ),
    _document("run", "combatlog.rules.content.scenario:ScriptStep[]", "The steps of a scenario."),
    # analysis
    _document("statistics", "projections.statistics.question:StatisticData[]", "The answer to a question.", "stats"),
    _document("report", "cli.render.json_types:AnyReport", "A fight or a campaign on one page."),
    _document("rows", "cli.render.json_types:Record[]", "The rows of an answer in SQL.", "sql"),
    _document("tables", "cli.render.json_types:TableData[]", "The tables of the read models (sql --schema).", "sql"),
    # the ledger
    _document(
        "verification",
        "cli.render.json_types:Verified[]",
        "What was checked, and the findings.",
        "verify",
        "lake verify",
    ),
    _document("imported", "combatlog.rules.exchange.importing:ImportedEvents", "What an import brought in.", "import"),
    _document("imported-log", "combatlog:ImportedLog", "The result of an import of other tools' logs.", "import-log"),
    _document(
        "read-models", "cli.render.json_types:ReadModelStatus", "How far the read models are.", "projections status"
    ),
    _document("lake-written", "cli.render.json_types:LakeWritten", "What was written to a lake.", "lake write"),
    _document("lake-compacted", "cli.render.json_types:LakeCompacted", "The result of a compaction.", "lake compact"),
    _document("lake", "cli.render.json_types:LakeStatus", "How far a lake is, and what is in it.", "lake status"),
    _document(
        "cluster", "ledger.store.citus:ClusterData", "The nodes that a ledger is distributed to.", "db distribute"
    ),
    _document(
        "database", "cli.render.json_types:DatabaseStatus", "Where the ledger is, and what is in it.", "db status"
    ),
    # content
    _document(
        "reference", "combatlog.rules.content.reference:ReferenceEntryData[]", "What actions and reactions take."
    ),
    _document("messages", "combatlog.message_reference:MessageData[]", "What programs send.", "reference"),
    _document(
        "archetypes",
        "combatlog.rules.content.reference:ArchetypeData[]",
        "What a pack's entries can be.",
        "pack archetypes",
    ),
    _document(
        "pack-check",
        "combatlog.rules.content.pack_files:PackReport[]",
        "What packs bring, and their problems.",
        "pack check",
    ),
    _document("pack-import", "combatlog:PackImport", "The result of an import of creatures.", "pack import"),
    _document(
        "creatures", "combatlog.rules.content.bestiary:Creature[]", "Creatures that can join by name.", "creatures list"
    ),
    _document("creature", "combatlog.rules.content.bestiary:Card", "A stat block.", "creatures show"),
    _document("abilities", "cli.render.json_types:AbilityData[]", "The abilities of a library.", "abilities list"),
    _document("ability", "cli.render.json_types:AbilityData", "One ability of a library.", "abilities show"),
    _document(
        "library-check", "cli.render.json_types:LibraryCheckData", "What is wrong with a library.", "abilities check"
    ),
)


def document_called(name: str) -> JsonDocument:
    """The document with this name, or the document of the command with this name."""
    for document in DOCUMENTS:
        if name == document.name or name in document.commands:
            return document
    known = sorted(document.name for document in DOCUMENTS)
    raise Problem(
        "schema/unknown",
        f"No document is called {name!r}; choose {choices(known)}.",
        name=name,
        available=known,
        suggestions=suggest(name, known),
    )
