"""What an option would lead to, as far as it can be foreseen."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.events import Data, Position
from rules.dnd5e.autoplay.odds import Odds


@dataclass(frozen=True, slots=True)
class Affliction:
    """A condition that would begin, or end, with some chance, and the turns that it counts for."""

    target: str
    condition: str
    chance: float = 1.0
    turns: int = 1
    ends: bool = False
    data: Data = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    harm: dict[str, Odds] = field(default_factory=dict)
    """What each of those it hurts would lose."""
    healing: dict[str, Odds] = field(default_factory=dict)
    afflictions: list[Affliction] = field(default_factory=list)
    struck_by: list[str] = field(default_factory=list)
    """The enemies that may strike at the actor on its way."""
    place: Position | None = None
    """Where the actor would stand then, if it moves."""
    opens_up: float = 0.0
    """What it makes possible after it, in hit points."""
    ambush: float = 0.0
    """What an attack that has to wait would bring, by how likely it is made: from hiding, or when somebody comes."""
    spared: float = 0.0
    """What the actor would not lose until its next turn, beyond what its conditions say."""
    nearer: float = 0.0
    """Steps that it brings the actor nearer to the enemy where it has nobody to attack."""
