"""What figures gain when they attack, until the round ends."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, Attack
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS, add_entry, entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from ledger.events import Data
from projections.combatant import Combatant

ROUND_ATTACK = "skirmish:condition:round_attack"


@piece
class RoundAttack(Condition):
    """Held by a figure for itself, or by a player for all of its figures."""

    name = "round_attack"

    def when_declared(self, table: Table, attack: Attack, owner: Combatant) -> None:
        for entry in _applying(attack, owner):
            if dice := entry.get("rerolls"):
                attack.rerolls[ATTACK_POOL] = attack.rerolls.get(ATTACK_POOL, 0) + dice

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        for entry in _applying(attack, owner):
            attack.surges += [key for key in entry.get("surges", ()) if key not in attack.surges]
            if "symbol" in entry:
                reason = name_of(attack.battle, entry["source"])
                attack.modify("cards", entry["source"], owner.id, reason, Symbol(entry["symbol"]), entry["amount"])


def _applying(attack: Attack, owner: Combatant) -> list[Data]:
    is_own = owner is not attack.defender and attack.attacker.side == owner.side
    return entries(owner, ROUND_ATTACK) if is_own else []


def add_attack_symbols(table: Table, owner: Combatant, source: str, symbol: Symbol, amount: int) -> None:
    entry = {"source": source, "symbol": symbol.value, "amount": amount}
    add_entry(table, owner, ROUND_ATTACK, entry, UNTIL_ROUND_ENDS)


def add_attack_surges(table: Table, owner: Combatant, source: str, keys: Sequence[str]) -> None:
    add_entry(table, owner, ROUND_ATTACK, {"source": source, "surges": list(keys)}, UNTIL_ROUND_ENDS)


def add_attack_rerolls(table: Table, owner: Combatant, source: str, dice: int) -> None:
    add_entry(table, owner, ROUND_ATTACK, {"source": source, "rerolls": dice}, UNTIL_ROUND_ENDS)
