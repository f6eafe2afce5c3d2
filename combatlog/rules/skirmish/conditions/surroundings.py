"""What holds inside and outside. Held by a player."""

from __future__ import annotations

from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.board import read_space
from combatlog.rules.skirmish.footprint import spaces_of
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from projections.combatant import Combatant

HARSH_ENVIRONMENT = "skirmish:condition:harsh_environment"


@piece
class HarshEnvironment(Condition):
    """Its figures have 1 Evade less outside, and 1 Block more inside, until the round ends."""

    name = "harsh_environment"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        if attack.defender.side != owner.side:
            return
        source = owner.conditions[self.ref].source
        outside = [read_space(text) for text in attack.battle.encounter.options.get("exterior") or ()]
        is_outside = any(space in outside for space in spaces_of(attack.defender))
        symbol, amount = (Symbol.EVADE, -1) if is_outside else (Symbol.BLOCK, 1)
        attack.modify("cards", source, attack.defender.id, name_of(attack.battle, source), symbol, amount)
