"""Values that are written as JSON in another shape than their fields have, and types that are loaded when needed."""

from __future__ import annotations

from pkgutil import resolve_name
from types import GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import ConfigDict

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


WHOLE = ConfigDict(json_schema_serialization_defaults_required=True)
"""Of a dataclass that is always written with all its fields."""


class LazyType:
    """A type by its name, such as `ledger.listing:Page`; with `many`, a list of them.

    It is imported when it is first looked at, so a program loads only the types of the answers it asks for.
    """

    def __init__(self, name: str, *, many: bool = False) -> None:
        self._name, self._many = name, many

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        found = resolve_name(self._name)
        return GenericAlias(list, (found,)) if self._many else found


class JsonShape:
    """A value that `as_data` writes, and that `of_data` reads again; pydantic uses both."""

    __slots__ = ()
    document: ClassVar[Any]
    """The type of what is written."""

    def as_data(self) -> Any:
        raise NotImplementedError

    @classmethod
    def of_data(cls, data: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        written = handler.generate_schema(cls.document)
        return core_schema.no_info_after_validator_function(
            cls.of_data,
            written,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.as_data(), return_schema=written
            ),
        )
