"""Saving throws and ability checks: a d20 plus the modifiers of a chain, against a DC."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import cover_from, grade_of
from combatlog.rules.dnd5e.combatant_state import those_with
from combatlog.rules.dnd5e.contexts import Check, D20Test, Save
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import AbilityScore, Skill
from combatlog.rules.dnd5e.modifiers import STAGES, as_roll_modifiers, bonus, disadvantage, record_if_modified
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.engine.dice.dice_notation import d20, mode_of
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import ChangeOp, CheckResolved, Position, Rolled, RollMode, SaveResolved
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

THROWN = "throw.rolled"
"""A saving throw or check has been rolled but not decided yet."""
FAILED = "save.failed"
"""A saving throw has failed."""
FAIL = "fail"
"""A flag of the save chain: the save fails without a roll."""


def save_chain(save: Save) -> ModifierChain:
    sheet, saver = sheet_of(save.saver), save.saver.id
    ability = save.ability
    chain = ModifierChain("save", STAGES, of=saver)
    if ability is not None:
        chain.add(bonus("base", f"dnd5e:score:{ability}", saver, f"{ability} modifier", sheet.modifier(ability)))
        if trained := sheet.save_training(ability):
            chain.add(bonus("base", "dnd5e:score:proficiency", saver, "proficiency bonus", trained))
    for contributor in those_with(Contributor.on_save, save.saver):
        chain.add(*contributor.on_save(save, save.saver))
    if ability is AbilityScore.DEX and (covered := cover_from(save.battle, save.origin, save.saver)):
        chain.add(bonus("situational", "dnd5e:situation:cover", saver, f"{grade_of(covered)} cover", covered))
    return chain


def resolve_save(
    table: Table,
    saver: Combatant,
    ability: AbilityScore,
    against: int,
    source: str,
    purpose: str | None = None,
    *,
    origin: Position | None = None,
    threat: Sequence[str] = (),
) -> bool:
    """Roll a saving throw. Give a purpose if another save with the same ability can come before it."""
    return throw_save(table, saver, ability, against, source, purpose, origin=origin, threat=threat).succeeded


def throw_save(
    table: Table,
    saver: Combatant,
    ability: AbilityScore,
    against: int,
    source: str,
    purpose: str | None = None,
    *,
    origin: Position | None = None,
    threat: Sequence[str] = (),
    hindrance: str | None = None,
) -> Save:
    """Roll a saving throw and return all of it. `hindrance` gives disadvantage and is the reason shown for it."""
    save = Save(table.battle, saver, ability, against, source, origin, tuple(threat))
    chain = save_chain(save)
    if hindrance is not None:
        chain.add(disadvantage(saver.id, source, hindrance))
    chain.record(table)
    fails = bool(chain.of(ChangeOp.FLAG, FAIL))
    if not fails:
        _throw(table, save, purpose or f"{ability} save", chain)
    save.succeeded = not fails and save.total >= against
    if not save.succeeded:
        open_window(table, save, FAILED)
        save.succeeded = save.resisted
    success, total = save.succeeded, save.total
    table.record(
        SaveResolved, saver=saver.id, save=ability, success=success, total=total, against=against, source=source
    )
    return save


def resolve_death_save(table: Table, saver: Combatant, against: int, source: str) -> Save:
    """Roll a save without an ability. Effects on all saving throws, such as Bless, apply to it."""
    save = Save(table.battle, saver, None, against, source)
    chain = save_chain(save)
    chain.record(table)
    _throw(table, save, "death save", chain)
    with table.because_of(rolled_in(save)):
        success, total = save.total >= against, save.total
        table.record(
            SaveResolved, saver=saver.id, save="death", success=success, total=total, against=against, source=source
        )
    return save


def _throw(table: Table, throw: D20Test, purpose: str, chain: ModifierChain) -> None:
    """Roll, then let reactions change the roll."""
    roll_d20(table, purpose, throw, chain)
    open_window(table, throw, THROWN)


def check_chain(check: Check) -> ModifierChain:
    sheet, checker = sheet_of(check.checker), check.checker.id
    ability = check.ability
    chain = ModifierChain("check", STAGES, of=checker)
    chain.add(bonus("base", f"dnd5e:score:{ability}", checker, f"{ability} modifier", sheet.modifier(ability)))
    if check.name is not None and (trained := sheet.training(check.name)):
        reason = "expertise" if check.name in sheet.expertise else "proficiency bonus"
        chain.add(bonus("base", "dnd5e:score:proficiency", checker, reason, trained))
    for contributor in those_with(Contributor.on_check, check.checker):
        chain.add(*contributor.on_check(check, check.checker))
    return chain


def passive_score(battle: Battle, combatant: Combatant, skill: Skill) -> int:
    """The passive score: 10 plus the modifiers of a check, 5 more with advantage, 5 less with disadvantage."""
    chain = check_chain(Check(battle, combatant, skill.ability, skill, 0))
    advantages, disadvantages = len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE))
    return 10 + chain.bonus() + PASSIVE[mode_of(advantages, disadvantages)]


PASSIVE = {RollMode.NORMAL: 0, RollMode.ADVANTAGE: 5, RollMode.DISADVANTAGE: -5}


def resolve_contest(
    table: Table, active: Combatant, skill: Skill, passive: Combatant, options: Sequence[Skill]
) -> bool:
    """Whether the active side wins a contest. The other side uses its best skill; a tie changes nothing."""
    answer = max(options, key=sheet_of(passive).skill_modifier)
    tried = _roll_check(table, active, skill)
    resisted = _roll_check(table, passive, answer)
    _record_check(table, resisted, tried.total)
    return _record_check(table, tried, resisted.total + 1)


def _roll_check(table: Table, checker: Combatant, skill: Skill) -> Check:
    check = Check(table.battle, checker, skill.ability, skill, 0)
    chain = check_chain(check)
    chain.record(table)
    _throw(table, check, f"{skill} check", chain)
    return check


def _record_check(table: Table, check: Check, against: int) -> bool:
    success = check.total >= against
    table.record(
        CheckResolved,
        checker=check.checker.id,
        check=check.name or check.ability,
        success=success,
        total=check.total,
        against=against,
        margin=check.total - against,
    )
    return success


def resolve_check(table: Table, checker: Combatant, skill: Skill, against: int) -> bool:
    return check_total(table, checker, skill, against) >= against


def check_total(table: Table, checker: Combatant, skill: Skill, against: int) -> int:
    """Roll a check and return its total."""
    check = Check(table.battle, checker, skill.ability, skill, against)
    chain = check_chain(check)
    chain.record(table)
    _throw(table, check, f"{skill} check", chain)
    _record_check(table, check, against)
    return check.total


def resolve_ability_check(table: Table, checker: Combatant, ability: AbilityScore, against: int) -> bool:
    """Roll a plain ability check, without a skill."""
    check = Check(table.battle, checker, ability, None, against)
    chain = check_chain(check)
    chain.record(table)
    _throw(table, check, f"{ability} check", chain)
    return _record_check(table, check, against)


def roll_initiative(table: Table, combatant: Combatant) -> int:
    """Roll a Dexterity check without a DC. No one reacts to it."""
    check = Check(table.battle, combatant, AbilityScore.DEX, None, 0)
    chain = check_chain(check)
    record_if_modified(table, chain)
    mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
    modifiers, named = as_roll_modifiers(chain), chain.name if len(chain) > 1 else None
    check.roll = table.roll("initiative", combatant.id, d20(mode), mode=mode, modifiers=modifiers, chain=named)
    _add_dice(table, "initiative", check, chain)
    return check.total


def roll_d20(table: Table, purpose: str, throw: D20Test, chain: ModifierChain) -> None:
    """Roll the d20 first, then the dice that are added to it."""
    mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
    modifiers, roller = as_roll_modifiers(chain), throw.subject.id
    throw.roll = table.roll(purpose, roller, d20(mode), mode=mode, modifiers=modifiers, chain=chain.name)
    throw.natural = int(throw.roll.kept[0])
    if chain.of(ChangeOp.DICE):
        _add_dice(table, purpose, throw, chain)


def _add_dice(table: Table, purpose: str, throw: D20Test, chain: ModifierChain) -> None:
    """Roll the dice that a chain adds to a d20 (or subtracts, with amount -1), each as a separate roll."""
    with table.because_of(rolled_in(throw)):
        for modifier in chain.of(ChangeOp.DICE):
            name = modifier.source.rsplit(":", 1)[1]
            rolled = table.roll(f"{name} on {purpose}", throw.subject.id, modifier.change.dice or "")
            amount = -rolled.total if modifier.change.amount == -1 else rolled.total
            throw.adjustments.append(bonus(modifier.stage, modifier.source, modifier.owner, modifier.reason, amount))


def rolled_in(throw: D20Test) -> Rolled:
    """The roll of a throw that has been rolled."""
    assert throw.roll is not None
    return throw.roll
