"""`python -m tools.vendoring`: the libraries in `combatlog/web/vendor/`, with version, licence and checksum.

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
from pathlib import Path
from typing import Any

from combatlog.web.bundling import LIBRARIES, LIST, VENDOR, vendored


def findings() -> list[str]:
    """What is not as the list says."""
    known = {entry["file"]: entry["sha256"] for entry in vendored()}
    missing = [f"{library.name} is not listed." for library in LIBRARIES if library.name not in known]
    changed = [f"{name} has changed." for name, checksum in known.items() if _checksum(VENDOR / name) != checksum]
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
        (VENDOR / licence).write_bytes(_content(archive, "LICENSE"))
        entries = []
        for library in (one for one in LIBRARIES if one.package == package):
            (VENDOR / library.name).write_bytes(_content(archive, library.file))
            entries.append(
                {
                    "file": library.name,
                    "imported_as": library.imported_as,
                    "package": package,
                    "version": about["version"],
                    "licence": about["license"],
                    "licence_file": licence,
                    "sha256": _checksum(VENDOR / library.name),
                }
            )
    return entries


def _content(archive: tarfile.TarFile, name: str) -> bytes:
    found = archive.extractfile(f"package/{name}")
    assert found is not None, name
    return found.read()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.vendoring", description=__doc__)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--update", action="store_true", help="fetch the newest versions")
    how.add_argument("--check", action="store_true", help="fail if a file is not what the list says")
    chosen = parser.parse_args()
    if chosen.update:
        update()
    found = findings()
    for line in found or [f"{one['package']} {one['version']} ({one['licence']}): {one['file']}" for one in vendored()]:
        print(line)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
