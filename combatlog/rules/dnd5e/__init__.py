"""D&D 5e: a two-level action economy, and attacks resolved in four phases.

The economy (action, bonus action, reaction) buys capacity (attacks, movement), and actions spend that capacity. Every
ability, action, feature, condition and spell is a small piece in one of the folders next to this file, found by name.
"""

from combatlog.rules.dnd5e.ruleset import RULESET

__all__ = ["RULESET"]
