"""`python -m tools.tree`: counts what makes a tree hard to read, and with `--check` fails if a count is over its limit.

Nobody finds anything among a thousand small modules, in a folder of eighty, or behind a name that nine classes share.
"""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

LIMITS = {
    "modules": 550,
    "modules in one folder": 22,
    "modules of more than 600 lines": 0,
    "file names that occur several times": 40,
    "class names that occur several times": 0,
    "imports of our own modules inside functions": 255,
    "modules with one importer": 100,
}
"""Most imports inside functions keep a command from loading rules or read models that it does not need."""
AT_LEAST = {"median lines of a module": 150}
LONG = 600


@dataclass(frozen=True)
class Module:
    name: str
    path: PurePosixPath
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        return self.text.count("\n")


def read_modules(root: Path) -> dict[str, Module]:
    """Every module that is tracked outside of tests, by its dotted name."""
    command = ["git", "-C", str(root), "ls-files", "*.py"]  # what is tracked is what a reader finds
    paths = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603
    found = (PurePosixPath(path) for path in paths if not path.startswith("tests/") and (root / path).is_file())
    modules = (Module(_dotted(path), path, (root / path).read_text("utf-8")) for path in found)
    return {module.name: module for module in modules}


def _dotted(path: PurePosixPath) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def counts(modules: dict[str, Module]) -> dict[str, float]:
    folders = Counter(module.path.parent for module in modules.values())
    files = Counter(module.path.name for module in modules.values() if module.path.name != "__init__.py")
    return {
        "modules": len(modules),
        "modules in one folder": max(folders.values()),
        "median lines of a module": statistics.median(module.lines for module in modules.values()),
        "modules of more than 600 lines": sum(module.lines > LONG for module in modules.values()),
        "file names that occur several times": sum(count > 1 for count in files.values()),
        "class names that occur several times": len(repeated_classes(modules)),
        "imports of our own modules inside functions": sum(1 for _ in inner_imports(modules)),
        "modules with one importer": sum(len(found) == 1 for found in importers(modules).values()),
    }


def repeated_classes(modules: dict[str, Module]) -> dict[str, list[str]]:
    """Public classes that share a name, with the modules that define them."""
    where: dict[str, list[str]] = defaultdict(list)
    for module in modules.values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(module.name)
    return {name: found for name, found in sorted(where.items()) if len(found) > 1}


def inner_imports(modules: dict[str, Module]) -> Iterator[str]:
    """Where a function imports one of our own modules, as `path:line module`."""
    for module in modules.values():
        functions = [node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        inside = {node for function in functions for node in ast.walk(function)}
        for node in ast.walk(module.tree):
            if node in inside:
                for name in _imported(node, modules):
                    yield f"{module.path}:{node.lineno} {name}"  # type: ignore[attr-defined]


def importers(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Which modules import each module."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in modules.values():
        for node in ast.walk(module.tree):
            for name in _imported(node, modules):
                if name != module.name:
                    found[name].add(module.name)
    return found


def _imported(node: ast.AST, modules: dict[str, Module]) -> set[str]:
    """Our own modules that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names if alias.name in modules}
    if not isinstance(node, ast.ImportFrom) or node.module is None:
        return set()
    within = {f"{node.module}.{alias.name}" for alias in node.names} & modules.keys()
    return within or ({node.module} & modules.keys())


def excesses(found: dict[str, float]) -> Iterator[str]:
    """One sentence for each count that is beyond its limit."""
    for name, limit in LIMITS.items():
        if found[name] > limit:
            yield f"{name}: {found[name]:g}, and at most {limit} are allowed"
    for name, limit in AT_LEAST.items():
        if found[name] < limit:
            yield f"{name}: {found[name]:g}, and at least {limit} are wanted"


def main(arguments: list[str]) -> int:
    modules = read_modules(Path(__file__).parents[1])
    found = counts(modules)
    if "--check" not in arguments:
        for name, count in found.items():
            print(f"{count:7g}  {name}")  # noqa: T201
        for name, where in repeated_classes(modules).items():
            print(f"class {name}: {', '.join(where)}")  # noqa: T201
        return 0
    beyond = list(excesses(found))
    print(*beyond, sep="\n", end="\n" if beyond else "")  # noqa: T201
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
