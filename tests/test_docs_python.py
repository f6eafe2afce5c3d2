"""The Python in the documents runs and prints what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs_blocks import sources, with_output

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "python.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["docs/python.md", "README.md"])
def test_every_block_prints_what_the_document_says(name: str, cli_database: str) -> None:
    document = (ROOT / name).read_text("utf-8")
    assert with_output(document, name) == document


def test_the_bot_has_at_most_thirty_lines() -> None:
    (bot,) = sources(GUIDE.split("## A bot in thirty lines\n")[1].split("\n## ")[0])
    assert len(bot.splitlines()) <= 30
    assert "react(" in bot
    assert "plan_amend(" in bot
    assert "combatlog.say(" in bot
