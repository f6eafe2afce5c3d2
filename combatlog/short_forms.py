"""Short forms: to hit, to cast and to move, without knowing what the rules call it; and to look ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatlog.base import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.events import Data, Face, Position
    from projections.rolls_needed import RollNeeded
    from rules.engine.commands import Declaration, Reply
    from rules.engine.foresight import Foreseen


class ShortForms(Kept):
    """Each takes `actor`, by default whoever has the turn."""

    def ways_to_hit(
        self,
        target: str | None = None,
        *,
        actor: str | None = None,
        weapon: str | None = None,
        sees: Callable[[str], bool] | None = None,
    ) -> list[Declaration]:
        """The declarations with which somebody can hit a target now: one, or several if there is a choice.

        Without a target: the one that the actor has aimed at before in this turn, if whoever says it still sees it.
        """
        from rules.engine.short_forms import acting, last_target, ways_to_hit

        fight = self._in_memory()
        whom = target or last_target(fight, acting(fight.battle, actor), sees)
        return ways_to_hit(fight, whom, actor=actor, weapon=weapon)

    def way_to_cast(
        self,
        spell: str,
        target: str | Sequence[str] = (),
        *,
        actor: str | None = None,
        to: Position | None = None,
        options: Data | None = None,
    ) -> Declaration:
        """The declaration of a spell."""
        from rules.engine.short_forms import way_to_cast

        targets = (target,) if isinstance(target, str) else target
        return way_to_cast(self._in_memory(), spell, targets=targets, to=to, options=options, actor=actor)

    def way_to_move(
        self, to: Position, *, via: Sequence[Position] = (), actor: str | None = None, as_seen: bool = False
    ) -> Declaration:
        """The declaration with which somebody gets to a square at the lowest price."""
        from rules.engine.short_forms import way_to_move

        return way_to_move(self._in_memory(), to, via=via, actor=actor, as_seen=as_seen)

    def foresee(
        self, said: Declaration | Reply, dice: Sequence[Face] = (), *, through_windows: bool = True
    ) -> Foreseen:
        """What a declaration or an answer would lead to if faces that are not given are low, and nobody reacts who has
        to be asked; or up to that window. Nothing is recorded. It is refused if it would be."""
        from rules.engine.foresight import foresee

        return foresee(self._in_memory(), said, dice, through_windows=through_windows)

    def needed_rolls(self, said: Declaration | Reply, dice: Sequence[Face] = ()) -> list[RollNeeded]:
        """Every roll that a declaration or an answer needs beyond these faces, in order, up to the next window."""
        from rules.engine.foresight import needed_rolls

        return needed_rolls(self._in_memory(), said, dice)
