from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pydantic import Field

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.damage import HIT
from combatlog.rules.dnd5e.economy import slot
from combatlog.rules.dnd5e.magic import HIGHEST_SLOT
from combatlog.rules.dnd5e.modifiers import dice
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.prices import with_other_slots
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.vitality import HP
from combatlog.rules.dnd5e.words import CreatureType, DamageType
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.table import Table
from ledger.events import Data
from projections.combatant import Combatant

MOST_DICE = 5
UNHOLY = (CreatureType.UNDEAD, CreatureType.FIEND)
WORTH_A_SLOT = 8
"""The hit points from which on a target is worth a slot to those who play by rule of thumb."""


class SmiteOptions(Options):
    slot: int | None = Field(
        default=None, ge=1, le=HIGHEST_SLOT, description="the level of the slot to spend; the lowest left if omitted"
    )


@piece
class DivineSmite(Feature, Reaction[Attack]):
    """Spend a slot after a hit in melee for 2d8 radiant damage, 1d8 more per slot level and against undead and fiends.

    It takes no reaction.
    """

    name = "divine_smite"
    moments = (HIT,)
    reaction_options = SmiteOptions

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {slot(_lowest(reactor)): 1}

    def price_said(self, reactor: Combatant, said: Data) -> dict[str, int]:
        return {slot(SmiteOptions.read(said).slot or _lowest(reactor)): 1}

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        return with_other_slots(self, reactor, _lowest(reactor))

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.attacker is not reactor:
            return f"{reactor.name} is not the attacker"
        if not context.melee or context.spell is not None:
            return "the attack is not made with a melee weapon"
        return "it smites already" if any(extra.source == self.ref for extra in context.extras) else None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.natural == 20 or context.target.vitals[HP].current >= WORTH_A_SLOT

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        notation = f"{smite_dice(_level(paid), sheet_of(context.target).creature_type)}d8"
        context.extras.append(dice("features", self.ref, reactor.id, "Divine Smite", notation, DamageType.RADIANT))


def smite_dice(level: int, target: CreatureType) -> int:
    """2d8 for a slot of level 1 and one more for each level above, at most 5d8; one more for the undead and fiends."""
    return min(MOST_DICE, 1 + level) + (target in UNHOLY)


def _lowest(paladin: Combatant) -> int:
    levels = range(1, HIGHEST_SLOT + 1)
    return next((level for level in levels if paladin.economy.left(slot(level))), 1)


def _level(paid: dict[str, int]) -> int:
    return next(level for name, level in _levels().items() if name in paid)


@cache
def _levels() -> dict[str, int]:
    return {slot(level): level for level in range(1, HIGHEST_SLOT + 1)}
