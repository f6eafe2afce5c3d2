"""Reading dice text: what other tools print when somebody rolls, with every face that they print."""

from combatlog.rules.logs.rolls.parser import read_roll
from combatlog.rules.logs.rolls.reading import RollText
from combatlog.rules.logs.rolls.tokens import Unreadable

__all__ = ["RollText", "Unreadable", "read_roll"]
