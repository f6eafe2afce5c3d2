"""Saving throws and ability checks: a d20 with what a chain adds to it, against a number."""

from __future__ import annotations

from ledger.events import ChangeOp, CheckResolved, SaveResolved
from projections.combatant import Combatant
from rules.chain import Chain
from rules.dnd5e.modifiers import STAGES, bonus
from rules.dnd5e.occasions import Check, Save
from rules.dnd5e.rolling import roll_d20
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import contributors_of
from rules.dnd5e.words import AbilityScore, Skill
from rules.table import Table

FAIL = "fail"
"""A flag of the save chain: the save fails without a roll."""


def save_chain(save: Save) -> Chain:
    sheet, saver = sheet_of(save.saver), save.saver.id
    ability = save.ability
    chain = Chain("save", STAGES)
    chain.add(bonus("base", f"dnd5e:score:{ability}", saver, f"{ability} modifier", sheet.modifier(ability)))
    if ability in sheet.saves:
        chain.add(bonus("base", "dnd5e:score:proficiency", saver, "proficiency bonus", sheet.proficiency_bonus))
    for contributor in contributors_of(save.saver):
        chain.add(*contributor.on_save(save, save.saver))
    return chain


def resolve_save(
    table: Table, saver: Combatant, ability: AbilityScore, against: int, source: str, purpose: str | None = None
) -> bool:
    """Roll a saving throw. One that may come after another of the same ability names its purpose."""
    chain = save_chain(Save(table.battle, saver, ability, against, source))
    chain.record(table)
    total = 0
    if not chain.of(ChangeOp.FLAG, FAIL):
        total = roll_d20(table, purpose or f"{ability} save", saver, chain).total
    success = total >= against and not chain.of(ChangeOp.FLAG, FAIL)
    table.record(
        SaveResolved, saver=saver.id, save=ability, success=success, total=total, against=against, source=source
    )
    return success


def resolve_check(table: Table, checker: Combatant, skill: Skill, ability: AbilityScore, against: int) -> bool:
    check = Check(table.battle, checker, ability, skill)
    sheet = sheet_of(checker)
    chain = Chain("check", STAGES)
    chain.add(bonus("base", f"dnd5e:score:{ability}", checker.id, f"{ability} modifier", sheet.modifier(ability)))
    if skill in sheet.skills:
        chain.add(bonus("base", "dnd5e:score:proficiency", checker.id, "proficiency bonus", sheet.proficiency_bonus))
    for contributor in contributors_of(checker):
        chain.add(*contributor.on_check(check, checker))
    chain.record(table)
    total = roll_d20(table, f"{skill} check", checker, chain).total
    success = total >= against
    table.record(
        CheckResolved,
        checker=checker.id,
        check=skill,
        success=success,
        total=total,
        against=against,
        margin=total - against,
    )
    return success
