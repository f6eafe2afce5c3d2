"""What a player's figures gain when they defend, until the round ends."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from ledger.events import Until, UntilMoment
from projections.combatant import Combatant

ROUND_DEFENSE = "skirmish:condition:round_defense"


@piece
class RoundDefense(Condition):
    """Held by a player, for all of its figures."""

    name = "round_defense"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        if attack.defender.side != owner.side:
            return
        for bonus in owner.conditions[self.ref].data.get("bonuses", ()):
            symbol, source = Symbol(bonus["symbol"]), bonus["source"]
            reason = name_of(attack.battle, source)
            attack.modify("cards", source, owner.id, reason, symbol, bonus["amount"])
            if symbol is Symbol.EVADE:
                attack.count_for_hit_check(source, owner.id, reason, bonus["amount"])


def add_defense_bonus(table: Table, player: Combatant, source: str, symbol: Symbol, amount: int) -> None:
    held = player.conditions.get(ROUND_DEFENSE)
    bonus = {"source": source, "symbol": symbol.value, "amount": amount}
    table.apply_condition(
        player,
        ROUND_DEFENSE,
        source=source,
        owner=player.id,
        until=Until(moment=UntilMoment.ROUND_END),
        data={"bonuses": [*(held.data.get("bonuses", ()) if held else ()), bonus]},
    )
