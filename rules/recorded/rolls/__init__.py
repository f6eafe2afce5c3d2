"""Reading dice text: what other tools print when somebody rolls, with every face that they print."""

from rules.recorded.rolls.parser import read_roll
from rules.recorded.rolls.reading import RollText
from rules.recorded.rolls.tokens import Unreadable

__all__ = ["RollText", "Unreadable", "read_roll"]
