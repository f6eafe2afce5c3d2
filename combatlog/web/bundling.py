"""Bundle ES modules into one script, for a page that may load nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MODULES = Path(__file__).parent / "modules"
VENDOR = Path(__file__).parent / "vendor"
LIST = VENDOR / "vendored.json"
"""What `python -m tools.vendoring` writes: the libraries in that folder, with version, licence and checksum."""


@dataclass(frozen=True)
class VendoredLibrary:
    """A module that the pages import under a name, and the npm package and file that it comes from."""

    imported_as: str
    package: str
    file: str

    @property
    def name(self) -> str:
        return self.imported_as.replace("@", "").replace("/", "-") + ".js"


LIBRARIES = (
    VendoredLibrary("preact", "preact", "dist/preact.mjs"),
    VendoredLibrary("preact/hooks", "preact", "hooks/dist/hooks.mjs"),
    VendoredLibrary("htm", "htm", "dist/htm.module.js"),
    VendoredLibrary("htm/preact", "htm", "preact/index.module.js"),
    VendoredLibrary("@preact/signals-core", "@preact/signals-core", "dist/signals-core.module.js"),
    VendoredLibrary("@preact/signals", "@preact/signals", "dist/signals.module.js"),
)

_FROM = r"""from\s*["']([^"']+)["'];?"""
_IMPORT = re.compile(rf"(?:^|(?<=[;\n]))import\s*(\*\s*as\s+\w+|\{{[^}}]*\}}|\w+)\s*{_FROM}")
_BARE_IMPORT = re.compile(r"""(?:^|(?<=[;\n]))import\s*["']([^"']+)["'];?""")
_PASSED_ON = re.compile(rf"(?:^|(?<=[;\n]))export\s*(\{{[^}}]*\}})\s*{_FROM}")
_LIST = re.compile(r"(?:^|(?<=[;}\n]))export\s*(\{[^}]*\});?")
_DEFAULT = re.compile(r"(?:^|(?<=[;}\n]))export\s+default\s+")
_DECLARED = re.compile(r"^export\s+((?:async\s+)?function\*?|const|let|class)\s+(\w+)", re.MULTILINE)
_LEFT = re.compile(r"(?:^|(?<=[;}\n]))(?:import[\s*{\"']|export[\s*{])")
_MAP = re.compile(r"//# sourceMappingURL=.*")


class Unlinkable(Exception):
    """A module imports or exports in an unsupported way, or imports something that does not exist."""


def vendored() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(LIST.read_text(encoding="utf-8"))
    return found


def linked(entry: str, sources: Mapping[str, str] | None = None) -> str:
    """One script with the module and everything that it imports."""
    sources = known_sources() if sources is None else sources
    ordered = list(_in_order(entry, sources, ()))
    parts = [_wrapped(name, sources[name]) for name in dict.fromkeys(ordered)]
    return "\n".join(['"use strict";', "const $modules = Object.create(null);", *parts, ""])


def known_sources() -> dict[str, str]:
    """The modules by the name that others import them under."""
    own = {f"./{path.name}": path.read_text(encoding="utf-8") for path in sorted(MODULES.glob("*.js"))}
    libraries = {library.imported_as: _read(library.name) for library in LIBRARIES}
    return {**libraries, **own}


def _read(name: str) -> str:
    return _MAP.sub("", (VENDOR / name).read_text(encoding="utf-8"))


def _in_order(name: str, sources: Mapping[str, str], importing: tuple[str, ...]) -> Iterator[str]:
    if name in importing:
        raise Unlinkable(f"{name} imports itself through {importing[-1]}.")
    if name not in sources:
        raise Unlinkable(f"{importing[-1] if importing else 'The page'} imports {name}, which there is not.")
    for pattern in (_IMPORT, _BARE_IMPORT, _PASSED_ON):
        for found in pattern.finditer(sources[name]):
            yield from _in_order(found.groups()[-1], sources, (*importing, name))
    yield name


def _wrapped(name: str, source: str) -> str:
    body = _PASSED_ON.sub(lambda found: _export_from(found[1], found[2]), source)
    body = _IMPORT.sub(lambda found: _import(found[1].strip(), found[2]), body)
    body = _BARE_IMPORT.sub("", body)
    body = _LIST.sub(lambda found: f"Object.assign($exports,{{{_pairs(found[1], turned=True)}}});", body)
    body = _DEFAULT.sub("$exports.default = ", body)
    declared = [found[2] for found in _DECLARED.finditer(body)]
    body = _DECLARED.sub(r"\1 \2", body)
    if left := _LEFT.search(body):
        raise Unlinkable(f"{name} has a statement that cannot be linked: {body[left.start() : left.start() + 60]!r}.")
    exports = f"Object.assign($exports, {{ {', '.join(declared)} }});" if declared else ""
    return (
        f"$modules[{json.dumps(name)}] = (() => {{\nconst $exports = {{}};\n{body}\n{exports}\nreturn $exports;\n}})();"
    )


def _import(what: str, name: str) -> str:
    module = f"$modules[{json.dumps(name)}]"
    if what.startswith("*"):
        return f"const {what.split()[-1]} = {module};\n"
    if what.startswith("{"):
        return f"const {{{_pairs(what)}}} = {module};\n"
    return f"const {what} = {module}.default;\n"


def _export_from(what: str, name: str) -> str:
    module = f"$modules[{json.dumps(name)}]"
    named = [part.split(" as ") for part in _parts(what)]
    return "".join(f"$exports.{pair[-1].strip()} = {module}.{pair[0].strip()};\n" for pair in named)


def _pairs(what: str, *, turned: bool = False) -> str:
    """`{a as b}` as `a: b` or, for exports, as `b: a`."""
    pairs = [[side.strip() for side in part.split(" as ")] for part in _parts(what)]
    return ", ".join(": ".join(pair[::-1] if turned else pair) for pair in pairs)


def _parts(what: str) -> list[str]:
    return [part.strip() for part in what.strip("{} \n").split(",") if part.strip()]
