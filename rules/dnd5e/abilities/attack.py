from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.durations import until_end_of_turn
from rules.dnd5e.economy import ACTION, ATTACKS
from rules.dnd5e.modifiers import STAGES, bonus, record_if_modified, value_of
from rules.dnd5e.pieces import Ability, Contributor, piece
from rules.dnd5e.sheet import Sheet, sheet_of
from rules.dnd5e.state import those_with
from rules.engine.chain import Chain
from rules.engine.table import Table

STRIKE = "dnd5e:action:strike"


@piece
class Attack(Ability):
    """Spend the action to gain attacks, each made with a Strike."""

    name = "attack"
    cost = {ACTION: 1}
    tags = ("attack",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        take_attack_action(table, actor, self.ref)


def take_attack_action(table: Table, actor: Combatant, source: str) -> None:
    """Gain the attacks that an action buys, and a Strike for each."""
    chain = attack_count_chain(actor)
    record_if_modified(table, chain)
    attacks = max(0, value_of(chain))
    table.gain(actor, ATTACKS, attacks, "attack")
    for _ in range(attacks):
        table.grant(actor, STRIKE, source=source, until=until_end_of_turn(actor))


def attack_count_chain(actor: Combatant) -> Chain:
    base = bonus("base", "dnd5e:ability:attack", actor.id, "the Attack action", attacks_of(sheet_of(actor)))
    chain = Chain("attacks", STAGES, [base])
    for contributor in those_with(Contributor.on_attack_count, actor):
        chain.add(*contributor.on_attack_count(actor))
    return chain


def attacks_of(sheet: Sheet) -> int:
    """The attacks that its Attack action buys, before anything adds to them."""
    return sheet.multiattack if isinstance(sheet.multiattack, int) else sum(sheet.multiattack[0].values())
