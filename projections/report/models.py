"""The contents of a report, as data. Programs that show it choose the form; programs that calculate have every
number."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from ledger.json_shapes import Documented

VERSION = 1
"""Raised whenever a field is renamed, removed or changes its meaning."""


class ReportPart(Documented, BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReportPool(ReportPart):
    current: int
    maximum: int | None = None


class CombatantShare(ReportPart):
    """What a combatant contributed to a fight. Rulings count as neither damage nor healing."""

    id: str
    name: str
    side: str
    dealt: int = Field(default=0, description="damage dealt to others, without overkill")
    taken: int = Field(default=0, description="damage taken, without overkill")
    healed: int = Field(default=0, description="points restored, to itself or others")
    recovered: int = Field(default=0, description="points regained")
    attacks: int = 0
    hits: int = 0
    falls: int = Field(default=0, description="how often it dropped out of the fight")
    pools: dict[str, ReportPool] = Field(default_factory=dict, description="what is left; empty for several fights")
    in_the_fight: bool = Field(default=False, description="at the end; false for several fights")


class Blow(ReportPart):
    seq: int
    round: int
    by: str | None = Field(description="who dealt it; absent: no combatant")
    by_name: str | None
    source: str | None = Field(description="what dealt it, as ruleset:type:name")
    pool: str
    amount: int
    left: int | None = Field(description="what was left in the pool; absent: the damage takes effect later")
    overkill: int = 0
    is_ruling: bool = False


class Fall(ReportPart):
    """A combatant dropped out of the fight."""

    fight: str
    who: str
    name: str
    seq: int
    round: int
    left: bool = Field(default=False, description="it left; nothing struck it down")
    conditions: list[str] = Field(description="what the fall brought and did not end again: dead, dying ...")
    back_in: int | None = Field(default=None, description="the round in which it was back; absent: never")
    blows: list[Blow] = Field(description="the last three before the fall, in order")


class ReactionWorth(ReportPart):
    """What one combatant did with one reaction, and what that was worth, as far as the record tells."""

    who: str
    name: str
    reaction: str
    used: int = 0
    declined: int = 0
    missed: int = Field(default=0, description="declined although it could have changed the outcome")
    damage: int = Field(default=0, description="damage that followed from it")
    healing: int = Field(default=0, description="healing that followed from it")
    prevented: int = Field(default=0, description="damage that it took away")
    hits_prevented: int = Field(default=0, description="attacks that would have hit without it")


class LuckVerdict(StrEnum):
    LUCKY = "lucky"
    UNLUCKY = "unlucky"
    CHANCE = "within chance"


class AttackLuck(ReportPart):
    """Hits compared to what fair dice give for the same attacks."""

    who: str
    name: str
    attacks: int
    hits: int
    expected: float
    low: int = Field(description="fair dice give at least this many hits ...")
    high: int = Field(description="... and at most this many, 95 % of the time")
    verdict: LuckVerdict = Field(description="lucky or unlucky only if the hits are outside that range")
    chances: dict[str, int] = Field(description="how many attacks had which chance to hit, as a fraction")


class TurningPoint(ReportPart):
    """A declaration that shifted the balance."""

    fight: str
    seq: int = Field(description="seq of the declaration")
    round: int
    words: str = Field(description="what was declared")
    side: str = Field(description="the side that gained")
    before: float = Field(description="its share of all points left, from 0 to 1")
    gained: float


class BalancePoint(ReportPart):
    """Each side's share of all points left, after an event."""

    at: int = Field(description="the event's place among those that stand, from 1")
    seq: int
    round: int
    shares: dict[str, float]


class PoolLine(ReportPart):
    name: str
    pool: str
    points: list[tuple[int, int]] = Field(description="place among the events that stand, and what was left")


class ReportCorrection(ReportPart):
    seq: int
    kind: str
    by: str
    reason: str
    declarations: int = Field(description="how many declarations it retracted")
    taken_back: bool


class ReportRuling(ReportPart):
    seq: int
    round: int
    by: str
    ruling: str
    reason: str


class FightResult(ReportPart):
    sides: list[str]
    winner: str | None = Field(description="the side that won; absent: no side, or not decided yet")
    closed: bool
    how: str | None = Field(description="why it was closed, in words")


class FightReport(ReportPart):
    version: int = VERSION
    fight: str
    id: UUID
    ruleset: str
    opened: datetime
    forked: bool = Field(description="it is a what-if that shares the past of another fight")
    rounds: int
    events: int
    result: FightResult
    shares: list[CombatantShare]
    falls: list[Fall]
    reactions: list[ReactionWorth]
    luck: list[AttackLuck]
    attacks_without_odds: int = Field(description="attacks that luck leaves out: their dice have no exact odds")
    turning_points: list[TurningPoint] = Field(description="the largest shifts of the balance, the largest first")
    corrections: list[ReportCorrection]
    rulings: list[ReportRuling]
    balance: list[BalancePoint]
    pools: list[PoolLine]
    round_starts: dict[int, int] = Field(description="the place of the first event of each round")


class SeenShare(ReportPart):
    """What a combatant contributed, as far as the seat saw it."""

    id: str
    name: str
    side: str
    attacks: int = 0
    hits: int = 0
    taken: int | None = Field(description="damage taken; absent: its numbers are not seen")
    recovered: int | None = Field(description="points regained; absent: its numbers are not seen")
    pools: dict[str, ReportPool] = Field(description="what is left; empty: its numbers are not seen")
    looks: str | None = Field(description="how it looks: unhurt, hurt, bloodied, nearly down or down")
    in_the_fight: bool


class SeenFall(ReportPart):
    """A combatant went down or left."""

    who: str
    name: str
    seq: int
    round: int
    left: bool = Field(description="it left; nothing struck it down")


class SeenReport(ReportPart):
    """A fight from a seat that does not see everything. Events have the seat's own numbers."""

    version: int = VERSION
    seat: str = Field(description="whose eyes: players, player:rurik, spectator ...")
    fight: str
    id: UUID
    ruleset: str
    opened: datetime
    rounds: int
    events: int = Field(description="how many were seen")
    result: FightResult
    shares: list[SeenShare]
    falls: list[SeenFall]
    corrections: list[ReportCorrection]
    rulings: list[ReportRuling]


class FightLine(ReportPart):
    """A fight of a campaign in a line."""

    fight: str
    id: UUID
    ruleset: str
    opened: datetime
    rounds: int
    result: FightResult
    falls: int
    corrections: int
    rulings: int


class CampaignReport(ReportPart):
    version: int = VERSION
    campaign: str
    fights: list[FightLine]
    forks_left_out: int
    others_left_out: int = Field(description="further fights of the campaign that do not count, besides what-ifs")
    shares: list[CombatantShare]
    falls: list[Fall]
    reactions: list[ReactionWorth]
    luck: list[AttackLuck]
    attacks_without_odds: int
    turning_points: list[TurningPoint]


AnyFightReport = FightReport | SeenReport
"""A report of the whole fight, or of what a seat saw of it."""
