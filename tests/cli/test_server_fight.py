"""A whole fight at the command line: a GM and two players at a service that is restarted."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import combatlog
from tests.cli.conftest import Run
from tests.combatlog.remote.conftest import Proxy

pytestmark = pytest.mark.slow

FIGHT = "Bridge ambush"


class Serving:
    """`combatlog serve`, which can be killed and started again on the same port."""

    def __init__(self, database: str, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {**os.environ, "COMBATLOG_DATABASE_URL": database, "COMBATLOG_HOME": str(home)}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Until it has said where it listens; the token for the GM that it prints. Clients wait for the rest."""
        line = [sys.executable, "-m", "cli.app", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self._environment
        )
        assert self._process.stdout is not None
        for printed in self._process.stdout:
            if found := re.search(r"token=(\S+)", printed):
                return found[1]
        raise AssertionError("it did not start")

    def stop(self, with_signal: int = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


@pytest.fixture
def serving(cli_database: str, tmp_path: Path) -> Iterator[Serving]:
    made = Serving(cli_database, tmp_path)
    yield made
    made.stop()


Do = Callable[..., str]


def at(url: str, token: str, run: Run) -> Do:
    """Runs a command as whoever has the token; `status` is the exit status that is expected."""

    def do(*line: str, status: int = 0, url: str = url) -> str:
        ran = run("--server", url, "--token", token, *line)
        assert ran.status == status, (line, ran)
        return ran.out + ran.err

    return do


def test_a_gm_and_two_players_play_a_fight(serving: Serving, cli_database: str, run: Run) -> None:
    gm = at(serving.url, serving.start(), run)
    gm("new", FIGHT, "--dice", "table")
    gm("join", FIGHT, "fighter", "--as", "Rurik", "--at", "3,2")
    gm("join", FIGHT, "paladin", "--as", "Osric", "--at", "3,3")
    gm("join", FIGHT, "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2")
    gm("start", FIGHT, "--dice", "11,6,17")
    tokens = {
        name: re.findall(r"token  (\S+)", gm("seat", FIGHT, "--player", name, "--name", name.title()))[0]
        for name in ("rurik", "osric")
    }
    rurik, osric = (at(serving.url, tokens[name], run) for name in ("rurik", "osric"))

    gm("do", FIGHT, "snig", "attack")
    assert "osric protection | pass" in gm("do", FIGHT, "snig", "strike", "--target", "rurik")
    assert "[seat/not-yours]" in rurik("react", FIGHT, "osric", "protection", status=1)
    answered = osric("react", FIGHT, "osric", "protection", "--dice", "15,8")
    assert "Snig misses Rurik with a scimitar" in answered
    assert "Not needed" not in answered  # which dice others rolled is not for a player to know
    assert "[turn/other]" in rurik("do", FIGHT, "rurik", "attack", status=1)

    # The service is killed in the middle; the next command waits for it to come back.
    serving.stop()
    serving.start()
    assert "Rurik's turn begins" in gm("end-turn", FIGHT, "snig")

    # The answer to a hit is lost on the way: it is sent again, and hits once.
    proxy = Proxy(serving.url)
    proxy.lose_posts = 1
    assert "Rurik hits Snig" in rurik("hit", FIGHT, "snig", "18", "2", url=proxy.url)
    assert proxy.lose_posts == 0
    proxy.close()

    assert "[seat/not-allowed]" in rurik("undo", FIGHT, "--yes", status=1)
    assert "taken back: Rurik declares melee attack on Snig" in gm("undo", FIGHT, "--yes", "--reason", "cover")
    assert re.search(r"Snig +unhurt", rurik("status", FIGHT))

    with combatlog.open(cli_database) as ledger:
        events = ledger.fight(FIGHT).history()
        assert ledger.fight(FIGHT).verify().findings == []
    resolved = [event for event in events if event.kind == "attack_resolved"]
    assert len(resolved) == 2
    said = {event.by for event in events if event.kind == "declared"}
    assert said == {"gm", "Rurik"}
    assert {event.by for event in events if event.kind == "reaction_chosen"} == {"Osric"}
