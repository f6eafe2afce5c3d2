"""Special actions made from data: what they cost, and how often they can be used."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from combatlog.rules.dnd5e.archetype_registry import options
from combatlog.rules.dnd5e.archetypes.parts import Difficulty, Few, PieceName
from combatlog.rules.dnd5e.archetypes.powers import MadePower, Text
from combatlog.rules.dnd5e.pieces import ActiveFeature
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.combatant import Combatant

NOTHING = "nothing"
BASE_DIFFICULTY = 8


@options
class SpecialAction(ActiveFeature, MadePower):
    """Something that only those whose sheet lists it can do, as an action or a feature."""

    name: PieceName
    takes: Annotated[Literal["action", "bonus_action", "nothing"], Field(description="what it costs of a turn")] = (
        "action"
    )
    uses: Annotated[Few | None, Field(description="how often it can be used; any number of times if omitted")] = None
    recharge: Annotated[
        Annotated[int, Field(ge=2, le=6)] | None,
        Field(description="a d6 at the start of the turn restores all uses if it shows this or more"),
    ] = None

    pool: Annotated[
        PieceName | None, Field(description="the name under which it shares its uses with others, such as ki")
    ] = None
    spends: Annotated[Few, Field(description="how many uses it takes at once")] = 1
    back_after: Annotated[
        Literal["short", "long", "never"], Field(description="the shortest rest that restores all uses")
    ] = "long"
    ask: Annotated[
        Text | None, Field(description="what else it does, which the rules do not carry out; the GM is told then")
    ] = None

    @model_validator(mode="after")
    def _is_bounded(self) -> SpecialAction:
        if self.takes == NOTHING and self.uses is None and self.pool is None:
            raise ValueError("an action that costs nothing of a turn needs a number of uses")
        if self.recharge is not None and self.uses is None:
            raise ValueError("recharge restores uses, so it needs a number of uses")
        if self.uses is not None and self.spends > self.uses:
            raise ValueError("it spends more uses than there are")
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
        """Without a number of its own, its pool comes from somewhere else on the sheet."""
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
            return  # what is shared is rolled for once
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
        Field(description="difficulty class: a number, or an ability for 8 + proficiency + its modifier"),
    ]

    def difficulty(self, actor: Combatant) -> int:
        if not isinstance(self.dc, AbilityScore):
            return self.dc
        sheet = sheet_of(actor)
        return BASE_DIFFICULTY + sheet.proficiency_bonus + sheet.modifier(self.dc)
