"""What spells and special actions made from data have in common: an effect, which a higher slot may increase."""

from __future__ import annotations

from ledger.events import Data, Declared
from projections.combatant import Combatant
from rules.dnd5e.archetypes.parts import Throw
from rules.dnd5e.powers import Power
from rules.engine.table import Table


class MadePower(Power):
    """A power made from data."""

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Do what it does. Its cost has been paid and its targets have been checked."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def dice(self, actor: Combatant, options: Data, text: str) -> Throw:
        """The dice to roll when this actor uses it with these options."""
        return Throw.of(text)

    def number(self, options: Data, least: int) -> int:
        """The number of targets or darts when it is used with these options."""
        return least
