"""The battle: the state of a fight, folded from its events.

Folding never refuses an event and never asks a rule: events carry their results. The table at the end of this file says
what each event changes; an event that is missing from it is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from ledger.errors import Problem
from ledger.events import (
    ActionGranted,
    ActionRemoved,
    Amended,
    AreaAffected,
    AttackResolved,
    CardsMoved,
    ChainModified,
    CheckResolved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    EncounterClosed,
    EncounterImported,
    EncounterLabelled,
    EncounterOpened,
    Event,
    Forked,
    Healed,
    InitiativeSet,
    Inserted,
    LinkAsked,
    LinkRevealed,
    LinksCommitted,
    LinkWithheld,
    ManualResolutionNeeded,
    Moved,
    Noted,
    PoliciesSet,
    Position,
    ReactionChosen,
    ReactionDeclined,
    ReactionLapsed,
    ReactionUsed,
    ReactionWindowOpened,
    Redone,
    Ref,
    ResourceChanged,
    Rolled,
    RoundEnded,
    RoundStarted,
    Ruled,
    SaveResolved,
    SideChanged,
    TerrainChanged,
    TurnEnded,
    TurnStarted,
    Undone,
)
from projections.battle.clock_and_map import Clock, ReactionWindow, with_square
from projections.battle.combatant import Combatant, Condition
from projections.battle.dice import Links, RollNumbers, links_after
from projections.battle.timeline import standing


class Battle:
    """The state of one encounter after its event `seq`.

    It holds the present and no past, so it does not grow with the fight.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.opened: EncounterOpened | None = None
        self.map: tuple[str, ...] | None = None
        """The current grid; None: open ground without end."""
        self.fork: Forked | None = None
        """For a fork: where it split from the encounter that it shares its past with."""
        self.clock = Clock()
        self.combatants: dict[str, Combatant] = {}
        self.window: ReactionWindow | None = None
        self.questions: dict[int, ManualResolutionNeeded] = {}
        """What a person has yet to resolve, by the seq of the event that asks."""
        self.actions: dict[int, Ref] = {}
        """What was declared in this turn, and the last declaration before it, by the seq of the declaration."""
        self.labels: tuple[str, ...] = ()
        """Sorted. A fork begins without labels."""
        self.roll_numbers = RollNumbers()
        """The numbers that rolls of committed dice hold; a fork has its own."""
        self.links = Links()
        """Who has a hash chain for shared dice. Corrections do not change this; a fork has its own chains."""
        self.view: Any = None
        """The ruleset's parsed form of the encounter's options, cached here and never stored."""

    @property
    def encounter(self) -> EncounterOpened:
        if self.opened is None:
            raise LookupError("this battle has no events yet")
        return self.opened

    @property
    def id(self) -> UUID:
        return self.fork.encounter if self.fork else self.encounter.encounter

    @property
    def name(self) -> str:
        return self.fork.name if self.fork else self.encounter.name

    @property
    def commitment(self) -> str | None:
        """The hash of the seed that committed dice follow from; a fork has its own."""
        return self.fork.commitment if self.fork else self.encounter.commitment

    def apply(self, event: Event) -> None:
        FOLDS[type(event)](self, event)
        if event.seq > self.seq:  # an event that a correction left in place may come after one with a higher number
            self.seq = event.seq

    def present(self) -> list[Combatant]:
        return [combatant for combatant in self.combatants.values() if combatant.present]

    def at(self, position: Position) -> Combatant | None:
        return next((c for c in self.combatants.values() if c.position == position and c.present), None)

    def by_initiative(self, combatants: Iterable[Combatant]) -> list[Combatant]:
        return sorted(combatants, key=lambda combatant: self.clock.rank(combatant.id))


def fold(events: Sequence[Event]) -> Battle:
    """The battle after all of these events, without those that corrections took back."""
    battle = Battle()
    event: Event | None = None
    try:
        for event in standing(events):
            battle.apply(event)
    except (LookupError, ValueError) as error:
        raise impossible_event(event) from error
    if events:
        battle.seq = events[-1].seq
    battle.links = links_after(events)
    return battle


def impossible_event(event: Event | None) -> Problem:
    """No ruleset writes such an event, so someone tampered with the ledger."""
    which = f"Event {event.seq} ({event.kind})" if event is not None else "An event"
    return Problem(
        "ledger/senseless-event",
        f"{which} cannot follow the events before it, so the state from there on is unknown.",
        seq=event.seq if event is not None else None,
        kind=event.kind if event is not None else None,
    )


def _declared(battle: Battle, event: Declared) -> None:
    battle.actions[event.seq] = event.action


def _opened(battle: Battle, event: EncounterOpened) -> None:
    battle.opened = event
    battle.map = event.map


def _forked(battle: Battle, event: Forked) -> None:
    battle.fork = event
    battle.labels = ()
    battle.roll_numbers = RollNumbers()


def _rolled(battle: Battle, event: Rolled) -> None:
    if event.drawn is not None and event.contributions is None:
        battle.roll_numbers.take(event.drawn)


def _link_asked(battle: Battle, event: LinkAsked) -> None:
    battle.window = ReactionWindow.of_roll(event)


def _link_answered(battle: Battle, event: LinkRevealed | LinkWithheld) -> None:
    if battle.window is not None and battle.window.declaration == event.declaration:
        battle.window = None


def _joined(battle: Battle, event: CombatantJoined) -> None:
    battle.combatants[event.combatant] = Combatant.of(event)


def _left(battle: Battle, event: CombatantLeft) -> None:
    battle.combatants[event.combatant].present = False


def _policies_set(battle: Battle, event: PoliciesSet) -> None:
    owner = battle.combatants[event.combatant]
    owner.policies = {**owner.policies, **event.policies}


def _initiative_set(battle: Battle, event: InitiativeSet) -> None:
    battle.clock.order = list(event.order)


def _round_started(battle: Battle, event: RoundStarted) -> None:
    battle.clock.round = event.number


def _turn_started(battle: Battle, event: TurnStarted) -> None:
    battle.clock.turn = event.combatant
    battle.actions = dict(list(battle.actions.items())[-1:])


def _turn_ended(battle: Battle, event: TurnEnded) -> None:
    battle.clock.turn = None


def _closed(battle: Battle, event: EncounterClosed) -> None:
    battle.clock.closed = True
    battle.clock.turn = None


def _labelled(battle: Battle, event: EncounterLabelled) -> None:
    battle.labels = event.labels


def _window_opened(battle: Battle, event: ReactionWindowOpened) -> None:
    battle.window = ReactionWindow.of(event)


def _answered(battle: Battle, event: ReactionChosen | ReactionDeclined) -> None:
    window = battle.window
    if window is not None and window.seq == event.window:
        window.answered.add(event.reactor)
        window.asked_at = event.recorded_at
        if window.waiting is None:
            battle.window = None


def _damaged(battle: Battle, event: Damaged) -> None:
    battle.combatants[event.target].vitals[event.pool].current = event.left


def _healed(battle: Battle, event: Healed) -> None:
    battle.combatants[event.target].vitals[event.pool].current = event.left


def _condition_applied(battle: Battle, event: ConditionApplied) -> None:
    battle.combatants[event.target].conditions[event.condition] = Condition.of(event)


def _condition_removed(battle: Battle, event: ConditionRemoved) -> None:
    battle.combatants[event.target].conditions.pop(event.condition, None)


def _granted(battle: Battle, event: ActionGranted) -> None:
    battle.combatants[event.owner].granted[event.grant] = event


def _ungranted(battle: Battle, event: ActionRemoved) -> None:
    battle.combatants[event.owner].granted.pop(event.grant, None)


def _resource_changed(battle: Battle, event: ResourceChanged) -> None:
    owner = battle.combatants[event.owner]
    vital = owner.vitals.get(event.resource)
    if vital is not None:
        vital.current = event.after
    else:
        owner.economy.change(event)


def _cards_moved(battle: Battle, event: CardsMoved) -> None:
    battle.combatants[event.owner].move_cards(event)


def _question_raised(battle: Battle, event: ManualResolutionNeeded) -> None:
    battle.questions[event.seq] = event


def _ruled(battle: Battle, event: Ruled) -> None:
    if event.answers is not None:
        battle.questions.pop(event.answers, None)


def _moved(battle: Battle, event: Moved) -> None:
    battle.combatants[event.mover].position = event.to


def _terrain_changed(battle: Battle, event: TerrainChanged) -> None:
    battle.map = with_square(battle.map, event.square, event.after)


def _side_changed(battle: Battle, event: SideChanged) -> None:
    battle.combatants[event.combatant].side = event.after


def _decides_what_stands(battle: Battle, event: Event) -> None:
    """For events that decide what stands, which happens before folding."""


def _changes_nothing(battle: Battle, event: Event) -> None:
    """For events that only explain: their consequences are in later events."""


def _is_on_record(battle: Battle, event: Event) -> None:
    """For events that count whether they stand or not: `Battle.links`."""


FOLDS: dict[type[Event], Callable[[Battle, Any], None]] = {
    # time
    EncounterOpened: _opened,
    CombatantJoined: _joined,
    CombatantLeft: _left,
    InitiativeSet: _initiative_set,
    PoliciesSet: _policies_set,
    RoundStarted: _round_started,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    RoundEnded: _changes_nothing,
    EncounterLabelled: _labelled,
    EncounterImported: _changes_nothing,
    EncounterClosed: _closed,
    # declaration, chain, roll
    Declared: _declared,
    ChainModified: _changes_nothing,
    Rolled: _rolled,
    LinksCommitted: _is_on_record,
    LinkAsked: _link_asked,
    LinkRevealed: _link_answered,
    LinkWithheld: _link_answered,
    # reaction
    ReactionWindowOpened: _window_opened,
    ReactionChosen: _answered,
    ReactionDeclined: _answered,
    ReactionUsed: _changes_nothing,
    ReactionLapsed: _changes_nothing,
    # outcome
    AttackResolved: _changes_nothing,
    SaveResolved: _changes_nothing,
    CheckResolved: _changes_nothing,
    Damaged: _damaged,
    Healed: _healed,
    ConditionApplied: _condition_applied,
    ConditionRemoved: _condition_removed,
    ActionGranted: _granted,
    ActionRemoved: _ungranted,
    ResourceChanged: _resource_changed,
    CardsMoved: _cards_moved,
    Moved: _moved,
    AreaAffected: _changes_nothing,
    TerrainChanged: _terrain_changed,
    SideChanged: _side_changed,
    # ruling
    Ruled: _ruled,
    ManualResolutionNeeded: _question_raised,
    # note
    Noted: _changes_nothing,
    # correction
    Undone: _decides_what_stands,
    Redone: _decides_what_stands,
    Amended: _decides_what_stands,
    Inserted: _decides_what_stands,
    Forked: _forked,
}

CHANGING = {
    kind for kind, change in FOLDS.items() if change not in (_changes_nothing, _decides_what_stands, _is_on_record)
}
"""The kinds whose events change a battle that they are applied to."""

STATEFUL = [kind for kind, change in FOLDS.items() if change is not _changes_nothing]
"""The kinds that a fold needs. All others only explain, so a state can be folded without them."""
