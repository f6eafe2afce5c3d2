"""A pack may hold anything. What is not a regular file is refused instead of waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from combatlog.rules.content.files import read_text
from combatlog.rules.engine.refusal import Refusal


def test_a_named_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """In a process of its own, because a test that waits for a writer would never end."""
    pipe = tmp_path / "goblin.yaml"
    os.mkfifo(pipe)
    code = (
        f"from pathlib import Path; from combatlog.rules.content.files import read_text; read_text(Path({str(pipe)!r}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert f"{pipe} is not a regular file." in ran.stderr


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_text(Path(device))
    assert refused.value.code == "file/not-a-file"


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "goblin.yaml").write_text("hp: 7")
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "goblin.yaml")
    assert read_text(link) == "hp: 7"
