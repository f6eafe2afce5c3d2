"""Differences with the names of combatants in the place of their ids, for putting them into words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from projections.difference import Aspect, Difference, Held, Place, Waiting
from projections.naming import Names, called


def called_difference(difference: Difference, names: Names) -> Difference:
    """Nothing else may be done with it."""
    if not names:
        return difference
    before, after = (_called(value, names, difference.aspect) for value in (difference.before, difference.after))
    who = names.get(difference.who, difference.who) if difference.who is not None else None
    return replace(difference, who=who, before=before, after=after)


def _called(value: Any, names: Names, aspect: Aspect) -> Any:
    if aspect is Aspect.TURN:
        return names.get(value, value)
    if isinstance(value, Waiting):
        reactor = names.get(value.reactor, value.reactor) if value.reactor is not None else None
        return replace(value, subject=names.get(value.subject, value.subject), reactor=reactor)
    if isinstance(value, Held):
        until = called(value.until, names) if value.until is not None else None
        return replace(value, owner=names.get(value.owner, value.owner), until=until)
    if isinstance(value, tuple) and aspect is Aspect.INITIATIVE:
        return tuple(_placed(place, names) for place in value)
    return value


def _placed(place: Place, names: Names) -> Place:
    return replace(place, combatant=names.get(place.combatant, place.combatant))
