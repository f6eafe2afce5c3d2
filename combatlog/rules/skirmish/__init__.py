"""Skirmish: two players, figures on a map, and cards whose effects are data.

The ability library is a JSON file; each property of an entry has one small implementation in `effects/`, found by its
name. Conditions and actions are small pieces too. The attack code does not know any of them: it opens windows at the
right moments and collects what they contribute.
"""

from combatlog.rules.skirmish.ruleset import RULESET

__all__ = ["RULESET"]
