"""Short and long rests: hit points, hit dice, slots and uses that come back."""

from __future__ import annotations

from combatlog.rules.dnd5e.economy import slot
from combatlog.rules.dnd5e.magic import innate_pool
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.dnd5e.vitality import DYING, HP, TEMP_HP, heal, maximum_hp
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from ledger.events import RollModifier
from projections.combatant import Combatant

SPENT = "hit_dice_spent"
"""Hit dice are counted as they are spent, so that whoever has never spent one needs no resource for them."""
DRAINED = "dnd5e:condition:drained"
EXHAUSTION = "dnd5e:condition:exhaustion"
SHORT_REST, LONG_REST = "dnd5e:rule:short_rest", "dnd5e:rule:long_rest"


def rest(table: Table, combatant: Combatant, kind: RestKind, hit_dice: int) -> None:
    _check_able(combatant, kind)
    if kind is RestKind.LONG:
        if hit_dice:
            raise Refusal("rest/no-need", "Hit dice are spent in a short rest; a long one restores all hit points.")
        _rest_long(table, combatant)
    else:
        _spend_hit_dice(table, combatant, hit_dice)
        _restore(table, combatant, kind, SHORT_REST)


def hit_dice_left(combatant: Combatant) -> int:
    return max(0, sheet_of(combatant).level - combatant.economy.left(SPENT))


def restored_by(sheet: Sheet, kind: RestKind) -> list[str]:
    """The slots and uses that a rest restores. A long rest restores what a short one does, and more."""
    enough = (RestKind.SHORT,) if kind is RestKind.SHORT else (RestKind.SHORT, RestKind.LONG)
    pieces = (*sheet.loadout.features, *sheet.loadout.actions)
    pools = [name for piece in pieces if piece.rest_needed(sheet) in enough for name in piece.pools(sheet)]
    if kind is RestKind.LONG:
        pools += [innate_pool(name) for name, own in sheet.innate_spells.items() if own.uses is not None]
    are_slots_back = sheet.pact_magic or kind is RestKind.LONG
    return [*dict.fromkeys(pools), *(slot(level) for level in sorted(sheet.slots) if are_slots_back)]


def _check_able(combatant: Combatant, kind: RestKind) -> None:
    is_down = combatant.vitals[HP].current == 0
    if combatant.has(DYING) or (is_down and kind is RestKind.LONG):
        raise Refusal(
            "rest/no-hit-points",
            f"{combatant.name} has no hit points and gains nothing from a {kind.value} rest; heal first.",
            who=combatant.id,
        )


def _rest_long(table: Table, combatant: Combatant) -> None:
    """Exhaustion first, because it may lower the maximum of hit points."""
    _lessen_exhaustion(table, combatant)
    end_condition(table, combatant, DRAINED, "long rest")
    if (missing := maximum_hp(combatant) - combatant.vitals[HP].current) > 0:
        heal(table, combatant, missing, "long rest", GM)
    if temporary := combatant.vitals[TEMP_HP].current:
        table.spend_vital(combatant, TEMP_HP, temporary, "long rest", LONG_REST)
    _restore(table, combatant, RestKind.LONG, LONG_REST)
    if spent := combatant.economy.left(SPENT):
        back = max(1, sheet_of(combatant).level // 2)
        table.reset(combatant, SPENT, max(0, spent - back), "long rest", LONG_REST)


def _lessen_exhaustion(table: Table, combatant: Combatant) -> None:
    held = combatant.conditions.get(EXHAUSTION)
    if held is None:
        return
    left = (held.level or 1) - 1
    if left == 0:
        end_condition(table, combatant, EXHAUSTION, "long rest")
    else:
        table.apply_condition(combatant, EXHAUSTION, source=held.source, owner=held.owner, level=left, data=held.data)


def _restore(table: Table, combatant: Combatant, kind: RestKind, source: str) -> None:
    """Fill what is not full. Nothing is recorded for the others."""
    for name in restored_by(sheet_of(combatant), kind):
        pool = combatant.economy.get(name)
        if pool is not None and pool.maximum is not None and pool.current < pool.maximum:
            table.reset(combatant, name, pool.maximum, f"{kind.value} rest", source)


def _spend_hit_dice(table: Table, combatant: Combatant, count: int) -> None:
    """Each gives back what it shows and the constitution modifier, but never less than nothing."""
    if not count:
        return
    _check_left(combatant, count)
    sheet = sheet_of(combatant)
    constitution = [RollModifier(source="dnd5e:score:con", amount=sheet.modifier(AbilityScore.CON))]
    rolls = [
        table.roll("hit die", combatant.id, f"1d{sheet.hit_die}", modifiers=constitution).total for _ in range(count)
    ]
    table.gain(combatant, SPENT, count, "short rest", SHORT_REST)
    heal(table, combatant, sum(max(0, total) for total in rolls), "hit dice", GM)


def _check_left(combatant: Combatant, count: int) -> None:
    left = hit_dice_left(combatant)
    if not 0 < count <= left:
        raise Refusal(
            "rest/hit-dice",
            f"{combatant.name} has {left} hit dice left and cannot spend {count}.",
            who=combatant.id,
            needed=count,
            available=left,
        )
