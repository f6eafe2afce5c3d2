"""What a player's next attacks gain, until the activation ends."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, Attack, Mark
from combatlog.rules.skirmish.dice import AttackColour
from combatlog.rules.skirmish.footprint import is_large
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.sheet import is_in_play
from combatlog.rules.skirmish.vitality import suffer_strain
from combatlog.rules.skirmish.vocabulary import Symbol
from ledger.events import Data
from projections.combatant import Combatant

NEXT_ATTACKS = "skirmish:condition:next_attacks"


@piece
class NextAttacks(Condition):
    """Held by a player: each bonus says for how many attacks more it counts."""

    name = "next_attacks"

    def on_pools(self, attack: Attack, owner: Combatant) -> None:
        for bonus in self._applying(attack, owner):
            if most := bonus.get("yellow_until"):
                missing = max(0, most - len(attack.attack_pool))
                reason = name_of(attack.battle, bonus["source"])
                if missing:
                    attack.add_dice(
                        "cards", ATTACK_POOL, AttackColour.YELLOW, missing, bonus["source"], owner.id, reason
                    )

    def _applying(self, attack: Attack, owner: Combatant) -> list[Data]:
        is_own = attack.attacker.side == owner.side
        bonuses = owner.conditions[self.ref].data.get("bonuses", ()) if is_own else ()
        return [bonus for bonus in bonuses if not (bonus.get("only_small") and is_large(attack.defender))]

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        for bonus in self._applying(attack, owner):
            source = bonus["source"]
            if bonus.get("stun_instead"):
                attack.mark(Mark.STUN_INSTEAD, source, owner.id, name_of(attack.battle, source))
            if hits := bonus.get("hits"):
                attack.modify("cards", source, owner.id, name_of(attack.battle, source), Symbol.DAMAGE, hits)
            attack.conditions += [(condition, source) for condition in bonus.get("conditions", ())]
            attack.surges += [key for key in bonus.get("surges", ()) if key not in attack.surges]

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker.side != owner.side:
            return
        for bonus in self._applying(attack, owner):
            if bonus.get("strain_per_die") and is_in_play(attack.attacker):
                added = [c.change.amount or 0 for c in attack.pool_changes if c.source == bonus["source"]]
                suffer_strain(table, attack.attacker, sum(added), bonus["source"])
        counted = [{**bonus, "left": bonus["left"] - 1} for bonus in owner.conditions[self.ref].data.get("bonuses", ())]
        left = [bonus for bonus in counted if bonus["left"] > 0]
        if left:
            _hold(table, owner, left)
        else:
            table.remove_condition(owner, self.ref, "used for the attack")


def add_attack_bonus(table: Table, player: Combatant, source: str, attacks: int, **gains: object) -> None:
    """The player's next attacks, so many of them, gain this."""
    held = player.conditions.get(NEXT_ATTACKS)
    bonus = {"source": source, "left": attacks, **gains}
    _hold(table, player, [*(held.data.get("bonuses", ()) if held else ()), bonus])


def _hold(table: Table, player: Combatant, bonuses: list[Data]) -> None:
    table.apply_condition(
        player, NEXT_ATTACKS, source=bonuses[-1]["source"], owner=player.id, data={"bonuses": bonuses}
    )
