"""A command or a question of a plug-in is one message and one handler; it then exists wherever the others do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TAUNT = '''
"""A plug-in with one command and one question."""

from combatlog.messages.commands import Command
from typing import Annotated

from pydantic import Field

from combatlog.messages.fight_questions import FightQuestion
from combatlog.messages.message import Name, Prose, Who, example
from combatlog.messages.rights import Right
from combatlog.plugins import Plugin
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.declarations.core_actions import core_ref


class Taunt(Command):
    """Taunt an opponent."""

    model_config = example(who="rurik", target="snig", words="Is that all?")

    path = "taunts"
    right = Right.ACT

    who: Annotated[Who, Field(description="who taunts")]
    target: Annotated[Who, Field(description="whom")]
    words: Annotated[Prose, Field(description="with which words")] = "Ha!"


def taunt(said, sender):
    who, target = sender.own(said.who), sender.who(said.target)
    text = f"{who} taunts {target}: {said.words}"
    return sender.declare(Declaration(actor="gm", action=core_ref("note"), targets=(who,), options={"text": text}))


class CountTaunts(FightQuestion):
    """Count the taunts that were heard."""

    path = "taunts/count"
    answer = dict[str, int]
    about = "How many there were, by who was taunted."

    word: Annotated[Name, Field(description="the verb that counts")] = "taunts"


def count_taunts(view, question):
    heard = [event.text.partition(":")[0].split() for event in view.events(kinds=["noted"])]
    whom = [words[2] for words in heard if words[1] == question.word]
    return {name: whom.count(name) for name in whom}


PLUGIN = Plugin(Taunt, taunt)
COUNT = Plugin(CountTaunts, count_taunts)
'''
METADATA = "Metadata-Version: 2.1\nName: taunting\nVersion: 1.0\n"
ENTRY_POINTS = "[combatlog.messages]\ntaunt = taunting:PLUGIN\ncount = taunting:COUNT\n"
PLAY = """
import io
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from uuid import uuid4

import httpx

import combatlog
from combatlog.messages.questions import ListMessages
from combatlog.messages.requests import Consent
from combatlog.service.app import create
from combatlog.service.openapi import described
from combatlog.service.settings import Settings
from taunting import CountTaunts, Taunt
from tests.service.conftest import BOUNDLESS, listening

database = sys.argv[1]
web = httpx.Client(timeout=60)
said = Taunt("rurik", "snig", "Is that all?")


def texts(fight):
    return [event.text for event in fight.events(kinds=["noted"])]


with combatlog.open(database) as ledger:
    fight = ledger.new("Bridge")
    fight.join("fighter", "Rurik", (1, 1), controller="player")
    fight.join("goblin", "Snig", (2, 1), side="foes")
    tokens = {seat: ledger.seats.invite(seat, fight).token for seat in ("gm", "player:rurik", "spectator")}

    # Python: done once under a key, foreseen without being recorded, and only what the seat may say.
    key = uuid4()
    fight.send(said, seat="player:rurik", command_id=key)
    assert fight.send(said, command_id=key).repeated
    fight.send(said, dry_run=True)
    assert texts(fight) == ["rurik taunts snig: Is that all?"]
    for seat, other in (("spectator", said), ("player:rurik", Taunt("snig", "rurik"))):
        try:
            fight.send(other, seat=seat)
        except combatlog.Problem as problem:
            assert problem.code in ("seat/not-allowed", "seat/not-yours"), problem.code
        else:
            raise AssertionError(f"{seat} said it")
    try:
        Taunt("rurik", "snig", 7)
    except combatlog.Problem as problem:
        assert problem.facts["field"] == "words"

    # OpenAPI: the route with its body, its example, its summary and a readable id.
    document = described(create(Settings()))
    operation = document["paths"]["/v1/encounters/{encounter}/taunts"]["post"]
    assert (operation["operationId"], operation["summary"]) == ("taunt", "Taunt an opponent.")
    schema = document["components"]["schemas"]["Taunt"]
    assert (schema["required"], schema["examples"][0]["words"]) == (["who", "target"], "Is that all?")

    with listening(replace(BOUNDLESS, database=database)) as url:
        at = f"{url}/v1/encounters/Bridge/taunts"
        player = {"Authorization": f"Bearer {tokens['player:rurik']}", "Idempotency-Key": str(uuid4())}
        for repeated in (False, True):
            answer = web.post(at, json={"who": "rurik", "target": "snig"}, headers=player).json()
            assert answer["repeated"] is repeated, answer
        spectator = {"Authorization": f"Bearer {tokens['spectator']}"}
        assert web.post(at, json={"who": "rurik", "target": "snig"}, headers=spectator).status_code == 403

        # The remote client sends it as it is.
        with combatlog.connect(url, tokens["gm"]) as remote:
            remote.fight("Bridge").send(Taunt("rurik", "snig", "From afar."))
            forms = {one["name"]: one for one in remote.send(ListMessages())}

        # The page: its form is drawn from its fields, for those who may say it.
        assert forms["taunt"]["asks"] == ["who", "target", "words"]
        assert forms["taunt"]["fields"]["properties"]["who"]["format"] == "combatant"
        assert forms["taunt"]["address"] == "/v1/encounters/{encounter}/taunts"
        for seat, sees in (("player:rurik", True), ("spectator", False)):
            listed = web.get(f"{url}/v1/messages", headers={"Authorization": f"Bearer {tokens[seat]}"}).json()
            assert ("taunt" in [one["name"] for one in listed]) is sees
    assert texts(fight)[1:] == ["rurik taunts snig: Ha!", "rurik taunts snig: From afar."]
    assert fight.verify().stands

    # A question has an answer, a route and a place in the remote client, too.
    told = fight.send(CountTaunts())
    assert told == {"snig": 3}, told
    operation = document["paths"]["/v1/encounters/{encounter}/taunts/count"]["get"]
    assert (operation["operationId"], operation["summary"]) == ("count_taunts", "Count the taunts that were heard.")
    with listening(replace(BOUNDLESS, database=database)) as url:
        with combatlog.connect(url, tokens["gm"]) as remote:
            assert remote.fight("Bridge").send(CountTaunts()) == told
            assert remote.send(CountTaunts("boasts"), fight="Bridge") == {}

    # A proposal: those whom it names are asked, from Python, over HTTP and from the remote client.
    table = ledger.new("Table", options={"consent": "table"})
    table.join("fighter", "Rurik", (1, 1), controller="player")
    table.join("goblin", "Snig", (2, 1), side="foes")
    gm = {"Authorization": f"Bearer {ledger.seats.invite('gm', table).token}"}
    with listening(replace(BOUNDLESS, database=database)) as url:
        at = f"{url}/v1/encounters/Table/proposals"
        body = {"message": "taunt", "fields": {"who": "rurik", "target": "snig", "words": "over HTTP"}}
        for number, propose in enumerate((
            lambda: table.propose(Taunt("rurik", "snig", "in Python")),
            lambda: web.post(at, json=body, headers=gm).raise_for_status(),
            lambda: combatlog.connect(url, gm["Authorization"][7:]).fight("Table").propose(
                Taunt("rurik", "snig", "from afar")
            ),
        )):
            propose()
            proposal = table.seen_by().proposal()
            assert (proposal.message, proposal.asked) == ("taunt", ("rurik",))
            assert len(texts(table)) == number
            table.send(Consent("rurik"))
    assert texts(table) == [f"rurik taunts snig: {how}" for how in ("in Python", "over HTTP", "from afar")]
    assert table.verify().stands

# The reference: its page, and what the command line shows.
from cli.app import main
from tools.messages import page

written = page(with_plugins=True)
for line in (
    "### `taunt` (Taunt)",
    "Taunt an opponent.",
    "`POST /v1/encounters/{encounter}/taunts`, for a seat that may act for a combatant.",
    "| `words` | text, up to 2000 characters; default: `\\"Ha!\\"` | with which words |",
    "### `count_taunts` (CountTaunts)",
):
    assert line in written.splitlines(), (line, written.partition("### `taunt`")[2][:800])
assert "taunt" not in page()

for arguments, shown in (
    (["reference", "taunt"], "with which words"),
    (["reference", "--messages"], "Taunt an opponent."),
):
    sys.argv = ["combatlog", *arguments]
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            main()
        except SystemExit as ended:
            assert not ended.code
    assert shown in printed.getvalue(), printed.getvalue()
"""


def installed_in(folder: Path) -> str:
    """The plug-in in a folder, and where Python has to look for it."""
    (folder / "taunting.py").write_text(TAUNT)
    about = folder / "taunting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    return os.pathsep.join((str(folder), str(ROOT)))


def test_a_command_of_a_plug_in_exists_everywhere(database: str, tmp_path: Path) -> None:
    paths = installed_in(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", PLAY, database],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
