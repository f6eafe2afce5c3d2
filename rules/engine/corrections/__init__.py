"""Corrections: undo, redo, amend, fork. Nothing is deleted; a correction is an event, and later declarations are
resolved again over their own tapes on the corrected state."""
