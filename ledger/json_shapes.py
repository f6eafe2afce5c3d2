"""Values that are written as JSON and read back, types that are imported on demand, and the range of valid dates.

PostgreSQL, Parquet and plots can all express the dates in this range.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pkgutil import resolve_name
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, TypeAdapter, WithJsonSchema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


WHOLE = ConfigDict(json_schema_serialization_defaults_required=True)
"""For dataclasses that are always written with all their fields."""
EventData = Annotated[dict[str, Any], WithJsonSchema({"$document": "event"})]
"""An event in the form of the document `event`, to which other schemas refer; fields without a value are omitted."""


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, made once for each type."""
    return TypeAdapter(model)


class LazyType:
    """A type given by its name, such as `ledger.store.encounters:Page`; with `many`, a list of that type.

    It is imported on first access, so a program loads only the types of the answers that it asks for.
    """

    def __init__(self, name: str, *, many: bool = False) -> None:
        self._name, self._many = name, many

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        found = resolve_name(self._name)
        return GenericAlias(list, (found,)) if self._many else found


def as_document(value: Any) -> Any:
    """A value as JSON, including values in lists and mappings."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, list | tuple):
        return [as_document(one) for one in value]
    if isinstance(value, Mapping):
        return {name: as_document(one) for name, one in value.items()}
    return value


class Documented:
    """A model or dataclass whose JSON document has the same fields."""

    __slots__ = ()

    def to_json(self) -> Any:
        kind: Any = type(self)
        return adapter(kind).dump_python(self, mode="json")

    @classmethod
    def from_json(cls, data: Any) -> Self:
        kind: Any = cls
        read: Self = adapter(kind).validate_python(data)
        return read


class JsonShape:
    """A value whose JSON document has a different shape. `to_json` writes it, and `from_json` reads it back.

    Pydantic uses both.
    """

    __slots__ = ()
    document: ClassVar[Any]
    """The type of the document."""

    def to_json(self) -> Any:
        raise NotImplementedError

    @classmethod
    def from_json(cls, data: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        written = handler.generate_schema(cls.document)
        return core_schema.no_info_after_validator_function(
            cls.from_json,
            written,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.to_json(), return_schema=written
            ),
        )


EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2200, 1, 1, tzinfo=UTC) - timedelta(microseconds=1)


def is_expressible(when: datetime) -> bool:
    """Whether a date has an offset from UTC and lies in the valid range."""
    if when.tzinfo is None:
        return False
    return EARLIEST.year < when.year < LATEST.year or EARLIEST <= when <= LATEST  # years suffice for almost all


def nearest_expressible(when: datetime) -> datetime:
    """The nearest valid date, for events already in a ledger. A date without an offset is taken as UTC."""
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return min(max(moment, EARLIEST), LATEST)
