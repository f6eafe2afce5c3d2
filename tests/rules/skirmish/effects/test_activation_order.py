"""Cards about who is activated next."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rules.skirmish.arena import Arena, Case, of, run_property

HAN = ("Han", "rebels", (5, 7), {"name": "Han Solo"})
OTHER_FOE = ("Other", "empire", (9, 9), {})
THIRD_FOE = ("Third", "empire", (9, 7), {})
TWIN = ("Twin", "rebels", (4, 5), {"cost": 5})
DEAR = ("Dear", "rebels", (4, 6), {"cost": 8})


def turns(*expected: str) -> Callable[[Arena], None]:
    """Who is activated next, one after the other; each time nobody else can be. `a|b` leaves a choice."""

    def check(arena: Arena) -> None:
        for ready in expected:
            able = [figure.id for figure in arena.fight.ruleset.to_act(arena.fight.battle)]
            assert "|".join(able) == ready
            arena.do(able[0], "activate")
            arena.end(able[0])

    return check


CASES: dict[str, list[Case]] = {
    "firstActivationFigureName": [
        Case(  # the empire has the initiative in the second round
            {"rebels.conditions": []},
            {"firstActivationFigureName": "Han Solo"},
            how="start of round",
            others=[HAN],
            after=turns("foe", "han", "hero"),
        )
    ],
    "sitTightPlayerNum": [
        Case(  # two cards against three: the empire goes on until it has one left
            {},
            {"sitTightPlayerNum": True},
            how="start of round",
            others=[HAN, OTHER_FOE, THIRD_FOE],
            after=turns("foe|other|third", "other|third", "hero|han", "third", "han"),
        )
    ],
    "provokeNextActivation": [
        Case(  # of the two next to the trooper, the player chooses one
            {"empire.conditions": []},
            {"provokeNextActivation": True},
            how="end of activation",
            hero={"traits": ["TROOPER"]},
            others=[("Near", "empire", (5, 6), {}), OTHER_FOE],
            then=["near"],
            after=turns("near", "foe|other", "other"),
        ),
        Case({}, {"provokeNextActivation": True}, how="end of activation", is_offered=False),  # no TROOPER
    ],
    "strengthInNumbersPlayerNum": [
        Case(  # 5 and 5 are 10, but 5 and 8 are 13; then the turns go on as before
            {"rebels.conditions": []},
            {"strengthInNumbersPlayerNum": True},
            how="end of activation",
            others=[TWIN, DEAR],
            after=turns("twin", "foe", "dear"),
        )
    ],
    "squadSwarmPlayerNum": [
        Case(  # the other one called Hero
            {"rebels.conditions": []},
            {"squadSwarmPlayerNum": True},
            how="end of activation",
            others=[("Han", "rebels", (5, 7), {"name": "Han Solo", "cost": 1}), TWIN],
            after=turns("twin", "foe", "han"),
        ),
        Case(  # together they cost 16
            {},
            {"squadSwarmPlayerNum": True},
            how="end of activation",
            others=[("Twin", "rebels", (4, 5), {"cost": 11})],
            is_offered=False,
        ),
    ],
}


@pytest.mark.parametrize("case", of(CASES))
def test_property(case: Case) -> None:
    run_property(case)
