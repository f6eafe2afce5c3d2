"""Automatic play for skirmish: options with exact odds of attacks, and metrics."""
