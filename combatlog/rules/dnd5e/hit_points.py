"""Hit points: damage, healing, temporary hit points, a lowered maximum, and what happens at 0."""

from __future__ import annotations

from combatlog.rules.dnd5e.combatant_state import (
    DEAD,
    afflict,
    can_act,
    conditions_of,
    end_condition,
    end_instance,
    is_dead,
    is_hostile,
    still_with,
    those_with,
)
from combatlog.rules.dnd5e.conditions.instances import instances_of
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.enums import Nature
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, value_of
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Damaged, DamagePart, Healed
from projections.battle.combatant import Combatant

__all__ = ["DEAD", "HP", "TEMP_HP", "can_act", "gain_temporary", "heal", "is_hostile", "suffer"]

HP = "hp"
TEMP_HP = "temp_hp"
UNCONSCIOUS = "dnd5e:condition:unconscious"
PRONE = "dnd5e:condition:prone"
DYING = "dnd5e:condition:dying"
STABLE = "dnd5e:condition:stable"
ZERO_HIT_POINTS = "dnd5e:situation:zero_hit_points"


def suffer(table: Table, harm: Harm) -> None:
    """Take damage, from temporary hit points first. At 0 hit points, characters fall and monsters die."""
    target = harm.target
    was_down = is_down(target)
    harm.amount = sum([part.amount for part in harm.parts])
    if harm.amount < 0:
        harm.parts = (*harm.parts, DamagePart(source="dnd5e:situation:no_less_than_0", amount=-harm.amount))
        harm.amount = 0
    damaged = _lose(table, harm)
    with table.because_of(damaged):
        for contributor in still_with(Contributor.after_harm, target):
            contributor.after_harm(table, harm, target)
        if damaged.pool == HP and target.vitals[HP].current == 0 and not was_down:
            _drop(table, harm, damaged.overkill)
            _tell_dealer(table, harm)


def _tell_dealer(table: Table, harm: Harm) -> None:
    if harm.dealer is None or not harm.dealer.present or harm.target.vitals[HP].current > 0:
        return
    for contributor in still_with(Contributor.after_felling, harm.dealer):
        contributor.after_felling(table, harm, harm.dealer)


def is_down(combatant: Combatant) -> bool:
    """Whether it is already dying, stable or dead."""
    held = combatant.conditions
    return DYING in held or STABLE in held or DEAD in held


def set_hit_points(table: Table, target: Combatant, value: int, why: str) -> None:
    """Set hit points directly, with the same consequences as damage and healing."""
    change = value - target.vitals[HP].current
    changed: Damaged | Healed | None = None
    if change < 0:
        changed = table.damage(target, HP, -change, (), "gm")
    elif change > 0:
        changed = table.heal(target, HP, change, why, "gm")
    if changed is None:
        _bear_consequences(table, target)
        return
    with table.because_of(changed):
        _bear_consequences(table, target)


def _bear_consequences(table: Table, target: Combatant) -> None:
    if target.vitals[HP].current > 0:
        end_condition(table, target, DEAD, "has hit points again")
        come_round(table, target)
    elif not is_down(target):
        fall(table, target, "gm")


def _lose(table: Table, harm: Harm) -> Damaged:
    target, dealer = harm.target, harm.dealt_by
    absorbed = min(target.vitals[TEMP_HP].current, harm.amount)
    if absorbed == harm.amount and absorbed > 0:
        return table.damage(target, TEMP_HP, absorbed, harm.parts, dealer)
    parts = harm.parts
    if absorbed:
        shield = DamagePart(source="dnd5e:vital:temp_hp", amount=absorbed)
        table.damage(target, TEMP_HP, absorbed, [shield], dealer)
        parts = (*parts, DamagePart(source="dnd5e:vital:temp_hp", amount=-absorbed))
    return table.damage(target, HP, harm.amount - absorbed, parts, dealer)


def _drop(table: Table, harm: Harm, overkill: int) -> None:
    target = harm.target
    if any(
        contributor.keeps_standing(table, harm, target)
        for contributor in those_with(Contributor.keeps_standing, target)
    ):
        return
    if harm.attack is not None and harm.attack.melee and harm.attack.knock_out:
        afflict(table, target, UNCONSCIOUS, source=ZERO_HIT_POINTS, owner=harm.dealt_by)
        afflict(table, target, STABLE, source=ZERO_HIT_POINTS, owner=harm.dealt_by)
        return
    fall(table, target, harm.dealt_by, outright=overkill >= maximum_hp(target))


def fall(table: Table, target: Combatant, owner: str, *, outright: bool = False) -> None:
    """Apply the effects of 0 hit points: monsters and targets killed outright die; characters start dying."""
    if outright or sheet_of(target).nature is Nature.MONSTER:
        die(table, target, owner)
        return
    for condition in (UNCONSCIOUS, DYING):
        afflict(table, target, condition, source=ZERO_HIT_POINTS, owner=owner)


def become_stable(table: Table, target: Combatant, why: str, owner: str) -> None:
    """Stop dying, but stay unconscious at 0 hit points."""
    end_condition(table, target, DYING, why)
    afflict(table, target, STABLE, source=ZERO_HIT_POINTS, owner=owner)


def die(table: Table, target: Combatant, owner: str) -> None:
    """Kill the target and end the conditions that only a living creature can have."""
    for condition in (DYING, STABLE, UNCONSCIOUS):
        end_condition(table, target, condition, "died")
    afflict(table, target, DEAD, source=ZERO_HIT_POINTS, owner=owner)


def maximum_hp(combatant: Combatant) -> int:
    base = bonus("base", "dnd5e:vital:hp", combatant.id, "hit point maximum", combatant.vitals[HP].maximum or 0)
    chain = ModifierChain("maximum_hp", STAGES, [base])
    for contributor in those_with(Contributor.on_maximum_hp, combatant):
        chain.add(*contributor.on_maximum_hp(combatant))
    return max(1, value_of(chain))


def is_bloodied(combatant: Combatant) -> bool:
    """Whether it is at half of its hit point maximum or below."""
    return 2 * combatant.vitals[HP].current <= maximum_hp(combatant)


def heal(table: Table, target: Combatant, amount: int, why: str, source: str) -> None:
    """Regain hit points, up to the maximum. A combatant at 0 wakes up but stays prone."""
    if is_dead(target) or sheet_of(target).is_swarm or any(held.forbids_healing for held in conditions_of(target)):
        return
    missing = max(0, maximum_hp(target) - target.vitals[HP].current)
    healed = table.heal(target, HP, min(amount, missing), why, source)
    with table.because_of(healed):
        if healed.left > 0:
            come_round(table, target)


def heals_fully(combatant: Combatant) -> bool:
    """Whether healing dice count as their maximum instead of being rolled."""
    return any(held.heals_fully for held in conditions_of(combatant))


def come_round(table: Table, target: Combatant) -> None:
    """End the effects of 0 hit points. Unconsciousness from another cause goes on."""
    for condition in (DYING, STABLE):
        end_condition(table, target, condition, "regained hit points")
    held = target.conditions.get(UNCONSCIOUS)
    for instance in instances_of(held) if held is not None else ():
        if instance.source == ZERO_HIT_POINTS:
            end_instance(table, target, UNCONSCIOUS, instance, "regained hit points")


def gain_temporary(table: Table, target: Combatant, amount: int, why: str, source: str) -> None:
    """Grant temporary hit points. They do not stack; the higher number counts."""
    more = amount - target.vitals[TEMP_HP].current
    if more > 0 and not sheet_of(target).is_swarm:
        table.heal(target, TEMP_HP, more, why, source)


DRAINED = "dnd5e:condition:drained"


def drained(combatant: Combatant) -> int:
    """The reduction of its hit point maximum."""
    held = combatant.conditions.get(DRAINED)
    return int(held.data.get("amount", 0)) if held is not None else 0


def drain(table: Table, target: Combatant, dealer: Combatant, amount: int, source: str) -> None:
    """Lower the hit point maximum further. At 0 the target dies."""
    total = drained(target) + amount
    afflict(table, target, DRAINED, source=source, owner=dealer.id, data={"amount": total})
    if total >= (target.vitals[HP].maximum or 0):
        die(table, target, dealer.id)
