from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.checks import Attempt, check, opposed_value, skill_of
from combatlog.rules.action_points.economy import Effort
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.tables import DIFFICULTIES
from combatlog.rules.action_points.targeting import opponent
from combatlog.rules.engine.options import Part, Said
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


def _known_difficulty(tv: int | str) -> int:
    if isinstance(tv, int):
        return tv
    if tv not in DIFFICULTIES:
        raise ValueError(f"there is no such difficulty; use a number, {choices(DIFFICULTIES)}")
    return DIFFICULTIES[tv]


class Use(Effort):
    skill: str = Field(description="the skill to use")
    tv: Annotated[int | str, Field(union_mode="left_to_right"), AfterValidator(_known_difficulty)] | None = Field(
        default=None, description=f"a fixed target value: a number, or {choices(DIFFICULTIES)}"
    )
    against: str | None = Field(default=None, description="the skill that the target opposes it with")
    passive: bool = Field(default=False, description="whether the target opposes it without a roll")

    @model_validator(mode="after")
    def _one_target_value(self) -> Use:
        if (self.tv is None) == (self.against is None):
            raise ValueError("give either tv or against: a fixed target value, or the skill that opposes it")
        return self


@piece
class UseSkill(Action):
    """Use a skill against a fixed target value, or against a target that opposes it."""

    name = "use_skill"
    options = Use
    takes = frozenset({Part.TARGET})

    def check_said(self, said: Said) -> None:
        """Only an opposed skill has a target, and only a target can be passive."""
        if said.options.get("against") is not None:
            return
        if said.targets:
            raise Refusal(
                "declaration/takes-no-target",
                "Only an opposed skill has a target; omit the target, or give the opposing skill as against.",
                what=self.name,
                part=Part.TARGET.value,
                found=said.targets,
                needed="against",
            )
        if said.options.get("passive"):
            raise Refusal(
                "declaration/unused-option",
                "Only an opposed skill can be opposed passively; omit passive, or give the opposing skill as against.",
                what=self.name,
                option="passive",
                needed="against",
            )

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        use = Use.read(declared.options)
        skill_of(actor, use.skill)
        other = None
        if use.against is not None:
            other = opponent(table, actor, declared)
            skill_of(other, use.against)
        return Deed(use, lambda: _use(table, actor, use, other))


def _use(table: Table, actor: Combatant, use: Use, other: Combatant | None) -> None:
    if other is not None and use.against is not None:
        target_value = opposed_value(table, other, use.against, passive=use.passive)
    else:
        target_value = int(use.tv or 0)
    check(table, Attempt(actor, use.skill, "skill", use), target_value)
