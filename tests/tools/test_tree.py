"""What makes a tree hard to read is counted, in modules written for the purpose."""

from __future__ import annotations

from pathlib import PurePosixPath

from tools.tree import LIMITS, Module, counts, excesses, importers, inner_imports, repeated_classes

NAMES = """
class Event: ...
class _Part: ...

def named():
    import json
    from ledger.events import Event
"""
FILES = {
    "ledger/__init__.py": "",
    "ledger/events.py": "class Event: ...\nclass _Part: ...\n",
    "ledger/store.py": "from ledger.events import Event\nfrom ledger import names\nimport json\n",
    "ledger/names.py": NAMES,
    "cli/names.py": "def main():\n    from ledger import store\n    return store\n",
}


def modules() -> dict[str, Module]:
    found = (
        Module(path.removesuffix(".py").replace("/", "."), PurePosixPath(path), text) for path, text in FILES.items()
    )
    return {module.name.removesuffix(".__init__"): module for module in found}


def test_public_classes_of_the_same_name_are_found() -> None:
    assert repeated_classes(modules()) == {"Event": ["ledger.events", "ledger.names"]}


def test_imports_of_our_own_modules_inside_functions_are_found() -> None:
    assert list(inner_imports(modules())) == ["ledger/names.py:7 ledger.events", "cli/names.py:2 ledger.store"]


def test_a_module_has_the_importers_that_name_it_or_something_in_it() -> None:
    assert importers(modules()) == {
        "ledger.events": {"ledger.store", "ledger.names"},
        "ledger.names": {"ledger.store"},
        "ledger.store": {"cli.names"},
    }


def test_everything_is_counted_and_what_is_beyond_its_limit_is_said() -> None:
    found = counts(modules())
    assert found == {
        "modules": 5,
        "modules in one folder": 4,
        "median lines of a module": 3,
        "modules of more than 600 lines": 0,
        "file names that occur several times": 1,
        "class names that occur several times": 1,
        "imports of our own modules inside functions": 2,
        "modules with one importer": 2,
    }
    assert list(excesses(found | {"modules": LIMITS["modules"] + 1})) == [
        f"modules: {LIMITS['modules'] + 1}, and at most {LIMITS['modules']} are allowed",
        "class names that occur several times: 1, and at most 0 are allowed",
        "median lines of a module: 3, and at least 150 are wanted",
    ]
