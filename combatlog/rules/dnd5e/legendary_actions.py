"""Legendary actions and lair actions: what a creature can do outside its turn, and when a lair acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.areas_and_blasts import AreaPower
from combatlog.rules.dnd5e.archetypes.extra_movement import check_extra_movement, take_extra_movement
from combatlog.rules.dnd5e.attack.phases import make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import check_aim, one_target
from combatlog.rules.dnd5e.combatant_state import is_dead, is_hostile
from combatlog.rules.dnd5e.contexts import LairCount
from combatlog.rules.dnd5e.creatures.sheet import ExtraMovement, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, can_pay, pay, renew
from combatlog.rules.dnd5e.hit_points import HP
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.engine.grid.visible_paths import seen_by
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.dry_run import hypothetical, reading_table
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

OF_A_TURN = (ACTION, BONUS_ACTION)
"""Costs that do not apply outside the creature's turn."""


class OutOfTurnMoveOptions(Options):
    """The options of a legendary or lair action."""

    action: str | None = Field(default=None, description="which one; the first possible one if omitted")
    target: str | None = Field(default=None, description="its target, or several with commas; the weakest if omitted")
    to: str | None = Field(default=None, description="the square to aim at, such as 4,2")
    move: str | None = Field(default=None, description="the square to move to, such as 6,2, if it includes movement")

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
class OutOfTurnMove:
    """Something that a creature can do when it is not its turn."""

    name: str
    does: Weapon | Activity
    cost: int = 1
    stride: ExtraMovement | None = None
    """Movement that it can be combined with."""
    once: bool = False
    """Whether it can be used only once between two turns of its owner."""

    def price(self, actor: Combatant) -> dict[str, int]:
        """Its additional cost: the uses and slots of a special action or spell."""
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
    table: Table,
    actor: Combatant,
    moves: Sequence[OutOfTurnMove],
    said: OutOfTurnMoveOptions,
    as_seen: Literal[True] | None = None,
) -> tuple[OutOfTurnMove, Declared] | None:
    """The action that was named, with the given aim; anything omitted is filled in with the first possible choice.
    Returns None if nothing was named and no action is possible.
    """
    battle, named = table.battle, [move for move in moves if said.action in (None, move.name)]
    if not named:
        raise _unknown(actor, moves, said)
    if said.target is None and said.to is None:
        found = first_possible(seen_by(battle, actor) if as_seen else battle, actor, named)
        if found is None and said.action is not None:
            raise Refusal(
                "move/no-aim",
                f"{said.action} reaches no enemy from here; name a target or a square for {actor.name} to aim it at.",
                who=actor.id,
                what=said.action,
            )
        return found
    aimed = [(move, _declared(battle, actor, move, said.targets, said.place, as_seen)) for move in named]
    chosen = next((one for one in aimed if _is_possible(table, actor, *one)), aimed[0])
    chosen[0].check(table, actor, chosen[1])  # raises the refusal of the only one, or of the first
    return chosen


def with_extra_movement(
    actor: Combatant, moves: Sequence[OutOfTurnMove], said: OutOfTurnMoveOptions
) -> OutOfTurnMove | None:
    """The action that the requested movement is part of."""
    if said.move is None:
        return None
    named = [move for move in moves if said.action in (None, move.name)]
    if not named:
        raise _unknown(actor, moves, said)
    found = next((move for move in named if move.stride is not None), None)
    if found is None:
        raise Refusal(
            "move/no-stride",
            f"{actor.name} cannot move as part of {said.action or 'any of these'}; omit the square to move to.",
            who=actor.id,
            what=said.action,
        )
    return found


def move_extra(
    table: Table, actor: Combatant, move: OutOfTurnMove, to: Position | None, as_seen: Literal[True] | None = None
) -> None:
    if move.stride is not None and to is not None:
        seen = seen_by(table.battle, actor) if as_seen else table.battle
        check_extra_movement(table.battle, actor, move.stride, to, seen)
        take_extra_movement(table, actor, move.stride, to, move.name, move.does.ref, seen)


def _unknown(actor: Combatant, moves: Sequence[OutOfTurnMove], said: OutOfTurnMoveOptions) -> Refusal:
    names = [move.name for move in moves]
    return Refusal(
        "move/unknown",
        f"{actor.name} cannot use {said.action!r} now; choose {choices(names)}.",
        who=actor.id,
        what=said.action,
        available=names,
        suggestions=suggest(said.action or "", names),
    )


def first_possible(
    battle: Battle, actor: Combatant, moves: Sequence[OutOfTurnMove]
) -> tuple[OutOfTurnMove, Declared] | None:
    """The first action that reaches an enemy, aimed at the one with the fewest hit points left.
    This choice must stay simple and must never change, because recorded fights are resolved with it again.
    """
    table = reading_table(battle)
    for move in moves:
        for declared in _aimed(battle, actor, move) if can_pay(actor, move.price(actor)) else ():
            if _is_possible(table, actor, move, declared) and _gets_at_somebody(battle, actor, move, declared):
                return move, declared
    return None


def needs_aim(move: OutOfTurnMove) -> bool:
    """Whether it needs a destination from the player, as a teleport does."""
    does = move.does
    return move.stride is not None or (
        not isinstance(does, Weapon | AreaPower) and Part.DESTINATION in does.signature.parts
    )


def _aimed(battle: Battle, actor: Combatant, move: OutOfTurnMove) -> Iterator[Declared]:
    """Aimed at each enemy, the weakest first; at the actor's own square; at nothing."""
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
    move: OutOfTurnMove,
    targets: tuple[str, ...],
    place: Position | None,
    as_seen: Literal[True] | None = None,
) -> Declared:
    weapon, ref = move.does.name if isinstance(move.does, Weapon) else None, move.does.ref
    return hypothetical(battle, actor.id, ref, targets=targets, destination=place, weapon=weapon, as_seen=as_seen)


def _is_possible(table: Table, actor: Combatant, move: OutOfTurnMove, declared: Declared) -> bool:
    try:
        move.check(table, actor, declared)
    except Refusal:
        return False
    return True


def _gets_at_somebody(battle: Battle, actor: Combatant, move: OutOfTurnMove, declared: Declared) -> bool:
    """Whether an area catches at least one enemy and no friend."""
    if declared.destination is None or not isinstance(move.does, AreaPower):
        return True
    caught = move.does.caught_at(battle, actor, declared.destination)
    return bool(caught) and all(is_hostile(actor, other) for other in caught)


LAIR = "lair.acts"
COUNT = 20


def is_past_count(battle: Battle, combatant: Combatant) -> bool:
    """Whether a combatant's turn comes after initiative count 20. Without an initiative, it acts last."""
    values = {entry.combatant: entry.value for entry in battle.clock.order}
    return values.get(combatant.id, 0) < COUNT


def let_lairs_act(table: Table) -> None:
    """Offer lair actions to their owners. An action used last round is available again next round."""
    lords = [one for one in table.battle.present() if sheet_of(one).lair and not is_dead(one)]
    if not lords:
        return
    resting = [(lord, pool) for lord in lords for pool in _spent(lord)]
    open_window(table, LairCount(table.battle, table.battle.by_initiative(lords)[0]), LAIR)
    for lord, pool in resting:
        renew(table, lord, pool, 1)


def pool_of(move: OutOfTurnMove) -> str:
    """The resource, of maximum 1, that stops a lair action from being used two rounds in a row."""
    return f"lair_{move.name}"


def _spent(lord: Combatant) -> list[str]:
    pools = map(pool_of, sheet_of(lord).loadout.lair)
    return [pool for pool in pools if pool in lord.economy and not lord.economy.left(pool)]
