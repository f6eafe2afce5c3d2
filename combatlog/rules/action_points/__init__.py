"""Action points: an action costs 1 AP and 1 FAT (fatigue), or 2 AP. The more FAT is left, the faster AP recovers.

Skills are rolled with exploding fate dice against a target value. Damage waits in pending pools and takes effect at
the end of each round. Every action, reaction and condition is a small piece in `actions/`, `reactions.py` or
`conditions.py`, found by its name; the numbers and formulas are in `tables_and_formulas.py`.
"""

from combatlog.rules.action_points.ruleset import RULESET

__all__ = ["RULESET"]
