"""Automatic play: the options of a combatant, their scores and the best choice. Independent of any ruleset."""
