"""What holds for all figures of a player until the round ends."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.library import library_of, name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.sheet import has_trait, is_in_play
from combatlog.rules.skirmish.vitality import recover, suffer
from combatlog.rules.skirmish.vocabulary import ACTIONS, HEALTH, VICTORY_POINTS, Symbol, ref
from ledger.events import DamagePart
from projections.combatant import Combatant

STEELED = "skirmish:condition:steeled"
WINDFALL = "skirmish:condition:windfall"
OVERDRIVE = "skirmish:condition:overdrive"


@piece
class Steeled(Condition):
    """Figures that spend a block token recover damage after the attack, until the round ends."""

    name = "steeled"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.defender.side != owner.side or Symbol.BLOCK not in attack.spent_tokens:
            return
        if is_in_play(attack.defender):
            source = owner.conditions[self.ref].source
            recover(table, attack.defender, 1, name_of(table.battle, source), source)


@piece
class Windfall(Condition):
    """The player gains the cost of its cards that are discarded from hand or deck, until the round ends."""

    name = "windfall"

    def on_discard(self, table: Table, owner: Combatant, card: str) -> None:
        source = owner.conditions[self.ref].source
        if points := library_of(table.battle).card(card).cost:
            table.gain(owner, VICTORY_POINTS, points, name_of(table.battle, source), source)


@piece
class Overdrive(Condition):
    """When it is activated, a DROID may suffer damage for an action more, until the round ends."""

    name = "overdrive"

    def on_activation(self, table: Table, owner: Combatant, figure: Combatant) -> None:
        held = owner.conditions[self.ref]
        damage = held.data["damage"]
        if not has_trait(figure, ["DROID"]):
            return
        useful = [ACT_MORE] if _bears(figure, damage) else []
        chosen = ask(table, "activation.overdrive", owner, figure.id, [ACT_MORE], useful)
        if chosen is not None:
            with table.because_of(chosen):
                suffer(table, figure, [DamagePart(source=held.source, amount=damage)], figure.id)
                if is_in_play(figure):
                    table.gain(figure, ACTIONS, 1, name_of(table.battle, held.source), held.source)


ACT_MORE = ref("choice", "overdrive")
"""What a player answers whose figure suffers damage for an action more."""


def _bears(figure: Combatant, damage: int) -> bool:
    """Whether it has more than half of its health left afterwards."""
    health = figure.vitals[HEALTH]
    return 2 * (health.current - damage) > (health.maximum or 0)
