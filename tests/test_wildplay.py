"""Whatever people declare, answer and correct: no command fails otherwise than with a refusal, and the fight holds."""

from __future__ import annotations

import random

import pytest

from tests.effort import everything, often
from tests.wildplay import RULESETS, WildFight


@pytest.mark.parametrize("chance", range(often(4, 60, 3000)))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_wild_fight_holds(ruleset: str, chance: int) -> None:
    """The same fights in every plain run, others with everything; `python -m tests.wildplay` repeats a seed."""
    seed = random.randrange(10**9) if everything() else chance
    fight = WildFight(ruleset, seed)
    try:
        fight.play()
    except Exception as error:
        error.add_note(f"python -m tests.wildplay {ruleset} --from {seed} --fights 1 --commands")
        raise
