"""What a player cannot do with Command cards for a while."""

from __future__ import annotations

from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.play import Play
from projections.combatant import Combatant

SIGNAL_JAMMER = "skirmish:condition:signal_jammer"


@piece
class NoCards(Condition):
    """The player cannot play Command cards until the round ends."""

    name = "no_cards"


@piece
class NoDrawing(Condition):
    """The player draws no Command cards until the round ends."""

    name = "no_drawing"


@piece
class SignalJammer(Condition):
    """Held by a player: the next Command card that anybody plays has no effect."""

    name = "signal_jammer"

    def on_card(self, play: Play, owner: Combatant) -> None:
        source = owner.conditions[self.ref].source
        play.table.remove_condition(owner, self.ref, f"{name_of(play.battle, source)} cancels {play.reason}")
        play.is_cancelled = True
