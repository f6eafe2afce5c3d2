"""Fights that other tools recorded: their logs as events, without any rules."""

from combatlog.rules.recorded.ruleset import Recorded

RULESET = Recorded()

__all__ = ["RULESET"]
