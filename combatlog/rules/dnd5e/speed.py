"""How fast a creature is, on foot and in every other way, and how much of that is left this turn.

A turn's movement is a pool as large as its fastest speed. A slower way of moving can use up to its own speed of it, so
what was moved one way counts for all the others, as the SRD has it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import cast

from combatlog.rules.dnd5e.economy import DASHES, MOVEMENT
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, value_of
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.state import those_with
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import ChangeOp
from projections.combatant import Combatant

STEP = 5


class Gait(StrEnum):
    """A way of moving."""

    WALK = "walk"
    FLY = "fly"
    SWIM = "swim"
    CLIMB = "climb"
    BURROW = "burrow"


_IN_WORDS = {
    Gait.WALK: "walking speed",
    Gait.FLY: "flying speed",
    Gait.SWIM: "swimming speed",
    Gait.CLIMB: "climbing speed",
    Gait.BURROW: "burrowing speed",
}


def printed_speed(sheet: Sheet, gait: Gait) -> int:
    """The speed that the sheet has, in feet; 0 if it has none of that kind."""
    return sheet.speed if gait is Gait.WALK else cast(int, getattr(sheet.speeds, gait))


def speed_chain(combatant: Combatant, gait: Gait | None = None) -> Chain:
    """By default, of its fastest way of moving."""
    sheet = sheet_of(combatant)
    how = gait or Gait(sheet.fastest_gait)
    base = bonus("base", "dnd5e:score:speed", combatant.id, _IN_WORDS[how], printed_speed(sheet, how))
    chain = Chain("speed", STAGES, [base])
    for contributor in those_with(Contributor.on_speed, combatant):
        chain.add(*contributor.on_speed(combatant))
    return chain


def speed_of(combatant: Combatant, gait: Gait | None = None) -> int:
    return max(0, value_of(speed_chain(combatant, gait)))


def has_gait(combatant: Combatant, gait: Gait) -> bool:
    return printed_speed(sheet_of(combatant), gait) > 0


def movement_left(combatant: Combatant, gait: Gait = Gait.WALK) -> int:
    """How many feet it can still move in this way this turn."""
    left, sheet = combatant.economy.left(MOVEMENT), sheet_of(combatant)
    if sheet.fastest_gait == gait:
        return left
    slower = speed_of(combatant) - speed_of(combatant, gait)
    return max(0, left - slower * (1 + combatant.economy.left(DASHES)))


def dash(table: Table, actor: Combatant) -> None:
    """Gain movement equal to one's speed, whichever one uses."""
    table.gain(actor, MOVEMENT, speed_of(actor), "dash")
    if sheet_of(actor).fastest_gait != Gait.WALK:
        table.gain(actor, DASHES, 1, "dash")


def check_can_move(combatant: Combatant) -> None:
    if speed_of(combatant) == 0:
        causes = [m.reason for m in speed_chain(combatant) if m.change.op is ChangeOp.MULTIPLY]
        why = f" ({causes[-1]})" if causes else ""
        raise Refusal(
            "move/speed-0",
            f"{combatant.name}'s speed is 0{why}; it cannot move until that ends.",
            who=combatant.id,
            needed=STEP,
            available=0,
        )
