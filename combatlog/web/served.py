"""The files of a page that a service serves as they are, and the page that loads them."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from combatlog.web.linking import LIBRARIES

WEB = Path(__file__).parent
BASE = "/web"
_FOLDERS = ("modules", "table", "vendor")
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Combat Ledger</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{base}/style.css">
<link rel="stylesheet" href="{base}/table/table.css">
<script type="importmap">{imports}</script>
<script type="module" src="{base}/table/main.js"></script>
</head>
<body>
<div id="app"><p class="wait">Combat Ledger needs JavaScript.</p></div>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Served:
    content: bytes
    media_type: str
    tag: str


@cache
def files() -> dict[str, Served]:
    """By the address below `BASE`. Nothing else can be asked for."""
    found = {f"{folder}/{path.name}": path for folder in _FOLDERS for path in sorted((WEB / folder).iterdir())}
    found["style.css"] = WEB / "style.css"
    return {name: _served(path) for name, path in found.items() if path.suffix in _TYPES}


def _served(path: Path) -> Served:
    content = path.read_bytes()
    return Served(content, _TYPES[path.suffix], hashlib.sha256(content).hexdigest()[:16])


@cache
def page() -> str:
    """The same for every fight and every seat: whatever it shows, it asks the service for."""
    return _PAGE.format(base=BASE, imports=_imports())


@cache
def _imports() -> str:
    return json.dumps({"imports": {one.imported_as: f"{BASE}/vendor/{one.name}" for one in LIBRARIES}})


@cache
def policy() -> str:
    """What the page may load and run: the files of the service, and nothing from elsewhere."""
    imports = "sha256-" + b64encode(hashlib.sha256(_imports().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' '{imports}'; style-src 'self'; connect-src 'self'; worker-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
