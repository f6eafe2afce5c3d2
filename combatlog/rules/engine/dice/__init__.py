"""Dice notation, where faces come from, and the protocols of committed and shared dice."""
