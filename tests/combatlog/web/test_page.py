"""The single file: it tells no secrets, loads nothing, and names in it are only names."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import given

from combatlog import Undo
from combatlog.testing import Drill
from combatlog.web import bundling
from combatlog.web.bundling import Unlinkable, linked
from tests.effort import examples
from tests.projections.views.test_twins import fight, secrets
from tests.rules.veils_ruleset import by_every_ruleset, conceal
from tools import vendoring

RIGHT_TO_LEFT = "\u202e\u200f\u2067"


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="fight">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# Secrets


@by_every_ruleset
@given(one=secrets, other=secrets)
@examples(6)
def test_files_of_fights_that_differ_only_in_secrets_have_the_same_bytes(
    ruleset: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    for seat in ("players", "player:rurik", "spectator"):
        pages = [fight(secret, ruleset).seen_by(seat).replay_page() for secret in (one, other)]
        assert pages[0] == pages[1]


SECRET: dict[str, Any] = {
    "ac": 17,
    "hp": 119,
    "bonus": 3,
    "con": 16,
    "dex": 9,
    "resistances": ["fire"],
    "walks": [(8, 8)],
    "prowls": [(1, 2), (1, 4)],
    "asides": ["note", "hurt"],
}


@by_every_ruleset
@pytest.mark.parametrize("seat", ["players", "player:rurik", "spectator"])
def test_nobody_unseen_is_in_the_file(ruleset: str, seat: str) -> None:
    page = fight(SECRET, ruleset).seen_by(seat).replay_page().lower()
    assert "grak" not in page
    assert "skulk" not in page
    assert "119" not in page.partition('id="fight">')[2].partition("</script>")[0]
    assert "grak" in fight(SECRET, ruleset).seen_by("gm").replay_page().lower()


@by_every_ruleset
@pytest.mark.parametrize("seat", ["players", "spectator"])
def test_what_was_unseen_stays_unseen_after_a_correction(ruleset: str, seat: str) -> None:
    """Grak was hidden while he walked. That he was hidden is taken back, and still nobody learns where he was."""
    drill = Drill(ruleset)
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Grak", (9, 9), side="foes")
    drill.start(dice=[1, 20])
    conceal(drill, "grak")
    concealed = drill.history()[-1].declaration
    drill.do("grak", "move", to=(7, 9))
    drill.apply(drill.plan(Undo(concealed, reason="he was in plain sight")))
    document = data_of(drill.seen_by(seat).replay_page())
    assert "counting" in document
    changes = [*document["recorded"], *document["counting"]["changes"].values()]
    values = json.dumps([made[1::2] for made in changes if made])
    assert "[8, 9]" not in values
    assert "[7, 9]" in values  # where he is now, everybody sees


def test_the_seed_of_the_dice_is_not_in_the_file_of_players() -> None:
    drill = Drill(dice="seed:918273645")
    drill.join("fighter", "Rurik", (1, 1))
    assert "918273645" not in drill.seen_by("players").replay_page()
    assert "918273645" in drill.seen_by("gm").replay_page()


# Names

NAMES = [
    "</script><script>alert(1)</script>",
    "<!-- <script> x",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt;",
    f"evil{RIGHT_TO_LEFT}name",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_only_a_name(name: str) -> None:
    drill = Drill()
    drill.join("fighter", name, (1, 1))
    page = drill.seen_by().replay_page()
    usual = Drill()
    usual.join("fighter", "Rurik", (1, 1))
    assert page.count("<") == usual.seen_by().replay_page().count("<")
    assert not set(RIGHT_TO_LEFT) & set(page)
    (one,) = [value for made in data_of(page)["recorded"] if made for value in made[1::2]]
    (combatant,) = one.values()
    assert combatant["name"] == "".join("�" if char in RIGHT_TO_LEFT else char for char in name)


# Loading nothing


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_only_what_is_in_the_file_may_run_and_nothing_may_be_loaded() -> None:
    page = Drill().seen_by().replay_page()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src {digest(script)}",
        f"style-src {digest(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    markup = page.replace(script, "").replace(style, "")
    assert not re.search(r"\s(src|href|action|srcset|on\w+)=", markup)
    assert "@import" not in style
    assert "url(" not in style


def test_the_licences_of_the_libraries_are_in_the_file() -> None:
    page = Drill().seen_by().replay_page()
    for entry in bundling.vendored():
        assert f"{entry['package']} {entry['version']} ({entry['licence']})" in page
    assert page.count("Permission is hereby granted") == 3
    assert "Apache License" in page


# Putting modules together


def test_vendored_files_are_what_the_list_says() -> None:
    assert vendoring.findings() == []


def test_modules_come_after_what_they_import() -> None:
    sources = {
        "./a.js": 'import { b as c } from "./b.js";\nexport const a = c + 1;\n',
        "./b.js": "export const b = 1;\n",
    }
    script = linked("./a.js", sources)
    assert script.index('$modules["./b.js"] =') < script.index('$modules["./a.js"] =')
    assert 'const {b: c} = $modules["./b.js"];' in script
    assert "Object.assign($exports, { a });" in script


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ('import { x } from "./gone.js";\n', "imports ./gone.js, which there is not"),
        ('import { x } from "./a.js";\n', "imports itself"),
        ('export * from "preact";\n', "cannot be linked"),
        ("export default 1;\nexport async const x = 1;\n", "cannot be linked"),
    ],
)
def test_what_cannot_be_linked_is_an_error(source: str, problem: str) -> None:
    with pytest.raises(Unlinkable, match=problem):
        linked("./a.js", {"./a.js": source})
