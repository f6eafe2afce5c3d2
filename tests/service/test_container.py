"""The container has every package, and the compose file runs it against the database."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from ledger.store.database import URL_VARIABLE
from tests.service.processes import free_port

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
CITUS_PAGE = (ROOT / "docs" / "citus.md").read_text()
PORT = "8321"


def instruction(name: str) -> list[str]:
    """The command that an instruction of the Dockerfile has as a list."""
    (found,) = re.findall(rf"^{name}.*?(\[.*\])$", DOCKERFILE, re.MULTILINE)
    command: list[str] = json.loads(found)
    return command


def test_the_image_has_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = set(re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE))
    allowed = set(re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert packages == copied == allowed


def test_the_service_uses_the_database_of_the_compose_file() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    login = services["postgres"]["environment"]
    url = services["service"]["environment"]["COMBATLOG_DATABASE_URL"]
    assert (
        url
        == f"postgresql://{login['POSTGRES_USER']}:{login['POSTGRES_PASSWORD']}@postgres:5432/{login['POSTGRES_DB']}"
    )
    assert services["service"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert all(port.startswith("127.0.0.1:") for one in services.values() for port in one.get("ports", ()))


def test_the_command_for_a_cluster_starts_the_nodes_and_nothing_else() -> None:
    """Compose starts what is named and what that depends on."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    (named,) = re.findall(r"^docker compose --profile citus up -d(.*)$", CITUS_PAGE, re.MULTILINE)
    started = {one for name in named.split() for one in (name, *services[name].get("depends_on", {}))}
    assert started == {name for name, one in services.items() if "citus" in one.get("profiles", ())}
    assert all(f"`{name}`" in CITUS_PAGE for name in started)


def test_whatever_is_copied_is_there() -> None:
    sources = [source for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE) for source in line.split()[:-1]]
    assert len(sources) > 6
    assert [source for source in sources if not (ROOT / source).exists()] == []
    allowed = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert set(sources) == set(allowed)


def test_the_ports_are_those_that_the_image_exposes() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert services["service"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    assert re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE) == [PORT]
    assert f":{PORT}/readyz" in instruction("HEALTHCHECK")[-1]


@pytest.mark.slow
def test_its_commands_run(database: str) -> None:
    """As in the container: the link is in the log at once, the check finds the service well, and SIGTERM ends it."""
    program, *arguments = instruction("CMD")
    port, environment = str(free_port()), {**os.environ, URL_VARIABLE: database}
    command = [str(Path(sys.executable).with_name(program)), *arguments, "--port", port]
    check = [sys.executable, *(part.replace(PORT, port) for part in instruction("HEALTHCHECK")[1:])]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as service:
        assert service.stdout is not None
        assert any("/join?token=" in line for line in service.stdout)
        while subprocess.run(check, capture_output=True, check=False).returncode:
            assert service.poll() is None
        service.send_signal(signal.SIGTERM)
        grace = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["service"]["stop_grace_period"]
        assert service.wait(timeout=int(grace.removesuffix("s"))) in (0, -signal.SIGTERM)
