"""Beams: bolts of which a caster gets more with its level, instead of stronger ones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.bolts import Bolt
from combatlog.rules.dnd5e.archetypes.casting import cantrip_dice
from combatlog.rules.dnd5e.archetypes.parts import Few, Throw
from combatlog.rules.dnd5e.powers import check_harmful, chosen_targets
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import is_dead
from combatlog.rules.engine.options import Said
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared
from projections.combatant import Combatant


@archetype("beams", "spells")
@options
class Beams(Bolt):
    """Make one spell attack, or more at higher levels, dealt out in turn to the targets named."""

    def check_said(self, said: Said) -> None:
        """A target can be named several times to get several beams; how many there are depends on the caster."""

    def rays(self, actor: Combatant) -> int:
        return cantrip_dice(sheet_of(actor).level)

    def dice(self, actor: Combatant, options: Data, text: str) -> Throw:
        return Throw.of(text)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=self.rays(actor)))

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for ray in range(self.rays(actor)):
            target = table.combatant(declared.targets[ray % len(declared.targets)])
            if not is_dead(target):
                self.shoot(table, actor, target, declared.options)


@archetype("rays", "spells")
@options
class Rays(Beams):
    """Make several spell attacks, one more for each level of the slot above its own."""

    count: Annotated[Few, Field(description="how many rays")] = 3

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        most = self.number(declared.options, self.count)
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=most))

    def rays(self, actor: Combatant) -> int:
        return self.count

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for ray in range(self.number(declared.options, self.count)):
            target = table.combatant(declared.targets[ray % len(declared.targets)])
            if not is_dead(target):
                self.shoot(table, actor, target, declared.options)
