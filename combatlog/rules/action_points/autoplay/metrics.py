"""The metrics: what counts for or against an option, in points of VIT."""

from __future__ import annotations

from combatlog.rules.action_points.autoplay.options import PointsOption
from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import Metrics

METRICS = Metrics()


@METRICS.add(1)
def expected_damage(option: PointsOption, aim: OptionAim) -> float:
    """The damage to be expected: VIT in full, FAT in part, wounds on top."""
    return option.harm(aim)


@METRICS.add(1)
def healing_worth(option: PointsOption, aim: OptionAim) -> float:
    """What would be healed of what is missing."""
    return option.healing(aim)


@METRICS.add(0.5)
def distance_to_enemies(option: PointsOption, aim: OptionAim) -> float:
    """Metres closer, for those who reach nobody."""
    return option.closer(aim)


@METRICS.add(-0.5)
def effort(option: PointsOption, aim: OptionAim) -> float:
    """What it takes out of the actor: the less FAT is left, the more it counts."""
    return option.effort(aim)
