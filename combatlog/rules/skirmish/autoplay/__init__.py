"""Automatic play for skirmish: options with exact attack odds, and metrics."""
