"""After an attack: damage, then what depends on it (blast, cleave, conditions), then what always happens."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import Attack, Mark
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import holders
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.sheet import figures_in_play, is_in_play, player_of
from combatlog.rules.skirmish.targeting import targets_of, touches
from combatlog.rules.skirmish.vitality import make, recover, suffer
from combatlog.rules.skirmish.vocabulary import HARMFUL, MOVEMENT, STUNNED, Symbol, ref
from ledger.events import DamagePart
from projections.combatant import Combatant


def follow(table: Table, attack: Attack, hit: bool) -> None:
    others = [figure for figure in figures_in_play(table.battle) if figure is not attack.defender]
    near_target = [figure for figure in others if touches(table.battle, attack.space, figure)]
    suffered = suffer(table, attack.defender, attack.damage_parts(), attack.attacker.id).amount if hit else 0
    attack.hit, attack.suffered, attack.is_resolved = hit, suffered, True
    for piece, owner in list(holders(attack)):
        piece.after_attack(table, attack, owner)
    if suffered:
        _blast(table, attack, near_target)
        _cleave(table, attack)
        _apply_conditions(table, attack)
    elif hit and attack.stuns_instead:
        make(table, attack.defender, STUNNED, attack.marks(Mark.STUN_INSTEAD)[0].source, attack.attacker.id)
    attacker = attack.attacker
    if is_in_play(attacker):
        recover(table, attacker, attack.total(Symbol.RECOVER), "recover", attacker.id)
    if is_in_play(attacker) and attack.movement_after:
        source = attack.movement_source
        table.gain(attacker, MOVEMENT, attack.movement_after, name_of(table.battle, source), source)
    for later in attack.afterwards:
        later()


def _blast(table: Table, attack: Attack, near_target: list[Combatant]) -> None:
    """Every other figure next to the target's space suffers it, whichever side it is on."""
    amount = attack.total(Symbol.BLAST)
    for figure in near_target:
        if amount and is_in_play(figure):
            suffer(table, figure, [DamagePart(source=ref("result", "blast"), amount=amount)], attack.attacker.id)


def _cleave(table: Table, attack: Attack) -> None:
    """Another hostile figure that the attacker could have targeted suffers it; the player chooses which."""
    amount = attack.total(Symbol.CLEAVE)
    others = [figure for figure in targets_of(table.battle, attack.attacker) if figure is not attack.defender]
    if not amount or not others:
        return
    by_ref = {ref("figure", figure.id): figure for figure in others}
    player = player_of(table.battle, attack.attacker)
    chosen = choose(table, "attack.cleave", player, attack.attacker.id, list(by_ref), default=next(iter(by_ref)))
    suffer(table, by_ref[chosen], [DamagePart(source=ref("result", "cleave"), amount=amount)], attack.attacker.id)


def _apply_conditions(table: Table, attack: Attack) -> None:
    """The target gets the harmful ones, the attacker the others."""
    for condition, source in attack.conditions:
        figure = attack.defender if condition in HARMFUL else attack.attacker
        make(table, figure, condition, source, attack.attacker.id)
