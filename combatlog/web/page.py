"""A replay in a single HTML file: it loads nothing, and the browser is told to run nothing but what is in it."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path

from combatlog.web.linking import VENDOR, linked, vendored
from ledger.events import Data

STYLE = Path(__file__).parent / "style.css"
ENTRY = "./main.js"

_PAGE = """<!DOCTYPE html>
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
    return _PAGE.format(
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
