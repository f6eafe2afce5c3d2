"""What spells and special actions made from data have in common: an effect, which a higher slot may increase."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.parts import Throw
from combatlog.rules.dnd5e.powers import Power
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared, ManualResolutionNeeded
from projections.combatant import Combatant

Text = Annotated[str, Field(min_length=1, max_length=4000, description="what the GM is told")]


def put_to_gm(table: Table, subject: Combatant, text: str, source: str) -> None:
    table.record(ManualResolutionNeeded, subject=subject.id, effect=text, source=source)


class MadePower(Power):
    """A power made from data."""

    ask: str | None = None
    """What else it does, which the rules do not carry out: the GM is told once the rest has happened."""

    def happen(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.take_effect(table, actor, declared)
        if self.ask is not None:
            put_to_gm(table, actor, self.ask, self.ref)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Do what it does. Its cost has been paid and its targets have been checked."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def dice(self, actor: Combatant, options: Data, text: str) -> Throw:
        """The dice to roll when this actor uses it with these options."""
        return Throw.of(text)

    def number(self, options: Data, least: int) -> int:
        """The number of targets or darts when it is used with these options."""
        return least
