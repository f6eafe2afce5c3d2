"""Values that are written as JSON and read again, types that are loaded when needed, and the range of dates.

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
"""Of a dataclass that is always written with all its fields."""
EventData = Annotated[dict[str, Any], WithJsonSchema({"$document": "event"})]
"""An event as it is in the document `event`, which the others refer to; a field without a value is absent."""


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """What reads data as a type, made once for each."""
    return TypeAdapter(model)


class LazyType:
    """A type by its name, such as `ledger.store.encounters:Page`; with `many`, a list of them.

    It is imported when it is first looked at, so a program loads only the types of the answers it asks for.
    """

    def __init__(self, name: str, *, many: bool = False) -> None:
        self._name, self._many = name, many

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        found = resolve_name(self._name)
        return GenericAlias(list, (found,)) if self._many else found


def as_document(value: Any) -> Any:
    """A value, or values in lists and mappings, as JSON documents have them."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, list | tuple):
        return [as_document(one) for one in value]
    if isinstance(value, Mapping):
        return {name: as_document(one) for name, one in value.items()}
    return value


class Documented:
    """A model or dataclass whose document has the fields that it has itself."""

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
    """A value whose document has another shape than its fields: `to_json` writes it, and `from_json` reads it again.

    pydantic uses both.
    """

    __slots__ = ()
    document: ClassVar[Any]
    """The type of what is written."""

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
    """Whether it is a moment, which takes an offset from UTC, at which somebody can have recorded something."""
    if when.tzinfo is None:
        return False
    return EARLIEST.year < when.year < LATEST.year or EARLIEST <= when <= LATEST  # years suffice for almost all


def nearest_expressible(when: datetime) -> datetime:
    """For what a ledger has already. A date without an offset is taken for one in UTC, as all of ours are."""
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return min(max(moment, EARLIEST), LATEST)
