"""The Python in the documents runs and prints what they say."""

from __future__ import annotations

from pathlib import Path

from tests.docs.blocks import sources, with_output

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "python.md").read_text("utf-8")


def test_every_block_prints_what_the_document_says(cli_database: str) -> None:
    """If only the wording has changed: `python -m tests.docs.blocks docs/python.md`."""
    assert with_output(GUIDE, "docs/python.md") == GUIDE


def test_the_bot_has_at_most_thirty_lines() -> None:
    (bot,) = sources(GUIDE.split("## A bot in thirty lines\n")[1].split("\n## ")[0])
    assert len(bot.splitlines()) <= 30
    assert "react(" in bot
    assert "combatlog.Amend(" in bot
    assert "combatlog.say(" in bot
