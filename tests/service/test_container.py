"""The container has every package, and the compose file runs it against the database."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_the_image_has_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = set(re.findall(r"^COPY (\w+) \1$", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
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
    assert all(port.startswith("127.0.0.1:") for one in services.values() for port in one["ports"])
