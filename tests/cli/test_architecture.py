"""The two fights that docs/architecture.md walks through lead to the events that it lists."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text("utf-8")


def walk(heading: str) -> tuple[list[list[str]], dict[int, str]]:
    """The commands of a section, and the events it says they lead to."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"^```(text)?\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    commands = [line for language, block in blocks if not language for line in block.splitlines()]
    listed = [line for language, block in blocks if language for line in block.splitlines()]
    events = [line.split(maxsplit=2) for line in listed]
    return [shlex.split(command)[1:] for command in commands], {int(seq): kind for seq, kind, _ in events}


@pytest.mark.parametrize(
    ("heading", "name", "last"),
    [("One reaction", "Bridge", 33), ("One undo in the middle", "Dodge", 47)],
)
def test_a_walk_leads_to_the_events_it_lists(run: Run, heading: str, name: str, last: int) -> None:
    commands, listed = walk(heading)
    for command in commands:
        ran = run(*command)
        assert (ran.status, ran.err) == (0, ""), command
    recorded = {event["seq"]: event["kind"] for event in json.loads(run("log", name, "--json").out)}
    assert {seq: recorded.get(seq) for seq in listed} == listed
    assert max(listed) == max(recorded) == last
