"""Archetypes: how pieces are made from data, by name and with options.

An archetype is a class of pieces whose fields are its options. `@options` validates them; `@archetype` gives it a name,
and says in which sections of a pack (spells, features, ...) it can be used.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar, cast, dataclass_transform

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from combatlog.rules.engine.pieces import Piece
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.validation import validated
from ledger.events import Data

C = TypeVar("C")
P = TypeVar("P", bound=type[Piece])


@dataclass_transform(kw_only_default=True, eq_default=False)
def options(cls: type[C]) -> type[C]:
    """Make a class's fields its options: they are validated, and there are no others. Pieces compare by identity."""
    made: type[C] = dataclass(kw_only=True, eq=False, config=ConfigDict(extra="forbid"))(cls)  # type: ignore[assignment]
    return made


class Archetypes:
    """Every archetype of a ruleset, by section and name, loaded from the modules in one folder of its package."""

    def __init__(self, folder: str, types: Mapping[str, str]) -> None:
        self._folder = folder
        self.types = types
        """The type of the pieces in each section: an entry of `spells` is a `spell`."""
        self._known: dict[str, dict[str, type[Piece]]] = {section: {} for section in types}
        self._make = lru_cache(maxsize=2048)(self._make_uncached)

    def add(self, name: str, *sections: str) -> Callable[[P], P]:
        """Register an archetype; a decorator."""

        def register(cls: P) -> P:
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
        """A piece with these options, including its name. The same definition gives the same piece."""
        return self._make(section, archetype, json.dumps(given))

    def made_from(self, section: str, name: str, definition: Data) -> Piece:
        """A piece from its definition in a file or sheet: an archetype and options."""
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
            sentence = f"The {what} has an unknown archetype {archetype!r}; there are {listing(names)}."
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
