"""The base classes of all spells and special actions that are made from data."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetypes.registry import (
    MAX_DICE,
    DiceAmount,
    Difficulty,
    Feet,
    Few,
    Growth,
    PieceName,
    options,
)
from combatlog.rules.dnd5e.attack.targeting import Power
from combatlog.rules.dnd5e.combatant_state import afflict
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import for_minutes
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.pieces import ActiveFeature
from combatlog.rules.dnd5e.spells.casting import HIGHEST_SLOT, Spell
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Data, Declared, ManualResolutionNeeded
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

Text = Annotated[str, Field(min_length=1, max_length=4000, description="the text shown to the GM")]


def put_to_gm(table: Table, subject: Combatant, text: str, source: str) -> None:
    table.record(ManualResolutionNeeded, subject=subject.id, effect=text, source=source)


class MadePower(Power):
    """A power made from data."""

    ask: str | None = None
    """Further effects for the GM to resolve. The text is shown once the rest has happened."""

    def happen(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.take_effect(table, actor, declared)
        if self.ask is not None:
            put_to_gm(table, actor, self.ask, self.ref)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Apply its effect. Its cost has been paid and its targets have been checked."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def dice(self, actor: Combatant, options: Data, text: str) -> DiceAmount:
        """The dice to roll when this actor uses it with these options."""
        return DiceAmount.of(text)

    def number(self, options: Data, least: int) -> int:
        """The number of targets or darts when it is used with these options."""
        return least


SUSTAINING = "dnd5e:condition:sustaining"


@options
class MadeSpell(Spell, MadePower):
    """A spell made from data."""

    name: PieceName
    level: Annotated[int, Field(ge=0, le=HIGHEST_SLOT, description="0 for a cantrip, whose dice grow with the caster")]
    casting: Literal["action", "bonus_action"] = "action"
    range: Annotated[Feet, Field(description="its range in feet")]
    ask: Annotated[Text | None, Field(description="further effects for the GM to resolve")] = None

    minutes: Annotated[
        int, Field(ge=1, le=1440, description="how long concentration, a zone or further use can last at most")
    ] = 1
    again: Annotated[
        Literal["action", "bonus_action"] | None,
        Field(description="the cost of using it again while it lasts, without a slot"),
    ] = None

    def cast(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.happen(table, actor, declared)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        if self.again is not None and self.is_again(actor, options):
            return {self.again: 1}
        return super().price(actor, options)

    def spent_for(self, actor: Combatant, declared: Declared) -> str:
        """The ref recorded for its cost. Using a spell again does not count as casting."""
        return SUSTAINING if self.is_again(actor, declared.options) else super().spent_for(actor, declared)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if self.sustained(actor) is None:
            super().check_state(battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self.is_again(actor, declared.options):
            self.happen(table, actor, declared)
            return
        super().perform(table, actor, declared)

    def sustain(self, table: Table, actor: Combatant, options: Data, data: Data | None = None) -> None:
        """Allow it to be used again, as long as its concentration lasts, or for its own time without concentration."""
        if self.again is None:
            return
        held = self.sustained(actor)
        held_until = held.until if held is not None else for_minutes(table.battle, actor, self.minutes)
        until = None if self.concentration else held_until
        level = self.level_for(actor, options)
        told = {"level": level, **(data or {})}
        if held is None or held.data != told:
            afflict(table, actor, SUSTAINING, source=self.ref, owner=actor.id, until=until, data=told)

    def sustained(self, actor: Combatant) -> Instance | None:
        """The casting that still lasts, if any."""
        held = actor.conditions.get(SUSTAINING) if self.again is not None else None
        return next((one for one in instances_of(held) if one.source == self.ref), None) if held is not None else None

    def is_again(self, actor: Combatant, options: Data) -> bool:
        """Whether this uses it again. With a slot named, it is cast anew."""
        return "slot" not in options and self.sustained(actor) is not None

    def level_for(self, actor: Combatant, options: Data) -> int:
        """The level at which it is or was cast."""
        held = self.sustained(actor) if self.is_again(actor, options) else None
        return int(held.data["level"]) if held is not None else self.slot_level(options) if self.level else 0


@options
class GrowingSpell(MadeSpell):
    """A spell that a higher slot makes stronger."""

    more_per_slot: Annotated[Growth, Field(description="extra dice, darts or targets per slot level above its own")] = 0

    @model_validator(mode="after")
    def _stays_in_bounds(self) -> GrowingSpell:
        thrown = [getattr(self, name, None) for name in ("damage", "healing")]
        if self.level == 0 and any(text and DiceAmount.of(text).count > MOST_CANTRIP_DICE for text in thrown):
            raise ValueError(f"a cantrip can have at most {MOST_CANTRIP_DICE} dice, because they grow with its caster")
        return self

    def dice(self, actor: Combatant, options: Data, text: str) -> DiceAmount:
        throw = DiceAmount.of(text)
        if self.level == 0:
            return throw.times(cantrip_dice(sheet_of(actor).level))
        return throw.more(self.more_per_slot * (self.level_for(actor, options) - self.level))

    def number(self, options: Data, least: int) -> int:
        return least + self.more_per_slot * self.steps(options)


MOST_CANTRIP_DICE = MAX_DICE // 4


def cantrip_dice(level: int) -> int:
    return 1 + (level >= 5) + (level >= 11) + (level >= 17)


NOTHING = "nothing"
BASE_DIFFICULTY = 8


@options
class SpecialAction(ActiveFeature, MadePower):
    """An action or feature that has to be listed on the sheet."""

    name: PieceName
    takes: Annotated[Literal["action", "bonus_action", "nothing"], Field(description="what it costs in a turn")] = (
        "action"
    )
    uses: Annotated[Few | None, Field(description="how often it can be used; no limit if omitted")] = None
    recharge: Annotated[
        Annotated[int, Field(ge=2, le=6)] | None,
        Field(description="a roll of this or more on a d6 at the start of the turn restores all uses"),
    ] = None

    pool: Annotated[
        PieceName | None, Field(description="the name of a pool of uses shared with others, such as ki")
    ] = None
    spends: Annotated[Few, Field(description="how many uses it spends at once")] = 1
    back_after: Annotated[
        Literal["short", "long", "never"], Field(description="the shortest rest that restores all uses")
    ] = "long"
    ask: Annotated[Text | None, Field(description="further effects for the GM to resolve")] = None

    @model_validator(mode="after")
    def _is_bounded(self) -> SpecialAction:
        if self.takes == NOTHING and self.uses is None and self.pool is None:
            raise ValueError("an action that costs nothing in a turn needs a number of uses")
        if self.recharge is not None and self.uses is None:
            raise ValueError("recharge restores uses, so it needs a number of uses")
        if self.uses is not None and self.spends > self.uses:
            raise ValueError("it spends more uses than it has")
        return self

    @property
    def is_limited(self) -> bool:
        return self.uses is not None or self.pool is not None

    @property
    def pool_name(self) -> str:
        return self.pool or self.name

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        is_free = self.takes == NOTHING or bool(actor.granted_actions(self.ref))  # as part of its multiattack
        price: dict[str, int] = {} if is_free else {self.takes: 1}
        if self.is_limited:
            price[self.pool_name] = self.spends
        return price

    def pools(self, sheet: Sheet) -> dict[str, int]:
        """The pool of its uses. Without a number, something else on the sheet has to bring the pool."""
        return {} if self.uses is None else {self.pool_name: self.uses}

    def pools_needed(self) -> list[str]:
        return [self.pool_name] if self.is_limited else []

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return None if self.back_after == "never" else RestKind(self.back_after)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for grant in actor.granted_actions(self.ref)[:1]:
            table.ungrant(grant, "used")
        self.happen(table, actor, declared)

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.recharge is None or self.uses is None or owner.economy.left(self.pool_name) >= self.uses:
            return
        if not self._is_first_of_pool(owner):
            return  # a shared pool is rolled for only once
        rolled = table.roll(f"{self.name} recharge", owner.id, "1d6")
        with table.because_of(rolled):
            if rolled.total >= self.recharge:
                table.reset(owner, self.pool_name, self.uses, "recharged", self.ref)

    def _is_first_of_pool(self, owner: Combatant) -> bool:
        loadout = sheet_of(owner).loadout
        special = [piece for piece in (*loadout.features, *loadout.actions) if isinstance(piece, SpecialAction)]
        return next(piece for piece in special if piece.recharge and piece.pool_name == self.pool_name) is self


@options
class SavedSpecialAction(SpecialAction):
    """A special action with a save against it."""

    dc: Annotated[
        Difficulty | AbilityScore,
        Field(description="DC: a number, or an ability for 8 + proficiency + its modifier"),
    ]

    def difficulty(self, actor: Combatant) -> int:
        if not isinstance(self.dc, AbilityScore):
            return self.dc
        sheet = sheet_of(actor)
        return BASE_DIFFICULTY + sheet.proficiency_bonus + sheet.modifier(self.dc)
