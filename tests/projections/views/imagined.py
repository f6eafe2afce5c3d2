"""Events of every kind with any content that their types allow, for properties of views."""

from __future__ import annotations

import types
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

from hypothesis import strategies as st
from pydantic import BaseModel

from ledger.events import Event, Prose, Who

OWN, BY_SIGHT, UNSEEN, ALSO_UNSEEN = "rurik", "snig", "grak", "vile"
COMBATANTS = (OWN, BY_SIGHT, UNSEEN, ALSO_UNSEEN, "gm")
SECRET_PROSE = "grak whispers"

_WHO, _PROSE = get_args(Who)[1], get_args(Prose)[1]
_NUMBERS = st.integers(1, 30)
_ENVELOPE = {"kind", "encounter", "seq", "recorded_at", "declaration", "cause", "round"}


def events(kind: type[Event]) -> st.SearchStrategy[Event]:
    """Any event of a kind; its envelope is always the same, but for whose turn it was and who said it."""
    named = {"turn": st.sampled_from([None, OWN, BY_SIGHT, UNSEEN]), "by": st.sampled_from(["gm", "anna", UNSEEN])}
    content = {name: _field(field) for name, field in kind.model_fields.items() if name not in _ENVELOPE}
    fixed = {"encounter": UUID(int=1), "seq": 40, "declaration": 30, "recorded_at": datetime(2026, 1, 1, tzinfo=UTC)}
    return st.fixed_dictionaries({**content, **named}).map(lambda said: kind.model_construct(**said, **fixed))


def _field(field: Any) -> st.SearchStrategy[Any]:
    return _values(field.annotation, field.metadata)


def _values(annotation: Any, metadata: Any = ()) -> st.SearchStrategy[Any]:
    if _WHO in metadata:
        return st.sampled_from(COMBATANTS)
    if _PROSE in metadata:
        return st.integers(0, 9).map(lambda number: f"{SECRET_PROSE} {number}")
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _values(arguments[0], arguments[1:])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(_values, arguments))
    if origin is tuple:
        is_long = len(arguments) == 2 and arguments[1] is Ellipsis
        return (
            st.lists(_values(arguments[0]), max_size=3).map(tuple) if is_long else st.tuples(*map(_values, arguments))
        )
    if origin is dict:
        return st.dictionaries(st.sampled_from(["hp", "ac", "spell", "hidden"]), _values(arguments[1]), max_size=2)
    return _plain(annotation)


def _plain(annotation: Any) -> st.SearchStrategy[Any]:
    if annotation is type(None):
        return st.none()
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        parts = {name: _field(field) for name, field in annotation.model_fields.items()}
        return st.fixed_dictionaries(parts).map(lambda said: annotation.model_construct(**said))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(list(annotation))
    known: Mapping[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: _NUMBERS,
        str: st.sampled_from(["dnd5e:condition:prone", "longsword", "deck", "hand", "discard"]),
        UUID: st.integers(1, 9).map(lambda number: UUID(int=number)),
        Any: _NUMBERS,
    }
    return known[annotation]
