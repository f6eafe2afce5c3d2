"""`python -m combatlog.web.vendoring`: the libraries in `vendor/`, with version, licence and checksum.

With `--update`, their newest versions are fetched from the npm registry by `npm pack`; `--check` finds files that are
not what `vendored.json` says. The files are those of the packages, unchanged.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vendor"
LIST = FOLDER / "vendored.json"


@dataclass(frozen=True)
class Library:
    """A module that the pages import under a name, and the npm package and file that it comes from."""

    imported_as: str
    package: str
    file: str

    @property
    def name(self) -> str:
        return self.imported_as.replace("@", "").replace("/", "-") + ".js"


LIBRARIES = (
    Library("preact", "preact", "dist/preact.mjs"),
    Library("preact/hooks", "preact", "hooks/dist/hooks.mjs"),
    Library("htm", "htm", "dist/htm.module.js"),
    Library("htm/preact", "htm", "preact/index.module.js"),
    Library("@preact/signals-core", "@preact/signals-core", "dist/signals-core.module.js"),
    Library("@preact/signals", "@preact/signals", "dist/signals.module.js"),
)


def listed() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(LIST.read_text(encoding="utf-8"))
    return found


def findings() -> list[str]:
    """What is not as the list says."""
    known = {entry["file"]: entry["sha256"] for entry in listed()}
    missing = [f"{library.name} is not listed." for library in LIBRARIES if library.name not in known]
    changed = [f"{name} has changed." for name, checksum in known.items() if _checksum(FOLDER / name) != checksum]
    return missing + changed


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"


def update() -> None:
    entries: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for package in dict.fromkeys(library.package for library in LIBRARIES):
            entries += _unpacked(package, Path(folder))
    LIST.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")


def _unpacked(package: str, folder: Path) -> list[dict[str, str]]:
    """Put the files of a package in place, with its licence."""
    command = ["npm", "pack", "--silent", package]
    packed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)  # noqa: S603
    with tarfile.open(folder / packed.stdout.strip().splitlines()[-1]) as archive:
        about: dict[str, Any] = json.loads(_content(archive, "package.json"))
        licence = f"LICENSE-{package.replace('@', '').replace('/', '-')}"
        (FOLDER / licence).write_bytes(_content(archive, "LICENSE"))
        entries = []
        for library in (one for one in LIBRARIES if one.package == package):
            (FOLDER / library.name).write_bytes(_content(archive, library.file))
            entries.append(
                {
                    "file": library.name,
                    "imported_as": library.imported_as,
                    "package": package,
                    "version": about["version"],
                    "licence": about["license"],
                    "licence_file": licence,
                    "sha256": _checksum(FOLDER / library.name),
                }
            )
    return entries


def _content(archive: tarfile.TarFile, name: str) -> bytes:
    found = archive.extractfile(f"package/{name}")
    assert found is not None, name
    return found.read()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m combatlog.web.vendoring", description=__doc__)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--update", action="store_true", help="fetch the newest versions")
    how.add_argument("--check", action="store_true", help="fail if a file is not what the list says")
    chosen = parser.parse_args()
    if chosen.update:
        update()
    found = findings()
    for line in found or [f"{one['package']} {one['version']} ({one['licence']}): {one['file']}" for one in listed()]:
        print(line)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
