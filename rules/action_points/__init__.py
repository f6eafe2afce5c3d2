"""Action points: every action costs AP, and either fatigue or more AP; fatigue decides how fast AP come back.

Skills are rolled with exploding fate dice against a target value. Damage waits in pending pools and is felt at the
end of rounds. Everything that can be declared, answered or held is a small piece in one of the folders beside this
file, found by its name; the numbers are in `tables.py` and the formulas in `formulas.py`.
"""

from rules.action_points.ruleset import RULESET

__all__ = ["RULESET"]
