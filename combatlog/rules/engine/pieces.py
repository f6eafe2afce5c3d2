"""The pieces of rulesets, archetypes that make pieces from data, and plug-ins; all are found by name.

Each ruleset has a registry of small pieces. An archetype is a class of pieces whose fields are its options: `@options`
validates them, and `@archetype` gives it a name and the sections of a pack (spells, features, ...) in which it can be
used. A plug-in is an object that an installed package provides through an entry point.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from ledger.events import Data


def plugin_names(group: str) -> list[str]:
    """The names of all installed plug-ins of a group."""
    return sorted(entry.name for entry in entry_points(group=group))


def load_plugin(group: str, name: str) -> Any:
    """The object behind the entry point of this name; None if there is none."""
    found = next((entry for entry in entry_points(group=group) if entry.name == name), None)
    return found.load() if found is not None else None


class Piece:
    """Anything with a name. Its ref is `ruleset:type:name`."""

    ruleset: ClassVar[str]
    type: str
    name: str

    @cached_property
    def ref(self) -> str:
        return f"{self.ruleset}:{self.type}:{self.name}"


def what_it_does(piece: Piece) -> str | None:
    """The first line of a piece's docstring, which says what it does."""
    return inspect.cleandoc(type(piece).__doc__ or "").partition("\n")[0] or None


P = TypeVar("P", bound=type[Piece])
T = TypeVar("T", bound=Piece)


class Pieces(dict[str, Piece]):
    """Every piece of a ruleset by ref, loaded from the given modules and subpackages of its package."""

    def __init__(self, package: str, *names: str) -> None:
        super().__init__()
        self._names = [f"{package}.{name}" for name in names]
        self._sorts: dict[type[Piece], dict[str, Any]] = {}
        self._refs: dict[type[Piece], dict[str, str]] = {}

    def add(self, cls: P) -> P:
        """Decorator that registers a piece with a class of its own."""
        self.include(cls())
        return cls

    def include(self, piece: Piece) -> None:
        if piece.ref in self:
            raise ValueError(f"{piece.ref} is registered twice")
        self[piece.ref] = piece
        self._sorts.clear()
        self._refs.clear()

    def load(self) -> None:
        """Import every module, which registers its pieces, and sort them by ref: no menu may depend on file names."""
        for found in map(importlib.import_module, self._names):
            for module in pkgutil.iter_modules(getattr(found, "__path__", ())):
                importlib.import_module(f"{found.__name__}.{module.name}")
        ordered = dict(sorted(self.items()))
        self.clear()
        self.update(ordered)
        self._sorts.clear()
        self._refs.clear()

    def of(self, kind: type[T]) -> dict[str, T]:
        """All pieces of a kind, by name. Cached, because every declaration needs them."""
        if kind not in self._sorts:
            self._sorts[kind] = {known.name: known for known in self.values() if isinstance(known, kind)}
        return self._sorts[kind]

    def refs(self, kind: type[Piece]) -> dict[str, str]:
        """The refs of all pieces of a kind, by name."""
        if kind not in self._refs:
            self._refs[kind] = {name: known.ref for name, known in self.of(kind).items()}
        return self._refs[kind]

    def find(self, kind: type[T], name: str, code: str) -> T:
        """The piece of this kind and name; refused with this code if there is none."""
        known = self.of(kind)
        if name not in known:
            names = sorted(known)
            raise unknown(code, f"There is no {kind.type} {name!r}; the choices are {listing(names)}.", name, names)
        return known[name]


C = TypeVar("C")
A = TypeVar("A", bound=type[Piece])


@dataclass_transform(kw_only_default=True, eq_default=False)
def options(cls: type[C]) -> type[C]:
    """Make a class's fields its options: they are validated, and no others are allowed. Pieces compare by identity."""
    made: type[C] = dataclass(kw_only=True, eq=False, config=ConfigDict(extra="forbid"))(cls)  # type: ignore[assignment]
    return made


class Archetypes:
    """Every archetype of a ruleset, by section and name, loaded from the modules in one folder."""

    def __init__(self, folder: str, types: Mapping[str, str]) -> None:
        self._folder = folder
        self.types = types
        """The type of the pieces in each section: entries of `spells` have the type `spell`."""
        self._known: dict[str, dict[str, type[Piece]]] = {section: {} for section in types}
        self._make = lru_cache(maxsize=2048)(self._make_uncached)

    def add(self, name: str, *sections: str) -> Callable[[A], A]:
        """Decorator that registers an archetype for these sections."""

        def register(cls: A) -> A:
            for section in sections:
                if name in self._known[section]:
                    raise ValueError(f"the archetype {name} is registered twice for {section}")
                self._known[section][name] = cls
            return cls

        return register

    def load(self) -> None:
        """Import every module in the folder, which registers its archetypes."""
        package = importlib.import_module(self._folder)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")

    def of(self, section: str) -> dict[str, type[Piece]]:
        return self._known[section]

    def make(self, section: str, archetype: str, **given: Any) -> Piece:
        """Make a piece with these options, which include its name. The same definition gives the same piece."""
        return self._make(section, archetype, json.dumps(given))

    def made_from(self, section: str, name: str, definition: Data) -> Piece:
        """Make a piece from its definition in a file or sheet: an archetype and options."""
        given = {"name": name, **definition}
        archetype = given.pop("archetype", None)
        if archetype is None:
            kinds = sorted(self._known[section])
            sentence = f"The {self.types[section]} {name} needs an archetype: {choices(kinds)}."
            raise Refusal("archetype/missing", sentence, what=name, available=kinds)
        return self.make(section, str(archetype), **given)

    def _make_uncached(self, section: str, archetype: str, text: str) -> Piece:
        known, given = self._known[section], json.loads(text)
        what = f"{self.types[section]} {given.get('name')}"
        if archetype not in known:
            names = sorted(known)
            sentence = f"The {what} has an unknown archetype {archetype!r}; the archetypes are {listing(names)}."
            raise unknown("archetype/unknown", sentence, archetype, names, what=given.get("name"))
        self._check_options(known[archetype], given, f"The {what} ({archetype})")
        piece = validated(known[archetype], given, "archetype/invalid", f"The {what}'s")
        piece.type = self.types[section]
        return piece

    def _check_options(self, cls: type[Piece], given: Data, what: str) -> None:
        names = [field.name for field in fields(cast(Any, cls))]
        for name in given:
            if name not in names:
                has = sorted(set(names) - {"name"})
                sentence = f"{what} has no option {name!r}; it has {listing(has)}."
                raise unknown("archetype/unknown-option", sentence, name, has, what=given.get("name"))
