"""D&D 5e: a two-level action economy and an attack in four phases.

The economy (action, bonus action, reaction) buys capacity (attacks, movement); actions spend capacity and do.
Everything that can be done or can hold is a small piece in one of the folders beside this file, found by its name.
"""

from rules.dnd5e.ruleset import RULESET

__all__ = ["RULESET"]
