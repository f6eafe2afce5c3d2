"""Whatever can be recorded over HTTP can be done at the table in a browser, or there is a reason why not."""

from __future__ import annotations

import re
from pathlib import Path

from combatlog import message_reference
from combatlog.service.app import create
from combatlog.service.settings import Settings
from combatlog.web import pages as web_page

TABLE = Path(web_page.__file__).parent / "table"
FIGHT = "/v1/encounters/{encounter}"
NOT_AT_THE_TABLE = {
    f"POST {FIGHT}/hit": "a short form of a declaration, for programs; the menu says what to declare",
    f"POST {FIGHT}/cast": "likewise",
    f"POST {FIGHT}/move": "likewise",
    f"POST {FIGHT}/dice/chains": "a player's secrets stay with its own program, not with a page of the service",
    f"POST {FIGHT}/dice/links": "likewise",
    f"POST {FIGHT}/webhooks": "for programs, and set up once by whoever runs them",
    f"DELETE {FIGHT}/webhooks/{{webhook}}": "likewise",
    "POST /v1/scenarios": "a file, written in an editor and played from the command line",
    "POST /v1/packs/check": "likewise; and it records nothing",
    "POST /v1/imports": "a file of the command line, and about many fights",
    "POST /v1/imports/logs": "likewise",
    f"POST {FIGHT}/verification": "it records nothing, and takes a file of the command line",
    f"POST {FIGHT}/verification/shown": "likewise",
    "POST /v1/verification/seals": "likewise",
}
"""Calls that no form leads to, each with the reason."""
SAID = re.compile(r"""(?:say\(table, [^"`]{0,25}|: |post\(|const to = )["`](?P<path>[^"`]+)["`]""")
DELETES = re.compile(r"""remove\([`"](?P<path>[^`"]+)[`"]""")


def calls_of_the_service() -> set[str]:
    paths = create(Settings()).openapi()["paths"]
    return {f"{verb.upper()} {path}" for path, verbs in paths.items() for verb in verbs if verb != "get"}


def calls_of_the_table() -> set[str]:
    """Every path that a module names, by how the service writes it."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(TABLE.glob("*.js"))]
    deleted = {f"DELETE {_as_route(one)}" for source in sources for one in DELETES.findall(source)}
    posted = {f"POST {_as_route(one)}" for source in sources for one in SAID.findall(source)}
    return deleted | posted | calls_of_drawn_forms()


def calls_of_drawn_forms() -> set[str]:
    """What the page draws a form for, from the table of messages."""
    drawn = (kind for kind in message_reference.messages() if message_reference.instead_of_form(kind) is None)
    return {f"{message_reference.method_of(kind)} {message_reference.address_of(kind)}" for kind in drawn}


def _as_route(said: str) -> str:
    """`/hurt` and `${table.at}/seats/${seat}` as the service writes them."""
    path = said.replace("${table.at}", "").replace("${to}", "/proposals/{proposal}")
    path = re.sub(r"\$\{(?:\w+\.)?(\w+)\}", r"{\1}", path)
    return f"/v1{path}" if path == "/encounters" else f"{FIGHT}{path}"


def test_every_call_is_at_the_table_or_has_a_reason_not_to_be() -> None:
    assert calls_of_the_service() - calls_of_the_table() == set(NOT_AT_THE_TABLE)


def test_the_table_makes_none_of_the_calls_that_it_has_a_reason_not_to_make() -> None:
    assert calls_of_the_table() & set(NOT_AT_THE_TABLE) == set()
