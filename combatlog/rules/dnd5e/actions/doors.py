"""Doors: opening and closing them, and breaking through doors and walls."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.economy import ACTION, OBJECTS_HANDLED
from combatlog.rules.dnd5e.optional_rules import is_locked
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.saves import resolve_check
from combatlog.rules.dnd5e.space import occupant_of, steps_to
from combatlog.rules.dnd5e.words import Skill
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.placing import require_on_map
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import place as in_words
from projections.terrain import DIFFICULT, DOOR, FLOOR, OPEN_DOOR, TERRAIN, WALL

DOOR_DC, WALL_DC = 15, 25


class AtSquare(Action):
    """Something done to a square next to the actor."""

    letters: tuple[str, ...]
    """What the square has to be. It is on the menu if the map has the first of them."""
    parts = frozenset({Part.DESTINATION})

    def is_offered(self, battle: Battle) -> bool:
        return battle.map is not None and any(self.letters[0] in row for row in battle.map)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        square = declared.destination
        if square is None:
            sentence = f"{self.title.capitalize()} needs a square: the one that it is about."
            raise Refusal("door/no-square", sentence, who=actor.id, what=self.name)
        require_on_map(table.battle, square)
        if grid_of(table.battle.map).terrain(square) not in self.letters:
            wanted = " or ".join(TERRAIN[letter] for letter in self.letters)
            sentence = f"{in_words(square)} is not {wanted}; choose another square."
            raise Refusal("door/not-there", sentence, who=actor.id, what=self.name, destination=square)
        if actor.position is not None and steps_to(actor, square) > 1:
            sentence = f"{in_words(square)} is out of {actor.name}'s reach; move next to it."
            raise Refusal("door/out-of-reach", sentence, who=actor.id, what=self.name, destination=square)

    def change(self, table: Table, actor: Combatant, declared: Declared, letter: str) -> None:
        assert declared.destination is not None
        table.change_terrain(declared.destination, letter, self.ref, actor.id)


class Handling(AtSquare):
    """The first thing that somebody handles in a turn takes no action."""

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)


@piece
class OpenDoor(Handling):
    """Open a door next to oneself; the first object in a turn takes no action."""

    name = "open_door"
    letters = (DOOR,)
    tags = ("utility",)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        super().check(table, actor, declared)
        square = declared.destination
        if square is not None and is_locked(table.battle, square):
            raise Refusal(
                "door/locked",
                f"The door at {in_words(square)} is locked; force it, or let the GM open it.",
                who=actor.id,
                destination=square,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        super().perform(table, actor, declared)
        self.change(table, actor, declared, OPEN_DOOR)


@piece
class CloseDoor(Handling):
    """Close a door next to oneself; the first object in a turn takes no action."""

    name = "close_door"
    letters = (OPEN_DOOR,)
    tags = ("utility",)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        super().check(table, actor, declared)
        _require_empty(table.battle, declared.destination)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        super().perform(table, actor, declared)
        self.change(table, actor, declared, DOOR)


def _require_empty(battle: Battle, square: Position | None) -> None:
    occupant = occupant_of(battle, square) if square is not None else None
    if occupant is not None:
        sentence = f"{occupant.name} stands in the doorway; it has to move first."
        raise Refusal("door/occupied", sentence, who=occupant.id, destination=square)


class ForceOptions(Options):
    dc: int | None = Field(default=None, ge=5, le=30, description="what the check has to reach, if the GM says so")


@piece
class Force(AtSquare):
    """Break a door or a wall next to oneself: Athletics against 15 for a door, 25 for a wall."""

    name = "force"
    cost = {ACTION: 1}
    letters = (DOOR, WALL)
    options = ForceOptions
    tags = ("utility",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        assert declared.destination is not None
        is_door = grid_of(table.battle.map).terrain(declared.destination) == DOOR
        against = ForceOptions.read(declared.options).dc or (DOOR_DC if is_door else WALL_DC)
        if resolve_check(table, actor, Skill.ATHLETICS, against):
            self.change(table, actor, declared, FLOOR if is_door else DIFFICULT)
