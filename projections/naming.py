"""Combatants by the names people call them, where an event has their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel

from ledger.events import Who
from projections.battle import Battle

Names = Mapping[str, str]
"""The display name of each combatant, by its id."""


def names_in(*battles: Battle) -> Names:
    """What combatants are called in these states; where a name has changed, as in the last of them."""
    return {combatant.id: combatant.name for battle in battles for combatant in battle.combatants.values()}


M = TypeVar("M", bound=BaseModel)

_ROLE = get_args(Who)[1]


def called(event: M, names: Names) -> M:
    """The event with names in the place of ids, for putting it into words. Nothing else may be done with it."""
    differing = {field: _called(getattr(event, field), names) for field in _fields(type(event))}
    return event.model_copy(update=differing) if names else event


def _called(value: Any, names: Names) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_called(item, names) for item in value)
    return called(value, names) if isinstance(value, BaseModel) else value


@cache
def _fields(model: type[BaseModel]) -> tuple[str, ...]:
    """The fields that hold ids of combatants, at whatever depth."""
    found = ((name, field.annotation, field.metadata) for name, field in model.model_fields.items())
    return tuple(name for name, annotation, metadata in found if _holds(annotation, metadata))


def _holds(annotation: Any, metadata: Iterable[Any] = ()) -> bool:
    if _ROLE in metadata:
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return bool(_fields(annotation))
    if get_origin(annotation) is Annotated:
        return _holds(get_args(annotation)[0], annotation.__metadata__)
    return any(_holds(argument) for argument in get_args(annotation))
