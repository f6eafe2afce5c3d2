"""A fight for corrections: what is declared first in round 2 costs FAT, and FAT decides what the rounds after recover.

Ana the duelist has AP 4 and FAT 16; Nil the novice only ends its turns and, with AP 1, is always second. Every
action is an easy use of athletics with dice that change nothing: AS 10, or 9 after the first action of a round.

    round 1    3 actions                            FAT 13, AP 1    end: FAT 14, recovers 3, AP 4
    round 2    the costly one: 1 AP, 1 + 4 FAT      FAT  9, AP 3
               3 actions                            FAT  6, AP 0    end: FAT  7, recovers 1, AP 1
    round 3    1 action                             FAT  6, AP 0    end: FAT  7, recovers 1, AP 1

Without the costly one:

    round 2    3 actions                            FAT 11, AP 1    end: FAT 12, recovers 3, AP 4
    round 3    1 action                             FAT 11, AP 3    end: FAT 12, recovers 3, AP 4 (6, capped)

The first of the three actions in round 2 is then the first of the round: it rolls 10 instead of 9.
"""

from __future__ import annotations

from dataclasses import dataclass

from combatlog.testing import Drill
from tests.rules.action_points.support import ZERO

COSTLY = {"boost_fat": 4}


@dataclass(frozen=True)
class AfterRound:
    fat: int
    ap: int
    recovered: int


WITH = {1: AfterRound(14, 4, 3), 2: AfterRound(7, 1, 1), 3: AfterRound(7, 1, 1)}
WITHOUT = {1: AfterRound(14, 4, 3), 2: AfterRound(12, 4, 3), 3: AfterRound(12, 4, 3)}
TOTALS_IN_ROUND_2 = {"with": [14, 9, 9, 9], "without": [10, 9, 9]}


def act(drill: Drill, **options: int) -> int:
    """Use athletics against 4; the seq of the declaration."""
    said = {"skill": "athletics", "tv": "easy", **options}
    return drill.do("ana", "use_skill", options=said, dice=ZERO)[0].seq


def end_round(drill: Drill) -> None:
    drill.do("ana", "end-turn")
    drill.do("nil", "end-turn")


def play(*, costly: bool = True) -> tuple[Drill, int | None]:
    """The fight up to the beginning of round 4, and the seq of the costly declaration."""
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana")
    drill.join("novice", "Nil", side="foes")
    drill.start()
    for _ in range(3):
        act(drill)
    end_round(drill)
    declared = act(drill, **COSTLY) if costly else None
    for _ in range(3):
        act(drill)
    end_round(drill)
    act(drill)
    end_round(drill)
    return drill, declared
