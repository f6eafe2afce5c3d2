"""Moves out of turn: legendary and lair actions, each an attack or a special action that a sheet names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.areas import Area
from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.body import Stride
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, can_pay, pay
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.state import is_dead, is_hostile
from combatlog.rules.dnd5e.striding import check_stride, take_stride
from combatlog.rules.dnd5e.targeting import check_aim, one_target
from combatlog.rules.dnd5e.vitality import HP
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.engine.imagined import imagined, reading_table
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.seen_ways import seen_by
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant

OF_A_TURN = (ACTION, BONUS_ACTION)
"""What a move out of turn does not cost."""


class MoveOptions(Options):
    """What is said with a move out of turn."""

    action: str | None = Field(default=None, description="which one; the first that is possible if omitted")
    target: str | None = Field(default=None, description="its target, or several with commas; the weakest if omitted")
    to: str | None = Field(default=None, description="the square to aim at, such as 4,2")
    move: str | None = Field(default=None, description="the square to move to, if moving is part of it, such as 6,2")

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.target.split(",")) if self.target else ()

    @property
    def place(self) -> Position | None:
        return _square(self.to) if self.to is not None else None

    @property
    def way(self) -> Position | None:
        return _square(self.move) if self.move is not None else None


def _square(text: str) -> Position:
    x, _, y = text.partition(",")
    if not (x.strip().isdecimal() and y.strip().isdecimal()):
        raise Refusal("move/square", f"{text!r} is not a square; write it like 4,2.", found=text)
    return int(x), int(y)


@dataclass(frozen=True, slots=True)
class Move:
    """Something that a creature can do when it is not its turn."""

    name: str
    does: Weapon | Activity
    cost: int = 1
    stride: Stride | None = None
    """Movement that it can be combined with."""
    once: bool = False
    """Whether it can be used only once between two turns of its owner's."""

    def price(self, actor: Combatant) -> dict[str, int]:
        """What it costs besides: the uses and slots of a special action or spell."""
        if isinstance(self.does, Weapon):
            return {}
        return {name: cost for name, cost in self.does.price(actor, {}).items() if name not in OF_A_TURN}

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if isinstance(self.does, Weapon):
            check_aim(table.battle, actor, one_target(table, actor, declared.targets), self.does)
        else:
            self.does.check_state(table.battle, actor)
            self.does.check(table, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        pay(table, actor, self.price(actor), self.name, declared.action)
        if isinstance(self.does, Weapon):
            target = one_target(table, actor, declared.targets)
            resolve_attack(table, make_attack(table.battle, actor, target, self.does))
        else:
            self.does.perform(table, actor, declared)


def chosen_move(
    table: Table, actor: Combatant, moves: Sequence[Move], said: MoveOptions, as_seen: Literal[True] | None = None
) -> tuple[Move, Declared] | None:
    """The move that was named, aimed as was said; what is left open is the first that is possible.

    None: nobody said anything, and nothing is possible without.
    """
    battle, named = table.battle, [move for move in moves if said.action in (None, move.name)]
    if not named:
        raise _unknown(actor, moves, said)
    if said.target is None and said.to is None:
        found = first_possible(seen_by(battle, actor) if as_seen else battle, actor, named)
        if found is None and said.action is not None:
            raise Refusal(
                "move/no-aim",
                f"{said.action} gets at no enemy from here; say what {actor.name} aims it at.",
                who=actor.id,
                what=said.action,
            )
        return found
    aimed = [(move, _declared(battle, actor, move, said.targets, said.place, as_seen)) for move in named]
    chosen = next((one for one in aimed if _is_possible(table, actor, *one)), aimed[0])
    chosen[0].check(table, actor, chosen[1])  # says what is in the way of the only one, or of the first
    return chosen


def striding(actor: Combatant, moves: Sequence[Move], said: MoveOptions) -> Move | None:
    """The move that somebody who says where to go combines it with."""
    if said.move is None:
        return None
    named = [move for move in moves if said.action in (None, move.name)]
    if not named:
        raise _unknown(actor, moves, said)
    found = next((move for move in named if move.stride is not None), None)
    if found is None:
        raise Refusal(
            "move/no-stride",
            f"{actor.name} cannot move as part of {said.action or 'any of these'}; name no square to move to.",
            who=actor.id,
            what=said.action,
        )
    return found


def stride(
    table: Table, actor: Combatant, move: Move, to: Position | None, as_seen: Literal[True] | None = None
) -> None:
    if move.stride is not None and to is not None:
        seen = seen_by(table.battle, actor) if as_seen else table.battle
        check_stride(table.battle, actor, move.stride, to, seen)
        take_stride(table, actor, move.stride, to, move.name, move.does.ref, seen)


def _unknown(actor: Combatant, moves: Sequence[Move], said: MoveOptions) -> Refusal:
    names = [move.name for move in moves]
    return Refusal(
        "move/unknown",
        f"{actor.name} cannot use {said.action!r} now; choose {choices(names)}.",
        who=actor.id,
        what=said.action,
        available=names,
        suggestions=suggest(said.action or "", names),
    )


def first_possible(battle: Battle, actor: Combatant, moves: Sequence[Move]) -> tuple[Move, Declared] | None:
    """The first move that gets at an enemy, aimed at the one with the fewest hit points left.

    Which one it is must stay simple, and the same for good: recorded fights are resolved again by it.
    """
    table = reading_table(battle)
    for move in moves:
        for declared in _aimed(battle, actor, move) if can_pay(actor, move.price(actor)) else ():
            if _is_possible(table, actor, move, declared) and _gets_at_somebody(battle, actor, move, declared):
                return move, declared
    return None


def needs_aim(move: Move) -> bool:
    """Whether somebody has to say where it goes, as with a teleport."""
    does = move.does
    return move.stride is not None or (not isinstance(does, Weapon | Area) and Part.DESTINATION in does.signature.parts)


def _aimed(battle: Battle, actor: Combatant, move: Move) -> Iterator[Declared]:
    """At each enemy, the weakest first; at its own square; at nothing."""
    parts = {Part.TARGET} if isinstance(move.does, Weapon) else move.does.signature.parts
    for enemy in sorted(_enemies(battle, actor), key=lambda enemy: enemy.vitals[HP].current):
        if Part.TARGET in parts:
            yield _declared(battle, actor, move, (enemy.id,), None)
        if Part.DESTINATION in parts and enemy.position is not None:
            yield _declared(battle, actor, move, (), enemy.position)
    if Part.DESTINATION in parts and actor.position is not None:
        yield _declared(battle, actor, move, (), actor.position)
    if not parts:
        yield _declared(battle, actor, move, (), None)


def _enemies(battle: Battle, actor: Combatant) -> list[Combatant]:
    enemies = [other for other in battle.present() if is_hostile(actor, other) and not is_dead(other)]
    return battle.by_initiative(enemies)


def _declared(
    battle: Battle,
    actor: Combatant,
    move: Move,
    targets: tuple[str, ...],
    place: Position | None,
    as_seen: Literal[True] | None = None,
) -> Declared:
    weapon, ref = move.does.name if isinstance(move.does, Weapon) else None, move.does.ref
    return imagined(battle, actor.id, ref, targets=targets, destination=place, weapon=weapon, as_seen=as_seen)


def _is_possible(table: Table, actor: Combatant, move: Move, declared: Declared) -> bool:
    try:
        move.check(table, actor, declared)
    except Refusal:
        return False
    return True


def _gets_at_somebody(battle: Battle, actor: Combatant, move: Move, declared: Declared) -> bool:
    """Whether an area catches an enemy at all, and no friend."""
    if declared.destination is None or not isinstance(move.does, Area):
        return True
    caught = move.does.caught_at(battle, actor, declared.destination)
    return bool(caught) and all(is_hostile(actor, other) for other in caught)
