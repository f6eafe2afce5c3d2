"""What a seat was shown, as lines of JSON that it can keep: first what it is, then each event."""

from __future__ import annotations

import json
from collections.abc import Iterator

from projections.views.onlooker import Onlooker

VERSION = 1
"""Of these lines. Raised whenever what is shown of the same event changes."""


def shown_lines(seen: Onlooker) -> Iterator[str]:
    battle = seen.battle
    yield json.dumps(
        {"shown": VERSION, "encounter": str(battle.id), "name": battle.name, "seat": seen.seat.words},
        ensure_ascii=False,
    )
    for event in seen.seen:
        yield json.dumps({"event": event.model_dump(mode="json", exclude_none=True)}, ensure_ascii=False)
