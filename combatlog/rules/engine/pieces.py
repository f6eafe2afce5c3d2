"""What a ruleset is made of: small pieces, each found by name in the registry of its ruleset."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from combatlog.rules.engine.refusal import listing, unknown


class Piece:
    """Anything with a name. Its ref is `ruleset:type:name`."""

    ruleset: ClassVar[str]
    type: str
    name: str

    @cached_property
    def ref(self) -> str:
        return f"{self.ruleset}:{self.type}:{self.name}"


def what_it_does(piece: Piece) -> str | None:
    """What a piece does: the first line of its docstring."""
    return inspect.cleandoc(type(piece).__doc__ or "").partition("\n")[0] or None


P = TypeVar("P", bound=type[Piece])
T = TypeVar("T", bound=Piece)


class Pieces(dict[str, Piece]):
    """Every piece of a ruleset by ref, loaded from some modules of its package and from all modules in its folders."""

    def __init__(self, package: str, *names: str) -> None:
        super().__init__()
        self._names = [f"{package}.{name}" for name in names]
        self._sorts: dict[type[Piece], dict[str, Any]] = {}
        self._refs: dict[type[Piece], dict[str, str]] = {}

    def add(self, cls: P) -> P:
        """Register a piece that has a class of its own; a decorator."""
        self.include(cls())
        return cls

    def include(self, piece: Piece) -> None:
        if piece.ref in self:
            raise ValueError(f"{piece.ref} is registered twice")
        self[piece.ref] = piece
        self._sorts.clear()
        self._refs.clear()

    def load(self) -> None:
        """Import every module, which registers its pieces, and order them by ref: no menu may depend on file names."""
        for found in map(importlib.import_module, self._names):
            for module in pkgutil.iter_modules(getattr(found, "__path__", ())):
                importlib.import_module(f"{found.__name__}.{module.name}")
        ordered = dict(sorted(self.items()))
        self.clear()
        self.update(ordered)
        self._sorts.clear()
        self._refs.clear()

    def of(self, kind: type[T]) -> dict[str, T]:
        """All pieces of a kind, by name. Cached, because every declaration asks."""
        if kind not in self._sorts:
            self._sorts[kind] = {known.name: known for known in self.values() if isinstance(known, kind)}
        return self._sorts[kind]

    def refs(self, kind: type[Piece]) -> dict[str, str]:
        """The refs of a kind, by name."""
        if kind not in self._refs:
            self._refs[kind] = {name: known.ref for name, known in self.of(kind).items()}
        return self._refs[kind]

    def find(self, kind: type[T], name: str, code: str) -> T:
        """The piece of this kind and name, or a refusal with this code."""
        known = self.of(kind)
        if name not in known:
            names = sorted(known)
            raise unknown(code, f"There is no {kind.type} {name!r}; there are {listing(names)}.", name, names)
        return known[name]
