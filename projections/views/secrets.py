"""What is a secret, besides numbers: names that the views know."""

from __future__ import annotations

UNREVEALED = "core:condition:unrevealed"
"""Nobody but the GM knows yet that the combatant is there."""

JOIN = "core:time:join"
ARRIVES_HIDDEN = "hidden"
"""The option of a `join` with which somebody joins unrevealed."""

UNSEEN = frozenset({UNREVEALED, "dnd5e:condition:hidden"})
"""Whoever has one of these conditions is not seen by other sides, nor is anything that it does."""

UNNOTICED = frozenset({"dnd5e:condition:readied"})
"""Conditions that do not show: only the combatant's own side knows of them."""

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
