"""The metrics of skirmish. Each one measures an option at an aim; its weight says how much that is worth."""

from __future__ import annotations

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import Metrics
from combatlog.rules.skirmish.autoplay.options import Activating, ConditionRemovalOption, SkirmishOption, UsingAbility
from combatlog.rules.skirmish.sheet import player_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, DECK

METRICS = Metrics()
FOLLOWING = 0.98
"""The worth of a later attack, relative to an attack that is made now."""


@METRICS.add(1.0)
def attack_worth(option: SkirmishOption, aim: OptionAim) -> float:
    """The expected damage that counts, and the chance of a defeat, with its victory points."""
    if not aim.targets:
        return 0.0
    foe = option.outlook.battle.combatants[aim.targets[0]]
    hits = option.hits if isinstance(option, UsingAbility) else 0
    return option.outlook.worth(foe, option.outlook.odds_against(foe, hits))


@METRICS.add(1.0)
def opens_up(option: SkirmishOption, aim: OptionAim) -> float:
    """The worth of the best attack from the destination, if the figure can still attack afterwards."""
    outlook, there = option.outlook, option.pose(aim)
    if there is None:
        return 0.0
    follows = outlook.attacks_after if ACTIONS in option.cost else outlook.can_attack
    return FOLLOWING * outlook.best_from(there) if follows else 0.0


@METRICS.add(0.25)
def nearer(option: SkirmishOption, aim: OptionAim) -> float:
    """Steps closer to the nearest foe, if the figure has no target from where it is."""
    outlook, there = option.outlook, option.pose(aim)
    if there is None or outlook.best_from(outlook.here) > 0:
        return 0.0
    return (outlook.steps_to_foes(outlook.here) - outlook.steps_to_foes(there)) * outlook.boldness


@METRICS.add(-0.15)
def danger(option: SkirmishOption, aim: OptionAim) -> float:
    """How much more health the figure could lose at its destination than where it is."""
    outlook, there = option.outlook, option.pose(aim)
    if there is None:
        return 0.0
    return (outlook.danger(there) - outlook.danger(outlook.here)) / outlook.boldness


@METRICS.add(1.0)
def terminals(option: SkirmishOption, aim: OptionAim) -> float:
    """How many more terminals the side would control, as long as it has cards to draw."""
    outlook, there = option.outlook, option.pose(aim)
    if there is None or not player_of(outlook.battle, outlook.actor).pile(DECK):
        return 0.0
    return float(outlook.terminals_at(there) - outlook.terminals_at(outlook.here))


@METRICS.add(0.5)
def useful_card(option: SkirmishOption, aim: OptionAim) -> float:
    """Whether a card or a special action without an attack changes something."""
    if not isinstance(option, UsingAbility) or aim.targets or not option.changes_something:
        return 0.0
    return float(option.outlook.can_attack or not option.is_for_next_attack)


@METRICS.add(5.0)
def prepares(option: SkirmishOption, aim: OptionAim) -> float:
    """Whether it costs no action and improves an attack that the figure can make from here."""
    if not isinstance(option, UsingAbility) or option.cost or not option.improves_attack:
        return 0.0
    outlook = option.outlook
    return float(option.changes_something and outlook.can_attack and outlook.best_from(outlook.here) > 0)


@METRICS.add(1.0)
def freed(option: SkirmishOption, aim: OptionAim) -> float:
    """The worth of removing a condition: the figure can attack again, or stops bleeding."""
    if not isinstance(option, ConditionRemovalOption):
        return 0.0
    return 3.0 if aim.options.get("condition") == "stunned" else 1.0


@METRICS.add(1.0)
def readiness(option: SkirmishOption, aim: OptionAim) -> float:
    """Prefers to activate the figure with the best attack, before it is defeated."""
    if not isinstance(option, Activating):
        return 0.0
    return 1.0 + option.outlook.best_from(option.outlook.here)
