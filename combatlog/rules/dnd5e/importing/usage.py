"""What a special action costs, and how often it can be used."""

from __future__ import annotations

from typing import Any

from combatlog.rules.statblocks.block import Paragraph, Part
from ledger.events import Data

TAKES = {Part.ACTION: "action", Part.BONUS_ACTION: "bonus_action"}


def usage(paragraph: Paragraph) -> Data:
    used: dict[str, Any] = {}
    if TAKES.get(paragraph.part, "action") != "action":
        used["takes"] = TAKES[paragraph.part]
    if paragraph.uses is not None:
        used["uses"] = min(20, paragraph.uses)
    if paragraph.recharge is not None and paragraph.recharge >= 2:
        used["recharge"] = paragraph.recharge
    if paragraph.per_rest:
        used["back_after"] = "short"
    return used
