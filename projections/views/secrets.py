"""What is a secret, besides numbers: names that the views know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ledger.events import Data


class Shown(StrEnum):
    """What a fight may show of those who are known by sight only, if it is opened so."""

    HIT_POINTS = "hit_points"
    """Exact numbers instead of a word, and how much damage was dealt."""
    ARMOUR_CLASS = "armour_class"
    """The number that an attack has to reach."""
    DICE = "dice"
    """Their rolls and totals, and the modifiers."""
    INITIATIVE = "initiative"
    """The numbers and not only the order."""
    SHEETS = "sheets"
    """Everything that is on their sheets, their resources, hit points and armour class."""
    REASONS = "reasons"
    """What people wrote: reasons, rulings and notes. They may name anybody."""


PLAYERS_SEE = "players_see"
"""The option of an encounter that says what is shown; see `Shown`."""

SALT = "salt"
"""The option of an encounter that keeps proofs of what was shown from telling anything; see `shown`."""

FOR_THE_GM = "secret"
"""The option of a declaration that is for the GM alone: a roll, a ruling, a note."""
NOTE = "core:note:note"
NOTE_TEXT = "text"
ROLL_ASIDE = "core:note:roll"
ROLLED_ALOUD = frozenset({"dice", "purpose"})
"""Options of a note and of a roll that the rules do not ask for, which everybody hears if they are not secret."""

UNREVEALED = "core:condition:unrevealed"
"""Nobody but the GM knows yet that the combatant is there."""

JOIN = "core:time:join"
ARRIVES_HIDDEN = "hidden"
"""The option of a `join` with which somebody joins unrevealed."""

RULE = "core:ruling:rule"
SETTLES = "answers"
"""The option of a ruling with the number of the question that it settles."""
INITIATIVE = "core:time:initiative"
PLACES = "values"
"""The option of a declaration that sets initiative: whose."""

CONCEALS = "conceals"
"""The option of an encounter with what its ruleset declared as concealing when the fight was opened."""


@dataclass(frozen=True, slots=True)
class Concealing:
    """The conditions of a ruleset that keep something from other sides, by their refs."""

    unseen: frozenset[str] = frozenset()
    """A combatant with one of these is not seen, nor is anything that it does."""
    unnoticed: frozenset[str] = frozenset()
    """These do not show: only the combatant's own side knows of them."""

    def as_option(self) -> Data:
        """What is recorded with a fight, so that its views stay the same whatever becomes of the ruleset."""
        declared = {"unseen": sorted(self.unseen), "unnoticed": sorted(self.unnoticed)}
        return {CONCEALS: declared} if self.unseen or self.unnoticed else {}

    @classmethod
    def in_force(cls, options: Data) -> Concealing:
        """What conceals in a fight that was opened with these options."""
        recorded = options.get(CONCEALS)
        if recorded is None:
            return _NOT_RECORDED
        return cls(frozenset(recorded["unseen"]), frozenset(recorded["unnoticed"]))


def public_options(options: Data) -> Data:
    """What every seat may know of how a fight was opened."""
    return {CONCEALS: options[CONCEALS]} if CONCEALS in options else {}


_NOT_RECORDED = Concealing(frozenset({"dnd5e:condition:hidden"}), frozenset({"dnd5e:condition:readied"}))
"""In fights that were opened before rulesets declared it, where no other ruleset had such conditions."""

SAID_ALOUD = frozenset({"spell", "card", "item"})
"""Options of a declaration that everybody notices: which spell is cast, which card is played."""

CHOSEN_FACE_DOWN = "secret"
"""The type of what somebody chooses face down: others learn that it was chosen, not what it is."""

FACE_DOWN = "deck"
"""The pile whose order nobody knows, not even its owner."""
FACE_UP = "discard"
"""The pile whose cards everybody sees."""
A_CARD = "?"
"""Stands for a card that is not seen."""
