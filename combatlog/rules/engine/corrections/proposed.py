"""A correction that is proposed, as a seat sees it: who is asked, what they answered, and what it would do now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.engine.corrections.plan import Plan, PlanData
from ledger.json_shapes import JsonShape


class ProposalData(TypedDict):
    proposal: Annotated[int | None, Field(description="seq of the proposal; null: there is none")]
    correction: Annotated[str | None, Field(description="what is proposed: `undo`, `hurt` or another message")]
    asked: Annotated[list[str], Field(description="the combatants whose players have to agree")]
    answers: Annotated[dict[str, bool], Field(description="whether they agree, by combatant")]
    open: Annotated[bool, Field(description="false: it was applied or refused, or another one took its place")]
    overruled: Annotated[bool, Field(description="whether the GM did it without everybody's consent")]
    applied: bool
    plan: Annotated[PlanData | None, Field(description="what it would do now")]


@dataclass(frozen=True, slots=True)
class Proposed(JsonShape):
    document: ClassVar = ProposalData

    seq: int | None
    """Its number, as the seat counts; None: nothing is proposed."""
    message: str | None = None
    """What is proposed, by the name of the message."""
    asked: tuple[str, ...] = ()
    """Those of the combatants that the seat sees whose players have to agree."""
    answers: Mapping[str, bool] = field(default_factory=dict)
    is_open: bool = False
    overruled: bool = False
    applied: bool = False
    plan: Plan | None = None
    """What it would do now, if it is the last one and was not applied."""

    @property
    def waiting(self) -> list[str]:
        return [who for who in self.asked if who not in self.answers]

    @property
    def agreed(self) -> bool:
        """Whether nobody stands in its way any more."""
        return self.overruled or all(self.answers.get(who) for who in self.asked)

    def to_json(self) -> ProposalData:
        return {
            "proposal": self.seq,
            "correction": self.message,
            "asked": list(self.asked),
            "answers": dict(self.answers),
            "open": self.is_open,
            "overruled": self.overruled,
            "applied": self.applied,
            "plan": self.plan.to_json() if self.plan is not None else None,
        }

    @classmethod
    def from_json(cls, data: ProposalData) -> Self:
        plan = Plan.from_json(data["plan"]) if data["plan"] is not None else None
        asked, answers, overruled = tuple(data["asked"]), data["answers"], data["overruled"]
        return cls(data["proposal"], data["correction"], asked, answers, data["open"], overruled, data["applied"], plan)
