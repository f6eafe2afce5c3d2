"""Corrections: undo, redo, amend, insert, fork. A correction is an event; nothing is deleted."""
