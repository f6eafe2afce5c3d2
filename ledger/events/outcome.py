"""The outcome family: what changed, with the resolved numbers and their parts."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Data, Event, Position, Ref, Value


class AttackResolved(Event):
    """An attack hit or missed."""

    written_by: ClassVar[str] = "the rules of an attack, after the roll and its window"
    read_by: ClassVar[str] = "explain, statistics"

    kind: Literal["attack_resolved"] = "attack_resolved"
    attacker: str
    target: str
    weapon: str | None = None
    hit: bool
    critical: bool = False
    roll: int = Field(description="the natural roll that counted")
    total: int
    against: int = Field(description="the number it had to reach: final AC, target value")


class SaveResolved(Event):
    """A saving throw succeeded or failed."""

    written_by: ClassVar[str] = "the rules of a save"
    read_by: ClassVar[str] = "explain, statistics"

    kind: Literal["save_resolved"] = "save_resolved"
    saver: str
    save: str = Field(description="which save, for example `dex`")
    success: bool
    total: int
    against: int
    source: Ref


class CheckResolved(Event):
    """A check of a skill or an ability succeeded or failed."""

    written_by: ClassVar[str] = "the rules of a check"
    read_by: ClassVar[str] = "explain, statistics"

    kind: Literal["check_resolved"] = "check_resolved"
    checker: str
    check: str
    success: bool
    total: int
    against: int
    margin: int | None = None
    quality: str | None = None


class DamagePart(Value):
    """Damage from one source. What resistance and the like took away is a part below zero."""

    source: str
    amount: int
    damage_type: str | None = None


class Damaged(Event):
    """A pool went down."""

    written_by: ClassVar[str] = "the table's verb `damage`"
    read_by: ClassVar[str] = "vitals, explain, statistics"

    kind: Literal["damaged"] = "damaged"
    target: str
    pool: str
    amount: int = Field(description="what the pool lost")
    left: int
    overkill: int = Field(default=0, description="what was left of the damage when the pool was empty")
    parts: tuple[DamagePart, ...] = Field(
        default=(), description="where the points came from; they add up to amount and overkill"
    )
    source: str | None = Field(default=None, description="who did it")


class Healed(Event):
    """A pool went up."""

    written_by: ClassVar[str] = "the table's verb `heal`"
    read_by: ClassVar[str] = "vitals, explain, statistics"

    kind: Literal["healed"] = "healed"
    target: str
    pool: str
    amount: int
    left: int
    source: str | None = None
    why: str


class UntilMoment(StrEnum):
    TURN_START = "turn_start"
    TURN_END = "turn_end"
    ROUND_END = "round_end"


class Until(Value):
    """When something ends by itself: at a moment of somebody's turn, or of a round."""

    moment: UntilMoment
    whose: str | None = None
    round: int | None = Field(default=None, description="not before this round; None: the next time")


class ConditionApplied(Event):
    """A condition holds from now on."""

    written_by: ClassVar[str] = "the table's verb `apply_condition`"
    read_by: ClassVar[str] = "conditions"

    kind: Literal["condition_applied"] = "condition_applied"
    target: str
    condition: Ref
    source: Ref = Field(description="what brought it about")
    owner: str = Field(description="who brought it about")
    until: Until | None = Field(default=None, description="None: until something removes it")
    level: int | None = None
    data: Data = Field(default_factory=dict, description="what the condition needs to remember")


class ConditionRemoved(Event):
    """A condition is over."""

    written_by: ClassVar[str] = "the table's verb `remove_condition`"
    read_by: ClassVar[str] = "conditions"

    kind: Literal["condition_removed"] = "condition_removed"
    target: str
    condition: Ref
    why: str


class ActionGranted(Event):
    """A combatant may use an action that it does not always have."""

    written_by: ClassVar[str] = "the table's verb `grant`"
    read_by: ClassVar[str] = "granted actions"

    kind: Literal["action_granted"] = "action_granted"
    owner: str
    action: Ref
    grant: str = Field(description="id of this grant, unique for its owner")
    source: Ref = Field(description="what granted it")
    weapon: str | None = None
    until: Until | None = None


class ActionRemoved(Event):
    """A granted action was used up or ran out."""

    written_by: ClassVar[str] = "the table's verb `ungrant`"
    read_by: ClassVar[str] = "granted actions"

    kind: Literal["action_removed"] = "action_removed"
    owner: str
    action: Ref
    grant: str
    why: str


class ResourceChanged(Event):
    """A named resource changed: what it was, what it is, and why. A vital that is spent is one, too."""

    written_by: ClassVar[str] = "the table's verbs `spend`, `spend_vital`, `gain`, `lock`, `reset`"
    read_by: ClassVar[str] = "the action economy, vitals"

    kind: Literal["resource_changed"] = "resource_changed"
    owner: str
    resource: str
    before: int = Field(description="available before")
    after: int = Field(description="available after")
    maximum: int | None = None
    spent: int = Field(default=0, description="spent since the last reset, after this change")
    locked: int = Field(default=0, description="committed and not available, after this change")
    why: str


class CardsMoved(Event):
    """Cards went from one of their owner's piles to another."""

    written_by: ClassVar[str] = "the table's verb `move_cards`"
    read_by: ClassVar[str] = "piles"

    kind: Literal["cards_moved"] = "cards_moved"
    owner: str
    cards: tuple[str, ...] = Field(description="in the order in which they are put down")
    origin: str | None = Field(default=None, description="the pile they leave; None: they come into the game")
    to: str | None = Field(default=None, description="the pile they are put under; None: they are out of the game")
    why: str


class Moved(Event):
    """One step."""

    written_by: ClassVar[str] = "the table's verb `move`"
    read_by: ClassVar[str] = "positions"

    kind: Literal["moved"] = "moved"
    mover: str
    origin: Position | None = Field(default=None, description="None: it was not on the map before")
    to: Position
    cost: int = Field(default=0, description="movement paid for it")
    forced: bool = Field(default=False, description="moved against its will, or by a ruling")


class AreaAffected(Event):
    """Something took effect over an area: which squares it covered, and who stood there."""

    written_by: ClassVar[str] = "the rules of an area of effect"
    read_by: ClassVar[str] = "explain, maps"

    kind: Literal["area_affected"] = "area_affected"
    owner: str = Field(description="who brought it about")
    source: Ref
    shape: str = Field(description="sphere, cube, cone, line ...")
    origin: Position
    squares: tuple[Position, ...]
    caught: tuple[str, ...] = Field(description="the combatants in it, friends and foes alike")
