"""Open, close and break doors; pick up weapons; put down a shield; light a torch."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.attack.wielding import (
    MISSING_WEAPONS,
    SHIELDLESS,
    Lost,
    has_shield,
    missing,
    remember_missing,
)
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import LIT
from combatlog.rules.dnd5e.battlemap.space import occupant_of, steps_to
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import ACTION, OBJECTS_HANDLED
from combatlog.rules.dnd5e.enums import Nature, Skill
from combatlog.rules.dnd5e.hazards_and_optional_rules import Light, is_locked
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_check
from combatlog.rules.engine.grid.squares import grid_of, require_on_map
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared, Position
from projections.battle.clock_and_map import DIFFICULT, DOOR, FLOOR, OPEN_DOOR, TERRAIN, WALL
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import place as in_words

DOOR_DC, WALL_DC = 15, 25


class AdjacentSquareAction(Action):
    """Something done to a square next to the actor."""

    letters: tuple[str, ...]
    """The kinds of terrain it works on. It is on the menu if the map has the first of them."""
    parts = frozenset({Part.DESTINATION})

    def is_offered(self, battle: Battle) -> bool:
        return battle.map is not None and any(self.letters[0] in row for row in battle.map)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        square = declared.destination
        if square is None:
            sentence = f"{self.title.capitalize()} needs a square; name it."
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


class DoorAction(AdjacentSquareAction):
    """The first object that a combatant handles in a turn takes no action."""

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)


@piece
class OpenDoor(DoorAction):
    """Open a door next to you; the first object in a turn takes no action."""

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
class CloseDoor(DoorAction):
    """Close a door next to you; the first object in a turn takes no action."""

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
        sentence = f"{occupant.name} stands in the doorway; it has to move away first."
        raise Refusal("door/occupied", sentence, who=occupant.id, destination=square)


class ForceOptions(Options):
    dc: int | None = Field(default=None, ge=5, le=30, description="the DC of the check, if the GM sets another one")


@piece
class Force(AdjacentSquareAction):
    """Break a door or a wall next to you: Athletics against DC 15 for a door, 25 for a wall."""

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


REACH = 1


@piece
class PickUp(Action):
    """Pick up a thrown weapon within 5 feet: free as the first object of a turn, after that with the action."""

    name = "pick_up"
    tags = ("support",)
    parts = frozenset({Part.WEAPON})

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(MISSING_WEAPONS)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not _within_reach(actor):
            lying = [f"{name} at {place[0]},{place[1]}" for name, place in missing(actor) if place is not None]
            raise Refusal(
                "pick-up/too-far",
                f"None of {actor.name}'s weapons lies within 5 feet; go to {choices(lying)}.",
                who=actor.id,
                available=lying,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        names = list(dict.fromkeys(name for name, _ in _within_reach(actor)))
        if declared.weapon is not None and declared.weapon not in names:
            raise Refusal(
                "pick-up/no-weapon",
                f"There is no {declared.weapon} within 5 feet of {actor.name}; choose {choices(names)}.",
                who=actor.id,
                weapon=declared.weapon,
                available=names,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)
        found = next(lost for lost in _within_reach(actor) if declared.weapon in (None, lost[0]))
        left = missing(actor)
        left.remove(found)
        remember_missing(table, actor, left, "picked up")


def _within_reach(actor: Combatant) -> list[Lost]:
    """The actor's lost weapons within reach; all of them without positions."""
    here = actor.position
    return [lost for lost in missing(actor) if here is None or lost[1] is None or steps_to(actor, lost[1]) <= REACH]


@piece
class DropShield(Action):
    """Spend the action to put the shield down, which frees a hand and lowers the armour class by 2."""

    name = "drop_shield"
    cost = {ACTION: 1}
    tags = ("support",)

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).nature is Nature.CHARACTER and has_shield(combatant)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, SHIELDLESS, source=self.ref, owner=actor.id)


@piece
class TakeShield(Action):
    """Spend the action to take up the shield that was put down."""

    name = "take_shield"
    cost = {ACTION: 1}
    tags = ("defense",)

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(SHIELDLESS)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, SHIELDLESS, "taken up again")


@piece
class LightTorch(Action):
    """Light or put out a torch: bright light for 20 feet, dim for 20 more. The first object in a turn is free."""

    name = "torch"
    tags = ("utility",)

    def is_offered(self, battle: Battle) -> bool:
        return battle.encounter.options.get("light") in (Light.DIM, Light.DARK)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {ACTION: 1} if actor.economy.left(OBJECTS_HANDLED) else {}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, OBJECTS_HANDLED, 1, self.name)
        if actor.has(LIT):
            end_condition(table, actor, LIT, "put out")
        else:
            afflict(table, actor, LIT, source=self.ref, owner=actor.id)
