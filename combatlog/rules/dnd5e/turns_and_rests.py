"""Initiative, turns and rounds, and what short and long rests restore."""

from __future__ import annotations

from combatlog.rules.dnd5e.battlemap.movement import speed_chain, speed_of
from combatlog.rules.dnd5e.battlemap.zones import spring
from combatlog.rules.dnd5e.combatant_state import (
    can_act,
    can_move,
    can_still,
    conditions_of,
    contributors_of,
    end_condition,
    end_instance,
    is_dead,
    prevents_actions,
    still_with,
)
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import repeat_saves
from combatlog.rules.dnd5e.conditions.instances import ALSO, instances_of
from combatlog.rules.dnd5e.contexts import TurnEnding
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import MOVEMENT, begin_turn, renew, slot
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hazards_and_optional_rules import HazardTiming
from combatlog.rules.dnd5e.hit_points import DYING, HP, TEMP_HP, heal, maximum_hp
from combatlog.rules.dnd5e.legendary_actions import is_past_count, let_lairs_act
from combatlog.rules.dnd5e.modifiers import record_if_modified, value_of
from combatlog.rules.dnd5e.pieces import Activity, Contributor
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.dnd5e.saves_and_checks import roll_initiative
from combatlog.rules.dnd5e.spells.casting import innate_pool
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import require_turn
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import (
    InitiativeEntry,
    InitiativeSet,
    RollModifier,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    Until,
    UntilMoment,
)
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.text import and_list

TURN_ENDING = "turn.ending"


def check_turn(battle: Battle, actor: Combatant, activity: Activity | None = None) -> None:
    """Refuse an actor whose turn it is not, or who cannot act. Incapacitated combatants can still move."""
    require_turn(battle, actor.id)
    moves = activity is not None and activity.while_incapacitated
    is_left = activity is not None and can_still(actor, activity.name)
    if not (can_move(actor) if moves else can_act(actor) or is_left):
        held = [condition for condition in conditions_of(actor) if prevents_actions(condition)]
        raise Refusal(
            "turn/cannot-act",
            f"{actor.name} cannot act while {and_list([condition.title for condition in held])}; end its turn.",
            who=actor.id,
            turn=actor.id,
            conditions=[condition.name for condition in held],
        )


def start(table: Table) -> None:
    """Roll initiative for all, in the order they joined. Ties go to higher Dexterity, then to the earlier joiner."""
    entries = [initiative_of(table, combatant.id) for combatant in table.battle.present()]
    table.record(InitiativeSet, order=tuple(sorted(entries, key=lambda entry: rank(table.battle, entry))))
    _begin_turn(table, _begin_round(table, 1))


def initiative_of(table: Table, name: str, value: int | None = None) -> InitiativeEntry:
    """A combatant's initiative: the given value, or a roll."""
    combatant = table.battle.combatants[name]
    if value is not None:
        return InitiativeEntry(combatant=name, value=value)
    return InitiativeEntry(combatant=combatant.id, value=roll_initiative(table, combatant))


def rank(battle: Battle, entry: InitiativeEntry) -> tuple[int, int]:
    return -entry.value, -sheet_of(battle.combatants[entry.combatant]).abilities.dex


def end_turn(table: Table, combatant: Combatant) -> None:
    if combatant.present:  # a combatant who has left does nothing more
        for contributor in still_with(Contributor.at_turn_end, combatant):
            contributor.at_turn_end(table, combatant)
        spring(table, combatant, HazardTiming.END)
        repeat_saves(table, combatant)
    expire(table, UntilMoment.TURN_END, combatant.id)
    open_window(table, TurnEnding(table.battle, combatant), TURN_ENDING)
    table.record(TurnEnded, combatant=combatant.id)
    if combatant.present or any(not is_dead(other) for other in table.battle.present()):
        _begin_turn(table, _next_after(table, combatant))


def _next_after(table: Table, combatant: Combatant) -> Combatant:
    """The next combatant, in a new round if the order starts over. Latecomers act last, in the order they joined."""
    _living(table)  # refuse if no living combatant is left to take a turn
    later = later_in_round(table.battle, combatant)
    if not is_past_count(table.battle, combatant) and not (later and not is_past_count(table.battle, later[0])):
        let_lairs_act(table)
        later = later_in_round(table.battle, combatant)
    if later:
        return later[0]
    number = table.battle.clock.round
    table.record(RoundEnded, number=number)
    return _begin_round(table, number + 1)


def later_in_round(battle: Battle, combatant: Combatant) -> list[Combatant]:
    """The living combatants whose turns come after this one's in the round, in order."""
    order = battle.by_initiative(battle.combatants.values())
    return [other for other in order[order.index(combatant) + 1 :] if other.present and not is_dead(other)]


def pass_turn(table: Table, combatant: Combatant, following: Combatant) -> None:
    """Delay a turn before anything was done in it. Its end-of-turn effects happen when it is taken later."""
    table.record(TurnEnded, combatant=combatant.id)
    _begin_turn(table, following)


def _living(table: Table) -> list[Combatant]:
    """The combatants who have turns. Those who cannot act have them too, for death saves and ending conditions."""
    living = [combatant for combatant in table.battle.by_initiative(table.battle.present()) if not is_dead(combatant)]
    if not living:
        raise Refusal("turn/nobody", "No combatant in this fight is alive, so no turn can begin; close the fight.")
    return living


def _begin_round(table: Table, number: int) -> Combatant:
    """Begin a round and return who acts first. Lairs act before a first turn with an initiative below 20."""
    table.record(RoundStarted, number=number)
    if is_past_count(table.battle, _living(table)[0]):
        let_lairs_act(table)
    return _living(table)[0]


def _begin_turn(table: Table, combatant: Combatant) -> None:
    started = table.record(TurnStarted, combatant=combatant.id)
    with table.because_of(started):
        expire(table, UntilMoment.TURN_START, combatant.id)
        speed = speed_chain(combatant)
        record_if_modified(table, speed)
        begin_turn(table, combatant, max(0, value_of(speed)))
        for other in table.battle.present():
            for contributor in contributors_of(other):
                contributor.at_any_turn_start(table, other)
        for contributor in still_with(Contributor.at_turn_start, combatant):
            contributor.at_turn_start(table, combatant)
        spring(table, combatant, HazardTiming.START)
        if (woken := speed_of(combatant)) > combatant.economy.left(MOVEMENT):  # a natural 20 on a death save
            renew(table, combatant, MOVEMENT, woken)


def expire(table: Table, moment: UntilMoment, whose: str) -> None:
    """End the conditions and granted actions that last until this moment."""
    now = table.battle.clock.round

    def is_over(until: Until | None) -> bool:
        return (
            until is not None
            and (until.moment, until.whose) == (moment, whose)
            and (until.round is None or now >= until.round)
        )

    for combatant in table.battle.present():
        for condition in list(combatant.conditions.values()):
            if condition.until is None and ALSO not in condition.data:
                continue
            for instance in instances_of(condition):
                if is_over(instance.until):
                    end_instance(table, combatant, condition.ref, instance, moment.replace("_", " "))
        for grant in list(combatant.granted.values()):
            if is_over(grant.until):
                table.ungrant(grant, "not used this turn")


SPENT = "hit_dice_spent"
"""Counts spent hit dice, so a combatant who has never spent one needs no resource for them."""
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
    """The slots and uses that a rest restores. A long rest restores everything that a short one does, and more."""
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
    """Exhaustion comes first, because it can lower the hit point maximum."""
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
    """Refill the pools that are not full; records nothing for the others."""
    for name in restored_by(sheet_of(combatant), kind):
        pool = combatant.economy.get(name)
        if pool is not None and pool.maximum is not None and pool.current < pool.maximum:
            table.reset(combatant, name, pool.maximum, f"{kind.value} rest", source)


def _spend_hit_dice(table: Table, combatant: Combatant, count: int) -> None:
    """Each hit die restores its roll plus the Constitution modifier, at least 0."""
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
