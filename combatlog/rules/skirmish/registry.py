"""The properties of library entries: each has one small implementation, found by its name.

To add one, put a function with one of the decorators below into `effects/`. Nothing else needs to change.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter
from typing_extensions import is_typeddict

from combatlog.rules.skirmish.vocabulary import Need, Timing

if TYPE_CHECKING:
    from combatlog.rules.skirmish.play import Play, Situation

Amount = Annotated[StrictInt, Field(ge=0, le=99)]
Flag = StrictBool
Nested = dict[StrictStr, Any]
"""Properties with their values, checked like those of an entry."""
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
    nested: bool = field(default=False, kw_only=True)
    """Whether the value is an object with properties of its own, or a list of such objects."""


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
    after_roll: bool = False
    """Whether it changes dice that were rolled, so that it cannot be played before."""
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
    possible: Callable[[Situation, Any], bool] = _always
    """Whether it can be carried out here; what cannot is not offered."""


@dataclass(frozen=True, slots=True)
class Refinement(Property):
    """A property that changes the value of another, or is read by it. None cancels the effect."""

    of: tuple[str, ...]
    """The effects that it refines; empty for all effects of the entry."""
    refine: Callable[[Situation, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Price(Property):
    """What the figure pays for using the entry."""

    resource: str


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


def _words(piece: Callable[..., Any]) -> str:
    """What a piece does, as its docstring says."""
    return " ".join((piece.__doc__ or "").split())


def _fields(value: Any) -> frozenset[str] | None:
    return frozenset(value.__annotations__) if is_typeddict(value) else None


def effect(
    name: str, value: Any, *, needs: Need, timing: Timing, **more: Any
) -> Callable[[Callable[[Play, Any], None]], Callable[[Play, Any], None]]:
    def register(apply: Callable[[Play, Any], None]) -> Callable[[Play, Any], None]:
        words = _words(apply)
        _register(Effect(name, TypeAdapter(value), words, _fields(value), needs, timing, apply, **more))
        return apply

    return register


def refinement(
    name: str, value: Any, *, of: tuple[str, ...]
) -> Callable[[Callable[[Situation, Any, Any], Any]], Callable[[Situation, Any, Any], Any]]:
    def register(refine: Callable[[Situation, Any, Any], Any]) -> Callable[[Situation, Any, Any], Any]:
        words = _words(refine)
        _register(Refinement(name, TypeAdapter(value), words, _fields(value), of, refine))
        return refine

    return register


def requirement(
    name: str, value: Any
) -> Callable[[Callable[[Situation, Any], bool]], Callable[[Situation, Any], bool]]:
    """A refinement of every effect of the entry: without it, none of them applies."""

    def register(holds: Callable[[Situation, Any], bool]) -> Callable[[Situation, Any], bool]:
        def refine(situation: Situation, amount: Any, wanted: Any) -> Any:
            return amount if holds(situation, wanted) else None

        words = _words(holds)
        _register(Refinement(name, TypeAdapter(value), words, _fields(value), (), refine))
        return holds

    return register


def setting(name: str, value: Any, *, of: str, does: str, nested: bool = False) -> None:
    """A refinement that its effect reads itself."""
    unchanged = Refinement(
        name, TypeAdapter(value), does, _fields(value), (of,), lambda play, amount, _: amount, nested=nested
    )
    _register(unchanged)


def price(name: str, value: Any, *, resource: str, does: str) -> None:
    _register(Price(name, TypeAdapter(value), does, _fields(value), resource))


def manual(name: str, value: Any, *, does: str) -> Callable[[Callable[[Any, str], str]], Callable[[Any, str], str]]:
    def register(question: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
        _register(Manual(name, TypeAdapter(value), does, _fields(value), question))
        return question

    return register


def load_effects() -> None:
    """Import every module of effects, in alphabetical order."""
    package = importlib.import_module("combatlog.rules.skirmish.effects")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
