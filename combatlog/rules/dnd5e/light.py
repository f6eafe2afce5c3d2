"""Light and darkness: whether a creature perceives another one, as far as light, fog and its senses are concerned."""

from __future__ import annotations

from combatlog.rules.dnd5e.instances import instances_of
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import level_of, squares_of, steps_between, steps_to
from combatlog.rules.dnd5e.surroundings import Lamp, Light, read_square
from combatlog.rules.engine.grid import distance
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

LIT = "dnd5e:condition:lit"
ZONE = "dnd5e:condition:zone"
DEAFENED = "dnd5e:condition:deafened"
TORCH = Lamp(at="0,0")
"""What a torch gives: bright light for 20 feet and dim light for another 20."""


def perceives(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    """Whether light, fog and senses let somebody perceive another one. Walls and blindness are another matter."""
    if not hides_anybody(battle) or viewer.position is None or other.position is None:
        return True
    senses, feet = sheet_of(viewer).senses, 5 * steps_between(viewer, other)
    if feet <= _blindsight(viewer) or (feet <= senses.tremorsense and not level_of(other)):
        return True
    veils = _veils(battle, viewer, other)
    if "fog" in veils or (veils and feet > _sight_in_darkness(viewer)):
        return False
    if feet <= max(senses.darkvision, senses.truesight):
        return True
    return any(light_at(battle, square) is not Light.DARK for square in squares_of(other))


def _blindsight(viewer: Combatant) -> int:
    """In feet. Whoever finds its way by echoes does not while it is deafened."""
    sheet = sheet_of(viewer)
    return 0 if "echolocation" in sheet.features and viewer.has(DEAFENED) else sheet.senses.blindsight


def _sight_in_darkness(viewer: Combatant) -> int:
    """How far it sees in magical darkness, in feet."""
    sheet = sheet_of(viewer)
    return max(sheet.senses.truesight, sheet.senses.darkvision if "devils_sight" in sheet.features else 0)


def hides_anybody(battle: Battle) -> bool:
    """Whether darkness or fog could keep anybody from being perceived: a quick answer, because every attack asks."""
    if battle.encounter.options.get("light") == Light.DARK:
        return True
    return bool([one for one in battle.combatants.values() if ZONE in one.conditions and one.present])


def _veils(battle: Battle, viewer: Combatant, other: Combatant) -> list[str]:
    """What zones of fog and magical darkness hide one of the two from the other."""
    return [
        instance.data["obscures"]
        for owner in battle.present()
        if (held := owner.conditions.get(ZONE)) is not None
        for instance in instances_of(held)
        if "obscures" in instance.data and _hides(instance.data["squares"], viewer, other)
    ]


def _hides(squares: list[list[int]], viewer: Combatant, other: Combatant) -> bool:
    veiled = {(x, y) for x, y in squares}
    return any(veiled.issuperset(squares_of(one)) for one in (viewer, other))


def light_at(battle: Battle, square: Position) -> Light:
    """The light on a square: that of the surroundings, or what lamps and torches add. Walls do not cast shadows."""
    ambient = Light(battle.encounter.options.get("light") or Light.BRIGHT)
    if ambient is Light.BRIGHT:
        return ambient
    found = [ambient, *(_given(lamp, feet) for lamp, feet in _lamps(battle, square))]
    return min(found, key=list(Light).index)


def _given(lamp: Lamp, feet: int) -> Light:
    if feet <= lamp.bright:
        return Light.BRIGHT
    return Light.DIM if feet <= lamp.bright + lamp.dim else Light.DARK


def _lamps(battle: Battle, square: Position) -> list[tuple[Lamp, int]]:
    """Every light with its distance from a square in feet."""
    lamps = [Lamp.model_validate(entry) for entry in battle.encounter.options.get("lights") or ()]
    fixed = [(lamp, 5 * distance(read_square(lamp.at), square)) for lamp in lamps]
    placed = [one for one in battle.present() if one.position]
    carried = [(TORCH, 5 * steps_to(one, square)) for one in placed if LIT in one.conditions]
    shed = [(lamp, 5 * steps_to(one, square)) for one in placed for lamp in sheet_of(one).loadout.lamps]
    return [*fixed, *carried, *shed]
