"""Archetypes: how pieces are made from data, by name and with options.

An archetype is a class of pieces whose fields are its options: `@options` has them validated, `@archetype` gives it the
name by which it is found, and the sections of a pack (spells, features, ...) in which it may be used.
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

from ledger.events import Data
from rules.engine.pieces import Piece
from rules.engine.refusal import Refusal, choices
from rules.engine.validation import validated

C = TypeVar("C")
P = TypeVar("P", bound=type[Piece])


@dataclass_transform(kw_only_default=True, eq_default=False)
def options(cls: type[C]) -> type[C]:
    """Take a class's fields as options: validated, and no others beside them. Two pieces are never the same one."""
    made: type[C] = dataclass(kw_only=True, eq=False, config=ConfigDict(extra="forbid"))(cls)  # type: ignore[assignment]
    return made


class Archetypes:
    """Every archetype of a ruleset, by section and name, from the modules in one folder of its package."""

    def __init__(self, folder: str, types: Mapping[str, str]) -> None:
        self._folder = folder
        self.types = types
        """The type of the pieces of each section: what comes from `spells` is a `spell`."""
        self._known: dict[str, dict[str, type[Piece]]] = {section: {} for section in types}
        self._make = lru_cache(maxsize=2048)(self._make_anew)

    def add(self, name: str, *sections: str) -> Callable[[P], P]:
        """Make an archetype known; a decorator."""

        def register(cls: P) -> P:
            for section in sections:
                if name in self._known[section]:
                    raise ValueError(f"the archetype {name} is there twice for {section}")
                self._known[section][name] = cls
            return cls

        return register

    def load(self) -> None:
        """Import every module in the folder, so that its archetypes are known."""
        package = importlib.import_module(self._folder)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")

    def of(self, section: str) -> dict[str, type[Piece]]:
        return self._known[section]

    def make(self, section: str, archetype: str, **given: Any) -> Piece:
        """A piece with these options, its name among them. The same definition makes the same piece."""
        return self._make(section, archetype, json.dumps(given))

    def made_from(self, section: str, name: str, definition: Data) -> Piece:
        """A piece from what a file or a sheet says of it: its archetype and its options."""
        given = {"name": name, **definition}
        archetype = given.pop("archetype", None)
        if archetype is None:
            kinds = choices(sorted(self._known[section]))
            raise Refusal("archetype/missing", f"The {self.types[section]} {name} needs an archetype: {kinds}.")
        return self.make(section, str(archetype), **given)

    def _make_anew(self, section: str, archetype: str, text: str) -> Piece:
        known, given = self._known[section], json.loads(text)
        what = f"{self.types[section]} {given.get('name')}"
        if archetype not in known:
            raise Refusal(
                "archetype/unknown",
                f"The {what} has an unknown archetype {archetype!r}; there is {choices(sorted(known))}.",
            )
        self._check_options(known[archetype], given, f"The {what} ({archetype})")
        piece = validated(known[archetype], given, "archetype/invalid", f"The {what}'s")
        piece.type = self.types[section]
        return piece

    def _check_options(self, cls: type[Piece], given: Data, what: str) -> None:
        names = [field.name for field in fields(cast(Any, cls))]
        for name in given:
            if name not in names:
                has = choices(sorted(set(names) - {"name"}))
                raise Refusal("archetype/unknown-option", f"{what} has no option {name!r}; it has {has}.")
