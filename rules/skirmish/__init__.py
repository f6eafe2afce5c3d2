"""Skirmish: two players, figures on a map, and cards whose effects are data.

The ability library is a JSON file; each property of an entry is one small implementation in `effects/`, found by its
name. Conditions and actions are pieces likewise. The attack knows none of them: it offers moments and collects what
they contribute.
"""

from rules.skirmish.ruleset import RULESET

__all__ = ["RULESET"]
