"""Features of legendary creatures: legendary actions, lair actions, legendary resistance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

from combatlog.rules.dnd5e.contexts import Context, LairCount, Save, TurnEnding
from combatlog.rules.dnd5e.creatures.loadout import piece_of
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import can_pay, pay, renew
from combatlog.rules.dnd5e.hit_points import is_bloodied
from combatlog.rules.dnd5e.legendary_actions import (
    LAIR,
    OutOfTurnMove,
    OutOfTurnMoveOptions,
    chosen_move,
    first_possible,
    move_extra,
    needs_aim,
    pool_of,
    with_extra_movement,
)
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.saves_and_checks import FAILED
from combatlog.rules.dnd5e.turns_and_rests import TURN_ENDING
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Data
from projections.battle.combatant import Combatant

C = TypeVar("C", bound=Context)


class OutOfTurn(Feature, Reaction[C]):
    """One of several actions, chosen when asked. It takes no reaction."""

    reaction_options = OutOfTurnMoveOptions
    nothing_left: ClassVar[str]

    def known(self, owner: Combatant) -> Sequence[OutOfTurnMove]:
        """All of the owner's actions."""
        raise NotImplementedError

    def is_left(self, owner: Combatant, move: OutOfTurnMove) -> bool:
        """Whether the owner can still pay for an action."""
        raise NotImplementedError

    def moves(self, owner: Combatant) -> Sequence[OutOfTurnMove]:
        return [move for move in self.known(owner) if self.is_left(owner, move)]

    def obstacle(self, context: C, reactor: Combatant) -> str | None:
        moves = self.moves(reactor)
        if not moves:
            return f"{reactor.name} {self.nothing_left}"
        if not any(map(needs_aim, moves)) and first_possible(context.battle, reactor, moves) is None:
            return f"{reactor.name} reaches no enemy from here"
        return None

    def is_useful(self, context: C, reactor: Combatant) -> bool:
        return first_possible(context.battle, reactor, self.moves(reactor)) is not None

    def react(self, table: Table, context: C, reactor: Combatant, paid: dict[str, int]) -> None:
        said, moves = OutOfTurnMoveOptions.read(context.said), self.moves(reactor)
        striding_one = with_extra_movement(reactor, moves, said)
        goes_first = (
            striding_one is not None and striding_one.stride is not None and striding_one.stride.when == "before"
        )
        if striding_one is not None and goes_first:
            move_extra(table, reactor, striding_one, said.way, context.as_seen)
        named = [striding_one] if striding_one is not None else moves
        chosen = chosen_move(table, reactor, named, said, context.as_seen)
        if chosen is not None:
            move, declared = chosen
            self.pay_for(table, reactor, move)
            move.perform(table, reactor, declared)
        if striding_one is not None and not goes_first:
            move_extra(table, reactor, striding_one, said.way, context.as_seen)

    def price_of(self, move: OutOfTurnMove) -> dict[str, int]:
        """The cost of this action, on top of what it costs anyway."""
        raise NotImplementedError

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        """One for each action that is left."""
        for move in self.moves(reactor):
            yield {"action": move.name}, self.price_of(move) | move.price(reactor)

    def pay_for(self, table: Table, owner: Combatant, move: OutOfTurnMove) -> None:
        pay(table, owner, self.price_of(move), move.name, self.ref)

    def least_price(self, owner: Combatant) -> dict[str, int]:
        """The cost of the cheapest action, for menus."""
        return {}


@piece
class LegendaryAction(OutOfTurn[TurnEnding]):
    """Act at the end of another creature's turn; the start of your own turn restores all legendary actions."""

    name = "legendary_action"
    moments = (TURN_ENDING,)
    nothing_left = "cannot pay for any legendary action"

    def pools(self, sheet: Sheet) -> dict[str, int]:
        if not sheet.legendary:
            return {}
        return {self.name: sheet.legendary_actions, **{_once(move.name): 1 for move in sheet.legendary if move.once}}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {}

    def known(self, owner: Combatant) -> Sequence[OutOfTurnMove]:
        return sheet_of(owner).loadout.legendary

    def is_left(self, owner: Combatant, move: OutOfTurnMove) -> bool:
        is_unused = not move.once or owner.economy.left(_once(move.name)) > 0
        return is_unused and move.cost <= owner.economy.left(self.name)

    def obstacle(self, context: TurnEnding, reactor: Combatant) -> str | None:
        if context.whose is reactor:
            return f"it is {reactor.name}'s own turn"
        return super().obstacle(context, reactor)

    def price_of(self, move: OutOfTurnMove) -> dict[str, int]:
        return {self.name: move.cost} | ({_once(move.name): 1} if move.once else {})

    def least_price(self, owner: Combatant) -> dict[str, int]:
        return {self.name: min((move.cost for move in self.known(owner)), default=1)}

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        if self.name in owner.economy:
            renew(table, owner, self.name, sheet_of(owner).legendary_actions)
            for move in filter(lambda move: move.once, self.known(owner)):
                renew(table, owner, _once(move.name), 1)


def _once(name: str) -> str:
    """The resource of a legendary action that can be used once between turns."""
    return f"{name}_once"


@piece
class LairAction(OutOfTurn[LairCount]):
    """Take a lair action on initiative count 20, never the same one two rounds in a row."""

    name = "lair_action"
    moments = (LAIR,)
    nothing_left = "has no lair action"

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {pool_of(move): 1 for move in sheet.loadout.lair}

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {}

    def known(self, owner: Combatant) -> Sequence[OutOfTurnMove]:
        return sheet_of(owner).loadout.lair

    def is_left(self, owner: Combatant, move: OutOfTurnMove) -> bool:
        return can_pay(owner, {pool_of(move): 1})

    def price_of(self, move: OutOfTurnMove) -> dict[str, int]:
        return {pool_of(move): 1}


@piece
class LegendaryResistance(Feature, Reaction[Save]):
    """Succeed on a saving throw that failed."""

    name = "legendary_resistance"
    moments = (FAILED,)
    while_incapacitated = True

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: sheet.legendary_resistances} if sheet.legendary_resistances else {}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.LONG

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {self.name: 1}

    def obstacle(self, context: Save, reactor: Combatant) -> str | None:
        return None if context.saver is reactor else f"it is not {reactor.name}'s save"

    def is_useful(self, context: Save, reactor: Combatant) -> bool:
        """Useful against more than damage, and against damage once bloodied."""
        source = piece_of(reactor, context.source)
        only_harms = source is not None and not (getattr(source, "condition", None) or getattr(source, "then", None))
        return is_bloodied(reactor) or not only_harms

    def react(self, table: Table, context: Save, reactor: Combatant, paid: dict[str, int]) -> None:
        context.resisted = True
