"""What a player's next attacks gain, until the activation ends."""

from __future__ import annotations

from ledger.events import Data
from projections.combatant import Combatant
from rules.engine.table import Table
from rules.skirmish.attack_state import Attack
from rules.skirmish.library import name_of
from rules.skirmish.pieces import Condition, piece
from rules.skirmish.vocabulary import Symbol

NEXT_ATTACKS = "skirmish:condition:next_attacks"


@piece
class NextAttacks(Condition):
    """Held by a player: each bonus says for how many attacks more it counts."""

    name = "next_attacks"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        if attack.attacker.side != owner.side:
            return
        for bonus in owner.conditions[self.ref].data.get("bonuses", ()):
            source = bonus["source"]
            if hits := bonus.get("hits"):
                attack.modify("cards", source, owner.id, name_of(attack.battle, source), Symbol.DAMAGE, hits)
            attack.conditions += [(condition, source) for condition in bonus.get("conditions", ())]
            attack.surges += [key for key in bonus.get("surges", ()) if key not in attack.surges]

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker.side != owner.side:
            return
        counted = [{**bonus, "left": bonus["left"] - 1} for bonus in owner.conditions[self.ref].data.get("bonuses", ())]
        left = [bonus for bonus in counted if bonus["left"] > 0]
        if left:
            _hold(table, owner, left)
        else:
            table.remove_condition(owner, self.ref, "used for the attack")


def add_bonus(table: Table, player: Combatant, source: str, attacks: int, **gains: object) -> None:
    """The player's next attacks, so many of them, gain this."""
    held = player.conditions.get(NEXT_ATTACKS)
    bonus = {"source": source, "left": attacks, **gains}
    _hold(table, player, [*(held.data.get("bonuses", ()) if held else ()), bonus])


def _hold(table: Table, player: Combatant, bonuses: list[Data]) -> None:
    table.apply_condition(
        player, NEXT_ATTACKS, source=bonuses[-1]["source"], owner=player.id, data={"bonuses": bonuses}
    )
