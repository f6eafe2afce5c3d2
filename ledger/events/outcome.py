"""The outcome family: what changed, with the resulting numbers and their parts."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Data, Event, Key, Name, Notation, Position, Prose, Ref, Value, Who


class AttackResolved(Event):
    """An attack hit or missed."""

    written_by: ClassVar[str] = "the rules of an attack, after the roll and the reactions to it"
    read_by: ClassVar[str] = "explanations, statistics"

    kind: Literal["attack_resolved"] = "attack_resolved"
    attacker: Who = Field(description="the combatant that attacks")
    target: Who = Field(description="the combatant that is attacked")
    weapon: Name | None = Field(default=None, description="the weapon or spell used")
    hit: bool = Field(description="whether it hit")
    critical: bool = Field(default=False, description="whether it was a critical hit")
    roll: int = Field(description="the natural roll that counted")
    total: int = Field(description="the roll with all modifiers")
    against: int = Field(description="the number that it had to reach: the final armor class, the target value")


class SaveResolved(Event):
    """A saving throw succeeded or failed."""

    written_by: ClassVar[str] = "the rules of a save"
    read_by: ClassVar[str] = "explanations, statistics"

    kind: Literal["save_resolved"] = "save_resolved"
    saver: Who = Field(description="the combatant that saves")
    save: Key = Field(description="which save: `dex`, `con` ...")
    success: bool = Field(description="whether it succeeded")
    total: int = Field(description="the roll with all modifiers")
    against: int = Field(description="the number that it had to reach")
    source: Ref = Field(description="what the save is against")


class CheckResolved(Event):
    """A check of a skill or an ability succeeded or failed."""

    written_by: ClassVar[str] = "the rules of a check"
    read_by: ClassVar[str] = "explanations, statistics"

    kind: Literal["check_resolved"] = "check_resolved"
    checker: Who = Field(description="the combatant that makes the check")
    check: Key = Field(description="the skill or ability")
    success: bool = Field(description="whether it succeeded")
    total: int = Field(description="the roll with all modifiers")
    against: int = Field(description="the number that it had to reach")
    margin: int | None = Field(default=None, description="by how much it succeeded; negative: it failed")
    quality: Key | None = Field(
        default=None,
        description="how well it went, from the ruleset's closed list; absent: the ruleset has no such list",
    )


class DamagePart(Value):
    """Damage from one source. What resistance and the like prevented is a negative part."""

    source: Ref = Field(description="what dealt or prevented it")
    amount: int = Field(description="the points")
    damage_type: Key | None = Field(default=None, description="the type of damage: `fire`, `slashing` ...")


class Damaged(Event):
    """A combatant took damage: a pool went down."""

    written_by: ClassVar[str] = "the table's verb `damage`"
    read_by: ClassVar[str] = "vitals, explanations, statistics"

    kind: Literal["damaged"] = "damaged"
    target: Who = Field(description="the combatant that is hurt")
    pool: Key = Field(description="the pool that goes down: `hp`, `vit`, `health` ...")
    amount: int = Field(description="how much the pool lost")
    left: int = Field(description="how much is left in the pool")
    overkill: int = Field(default=0, description="the damage in excess of what the pool had")
    parts: tuple[DamagePart, ...] = Field(
        default=(), description="the damage by source; the parts add up to amount and overkill"
    )
    source: Who | None = Field(default=None, description="who dealt it; absent: no one in particular")


class Healed(Event):
    """A combatant was healed: a pool went up."""

    written_by: ClassVar[str] = "the table's verb `heal`"
    read_by: ClassVar[str] = "vitals, explanations, statistics"

    kind: Literal["healed"] = "healed"
    target: Who = Field(description="the combatant that is healed")
    pool: Key = Field(description="the pool that goes up")
    amount: int = Field(description="how much the pool gained")
    left: int = Field(description="how much is in the pool now")
    source: Key | None = Field(default=None, description="who or what healed: a combatant's id or a ref")
    why: Prose = Field(description="what caused it")


class UntilMoment(StrEnum):
    """The moments at which something can end by itself."""

    TURN_START = "turn_start"
    TURN_END = "turn_end"
    ROUND_END = "round_end"


class Until(Value):
    """When something ends by itself: at a moment of a combatant's turn, or of a round."""

    moment: UntilMoment = Field(description="the moment at which it ends")
    whose: Who | None = Field(default=None, description="the combatant whose turn it is; absent: a moment of the round")
    round: int | None = Field(default=None, description="not before this round; absent: the next time")


class ConditionApplied(Event):
    """A condition begins. If the combatant already has it, the new one replaces the old one."""

    class_version: ClassVar[int] = 2
    written_by: ClassVar[str] = "the table's verb `apply_condition`"
    read_by: ClassVar[str] = "conditions"

    kind: Literal["condition_applied"] = "condition_applied"
    target: Who = Field(description="the combatant that has it")
    condition: Ref = Field(description="the condition")
    source: Ref = Field(description="what caused it")
    owner: Who = Field(description="who caused it")
    until: Until | None = Field(default=None, description="when it ends; absent: when something removes it")
    level: int | None = Field(default=None, description="its level, for conditions that have levels")
    data: Data = Field(default_factory=dict, description="what the condition has to remember")


class ConditionRemoved(Event):
    """A condition ended."""

    written_by: ClassVar[str] = "the table's verb `remove_condition`"
    read_by: ClassVar[str] = "conditions"

    kind: Literal["condition_removed"] = "condition_removed"
    target: Who = Field(description="the combatant that had it")
    condition: Ref = Field(description="the condition")
    why: Prose = Field(description="why it ended")


class ActionGranted(Event):
    """A combatant may use an action that it does not always have."""

    written_by: ClassVar[str] = "the table's verb `grant`"
    read_by: ClassVar[str] = "granted actions"

    kind: Literal["action_granted"] = "action_granted"
    owner: Who = Field(description="the combatant that may use it")
    action: Ref = Field(description="the action")
    grant: Key = Field(description="id of this grant, unique for its owner")
    source: Ref = Field(description="what granted it")
    weapon: Name | None = Field(default=None, description="the only weapon that it may be used with; absent: any")
    until: Until | None = Field(default=None, description="when it runs out; absent: when it is used or removed")


class ActionRemoved(Event):
    """A granted action was used up, ran out or was removed."""

    written_by: ClassVar[str] = "the table's verb `ungrant`"
    read_by: ClassVar[str] = "granted actions"

    kind: Literal["action_removed"] = "action_removed"
    owner: Who = Field(description="the combatant that had it")
    action: Ref = Field(description="the action")
    grant: Key = Field(description="id of the grant")
    why: Prose = Field(description="why it is gone")


class ResourceChanged(Event):
    """A resource changed: its old and new value, and what it was spent on or came from.

    Spending a vital, such as fatigue, is also recorded like this, because it is not damage.
    """

    class_version: ClassVar[int] = 2
    written_by: ClassVar[str] = "the table's verbs `spend`, `spend_vital`, `gain`, `lock` and `reset`"
    read_by: ClassVar[str] = "the action economy, vitals, statistics"

    kind: Literal["resource_changed"] = "resource_changed"
    owner: Who = Field(description="the combatant whose resource it is")
    resource: Key = Field(description="the resource: `action`, `attacks`, `ap`, `slot_1` ...")
    before: int = Field(description="available before")
    after: int = Field(description="available after")
    maximum: int | None = Field(default=None, description="the upper bound; absent: none")
    spent: int = Field(default=0, description="spent since the last reset, after this change")
    locked: int = Field(default=0, description="committed and not available, after this change")
    source: Ref = Field(
        description="what it was spent on, or what granted, locked or reset it: an action, a reaction, a rule"
    )
    why: Prose = Field(description="the same in words")


class CardsMoved(Event):
    """Cards moved from one of their owner's piles to another."""

    written_by: ClassVar[str] = "the table's verb `move_cards`"
    read_by: ClassVar[str] = "piles"

    kind: Literal["cards_moved"] = "cards_moved"
    owner: Who = Field(description="the player whose cards they are")
    cards: tuple[Name, ...] = Field(description="the cards, in the order in which they are put down")
    origin: Key | None = Field(default=None, description="the pile that they leave; absent: they enter the game")
    to: Key | None = Field(default=None, description="the pile that they are put under; absent: they leave the game")
    why: Prose = Field(description="why they are moved")


class Moved(Event):
    """A combatant moved one step, or was moved."""

    written_by: ClassVar[str] = "the table's verb `move`"
    read_by: ClassVar[str] = "positions"

    kind: Literal["moved"] = "moved"
    mover: Who = Field(description="the combatant that moves")
    origin: Position | None = Field(default=None, description="where it was; absent: not on the map")
    to: Position = Field(description="where it is now")
    cost: int = Field(default=0, description="the movement spent on the step")
    forced: bool = Field(default=False, description="whether it was moved against its will or by a ruling")


class AreaAffected(Event):
    """An effect covered an area: its squares and the combatants in it."""

    written_by: ClassVar[str] = "the rules of an area of effect"
    read_by: ClassVar[str] = "explanations, maps"

    kind: Literal["area_affected"] = "area_affected"
    owner: Who = Field(description="who caused it")
    source: Ref = Field(description="the effect")
    shape: Key = Field(description="its shape: `sphere`, `cube`, `cone`, `line` ...")
    origin: Position = Field(description="the square that it starts from")
    squares: tuple[Position, ...] = Field(description="every square that it covers")
    caught: tuple[Who, ...] = Field(description="the combatants in it, friends and foes alike")


class TerrainChanged(Event):
    """The terrain of a square changed: a door was opened, a wall was broken."""

    written_by: ClassVar[str] = "the table's verb `change_terrain`"
    read_by: ClassVar[str] = "the map"

    kind: Literal["terrain_changed"] = "terrain_changed"
    square: Position = Field(description="the square that changed")
    before: Notation = Field(description="the old terrain letter")
    after: Notation = Field(description="the new terrain letter")
    source: Ref = Field(description="what changed it")
    owner: Who = Field(description="who caused it")


class SideChanged(Event):
    """A combatant changed sides, because another combatant controls it or by a ruling of the GM."""

    written_by: ClassVar[str] = "the table's verb `change_side`"
    read_by: ClassVar[str] = "sides, hostility"

    kind: Literal["side_changed"] = "side_changed"
    combatant: Who = Field(description="the combatant that changed sides")
    before: Name = Field(description="the side it was on")
    after: Name = Field(description="the side it is on now")
    source: Ref = Field(description="what made it change sides")
