"""Fights that other tools recorded: their logs as events, without any rules."""

from rules.recorded.ruleset import Recorded

RULESET = Recorded()

__all__ = ["RULESET"]
