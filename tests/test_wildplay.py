"""Whatever people declare, answer and correct: no command fails otherwise than with a refusal, and the fight holds."""

from __future__ import annotations

import pytest

from tests import effort
from tests.wildplay import RULESETS, WildFight

FAILED_ONCE = {"dnd5e": (15009,)}
"""Seeds of fights in which defects were found that a shorter test does not show."""


@pytest.mark.parametrize("chance", range(effort.often(4, 40, 3000)))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_wild_fight_holds(ruleset: str, chance: int) -> None:
    """The same fights in every run, new ones with `COMBATLOG_FAULTS=full`: one in some hundred still finds a defect."""
    play(ruleset, effort.chance(ruleset, chance).randrange(10**9) if effort.SOAK else chance)


@pytest.mark.parametrize(("ruleset", "seed"), [(name, seed) for name, seeds in FAILED_ONCE.items() for seed in seeds])
def test_a_wild_fight_that_failed_once(ruleset: str, seed: int) -> None:
    play(ruleset, seed)


def play(ruleset: str, seed: int) -> None:
    fight = WildFight(ruleset, seed)
    try:
        fight.play()
    except Exception as error:
        error.add_note(f"python -m tests.wildplay {ruleset} --from {seed} --fights 1 --commands")
        raise
