from __future__ import annotations

from ledger.events import RollModifier
from projections.combatant import Combatant
from rules.dnd5e.damage import HIT
from rules.dnd5e.modifiers import bonus
from rules.dnd5e.occasions import Attack
from rules.dnd5e.pieces import Feature, Reaction, piece
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.words import AbilityScore
from rules.table import Table


@piece
class DeflectMissiles(Feature, Reaction[Attack]):
    """Take 1d10 and the dexterity modifier and the level off the damage of a ranged weapon that hit."""

    name = "deflect_missiles"
    moments = (HIT,)

    def obstacle(self, occasion: Attack, reactor: Combatant) -> str | None:
        if occasion.target is not reactor:
            return f"{reactor.id} is not the target"
        if occasion.melee or occasion.spell is not None:
            return "it is not a missile"
        return None

    def react(self, table: Table, occasion: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        sheet = sheet_of(reactor)
        added = [
            RollModifier(source="dnd5e:score:dex", amount=sheet.modifier(AbilityScore.DEX)),
            RollModifier(source="dnd5e:score:level", amount=sheet.level),
        ]
        rolled = table.roll(self.name, reactor.id, "1d10", modifiers=added)
        occasion.reductions.append(bonus("reduction", self.ref, reactor.id, "Deflect Missiles", -rolled.total))
