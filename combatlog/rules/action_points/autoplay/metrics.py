"""The metrics: what counts for or against an option, in points of VIT."""

from __future__ import annotations

from combatlog.rules.action_points.autoplay.options import PointsOption
from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import Metrics

METRICS = Metrics()


@METRICS.add(1)
def expected_damage(option: PointsOption, aim: OptionAim) -> float:
    """The expected damage: VIT in full, FAT in part, wounds extra."""
    return option.harm(aim)


@METRICS.add(1)
def healing_worth(option: PointsOption, aim: OptionAim) -> float:
    """The missing points that would be healed."""
    return option.healing(aim)


@METRICS.add(0.5)
def distance_to_enemies(option: PointsOption, aim: OptionAim) -> float:
    """Metres closer to an enemy, if none is in reach."""
    return option.closer(aim)


@METRICS.add(-0.5)
def effort(option: PointsOption, aim: OptionAim) -> float:
    """The effort for the actor; the less FAT is left, the more it counts."""
    return option.effort(aim)
