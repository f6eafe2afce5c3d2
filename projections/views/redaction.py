"""What each kind of event shows to seats that do not see everything. The table at the end has a line for every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, TypeVar, get_args
from uuid import UUID

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
    Contribution,
    Damaged,
    DecidedBy,
    Declared,
    EncounterClosed,
    EncounterImported,
    EncounterLabelled,
    EncounterOpened,
    Event,
    Forked,
    Healed,
    InitiativeEntry,
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
    Prose,
    ReactionChosen,
    ReactionDeclined,
    ReactionLapsed,
    ReactionUsed,
    ReactionWindowOpened,
    Redone,
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
    Until,
)
from projections.battle.consent import ANSWER
from projections.views.redacted_events import (
    SeenAttack,
    SeenCards,
    SeenCheck,
    SeenHealed,
    SeenHurt,
    SeenInitiative,
    SeenJoined,
    SeenPlace,
    SeenSave,
)
from projections.views.visibility import (
    ARRIVES_HIDDEN,
    CHOSEN_FACE_DOWN,
    FACE_DOWN,
    FACE_UP,
    GM,
    INITIATIVE,
    JOIN,
    NOTE,
    NOTE_TEXT,
    PLACES,
    ROLL_ASIDE,
    ROLLED_ALOUD,
    SAID_ALOUD,
    ShownDetail,
    Viewer,
    public_options,
)

E = TypeVar("E", bound=Event)
Redaction = Callable[[Any, Viewer], Event | None]

_NO_COMMAND = UUID(int=0)
_PROSE = get_args(Prose)[1]


def redacted(event: Event, viewer: Viewer) -> Event | None:
    """The event as a viewer sees it: complete, reduced, or None. Kinds that are missing from the table are not seen."""
    if viewer.sees_all:
        return event
    if event.declaration in viewer.secret and type(event) in KEPT_SECRET:
        return None
    how = HOW_SEEN.get(type(event))
    seen = how(event, viewer) if how is not None else None
    return _without_asides(seen, viewer) if seen is not None else None


def _without_asides(event: Event, viewer: Viewer) -> Event:
    """Neither prose nor the envelope may name an unseen combatant."""
    prose = () if ShownDetail.REASONS in viewer.shown else _prose(type(event))
    changes: dict[str, Any] = dict.fromkeys(prose, "")
    if event.turn is not None and not viewer.sees(event.turn):
        changes["turn"] = None
    if event.by in viewer.unseen:
        changes["by"] = GM
    return _with(event, **changes)


@cache
def _prose(kind: type[Event]) -> tuple[str, ...]:
    return tuple(name for name, field in kind.model_fields.items() if _PROSE in field.metadata)


def _with(event: E, **changes: Any) -> E:
    return event.model_copy(update=changes) if changes else event


def _reduced(event: Event, into: type[E], **changes: Any) -> E:
    """The fields that the event shares with its reduced form, some of them changed."""
    shared = {name: getattr(event, name) for name in into.model_fields if hasattr(event, name)}
    return into(**{**shared, **changes})


# Rules shared by several kinds


def _complete(event: Event, viewer: Viewer) -> Event:
    return event


def _not_at_all(event: Event, viewer: Viewer) -> None:
    return None


def _if_own(whose: str) -> Redaction:
    """Only for the viewer's own combatants, found by the field that names the combatant."""
    return lambda event, viewer: event if getattr(event, whose) in viewer.own else None


def _if_known(whose: str, what: ShownDetail) -> Redaction:
    """For the viewer's own combatants, and for others if the fight shows it."""
    return lambda event, viewer: event if viewer.knows(getattr(event, whose), what) else None


def _if_seen(whose: str) -> Redaction:
    """For every combatant that is seen."""
    return lambda event, viewer: event if viewer.sees(getattr(event, whose)) else None


# Time


def _opened(e: EncounterOpened, viewer: Viewer) -> Event:
    """A seed would reveal every face to come, and packs contain sheets."""
    return _with(e, dice=e.dice.partition(":")[0], options=public_options(e.options), command=_NO_COMMAND)


def _joined(e: CombatantJoined, viewer: Viewer) -> Event | None:
    if viewer.knows(e.combatant, ShownDetail.SHEETS):
        return e
    if not viewer.sees(e.combatant):
        return None
    return _reduced(e, SeenJoined, health=viewer.health.get(e.combatant))


def _initiative(e: InitiativeSet, viewer: Viewer) -> Event | None:
    """If an unseen combatant joins or changes its place, the order of the others stays as it was."""
    order = _order(e.order, viewer)
    is_known = bool(viewer.order) and order == _order(viewer.order, viewer)
    return None if is_known else _reduced(e, SeenInitiative, order=order)


def _order(entries: tuple[InitiativeEntry, ...], viewer: Viewer) -> tuple[SeenPlace, ...]:
    return tuple(
        SeenPlace(
            combatant=entry.combatant,
            value=entry.value if viewer.knows(entry.combatant, ShownDetail.INITIATIVE) else None,
        )
        for entry in entries
        if viewer.sees(entry.combatant)
    )


# Declarations and reactions


def _declared(e: Declared, viewer: Viewer) -> Event | None:
    targets = viewer.of(e.targets)
    if not viewer.sees(e.actor) or (e.actor == GM and _is_kept_secret(e, viewer)):
        return None
    if e.actor in viewer.own:
        options = {name: value for name, value in e.options.items() if (e.action, name) != _NUMBERED}
        return _with(e, targets=targets, options=options, adjustments=())
    aloud = {name: value for name, value in e.options.items() if name in _aloud(e.action)}
    return _with(e, targets=targets, options=aloud, adjustments=(), command=_NO_COMMAND)


def _aloud(action: str) -> AbstractSet[str]:
    """Options that everyone notices. A note that is not secret is meant to be read."""
    return _ALOUD.get(action, SAID_ALOUD)


_ALOUD: dict[str, AbstractSet[str]] = {NOTE: {NOTE_TEXT}, ROLL_ASIDE: ROLLED_ALOUD, ANSWER: {"agree"}}
_NUMBERED = (ANSWER, "proposal")
"""An option with an event number of the ledger. Next to the seat's own numbers, it would tell how many events are
unseen."""


def _is_kept_secret(e: Declared, viewer: Viewer) -> bool:
    """Whether the GM does something that players are not meant to notice, such as acting on unseen combatants only."""
    placed = e.options.get(PLACES) if e.action == INITIATIVE else None
    named = e.targets or (tuple(placed) if isinstance(placed, Mapping) else ())
    about_unseen = bool(named) and not viewer.of(named)
    return about_unseen or e.action == LABEL or (e.action == JOIN and bool(e.options.get(ARRIVES_HIDDEN)))


LABEL = "core:time:label"


def _window(e: ReactionWindowOpened, viewer: Viewer) -> Event | None:
    """Which reactions would be useful depends on numbers that are not seen."""
    own = tuple(offer.model_copy(update={"useful": ()}) for offer in e.offers if offer.reactor in viewer.own)
    return _with(e, subject=viewer.masked(e.subject), offers=own) if own else None


def _chosen(e: ReactionChosen, viewer: Viewer) -> Event | None:
    if e.reactor in viewer.own:
        return e
    if not viewer.sees(e.reactor):
        return None
    return _with(e, reaction=_face_down(e.reaction), options={}, decided_by=DecidedBy.PERSON, command=None)


def _face_down(reaction: str) -> str:
    ruleset, _, choice = reaction.partition(":")
    is_hidden = choice.startswith(f"{CHOSEN_FACE_DOWN}:")
    return f"{ruleset}:{CHOSEN_FACE_DOWN}:unknown" if is_hidden else reaction


# Outcomes


def _attack(e: AttackResolved, viewer: Viewer) -> Event | None:
    """The attacker's side sees the roll, the target's side the armour class."""
    if not viewer.sees(e.target):
        return None
    changes: dict[str, Any] = {}
    if not viewer.knows(e.attacker, ShownDetail.DICE):
        changes |= {"roll": None, "total": None}
    if not viewer.knows(e.target, ShownDetail.ARMOUR_CLASS):
        changes |= {"against": None}
    if not viewer.sees(e.attacker):
        changes |= {"attacker": None, "weapon": None}
    return _reduced(e, SeenAttack, **changes) if changes else e


def _save(e: SaveResolved, viewer: Viewer) -> Event | None:
    if not viewer.sees(e.saver):
        return None
    return _reduced(e, SeenSave, total=e.total if viewer.knows(e.saver, ShownDetail.DICE) else None)


def _check(e: CheckResolved, viewer: Viewer) -> Event | None:
    return _reduced(e, SeenCheck) if viewer.knows(e.checker, ShownDetail.DICE) else None


def _damaged(e: Damaged, viewer: Viewer) -> Event | None:
    """What the damage consists of is on the sheet of the combatant that dealt it."""
    if not viewer.sees(e.target):
        return None
    source = e.source if e.source is not None and viewer.sees(e.source) else None
    if viewer.knows(e.target, ShownDetail.HIT_POINTS):
        return e if e.source in viewer.own else _with(e, source=source, parts=())
    return _reduced(e, SeenHurt, source=source, health=viewer.health.get(e.target))


def _healed(e: Healed, viewer: Viewer) -> Event | None:
    if viewer.knows(e.target, ShownDetail.HIT_POINTS):
        return _with(e, source=None) if e.source in viewer.unseen else e
    return _reduced(e, SeenHealed, health=viewer.health.get(e.target)) if viewer.sees(e.target) else None


def _applied(e: ConditionApplied, viewer: Viewer) -> Event | None:
    if not _is_noticed(e, viewer):
        return None
    if e.target in viewer.own and e.owner in viewer.own:
        return _with(e, until=_until(e.until, viewer))
    return _with(e, owner=viewer.masked(e.owner), until=_until(e.until, viewer), data={})


def _removed(e: ConditionRemoved, viewer: Viewer) -> Event | None:
    return e if _is_noticed(e, viewer) else None


def _is_noticed(e: ConditionApplied | ConditionRemoved, viewer: Viewer) -> bool:
    return e.target in viewer.own or (viewer.sees(e.target) and e.condition not in viewer.unnoticed)


def _until(until: Until | None, viewer: Viewer) -> Until | None:
    ends_unseen = until is not None and until.whose is not None and not viewer.sees(until.whose)
    return None if ends_unseen else until


def _granted(e: ActionGranted, viewer: Viewer) -> Event | None:
    return _with(e, until=_until(e.until, viewer)) if e.owner in viewer.own else None


def _moved(e: Moved, viewer: Viewer) -> Event | None:
    if e.mover in viewer.own:
        return e
    return _with(e, cost=0) if viewer.sees(e.mover) else None


def _area(e: AreaAffected, viewer: Viewer) -> Event:
    return _with(e, owner=viewer.masked(e.owner), caught=viewer.of(e.caught))


def _terrain(e: TerrainChanged, viewer: Viewer) -> Event:
    return _with(e, owner=viewer.masked(e.owner))


def _side(e: SideChanged, viewer: Viewer) -> Event | None:
    return e if viewer.sees(e.combatant) else None


def _cards(e: CardsMoved, viewer: Viewer) -> Event | None:
    if not viewer.sees(e.owner):
        return None
    is_known = e.to == FACE_UP or (e.owner in viewer.own and e.to != FACE_DOWN)
    return e if is_known else _reduced(e, SeenCards, count=len(e.cards))


def _rolled(e: Rolled, viewer: Viewer) -> Event | None:
    """The number of a committed roll tells how many others there were."""
    is_seen = viewer.knows(e.roller, ShownDetail.DICE) or e.declaration in viewer.aloud
    if not is_seen:
        return None
    hidden = [one for one in e.contributions or () if one.party in viewer.unseen]
    return _with(e, drawn=None, contributions=_masked(e, viewer)) if hidden else _with(e, drawn=None)


def _masked(e: Rolled, viewer: Viewer) -> tuple[Contribution, ...]:
    """A player may have a part in a roll whose combatant is not seen."""
    given = e.contributions or ()
    return tuple(one.model_copy(update={"party": GM}) if one.party in viewer.unseen else one for one in given)


def _asked(e: LinkAsked, viewer: Viewer) -> Event | None:
    """The player who is asked learns that dice are rolled behind the screen, but not which. Whoever sees the roll
    sees the question."""
    if viewer.sees_roll(e.roller, e.declaration):
        return _with(e, party=viewer.masked(e.party), first=None)
    if e.party not in viewer.own:
        return None
    return _with(e, purpose=UNKNOWN, roller=GM, notation="", first=None)


def _link(e: LinkRevealed | LinkWithheld, viewer: Viewer) -> Event | None:
    """For those who see what the party rolls. Spectators would only learn how often dice are rolled."""
    if not viewer.knows(e.party, ShownDetail.DICE):
        return None
    return e if e.party in viewer.own else _with(e, command=None)


def _committed(e: LinksCommitted, viewer: Viewer) -> Event | None:
    return _with(e, combatants=viewer.of(e.combatants)) if viewer.sees(e.party) else None


UNKNOWN = "unknown"
"""The purpose of a roll behind the screen."""


# Rulings and corrections


def _ruled(e: Ruled, viewer: Viewer) -> Event | None:
    return e if e.subject is None or viewer.sees(e.subject) else None


def _undone(e: Undone | Amended | Inserted, viewer: Viewer) -> Event | None:
    retracts = tuple(seq for seq in e.retracts if seq in viewer.told)
    if not retracts:
        return None
    if isinstance(e, Inserted):
        return _with(e, retracts=retracts, command=_NO_COMMAND)
    if isinstance(e, Amended) and e.amends in viewer.told:
        return _with(e, retracts=retracts, changes={}, command=_NO_COMMAND)
    return _reduced(e, Undone, kind="undone", retracts=retracts, command=_NO_COMMAND)


def _redone(e: Redone, viewer: Viewer) -> Event | None:
    return _with(e, command=_NO_COMMAND) if e.undone in viewer.told else None


HOW_SEEN: dict[type[Event], Redaction] = {
    # time
    EncounterOpened: _opened,
    CombatantJoined: _joined,
    PoliciesSet: _if_own("combatant"),
    CombatantLeft: _if_seen("combatant"),
    InitiativeSet: _initiative,
    RoundStarted: _complete,
    TurnStarted: _if_seen("combatant"),
    TurnEnded: _if_seen("combatant"),
    RoundEnded: _complete,
    EncounterLabelled: _not_at_all,
    EncounterImported: _not_at_all,
    EncounterClosed: _complete,
    # declaration, chain, roll
    Declared: _declared,
    ChainModified: _if_known("owner", ShownDetail.DICE),
    Rolled: _rolled,
    LinksCommitted: _committed,
    LinkAsked: _asked,
    LinkRevealed: _link,
    LinkWithheld: _link,
    # reaction
    ReactionWindowOpened: _window,
    ReactionChosen: _chosen,
    ReactionDeclined: _if_own("reactor"),
    ReactionUsed: _if_own("reactor"),
    ReactionLapsed: _if_own("reactor"),
    # outcome
    AttackResolved: _attack,
    SaveResolved: _save,
    CheckResolved: _check,
    Damaged: _damaged,
    Healed: _healed,
    ConditionApplied: _applied,
    ConditionRemoved: _removed,
    ActionGranted: _granted,
    ActionRemoved: _if_own("owner"),
    ResourceChanged: _if_known("owner", ShownDetail.SHEETS),
    CardsMoved: _cards,
    Moved: _moved,
    AreaAffected: _area,
    TerrainChanged: _terrain,
    SideChanged: _side,
    # ruling
    Ruled: _ruled,
    ManualResolutionNeeded: _not_at_all,
    # note
    Noted: _not_at_all,  # prose, which may name any combatant
    # correction
    Undone: _undone,
    Redone: _redone,
    Amended: _undone,
    Inserted: _undone,
    Forked: _complete,
}

KEPT_SECRET = {Declared, ChainModified, Rolled, CheckResolved, SaveResolved, Ruled, ManualResolutionNeeded, Noted}
"""The parts of a secret declaration that are never shown. Its effects on others are."""
