"""Readers for the files of other tools: logs of fights, and stat blocks."""
