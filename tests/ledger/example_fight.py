"""The fight that docs/events.md opens with: `python -m tests.ledger.example_fight` records it again.

Times and ids are given, so that it is the same each time. Then run `python -m tools.vocabulary`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration, Opening, Reply
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.registry import encode
from projections.story.event_words import in_words
from tools.vocabulary import EXAMPLE

EVENING = datetime(2026, 1, 7, 20, 15, 30, tzinfo=UTC)
PROTECTION = Reply(reactor="osric", reaction="protection")


def joining(sheet: str, name: str, place: tuple[int, int], side: str) -> Declaration:
    options = {"sheet": rulesets.find("dnd5e").sheet(sheet), "name": name, "position": place, "side": side}
    return Declaration(actor=GM, action="core:time:join", options=options)


SAID = (
    (joining("goblin", "Snig", (2, 1), "foes"), None, ()),
    (joining("fighter", "Rurik", (1, 1), "heroes"), None, ()),
    (joining("paladin", "Osric", (1, 2), "heroes"), None, ()),
    (Declaration(actor=GM, action="core:time:start"), (20, 10, 5), ()),
    (Declaration(actor="snig", action="attack"), None, ()),
    (Declaration(actor="snig", action="strike", targets=("rurik",)), (15, 8), (PROTECTION,)),
)
"""What is declared, with which dice and answers."""


def fight() -> FightEngine:
    opening = Opening(name="Bridge ambush", dice="table", map=("......", "......", "......"))
    commands = iter(UUID(f"5b2f8c1e-4d3a-4f6b-9c7d-{number:012}") for number in range(1, 100))
    played = FightEngine.open(opening, next(commands), now=lambda: EVENING)
    for declaration, dice, replies in SAID:
        played.declare(declaration, dice=dice, replies=replies, command=next(commands))
    return played


def lines() -> Iterator[str]:
    for event in fight().events:
        name, content = encode(event)
        yield json.dumps({"name": name, "said": in_words(event), "event": json.loads(content)}, ensure_ascii=False)


if __name__ == "__main__":
    EXAMPLE.parent.mkdir(exist_ok=True)
    EXAMPLE.write_text("".join(f"{line}\n" for line in lines()), "utf-8")
