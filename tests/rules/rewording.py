"""Two ways to change every wording that ships with the rules.

`reword_records` changes prose where it is recorded: whatever a resolution writes into a prose field comes out in other
words. It reaches every prose field, one-word reasons and all.

`python -m tests.rules.rewording FILE` changes the words in the rules' source code before it is imported, then resolves
the fights in the file again and prints what differs. Words that found their way into anything else than a prose field
show up here: in a roll's purpose, in a ref, in the data of a condition.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from ledger.events.base import prose_of


def reword_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every prose field that a resolution writes has other words."""
    from combatlog.rules.engine.resolution.table import Table

    record = Table.record

    def reworded(self: Table, cls: Any, **payload: Any) -> Any:
        for name, excluded in prose_of(cls).items():
            if excluded is True and name in payload:
                payload[name] = f"{payload[name][::-1]}, in other words"
        return record(self, cls, **payload)

    monkeypatch.setattr(Table, "record", reworded)


KEYS = {
    # purposes of rolls, which the tape finds them by
    " on ",
    " save",
    " check",
    " reroll",
    " recharge",
    " save against ",
    " save to end ",
    "concentration save",
    "damage to ",
    "death save",
    "hellish rebuke",
    "improvised weapon",
    "zone damage",
    "FORCE USER",
    "vp 1",
    "damage of ",
    "wis save to be free",
    "temporary hit points",
    # names that people declare
    "unarmed strike",
    "very hard",
    # between the words of a name
    " ",
}
"""Literals that read like words and are none: they identify something, and what is on record holds them."""


def is_wording(text: str) -> bool:
    """Text for people has several words. Faces of dice (`0/1 dodge`) and patterns do, too, and are not for people."""
    return " " in text and text not in KEYS and not set("/\\^") & set(text)


class Reworder(ast.NodeTransformer):
    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A closed vocabulary is a list of keys, however its members are spelled."""
        is_vocabulary = any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases)
        return node if is_vocabulary else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and is_wording(node.value):
            return ast.copy_location(ast.Constant(f"¡{node.value.replace(' ', ' so to say ')}"), node)
        return node


class RewordedLoader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = Reworder().visit(ast.parse(self.get_data(path), path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class RewordedRules(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname.startswith("combatlog.rules.") else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = RewordedLoader(spec.loader.name, spec.loader.path)
        return spec


def main(file: Path) -> None:
    sys.meta_path.insert(0, RewordedRules())
    from combatlog.rules.verification.verify import check_declarations
    from tests.old_ledgers.exported import read

    for name, rows in json.loads(file.read_text()).items():
        for finding in check_declarations(read(rows)):
            print(f"{name}, event {finding.seq}: {finding.recorded} is now {finding.now}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
