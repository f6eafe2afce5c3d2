"""What brought an event about: the action that it is filed under, or a ruling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.events import Damaged, Declared, Event, Healed, ReactionChosen, ReactionUsed, Ref, Ruled, Who

GM = "gm"
_CORE = "core:"
"""What every ruleset has begins so: joining, the end of a turn, rulings."""


def action_of(event: Event, events: Sequence[Event]) -> Ref | None:
    """The declared action, or the reaction that it is part of: an opportunity attack is no part of the move."""
    if isinstance(event, Declared):
        return event.action
    for cause in _causes(event, events):
        if isinstance(cause, Declared):
            return cause.action
        if isinstance(cause, ReactionUsed | ReactionChosen):
            return cause.reaction
    return None


def actor_behind(event: Event, events: Sequence[Event]) -> Who | None:
    """Who acts or reacts; None for what happens by itself, as when a turn begins."""
    if (reaction := reaction_behind(event, events)) is not None:
        return reaction.reactor
    declared = next((cause for cause in _causes(event, events) if isinstance(cause, Declared)), None)
    return declared.actor if declared is not None and not declared.action.startswith(_CORE) else None


def reaction_behind(event: Event, events: Sequence[Event]) -> ReactionUsed | ReactionChosen | None:
    """The reaction that an event is part of: an opportunity attack is no part of the move."""
    causes = _causes(event, events)
    return next((cause for cause in causes if isinstance(cause, ReactionUsed | ReactionChosen)), None)


def ruling_behind(event: Damaged | Healed, events: Sequence[Event]) -> Ruled | None:
    """The ruling that set a pool to a value. One that upholds what somebody dealt leaves it that person's."""
    cause = next(_causes(event, events), None)
    return cause if isinstance(cause, Ruled) and event.source == GM else None


def _causes(event: Event, events: Sequence[Event]) -> Iterator[Event]:
    """What led to an event, the direct cause first. A cause always comes before its effect."""
    while event.cause is not None and 0 < event.cause < event.seq:
        event = events[event.cause - 1]
        yield event
