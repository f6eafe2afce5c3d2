"""A fight: what can be declared in it, corrected, and asked about it."""

from __future__ import annotations

from combatlog.between_fights import BetweenFights
from combatlog.commands import Commands
from combatlog.consent import Consenting
from combatlog.reading import Reading
from combatlog.short_forms import ShortForms


class Fight(Commands, BetweenFights, ShortForms, Consenting, Reading):
    """Whoever plays, such as a bot, needs no more than this: a fight in a ledger, or in memory for a test."""
