"""A fight: what can be declared in it, corrected, and asked about it."""

from __future__ import annotations

from combatlog.commands import Commands
from combatlog.corrections import Corrections
from combatlog.reading import Reading
from combatlog.short_forms import ShortForms


class Fight(Commands, ShortForms, Corrections, Reading):
    """Whoever plays, such as a bot, needs no more than this: a fight in a ledger, or in memory for a test."""
