"""In which round something ends that lasts until somebody's next turn."""

from __future__ import annotations

from combatlog.testing import Drill
from ledger.events import InitiativeEntry, Until, UntilMoment
from projections.battle.clock_and_map import Clock
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from tests.cases import each

ORDER = [InitiativeEntry(combatant=name, value=value) for name, value in (("ana", 20), ("bor", 10), ("cid", 5))]
START, END = UntilMoment.TURN_START, UntilMoment.TURN_END


@each(
    ("turn", "moment", "whose", "ends"),
    [
        ("ana", START, "bor", 3),  # Bor's turn comes in this round
        ("bor", START, "ana", 4),  # Ana's is over
        ("bor", START, "bor", 4),  # his own next turn
        ("bor", END, "cid", 3),
        ("bor", END, "ana", 4),
        ("bor", END, "bor", None),  # the end of the turn in progress needs no round
        ("bor", START, "nobody", None),
        (None, START, "bor", None),
    ],
)
def test_the_order_of_turns_tells_the_round(
    turn: str | None, moment: UntilMoment, whose: str, ends: int | None
) -> None:
    clock = Clock(round=3, turn=turn, order=ORDER)
    assert clock.dated(Until(moment=moment, whose=whose)).round == ends


def test_a_round_that_is_given_stays() -> None:
    clock = Clock(round=3, turn="ana", order=ORDER)
    assert clock.dated(Until(moment=START, whose="bor", round=11)).round == 11
    assert clock.dated(Until(moment=UntilMoment.ROUND_END)).round == 3


def test_a_dodge_says_in_which_round_it_ends() -> None:
    drill = Drill()
    drill.join("fighter", "Sister Ilse", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    applied = next(event for event in drill.do("sister-ilse", "dodge").events if event.kind == "condition_applied")
    assert in_words(applied, CombatantNames.of(drill.history())) == (
        "Sister Ilse is dodging until the start of Sister Ilse's turn in round 2 (dodge)"
    )
