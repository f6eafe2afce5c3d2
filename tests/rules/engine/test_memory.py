"""What a fight that nobody needs any more leaves behind."""

from __future__ import annotations

import gc
import weakref

from combatlog.testing import Drill


def test_a_fight_is_freed_without_the_collector() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", at=(1, 1))
    drill.join("goblin", "Snig", side="foes", at=(2, 1))
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    battle = weakref.ref(drill.fight.battle)
    gc.disable()
    try:
        del drill
        assert battle() is None
    finally:
        gc.enable()
