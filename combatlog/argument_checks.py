"""Public methods refuse arguments of a wrong type by name, as messages refuse their fields.

Arguments are looked at only once a call has failed, so one that succeeds costs nothing, and no type is imported early.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import wraps
from types import FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ChecksArguments:
    """The base of classes whose public methods do so."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, method in list(vars(cls).items()):
            if isinstance(method, FunctionType) and not name.startswith("_"):
                setattr(cls, name, _checked(method))


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        with _explained(method, (self, *arguments), named):
            result = method(self, *arguments, **named)
        return _each(result, method, (self, *arguments), named) if isinstance(result, GeneratorType) else result

    return call


def _each(
    steps: Iterator[Any], method: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[Any]:
    """A generator runs only when it is asked for its first value."""
    with _explained(method, arguments, named):
        yield from steps


@contextmanager
def _explained(method: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        from combatlog.wrong_arguments import refuse_wrong_arguments

        refuse_wrong_arguments(method, arguments, named, error)
        raise
