"""A summary of a combatant for screens, besides its name, its health and its conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ledger.errors import Problem
from ledger.events import Position
from projections.battle.combatant import Combatant, Resource
from projections.battle.fold import Battle
from projections.story.phrases import name_of
from projections.views.redacted_events import ApparentHealth
from projections.views.state import CombatantOutline, SeenBattle

if TYPE_CHECKING:
    from combatlog.rules.engine.ruleset import Ruleset


class CombatantSummary(BaseModel):
    """In the ruleset's own words, each of them short."""

    figures: dict[str, str] = Field(
        default_factory=dict, description="values for a column of their own, by title: `AC`: `18`"
    )
    left: list[str] = Field(default_factory=list, description="the resources left in this turn or round")
    resources: list[str] = Field(default_factory=list, description="the resources that do not come back by themselves")
    notes: list[str] = Field(default_factory=list, description="other facts that matter now, such as death saves")
    spaces: list[Position] | None = Field(
        default=None, description="the squares that it covers, if it covers more than its own"
    )
    fallen: bool = Field(default=False, description="whether it is out of the fight for good")


def summaries(battle: Battle) -> dict[str, CombatantSummary]:
    """The summary of each combatant, by id; a plain one if the ruleset is not installed."""
    from combatlog.rules.engine.ruleset import find

    if isinstance(battle, SeenBattle) and battle.told is not None:
        return {id: CombatantSummary.model_validate(told) for id, told in battle.told.items()}
    if isinstance(battle, SeenBattle):
        whole = summaries(battle.whole)
        return {one.id: _seen(one, whole[one.id]) for one in battle.combatants.values()}
    try:
        ruleset = find(battle.encounter.ruleset)
    except Problem:
        return {combatant.id: plain_summary(combatant) for combatant in battle.combatants.values()}
    return {combatant.id: _summary(ruleset, battle, combatant) for combatant in battle.combatants.values()}


def _summary(ruleset: Ruleset, battle: Battle, combatant: Combatant) -> CombatantSummary:
    """In the ruleset's words, or plainly where an imported sheet is not one that the ruleset can read."""
    try:
        return ruleset.glance(battle, combatant)
    except Problem:
        return plain_summary(combatant)


def landmarks(battle: Battle) -> dict[Position, str]:
    """Other marks on the map besides terrain and combatants: a character by square."""
    from combatlog.rules.engine.ruleset import find

    try:
        return find(battle.encounter.ruleset).landmarks(battle)
    except Problem:
        return {}


def _seen(combatant: Combatant, whole: CombatantSummary) -> CombatantSummary:
    """For a combatant known by sight only, the summary is limited to its space and whether it is down."""
    if not isinstance(combatant, CombatantOutline):
        return whole
    return CombatantSummary(fallen=combatant.health is ApparentHealth.DOWN, spaces=whole.spaces)


def plain_summary(combatant: Combatant) -> CombatantSummary:
    """All resources and granted actions, for rulesets without a summary of their own."""
    return CombatantSummary(left=[*resources_in_words(combatant, combatant.economy), *grants_in_words(combatant)])


def resources_in_words(combatant: Combatant, names: Iterable[str]) -> list[str]:
    """The resources in words, leaving out those of which nothing is left, spent or locked."""
    pools = [(name, combatant.economy[name]) for name in names if name in combatant.economy]
    return [_resource(name, pool) for name, pool in pools if pool.current or pool.spent or pool.locked]


def grants_in_words(combatant: Combatant) -> list[str]:
    """The granted actions: `2 × strike`, or `2 × strike with claw` if they are for that weapon only."""
    names = [(grant.action.rsplit(":", 1)[-1], grant.weapon) for grant in combatant.granted.values()]
    return [counted_name(_granted(*granted), names.count(granted)) for granted in dict.fromkeys(names)]


def _granted(name: str, weapon: str | None) -> str:
    return name_of(name) if weapon is None else f"{name_of(name)} with {weapon}"


def counted_name(name: str, count: int) -> str:
    return f"{count} × {name}" if count > 1 else name


def _resource(name: str, pool: Resource) -> str:
    of = f" of {pool.maximum}" if pool.maximum is not None and pool.current != pool.maximum else ""
    locked = f" ({pool.locked} locked)" if pool.locked else ""
    return f"{name_of(name)} {pool.current}{of}{locked}"
