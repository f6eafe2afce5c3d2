"""Initiative, turns and rounds."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import TurnEnding
from combatlog.rules.dnd5e.economy import MOVEMENT, begin_turn, renew
from combatlog.rules.dnd5e.instances import ALSO, instances_of
from combatlog.rules.dnd5e.lairs import is_past_count, let_lairs_act
from combatlog.rules.dnd5e.modifiers import record_if_modified, value_of
from combatlog.rules.dnd5e.movement import speed_chain, speed_of
from combatlog.rules.dnd5e.pieces import Activity, Contributor
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.dnd5e.shaking_off import shake_off
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import (
    can_act,
    can_move,
    conditions_of,
    contributors_of,
    end_instance,
    is_dead,
    still_with,
)
from combatlog.rules.dnd5e.surroundings import When
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.dnd5e.zones import spring
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from combatlog.rules.engine.turns import require_turn
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
from projections.battle import Battle
from projections.combatant import Combatant
from projections.text import and_list

TURN_ENDING = "turn.ending"


def check_turn(battle: Battle, actor: Combatant, activity: Activity | None = None) -> None:
    """Refuse anybody who acts outside their own turn, or who cannot act. The incapacitated can still move."""
    require_turn(battle, actor.id)
    moves = activity is not None and activity.while_incapacitated
    if not (can_move(actor) if moves else can_act(actor)):
        held = [condition for condition in conditions_of(actor) if condition.incapacitates or condition.holds_up]
        raise Refusal(
            "turn/cannot-act",
            f"{actor.name} cannot act while {and_list([condition.title for condition in held])}; end its turn.",
            who=actor.id,
            turn=actor.id,
            conditions=[condition.name for condition in held],
        )


def start(table: Table) -> None:
    """Everybody rolls initiative, in the order they joined. Higher dexterity breaks ties, then who joined first."""
    entries = [initiative_of(table, combatant.id) for combatant in table.battle.present()]
    table.record(InitiativeSet, order=tuple(sorted(entries, key=lambda entry: rank(table.battle, entry))))
    _begin_turn(table, _begin_round(table, 1))


def initiative_of(table: Table, name: str, value: int | None = None) -> InitiativeEntry:
    """As it is set, or rolled."""
    combatant = table.battle.combatants[name]
    if value is not None:
        return InitiativeEntry(combatant=name, value=value)
    dexterity = sheet_of(combatant).modifier(AbilityScore.DEX)
    added = [RollModifier(source="dnd5e:score:dex", amount=dexterity)]
    roll = table.roll("initiative", combatant.id, "1d20", modifiers=added)
    return InitiativeEntry(combatant=combatant.id, value=roll.total)


def rank(battle: Battle, entry: InitiativeEntry) -> tuple[int, int]:
    return -entry.value, -sheet_of(battle.combatants[entry.combatant]).abilities.dex


def end_turn(table: Table, combatant: Combatant) -> None:
    if combatant.present:  # nothing is asked of whoever has left
        for contributor in still_with(Contributor.at_turn_end, combatant):
            contributor.at_turn_end(table, combatant)
        spring(table, combatant, When.END)
        shake_off(table, combatant)
    expire(table, UntilMoment.TURN_END, combatant.id)
    open_window(table, TurnEnding(table.battle, combatant), TURN_ENDING)
    table.record(TurnEnded, combatant=combatant.id)
    if combatant.present or any(not is_dead(other) for other in table.battle.present()):
        _begin_turn(table, _next_after(table, combatant))


def _next_after(table: Table, combatant: Combatant) -> Combatant:
    """Whoever is next. A new round begins when the order starts over; latecomers act last, in the order they joined."""
    _living(table)  # somebody has to be there for whom a turn can begin
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
    """The living whose turns come after this one's, in order."""
    order = battle.by_initiative(battle.combatants.values())
    return [other for other in order[order.index(combatant) + 1 :] if other.present and not is_dead(other)]


def pass_turn(table: Table, combatant: Combatant, following: Combatant) -> None:
    """Hand the turn over before anything was done in it. It is not over: its end comes when it is taken."""
    table.record(TurnEnded, combatant=combatant.id)
    _begin_turn(table, following)


def _living(table: Table) -> list[Combatant]:
    """Those who have turns. That includes anybody who cannot act: they make death saves, and conditions end."""
    living = [combatant for combatant in table.battle.by_initiative(table.battle.present()) if not is_dead(combatant)]
    if not living:
        raise Refusal("turn/nobody", "Nobody in this fight is alive, so no turn can begin; close the fight.")
    return living


def _begin_round(table: Table, number: int) -> Combatant:
    """Whoever has the first turn. Lairs act before it, unless its initiative is 20 or more."""
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
        spring(table, combatant, When.START)
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
