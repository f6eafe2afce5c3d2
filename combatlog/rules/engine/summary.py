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

    figures: dict[str, str] = Field(default_factory=dict, description="values worth a column, by title: `AC`: `18`")
    left: list[str] = Field(default_factory=list, description="what is left of this turn or round")
    resources: list[str] = Field(default_factory=list, description="what does not come back by itself")
    notes: list[str] = Field(default_factory=list, description="what else matters now, such as death saves")
    spaces: list[Position] | None = Field(
        default=None, description="the squares that it covers, if it covers more than its own"
    )
    fallen: bool = Field(default=False, description="whether it is out of the fight for good")


def summaries(battle: Battle) -> dict[str, CombatantSummary]:
    """Everybody at a glance, by id. A fight whose ruleset is not installed can be looked at, too."""
    from combatlog.rules.engine.ruleset import find

    if isinstance(battle, SeenBattle) and battle.told is not None:
        return {id: CombatantSummary.model_validate(told) for id, told in battle.told.items()}
    if isinstance(battle, SeenBattle):
        whole = summaries(battle.whole)
        return {one.id: _seen(one, whole[one.id]) for one in _everybody(battle)}
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
    """What the map shows besides terrain and combatants, as a character by square."""
    from combatlog.rules.engine.ruleset import find

    try:
        return find(battle.encounter.ruleset).landmarks(battle)
    except Problem:
        return {}


def _everybody(battle: Battle) -> Iterable[Combatant]:
    return battle.combatants.values()


def _seen(combatant: Combatant, whole: CombatantSummary) -> CombatantSummary:
    """Of somebody who is known by sight only, its space, health and conditions say all there is."""
    if not isinstance(combatant, CombatantOutline):
        return whole
    return CombatantSummary(fallen=combatant.health is ApparentHealth.DOWN, spaces=whole.spaces)


def plain_summary(combatant: Combatant) -> CombatantSummary:
    """All resources and granted actions, for rulesets that do not say what is worth mentioning."""
    return CombatantSummary(left=[*resources_in_words(combatant, combatant.economy), *grants_in_words(combatant)])


def resources_in_words(combatant: Combatant, names: Iterable[str]) -> list[str]:
    """What is left, spent or locked. What a combatant has none of otherwise is not worth a word."""
    pools = [(name, combatant.economy[name]) for name in names if name in combatant.economy]
    return [_resource(name, pool) for name, pool in pools if pool.current or pool.spent or pool.locked]


def grants_in_words(combatant: Combatant) -> list[str]:
    """What it may do because something granted it: `2 × strike`, or `2 × strike with claw` if only with that."""
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
