"""Corrections: undo, redo, amend, fork.

Nothing is deleted: a correction is an event, and later declarations are resolved again on the corrected state, each
over its own tape.
"""
