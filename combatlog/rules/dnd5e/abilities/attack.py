from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, record_if_modified, value_of
from combatlog.rules.dnd5e.multiattack import STRIKE, blows, maneuvers, numbered_routine
from combatlog.rules.dnd5e.pieces import Ability, Contributor, piece
from combatlog.rules.dnd5e.sheet import Routine, sheet_of
from combatlog.rules.dnd5e.state import conditions_of, those_with
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


class AttackOptions(Options):
    multiattack: int | None = Field(
        default=None, description="which of its multiattacks, by number; the first if omitted"
    )


@piece
class Attack(Ability):
    """Spend the action to gain attacks, each made with a Strike."""

    name = "attack"
    cost = {ACTION: 1}
    tags = ("attack",)
    options = AttackOptions

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _chosen(actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        take_attack_action(table, actor, self.ref, _chosen(actor, declared))


def _chosen(actor: Combatant, declared: Declared) -> Routine | None:
    return numbered_routine(actor, AttackOptions.read(declared.options).multiattack if declared.options else None)


def take_attack_action(table: Table, actor: Combatant, source: str, routine: Routine | None) -> None:
    """Gain the attacks that an action buys, a Strike for each, and the other actions of its multiattack."""
    chain = attack_count_chain(actor, routine)
    record_if_modified(table, chain)
    attacks = max(0, value_of(chain))
    if attacks:
        table.gain(actor, ATTACKS, attacks, "attack")
    until = until_end_of_turn(actor)
    weapons = blows(sheet_of(actor), routine) if routine is not None else []
    for number in range(attacks):
        weapon = weapons[number] if number < len(weapons) else None
        table.grant(actor, STRIKE, source=source, until=until, weapon=weapon)
    for action in maneuvers(sheet_of(actor), routine or {}):
        table.grant(actor, action, source=source, until=until)


def attack_count_chain(actor: Combatant, routine: Routine | None = None) -> Chain:
    """How many attacks an Attack action buys: with this multiattack, or else with its number or its first one."""
    sheet = sheet_of(actor)
    if routine is None and sheet.routines:
        routine = sheet.routines[0]
    attacks = sheet.multiattack if isinstance(sheet.multiattack, int) else len(blows(sheet, routine or {}))
    chain = Chain("attacks", STAGES, [bonus("base", "dnd5e:ability:attack", actor.id, "the Attack action", attacks)])
    for contributor in those_with(Contributor.on_attack_count, actor):
        chain.add(*contributor.on_attack_count(actor))
    slow = next((held for held in conditions_of(actor) if held.one_attack), None) if actor.conditions else None
    if slow is not None and (more := value_of(chain) - 1) > 0:
        chain.add(bonus("conditions", slow.ref, actor.id, f"{actor.name} is {slow.title}", -more))
    return chain
