"""Dice notation, the sources of faces, and the protocols for committed and shared dice."""
