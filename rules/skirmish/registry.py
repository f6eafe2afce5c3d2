"""The properties of library entries: each has one small implementation, found by its name.

To add one, put a function with one of the decorators below into `effects/`. Nothing else needs to change.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter
from typing_extensions import is_typeddict

from rules.skirmish.vocabulary import Need, Timing

if TYPE_CHECKING:
    from rules.skirmish.play import Play, Situation

Amount = Annotated[StrictInt, Field(ge=0, le=99)]
Flag = StrictBool
Trait = Annotated[StrictStr, Field(min_length=1, max_length=60)]


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a library entry: its name and the values it can have."""

    name: str
    value: TypeAdapter[Any]
    does: str
    """What it does, in words, for people who read or check a library."""
    fields: frozenset[str] | None
    """The fields of a value that is an object; None for other values."""


def _always(situation: Situation, value: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Effect(Property):
    """A property that does something."""

    needs: Need
    timing: Timing
    """When a card with it is played, unless the entry says otherwise."""
    apply: Callable[[Play, Any], None]
    before_roll: bool = False
    """Whether it changes the dice pools, so that it cannot be played once they are rolled."""
    last: bool = False
    """Whether it builds on the other effects of the entry, and so comes after them."""
    with_attack: bool = False
    """Whether an action with it includes an attack, to which it applies."""
    counts_zero: bool = False
    """Whether an amount of 0 does something as well."""
    in_surge_step: bool = False
    """Whether it can still be played while surges are spent."""
    changes: Callable[[Situation, Any], bool] = _always
    """Whether it would make a difference to whoever plays it."""


@dataclass(frozen=True, slots=True)
class Refinement(Property):
    """A property that changes the value of another, or is read by it. None cancels the effect."""

    of: tuple[str, ...]
    refine: Callable[[Situation, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Manual(Property):
    """A property that is left to people."""

    question: Callable[[Any, str], str]
    """What they are asked to do, given the property's value and the entry's label."""


PROPERTIES: dict[str, Property] = {}
"""Every property by its name in the library."""


def _register(entry: Property) -> None:
    if entry.name in PROPERTIES:
        raise ValueError(f"the property {entry.name} is registered twice")
    PROPERTIES[entry.name] = entry


def _fields(value: Any) -> frozenset[str] | None:
    return frozenset(value.__annotations__) if is_typeddict(value) else None


def effect(
    name: str, value: Any, *, needs: Need, timing: Timing, **more: Any
) -> Callable[[Callable[[Play, Any], None]], Callable[[Play, Any], None]]:
    def register(apply: Callable[[Play, Any], None]) -> Callable[[Play, Any], None]:
        words = (apply.__doc__ or "").strip()
        _register(Effect(name, TypeAdapter(value), words, _fields(value), needs, timing, apply, **more))
        return apply

    return register


def refinement(
    name: str, value: Any, *, of: tuple[str, ...]
) -> Callable[[Callable[[Situation, Any, Any], Any]], Callable[[Situation, Any, Any], Any]]:
    def register(refine: Callable[[Situation, Any, Any], Any]) -> Callable[[Situation, Any, Any], Any]:
        words = (refine.__doc__ or "").strip()
        _register(Refinement(name, TypeAdapter(value), words, _fields(value), of, refine))
        return refine

    return register


def setting(name: str, value: Any, *, of: str, does: str) -> None:
    """A refinement that its effect reads itself."""
    _register(Refinement(name, TypeAdapter(value), does, _fields(value), (of,), lambda play, amount, _: amount))


def manual(name: str, value: Any, *, does: str) -> Callable[[Callable[[Any, str], str]], Callable[[Any, str], str]]:
    def register(question: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
        _register(Manual(name, TypeAdapter(value), does, _fields(value), question))
        return question

    return register


def load_effects() -> None:
    """Import every module of effects, in alphabetical order."""
    package = importlib.import_module("rules.skirmish.effects")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
