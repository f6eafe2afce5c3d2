"""What several tests begin with."""

from __future__ import annotations

from combatlog.testing import Drill


def protected_duel() -> Drill:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 10, 5])
    return drill
