"""Readers for the files of other tools: fight logs and stat blocks."""
