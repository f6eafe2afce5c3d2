"""Files as nobody should make them, given to the commands: one sentence each, and nothing written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.fuzz.test_import_limits import opened


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"\xef\xbb\xbf" + opened("a"),
        b"[" * 100_000,
        opened("a")[:-20],
        opened("a").decode().encode("utf-16"),
        b'{"encounter": "\\ud800"}',
        opened("a") + b"\0",
    ],
    ids=["no text", "a mark of byte order", "nested", "cut off", "utf-16", "half a pair of surrogates", "NUL"],
)
def test_the_command_refuses_in_one_sentence(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "spoilt.jsonl"
    file.write_bytes(content)
    refused = run("import", str(file))
    assert (refused.status, refused.code, refused.out) == (1, "import/unreadable", "")
    assert refused.err.count("\n") == 2


def test_the_command_does_not_read_a_device_to_its_end(run: Run) -> None:
    assert "[import/too-large]" in run("import", "/dev/zero").err


LIBRARIES = {
    "two names alike by halves of surrogates": '{"abilities": {"\\ud800": 1, "\\ud800": 2}}',
    "thirty thousand names": json.dumps({"abilities": {str(number): 1 for number in range(30_000)}}),
    "nested": '{"abilities": ' + "[" * 100_000,
    "a number of thousands of digits": '{"abilities": {"X": {"type": "ccEffect", "cost": ' + "9" * 5_000 + "}}}",
    "no number at all": '{"abilities": {"X": {"type": "ccEffect", "cost": NaN}}}',
    "NUL": '{"abilities": {"X": {"type": "ccEffect", "label": "\\u0000"}}}',
    "a list": "[]",
    "nothing": "",
    "escape codes": '{"abilities": {"\\u001b[31m\\u202e": {"type": "\\u001b[31m"}}}',
}


@pytest.mark.slow
@pytest.mark.parametrize("text", LIBRARIES.values(), ids=list(LIBRARIES))
def test_a_library_that_is_none_is_refused_by_every_command_that_reads_one(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "library.json"
    file.write_text(text)
    for arguments in (("list",), ("show", "Focus")):
        refused = run("abilities", *arguments, "--library", str(file))
        assert (refused.status, refused.err.count("\n")) == (1, 2)
        assert len(refused.err) < 10_000
    assert json.loads(run("abilities", "list", "--json", "--library", str(file)).err)["code"] == "library/invalid"
    refused = run("new", "cards", "--ruleset", "skirmish", "--library", str(file))
    assert refused.code == "library/invalid"
    for arguments in ((), ("--json",)):
        checked = run("abilities", "check", str(file), *arguments)
        assert checked.status == 1
        assert not set("\x1b\u202e") & set(checked.out if not arguments else "")
    assert json.loads(run("list", "--json").out)["total"] == 0


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_numbers_instead(cli_database: str) -> None:
    def said(*arguments: str) -> bytes:
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        command = [sys.executable, "-m", "cli.app", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, check=True).stdout

    said("new", "Käse \N{DRAGON}")
    assert b"K\\xe4se" in said("list")
    assert json.loads(said("list", "--json"))["encounters"][0]["name"] == "Käse \N{DRAGON}"
    assert "Käse \N{DRAGON}" in said("export", "--all").decode()
