from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.damage import HIT
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.table import Table
from ledger.events import RollModifier
from projections.combatant import Combatant


@piece
class DeflectMissiles(Feature, Reaction[Attack]):
    """Reduce the damage of a ranged weapon hit by 1d10 plus one's dexterity modifier and level."""

    name = "deflect_missiles"
    moments = (HIT,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if context.melee or context.spell is not None:
            return "the attack is not made with a ranged weapon"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        sheet = sheet_of(reactor)
        added = [
            RollModifier(source="dnd5e:score:dex", amount=sheet.modifier(AbilityScore.DEX)),
            RollModifier(source="dnd5e:score:level", amount=sheet.level),
        ]
        rolled = table.roll(self.name, reactor.id, "1d10", modifiers=added)
        context.reductions.append(bonus("reduction", self.ref, reactor.id, "Deflect Missiles", -rolled.total))
