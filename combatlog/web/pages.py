"""The pages of a fight: a replay in one HTML file that loads nothing, and the static files that a service serves."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from combatlog.web.bundling import LIBRARIES, VENDOR, linked, vendored
from ledger.events import Data

STYLE = Path(__file__).parent / "style.css"
ENTRY = "./main.js"

_REPLAY_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Combat Ledger">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="app"><p>This replay needs JavaScript.</p></div>
<script type="application/json" id="fight">{data}</script>
<script type="text/plain" id="licences">{licences}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def replay_page(document: Data) -> str:
    script, style = _script(), STYLE.read_text(encoding="utf-8")
    return _REPLAY_PAGE.format(
        policy=_policy(script, style),
        title=escape(document["fight"]["name"]),
        style=style,
        data=as_script_data(document),
        licences=_licences(),
        script=script,
    )


def as_script_data(data: object) -> str:
    """JSON that means the same within HTML, where nothing may look like the end of a script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _script() -> str:
    script = linked(ENTRY)
    assert "</script" not in script.lower()
    return script


@cache
def _licences() -> str:
    """Of the libraries within: their licences go wherever they go."""
    used: dict[str, str] = {}
    for entry in vendored():
        text = (VENDOR / entry["licence_file"]).read_text(encoding="utf-8")
        used[f"{entry['package']} {entry['version']} ({entry['licence']})"] = text
    assert "</script" not in "".join(used.values()).lower()
    return "\n\n".join(f"{name}\n\n{text}" for name, text in used.items())


WEB = Path(__file__).parent
BASE = "/web"
_FOLDERS = ("modules", "table", "vendor")
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

_SERVED_PAGE = """<!DOCTYPE html>
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
class StaticFile:
    content: bytes
    media_type: str
    tag: str


@cache
def files() -> dict[str, StaticFile]:
    """By the address below `BASE`. Nothing else can be asked for."""
    found = {f"{folder}/{path.name}": path for folder in _FOLDERS for path in sorted((WEB / folder).iterdir())}
    found["style.css"] = WEB / "style.css"
    return {name: _served(path) for name, path in found.items() if path.suffix in _TYPES}


def _served(path: Path) -> StaticFile:
    content = path.read_bytes()
    return StaticFile(content, _TYPES[path.suffix], hashlib.sha256(content).hexdigest()[:16])


@cache
def page() -> str:
    """The same for every fight and every seat: it gets everything that it shows from the service."""
    return _SERVED_PAGE.format(base=BASE, imports=_imports())


@cache
def _imports() -> str:
    return json.dumps({"imports": {one.imported_as: f"{BASE}/vendor/{one.name}" for one in LIBRARIES}})


@cache
def policy() -> str:
    """What the page may load and run: only files of the service."""
    imports = "sha256-" + b64encode(hashlib.sha256(_imports().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' '{imports}'; style-src 'self'; connect-src 'self'; worker-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
