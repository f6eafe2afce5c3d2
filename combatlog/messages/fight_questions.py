"""The questions about one fight, asked from a seat. The table of all of them is `QUESTIONS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from json import dumps
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import quote

from pydantic import Field, PlainSerializer

from combatlog.messages.message import Count, Message, Name, example
from combatlog.messages.questions import ZIP
from combatlog.messages.rights import Right
from ledger.events import Data
from ledger.json_shapes import LazyType

JSON = "application/json"
NDJSON = "application/x-ndjson"
MARKDOWN = "text/markdown"
HTML = "text/html"

Who = Annotated[Name, Field(description="A combatant's id, or its name.")]
EventNumber = Annotated[Count, Field(description="The number of an event, as the seat counts.")]
Moment = Annotated[Count | None, Field(description="after which event, as the seat counts; by default now")]
Place = Annotated[int, Field(ge=0, le=10**9)]
_InAddress = PlainSerializer(lambda options: dumps(options))
Progress = Callable[[int, int], None]


class FightQuestion(Message):
    """A question about a fight. Documents quote its docstring.

    The seat that asks and the moment are not part of the question; the view has them.
    """

    right = Right.LOOK
    path: ClassVar[str]
    """Its address below that of a fight; fields can be in it."""
    operation: ClassVar[str | None] = None
    """The name of the operation in the OpenAPI document, if it is not that of the class."""
    tag: ClassVar[str] = "asking"
    """The part of the OpenAPI document in which it is."""
    answer: ClassVar[Any]
    """The type of the answer."""
    about: ClassVar[str | None] = None
    """A description of the answer, if the summary does not say it."""
    media_types: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """If it can be a file: its type, by the `format` that is asked for."""
    quick: ClassVar[bool] = False
    """Whether a service can answer at once from the fight that it has in memory."""
    whole: ClassVar[bool] = False
    """Whether it is about the record of the fight, which is the same from every seat and at every moment."""
    follows_events: ClassVar[bool] = False
    """Whether the answer stays the same until the seat sees another event."""

    @classmethod
    def called(cls) -> str:
        return cls.operation or super().called()

    def request(self) -> tuple[str, Data]:
        """Where it is asked below the address of a fight, and with which parameters."""
        said = self.as_json()
        placed = {name: quote(str(value), safe="") for name, value in said.items() if f"{{{name}}}" in self.path}
        return self.path.format(**placed), {name: value for name, value in said.items() if name not in placed}

    @property
    def needs(self) -> Right:
        """The right that a seat needs for this question with these fields."""
        return self.right

    @property
    def media_type(self) -> str:
        return self.media_types[getattr(self, "format")] if self.media_types else JSON  # noqa: B009

    @property
    def is_file(self) -> bool:
        """Whether the answer is bytes."""
        return self.media_type != JSON


# What there is to see


class ShowState(FightQuestion):
    """The state of a fight."""

    path = "state"
    operation = "state"
    tag = "reading"
    quick = follows_events = True
    answer = LazyType("projections.battle.fold:Battle")


class ListCombatants(FightQuestion):
    """List the combatants that the seat sees."""

    path = "combatants"
    operation = "combatants"
    tag = "reading"
    quick = follows_events = True
    answer = LazyType("projections.views.state:Combatants")


class ShowDice(FightQuestion):
    """The shared dice: every player's anchor and last link, and the roll that waits for a link."""

    path = "dice"
    operation = "dice"
    tag = "reading"
    quick = follows_events = True
    answer = LazyType("projections.battle.dice:SharedDice")


# What is possible


class AboutCombatant(FightQuestion):
    """A question about a combatant: players ask about their own, a GM about any."""

    tag = "reading"
    quick = True

    who: Who


class ListActions(AboutCombatant):
    """A combatant's actions, each with its cost and, if it is not possible now, the reason.

    A player gets the menu of their own combatants, without chances, which would reveal armour classes.
    """

    model_config = example(who="rurik")
    path = "combatants/{who}/actions"
    operation = "actions"
    answer = LazyType("combatlog.rules.content.reference:MenuSection", many=True)


class ListChanges(AboutCombatant):
    """How a combatant's resources changed."""

    model_config = example(who="rurik")
    path = "combatants/{who}/economy"
    operation = "economy"
    answer = LazyType("projections.views.received_events:ToldEvent", many=True)
    about = "How its resources changed, oldest first."

    resources: Annotated[tuple[Name, ...], Field(max_length=100, description="only these")] = ()


class Advise(AboutCombatant):
    """Which choices fit a combatant's situation.

    For players, opponents count as ordinary: only their looks are known.
    """

    model_config = example(who="rurik")
    path = "combatants/{who}/advice"
    operation = "advice"
    answer = LazyType("combatlog.rules.engine.ruleset_types:Advice", many=True)
    about = "What it could do, best first."


class AtSquare(AboutCombatant):
    action: Annotated[Name, Field(description="the action or spell")]
    column: Annotated[Place, Field(description="the column of the square, from 0")]
    row: Annotated[Place, Field(description="its row, from 0")]


class AimAt(AtSquare):
    """Preview an area that is aimed at a square: the combatants in it.

    It need not be the actor's turn.
    """

    model_config = example(who="mira", action="fireball", column=3, row=2)
    path = "combatants/{who}/aim"
    operation = "aim"
    answer = LazyType("combatlog.rules.engine.ruleset_types:AreaPreview")
    about = "The area and the combatants in it; nothing is declared."


class FindWay(AtSquare):
    """How a combatant would get to a square: each step, what it costs, and who could react on the way.

    What could not be declared is refused.
    """

    model_config = example(who="rurik", action="move", column=3, row=2)
    path = "combatants/{who}/way"
    operation = "way"
    answer = LazyType("combatlog.rules.engine.grid.pathfinding:MovePreview")
    about = "How it would get to a square, and what that costs; nothing is declared."

    options: Annotated[Data, _InAddress, Field(description="options of the declaration, as JSON")] = Field(
        default_factory=dict
    )


# Why


class Explain(FightQuestion):
    """Explain an event. Its number is the seat's."""

    model_config = example(seq=32)
    path = "events/{seq}/explanation"
    answer = LazyType("projections.review.explanation:Explanation")
    about = "The declaration, every modifier, every die, and what it changed."

    seq: EventNumber


class WhyNot(FightQuestion):
    """Why a reaction or modifier did not apply to the declaration of an event."""

    model_config = example(seq=32, name="protection")
    path = "events/{seq}/why-not"
    answer = list[str]
    about = "Why it did not apply, in sentences."

    seq: EventNumber
    name: Annotated[Name, Field(description="the reaction, feature or condition that you expected")]


# Corrections


class ListCorrections(FightQuestion):
    """List the corrections, each with its author, time, reason and effects."""

    path = "corrections"
    tag = "correcting"
    answer = LazyType("projections.review.audit:Audited", many=True)


class ListProposals(FightQuestion):
    """Every proposal that was ever made, of a correction or a command, oldest first."""

    path = "proposals"
    tag = "consenting"
    answer = LazyType("combatlog.rules.engine.corrections.consent:ProposalView", many=True)
    about = "The proposals, oldest first; the open one with its plan."


# The fight as a whole


class Compare(FightQuestion):
    """How a fight differs from another one, or from itself at another moment: events and state."""

    model_config = example(at=33, other_at=45)
    path = "diff"
    operation = "diff"
    answer = LazyType("projections.review.difference:Comparison")

    other: Annotated[str | None, Field(max_length=200, description="another encounter; needs a seat at all")] = None
    at: Moment = None
    other_at: Moment = None


class ReportFight(FightQuestion):
    """The fight in numbers: who won, who did what, who fell, the turning point, luck, and corrections.

    A seat that does not see everything gets a report of what it saw.
    """

    path = "report"
    operation = "report"
    answer = LazyType("projections.report.models:AnyFightReport")


class ReplayFight(FightQuestion):
    """A replay to step through: events in words, and how each one changes the state.

    docs/replay.md describes it. Over HTTP, `seat` is written as on the command line: `players`, `spectator`.
    """

    path = "replay"
    operation = "replay"
    answer = Data
    about = "The fight as a replay: data for pages, or a page in a single file."
    media_types = MappingProxyType({"json": JSON, "html": HTML})

    format: Annotated[Literal["json", "html"], Field(description="data, or a page that needs no network")] = "json"
    progress: Annotated[Progress, Field(exclude=True)] = lambda done, total: None


class RateDifficulty(FightQuestion):
    """How hard the fight is for the characters of a side, by the experience points of the others."""

    path = "difficulty"
    operation = "difficulty"
    right = Right.KNOW
    whole = True
    answer = LazyType("combatlog.rules.content.bestiary:Difficulty")

    side: Annotated[Name, Field(description="the side")] = "heroes"


# Keeping


class VerifyFight(FightQuestion):
    """Check that the fight is as it was recorded: numbers, hashes, and every declaration resolved again."""

    path = "verification"
    operation = "verify"
    tag = "verifying"
    right = Right.KNOW
    whole = True
    answer = LazyType("combatlog.rules.verification.verify:VerificationReport")
    about = "Numbers, hashes, and every declaration resolved again."


class SealFight(FightQuestion):
    """Sign the fight as it is now. A seal that is kept elsewhere shows if history is rewritten later."""

    path = "seal"
    operation = "seal"
    tag = "verifying"
    right = Right.KNOW
    whole = True
    answer = LazyType("ledger.exchange.seal:Seal")


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    HTML = "html"
    CSV = "csv"
    PARQUET = "parquet"


class ExportFight(FightQuestion):
    """Export a fight.

    A seat that does not see everything gets what it was shown, as lines with proofs (docs/views.md). The tables of
    `csv` and `parquet` contain everything, so they are for the GM and the auditor.
    """

    path = "export"
    operation = "export"
    tag = "exchange"
    answer = bytes
    about = "Lines of JSON for another ledger, a report in Markdown, a page to step through, or the tables in a ZIP."
    media_types = MappingProxyType({"jsonl": NDJSON, "markdown": MARKDOWN, "html": HTML, "csv": ZIP, "parquet": ZIP})

    format: Annotated[ExportFormat, Field(description="the type of the export")] = ExportFormat.JSONL

    @property
    def needs(self) -> Right:
        return Right.KNOW if self.media_type == ZIP else Right.LOOK


QUESTIONS: tuple[type[FightQuestion], ...] = (
    ShowState,
    ListCombatants,
    ShowDice,
    ListActions,
    ListChanges,
    Advise,
    AimAt,
    FindWay,
    Explain,
    WhyNot,
    ListCorrections,
    ListProposals,
    Compare,
    ReportFight,
    ReplayFight,
    RateDifficulty,
    VerifyFight,
    SealFight,
    ExportFight,
)
