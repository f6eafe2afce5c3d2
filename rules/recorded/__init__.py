"""Fights that other tools recorded: their logs as events, without any rules."""
