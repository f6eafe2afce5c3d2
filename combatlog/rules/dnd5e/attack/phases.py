"""An attack in four phases: declaration, attack chain, roll and damage. Other combatants can react in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combatlog.rules.dnd5e.attack.damage import deal_attack_damage
from combatlog.rules.dnd5e.attack.wielding import is_proficient, use_up
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see, cover, grade_of, hides_anybody, perceives
from combatlog.rules.dnd5e.combatant_state import (
    can_act,
    contributions,
    end_fleeting,
    is_hostile,
    is_turned_aside,
    still_with,
    those_with,
)
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.enums import AbilityScore, Size, WeaponProperty
from combatlog.rules.dnd5e.modifiers import STAGES, advantage, bonus, disadvantage, record_if_modified
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.reactions import open_window, record_consuming
from combatlog.rules.dnd5e.saves_and_checks import roll_d20, rolled_in
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import AttackResolved, ChangeOp
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import is_unseen_by

__all__ = ["Attack", "attack_ability", "attack_chain", "make_attack", "resolve_attack"]

CRITICAL = 20

DECLARED = "attack.declared"
ROLLED = "attack.rolled"
RESOLVED = "attack.resolved"


def make_attack(
    battle: Battle, attacker: Combatant, target: Combatant, weapon: Weapon, *, thrown: bool = False
) -> Attack:
    """A weapon attack before any modification. A thrown weapon is thrown if the target is out of reach."""
    return Attack(
        battle=battle,
        attacker=attacker,
        target=target,
        weapon=weapon,
        ability=attack_ability(attacker, weapon),
        melee=not weapon.is_ranged and not thrown and feet_between(attacker, target) <= weapon.reach,
    )


def resolve_attack(table: Table, attack: Attack) -> AttackResolved | None:
    """Resolve all phases. Returns None if a reaction to the declaration prevented the attack."""
    open_window(table, attack, DECLARED)
    if not can_act(attack.attacker) or is_turned_aside(table, attack.attacker, attack.target, attack):
        return None
    attack.chain = attack_chain(attack)
    record_consuming(table, attack.chain)
    ac_chain = armor_class_chain(attack)
    before = list(ac_chain)
    record_if_modified(table, ac_chain)
    attack.armor_class = ac_chain.bonus()
    _roll(table, attack, attack.chain)
    use_up(table, attack)
    resolved = _evaluate(table, attack, attack.chain, before)
    with table.because_of(resolved):
        if resolved.hit:
            deal_attack_damage(table, attack, resolved.critical)
        _tell_everybody(table, attack)
        open_window(table, attack, RESOLVED)
    return resolved


def _tell_everybody(table: Table, attack: Attack) -> None:
    everybody = table.battle.combatants.values()
    told = [owner for owner in everybody if owner.present and those_with(Contributor.after_attack, owner)]
    for owner in table.battle.by_initiative(told) if told else ():
        for contributor in still_with(Contributor.after_attack, owner):
            contributor.after_attack(table, attack, owner)
    end_fleeting(table, attack.attacker, "attacked")


# Phase 1: the attack chain, and the target's armour class


def attack_ability(attacker: Combatant, weapon: Weapon) -> AbilityScore:
    """Strength in melee, Dexterity at range, the better of the two with a finesse weapon."""
    sheet = sheet_of(attacker)
    if WeaponProperty.FINESSE in weapon.properties:
        is_deft = sheet.modifier(AbilityScore.DEX) > sheet.modifier(AbilityScore.STR)
        return AbilityScore.DEX if is_deft else AbilityScore.STR
    return AbilityScore.DEX if weapon.is_ranged else AbilityScore.STR


def attack_chain(attack: Attack, situation: Iterable[Modifier] | None = None) -> ModifierChain:
    """The contributions of all combatants. The situation follows from the positions, unless one is given."""
    chain = ModifierChain("attack", STAGES, _base_attack(attack))
    chain.add(*contributions(attack.battle, Contributor.on_attack, lambda piece, owner: piece.on_attack(attack, owner)))
    chain.add(*(_situation(attack) if situation is None else situation))
    collected = contributions(
        attack.battle,
        Contributor.on_attack_collected,
        lambda piece, owner: piece.on_attack_collected(attack, chain, owner),
    )
    chain.add(*collected)
    return chain


def _base_attack(attack: Attack) -> Iterator[Modifier]:
    sheet = sheet_of(attack.attacker)
    ability, attacker, weapon = attack.ability, attack.attacker.id, attack.weapon
    if weapon.to_hit is not None:
        yield bonus("base", weapon.ref, attacker, f"{weapon.name}, as on the sheet", weapon.to_hit)
    else:
        printed, modifier = sheet.spell_attack if attack.spell is not None else None, sheet.modifier(ability)
        trained = sheet.proficiency_bonus if printed is None else printed - modifier
        yield bonus("base", f"dnd5e:score:{ability}", attacker, f"{ability} modifier", modifier)
        if attack.spell is not None or is_proficient(sheet, weapon):
            yield bonus("base", "dnd5e:score:proficiency", attacker, "proficiency bonus", trained)
        if weapon.bonus:
            yield bonus("equipment", weapon.ref, attacker, f"magic {weapon.name}", weapon.bonus)
    if WeaponProperty.HEAVY in weapon.properties and sheet.size.rank <= Size.SMALL.rank:
        yield disadvantage(attacker, weapon.ref, f"{weapon.name} is too heavy for a {sheet.size} creature", "equipment")


def _situation(attack: Attack) -> Iterator[Modifier]:
    """The effects of the two combatants' positions on the roll."""
    weapon, attacker = attack.weapon, attack.attacker
    if hides_anybody(attack.battle):
        yield from _unseen(attack)
    if weapon.range is None or attack.melee:
        return
    if attack.range > weapon.range[0]:
        yield disadvantage(attacker.id, "dnd5e:situation:long_range", "beyond normal range")
    close = [foe for foe in _placed_foes(attack) if feet_between(attacker, foe) <= 5 and can_act(foe)]
    # An unnoticed foe does not distract the attacker, and the roll must not give it away.
    if any(
        can_see(attack.battle, foe, attacker) and not is_unseen_by(attack.battle, attacker.side, foe) for foe in close
    ):
        yield disadvantage(attacker.id, "dnd5e:situation:close_combat", "a hostile creature is within 5 feet")


def _unseen(attack: Attack) -> Iterator[Modifier]:
    attacker, target = attack.attacker, attack.target
    if not perceives(attack.battle, attacker, target):
        yield disadvantage(attacker.id, "dnd5e:situation:unseen_target", f"{attacker.name} cannot see {target.name}")
    if not perceives(attack.battle, target, attacker):
        yield advantage(attacker.id, "dnd5e:situation:unseen_attacker", f"{target.name} cannot see {attacker.name}")


def _placed_foes(attack: Attack) -> list[Combatant]:
    return [
        other for other in attack.battle.present() if other.position is not None and is_hostile(attack.attacker, other)
    ]


def own_armor_class(attack: Attack) -> ModifierChain:
    """The target's armour class, without cover."""
    target = attack.target
    base = bonus("base", "dnd5e:score:armor_class", target.id, "armour and dexterity", sheet_of(target).ac)
    chain = ModifierChain("armor_class", STAGES, [base])
    for contributor in those_with(Contributor.on_armor_class, target):
        chain.add(*contributor.on_armor_class(attack, target))
    return chain


def armor_class_chain(attack: Attack) -> ModifierChain:
    chain, target = own_armor_class(attack), attack.target
    covered = cover(attack.battle, attack.attacker, target)
    if covered:
        reason = f"{grade_of(covered)} cover"
        chain.add(bonus("situational", "dnd5e:situation:cover", target.id, reason, covered))
    return chain


# Phase 2: roll and evaluate


def _roll(table: Table, attack: Attack, chain: ModifierChain) -> None:
    roll_d20(table, "attack", attack, chain)


def _evaluate(table: Table, attack: Attack, chain: ModifierChain, ac_before: list[Modifier]) -> AttackResolved:
    rolled = table.recorded_events
    open_window(table, attack, ROLLED)
    if table.recorded_events > rolled:  # only recorded events can change the armour class
        _record_late_armor_class(table, attack, ac_before)
    attack.hit = attack.hits
    return table.record(
        AttackResolved,
        attacker=attack.attacker.id,
        target=attack.target.id,
        weapon=attack.weapon.name,
        hit=attack.hit,
        critical=attack.hit and attack.natural >= _critical_from(chain),
        roll=attack.natural,
        total=attack.total,
        against=attack.armor_class,
        cause=rolled_in(attack).seq,
    )


def _critical_from(chain: ModifierChain) -> int:
    """The lowest natural roll that is a critical hit."""
    return min([m.change.amount or CRITICAL for m in chain.of(ChangeOp.CRITICAL_FROM)], default=CRITICAL)


def _record_late_armor_class(table: Table, attack: Attack, before: list[Modifier]) -> None:
    """Record the armour class that reactions to the roll added."""
    late = ModifierChain(
        "armor_class", STAGES, [modifier for modifier in armor_class_chain(attack) if modifier not in before]
    )
    late.record(table)
    attack.armor_class += late.bonus()
