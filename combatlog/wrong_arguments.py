"""What is wrong with the arguments of a call that failed, by the annotations of the method."""

from __future__ import annotations

import builtins
import collections.abc
import datetime
import inspect
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import core_schema

from combatlog.fight_setup import Map
from combatlog.messages.message import Count, Seconds
from combatlog.rules.engine.options_and_validation import first_complaint
from combatlog.rules.engine.refusal import Refusal
from ledger import events
from ledger.errors import Problem


def refuse_wrong_arguments(
    method: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any], error: Exception
) -> None:
    """Refuse the first argument that is not what its annotation says. If there is none, the error is our own."""
    if isinstance(error, Problem):
        return
    signature = inspect.signature(method, eval_str=True, locals=_KnownTypes())
    for name, value in _bound(signature, method, arguments, named, error).items():
        parameter = signature.parameters[name]
        if name == "self" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        try:
            _expected(parameter).validate_python(value, strict=True)
        except ValidationError as wrong:
            complaint = first_complaint(wrong)
            sentence = f"In {method.__name__}, the argument {name} is not valid: {complaint.in_words}."
            raise Refusal("message/invalid", sentence, field=name, found=complaint.found) from error


def _bound(
    signature: inspect.Signature,
    method: Callable[..., Any],
    arguments: tuple[Any, ...],
    named: Mapping[str, Any],
    error: Exception,
) -> dict[str, Any]:
    try:
        return signature.bind(*arguments, **named).arguments
    except TypeError as misfit:
        sentence = f"{method.__name__} cannot be called like that: {misfit}."
        raise Refusal("message/words", sentence, what=method.__name__) from error


def _expected(parameter: inspect.Parameter) -> TypeAdapter[Any]:
    kind: Any = parameter.annotation
    return TypeAdapter(collections.abc.Sequence[kind] if parameter.kind is parameter.VAR_POSITIONAL else kind)


class _OwnType:
    """Any class of ours, which need not be imported: no value of one of Python's own types is an instance of it."""

    @classmethod
    def __class_getitem__(cls, _: Any) -> type[_OwnType]:
        return cls

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(cls._check)

    @staticmethod
    def _check(value: Any) -> Any:
        if type(value).__module__ == "builtins":
            raise ValueError("input should be an object of this library")
        return value


_T = TypeVar("_T")
_Collection: Any = collections.abc.Sequence[_T] | collections.abc.Set[_T]  # type: ignore[valid-type]
"""Pydantic knows no collection that is neither."""
_ALIASES = {
    "Collection": _Collection,
    "Count": Count,
    "IO": _OwnType,
    "Map": Map,
    "Path": Path,
    "Reference": str | UUID | _OwnType,
    "Seconds": Seconds,
    "UUID": UUID,
}


class _KnownTypes(dict[str, Any]):
    """What the names in annotations mean."""

    def __init__(self) -> None:
        super().__init__(vars(collections.abc) | vars(typing) | vars(datetime) | vars(events) | _ALIASES)

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, _OwnType)
