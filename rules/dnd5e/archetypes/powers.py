"""What a spell and a doing that are made from data have in common: an effect, which grows with a slot or does not."""

from __future__ import annotations

from ledger.events import Data, Declared
from projections.combatant import Combatant
from rules.dnd5e.archetypes.parts import Throw
from rules.dnd5e.powers import Power
from rules.engine.table import Table


class MadePower(Power):
    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """What it does. What it costs has been paid, and whom or what it is aimed at has been checked."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def dice(self, actor: Combatant, options: Data, text: str) -> Throw:
        """These dice as they are thrown when this actor uses it in this way."""
        return Throw.of(text)

    def number(self, options: Data, least: int) -> int:
        """So many targets or darts, or more when it is used in this way."""
        return least
