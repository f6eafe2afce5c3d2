"""`combatlog serve`: loaded by nobody else, refused in one sentence if it is not installed, and silent about tokens."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import combatlog
from combatlog.service.workers import gm_token
from tests.cli.conftest import Run, run
from tests.service.conftest import set_up
from tests.service.processes import running
from tests.service.tokens import WRONG, use_tokens

__all__ = ["run"]

_LOADED = """
import sys, cli.app
loaded = {name.partition(".")[0] for name in sys.modules}
assert "combatlog.service" not in sys.modules
assert not {"fastapi", "starlette", "uvicorn", "prometheus_client"} & loaded
"""


def test_other_commands_do_not_load_the_service() -> None:
    subprocess.run([sys.executable, "-c", _LOADED], check=True)


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "prometheus_client"])
def test_a_missing_installation_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    refused = run("serve")
    assert (refused.status, refused.code) == (1, "serve/not-installed")
    assert "pip install 'combatlog[serve]'" in refused.err
    assert refused.out == ""


@pytest.mark.parametrize("wrong", [("--port", "0"), ("--port", "65536"), ("--workers", "0"), ("--port", "x")])
def test_wrong_usage(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("serve", *wrong).status == 2


def test_an_authority_that_is_none(run: Run, tmp_path: Path) -> None:
    refused = run("serve", "--webhook-ca", str(tmp_path / "none.pem"))
    assert (refused.status, refused.code, refused.out) == (1, "serve/authority", "")


@pytest.mark.parametrize(
    ("said", "wrong"), [("[", "COMBATLOG_SERVE"), ('{"rate": "fast"}', "rate"), ('{"speed": 1}', "speed")]
)
def test_wrong_settings_are_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, said: str, wrong: str) -> None:
    monkeypatch.setenv("COMBATLOG_SERVE", said)
    refused = run("serve")
    assert (refused.status, refused.code) == (1, "serve/settings")
    assert wrong in refused.err
    assert refused.out == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_an_address_that_cannot_be_had_is_one_sentence_and_gives_nobody_a_seat(
    run: Run, database: str, host: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run("serve", "--host", host, "--port", str(taken.getsockname()[1]))
    assert (refused.status, refused.code, refused.out) == (1, "serve/address", "")
    assert "--port" in refused.err
    with combatlog.open(database) as ledger:
        assert ledger.seats.list() == []


@pytest.mark.slow
def test_settings_of_the_environment_count_without_an_option(database: str) -> None:
    token = gm_token(database)
    with running(database, COMBATLOG_SERVE='{"read_only": true}') as service:
        headers = {"Authorization": f"Bearer {token}"}
        refused = httpx.post(f"{service.url}/v1/encounters", json={"name": "x"}, headers=headers)
    assert refused.json()["code"] == "service/read-only"


@pytest.mark.slow
def test_a_running_service_tells_nobody_a_token(database: str, tmp_path: Path) -> None:
    """Whatever it prints. The link for the GM is on standard output on purpose, once, and nowhere else."""
    output = tmp_path / "output.txt"
    tokens = {name: token for name, token in set_up(database).items() if token != "nonsense"}
    with running(database, workers=2, output=output) as service:
        (printed,) = re.findall(r"/join\?token=(\S+)", output.read_text())
        statuses = use_tokens(service.url, {"printed": printed, "gm": tokens["gm"], "wrong": WRONG})
        assert {200, 303, 401, 403, 422} <= set(statuses)
        assert service.stop() == 0
    assert len(service.told("request")) == len(statuses)
    assert service.told("Invalid HTTP request received.")
    everything = output.read_text().replace(f"/join?token={printed}", "", 1) + str(service.log)
    assert [token for token in (printed, *tokens.values(), WRONG) if token in everything] == []


def test_lines_with_addresses_are_off_whoever_listens() -> None:
    script = (
        "import logging\nfrom combatlog.service.observability import log_as_json\n"
        "logging.basicConfig(level=0)\nlog_as_json()\n"
        "logging.getLogger('uvicorn.access').addHandler(logging.StreamHandler())\n"
        "logging.getLogger('uvicorn.access').warning('GET /join?token=secret')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "secret" not in done.stdout + done.stderr
