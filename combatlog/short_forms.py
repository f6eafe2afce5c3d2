"""Short forms: to hit, to cast and to move, without knowing what the rules call it; and to look ahead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from combatlog.base import Kept, listed_replies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from combatlog.base import Replies
    from ledger.events import Data, Face, Position
    from projections.rolls_needed import RollNeeded
    from rules.engine.commands import Declaration, Reply
    from rules.engine.foresight import Foreseen
    from rules.engine.outcome import Outcome


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

    def hit(
        self,
        target: str | None = None,
        *,
        actor: str | None = None,
        weapon: str | None = None,
        sees: Callable[[str], bool] | None = None,
        dice: Sequence[Face] | None = None,
        replies: Replies = (),
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Make the obvious attack: take the action for it, if it takes one, and strike with the weapon in hand."""

        def way() -> Declaration:
            return self.ways_to_hit(target, actor=actor, weapon=weapon, sees=sees)[0]

        return self._say(way, dice, replies, by, command_id)

    def cast(
        self,
        spell: str,
        target: str | Sequence[str] = (),
        *,
        actor: str | None = None,
        to: Position | None = None,
        options: Data | None = None,
        dice: Sequence[Face] | None = None,
        replies: Replies = (),
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Cast a spell, by its name or the beginning of it."""

        def way() -> Declaration:
            return self.way_to_cast(spell, target, actor=actor, to=to, options=options)

        return self._say(way, dice, replies, by, command_id)

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

    def move(
        self,
        to: Position,
        *,
        via: Sequence[Position] = (),
        actor: str | None = None,
        as_seen: bool = False,
        dice: Sequence[Face] | None = None,
        replies: Replies = (),
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Move to a square at the lowest price; `via` are squares to pass on the way, if the rules let one choose.

        With `as_seen`, the way is found as the side of the actor sees the map, not around somebody whom it does not
        see; if it meets one there, it is refused.
        """
        way = partial(self.way_to_move, to, via=via, actor=actor, as_seen=as_seen)
        return self._say(way, dice, replies, by, command_id)

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

    def _say(
        self,
        way: Callable[[], Declaration],
        dice: Sequence[Face] | None,
        replies: Replies,
        by: str | None,
        command_id: UUID | None,
    ) -> Outcome:
        """Declare it. A command that was carried out before may have used up what it took."""
        from rules.engine.refusal import Refusal

        try:
            found = way()
        except Refusal:
            if (repeated := self._repeated(command_id)) is not None:
                return repeated
            raise
        said = found.model_copy(update={"by": by}) if by is not None else found
        return self.declare(said, dice=dice, replies=listed_replies(replies), command_id=command_id)
