"""What an option would lead to, as far as it can be foreseen."""

from __future__ import annotations

from dataclasses import dataclass, field

from combatlog.rules.dnd5e.autoplay.odds import Odds
from ledger.events import Data, Position


@dataclass(frozen=True, slots=True)
class Affliction:
    """A condition that would begin or end with some chance, and how many turns it counts for."""

    target: str
    condition: str
    chance: float = 1.0
    turns: int = 1
    ends: bool = False
    data: Data = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    harm: dict[str, Odds] = field(default_factory=dict)
    """The odds of what each target would lose."""
    healing: dict[str, Odds] = field(default_factory=dict)
    afflictions: list[Affliction] = field(default_factory=list)
    struck_by: list[str] = field(default_factory=list)
    """The enemies that could attack the actor on its way."""
    place: Position | None = None
    """Where the actor would end up, if it moves."""
    opens_up: float = 0.0
    """What it makes possible afterwards, in hit points."""
    ambush: float = 0.0
    """The expected worth of an attack that has to wait: from hiding, or when somebody approaches."""
    spared: float = 0.0
    """What the actor would be spared until its next turn, besides what conditions do."""
    nearer: float = 0.0
    """How many steps closer to the enemy it brings an actor with nobody to attack."""
