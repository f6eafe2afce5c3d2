"""What an event means, without its wording: the part that is compared, matched and decided on.

Which fields are prose is said once, by their type. So the wording of a reason can change at any time: a fight that was
recorded with the old words still verifies, can go on after a pause, and is corrected as before.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel

from ledger.events.base import PROSE, UNRECORDED, Data, Event

Excluded = dict[str, Any]
"""Fields to leave out, as pydantic takes them: True for a whole field, a nested one for a part of it."""

_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})


def meaning(event: Event, mode: Literal["python", "json"] = "python") -> Data:
    """The fields of an event without its prose, at every depth."""
    return event.model_dump(mode=mode, exclude=prose_of(type(event)) or None)


def same_meaning(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> bool:
    """Whether an event on record says the same as one resolved now, in whatever words."""
    return recorded == now or (type(recorded) is type(now) and not differing_fields(recorded, now, ignoring=ignoring))


def differing_fields(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> dict[str, tuple[Any, Any]]:
    """The fields in which two events of one kind differ in meaning, with both values.

    What the version on record could not say is left out: nobody knows whether it differs.
    """
    there = now.__dict__
    suspects = [
        name
        for name, value in recorded.__dict__.items()
        if value != there[name] and value != UNRECORDED and name not in ignoring
    ]
    if not suspects:
        return {}
    was, is_now = meaning(recorded), meaning(now)
    return {name: (was[name], is_now[name]) for name in suspects if name in was and was[name] != is_now[name]}


@cache
def prose_of(model: type[BaseModel]) -> Excluded:
    """The prose fields of a model and of the values in it, as a tree."""
    found = {name: _prose_in(field.annotation, field.metadata) for name, field in model.model_fields.items()}
    return {name: excluded for name, excluded in found.items() if excluded}


def _prose_in(annotation: Any, metadata: Any = ()) -> Any:
    """True for prose, a tree for what has some in it, and nothing for the rest."""
    if PROSE in metadata:
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return prose_of(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _prose_in(arguments[0], annotation.__metadata__)
    inner = next((found for argument in arguments if (found := _prose_in(argument))), _NOTHING)
    return {"__all__": inner} if inner and origin in (tuple, dict) else inner
