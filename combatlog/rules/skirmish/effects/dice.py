"""Cards that change single dice after the roll."""

from __future__ import annotations

from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL, Mark
from combatlog.rules.skirmish.dice import DICE, DODGE, AttackColour, symbols
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Flag, effect
from combatlog.rules.skirmish.rerolls import places_of, worth_of
from combatlog.rules.skirmish.sheet import has_trait
from combatlog.rules.skirmish.vocabulary import Need, Timing, ref

BLANK_ATTACK, BLANK_DEFENSE = "0/0/0", "0/0"
INSTEAD_OF_DODGE = "2/1"
"""2 block and 1 evade."""


def _is_theirs(play: Situation, place: int) -> bool:
    return (place < len(play.attack.attack_pool)) is (play.figure is play.attack.defender)


def _shows_something(play: Situation, _: bool) -> bool:
    place = play.attack.rerolled[-1]
    return _is_theirs(play, place) and any(symbols(play.attack.faces[place][1]).values())


@effect(
    "setsToughLuck",
    Flag,
    needs=Need.REROLLED_DIE,
    timing=Timing.OPPONENT_REROLLS,
    changes=_shows_something,
)
def remove_rerolled_die(play: Play, _: bool) -> None:
    """the die that the opponent has rerolled does not count"""
    place = play.attack.rerolled[-1]
    colour, face = play.attack.faces[place]
    blank = BLANK_ATTACK if colour in list(AttackColour) else BLANK_DEFENSE
    play.attack.faces[place] = (colour, blank)
    play.attack.mark(Mark.DIE_REMOVED, play.source, play.figure.id, f"{play.reason}: the {colour} die ({face})")


def _dice(play: Situation) -> dict[str, int]:
    return places_of(play.attack, ATTACK_POOL if play.figure is play.attack.attacker else DEFENSE_POOL)


def _is_able(play: Situation, _: bool) -> bool:
    return has_trait(play.figure, ["REBEL"]) and has_trait(play.figure, ["FORCE USER"]) and bool(_dice(play))


@effect(
    "setsTherIsNoTry",
    Flag,
    needs=Need.ROLLED_DICE,
    timing=Timing.ATTACKING,
    after_roll=True,
    possible=_is_able,
)
def turn_die(play: Play, _: bool) -> None:
    """a REBEL FORCE USER that attacks, or defends if the timing says so, turns one of its dice to any side; a dodge
    counts as 2 Block and 1 Evade"""
    dice, faces = _dice(play), play.attack.faces
    weakest = min(dice, key=lambda name: worth_of(faces[dice[name]][1]))
    place = dice[choose(play.table, "die.turn", play.player, play.figure.id, list(dice), default=weakest)]
    colour = faces[place][0]
    sides = {ref("face", str(face)): str(face) for face in DICE[colour].faces}
    best = max((name for name in sides if sides[name] != DODGE), key=lambda name: worth_of(sides[name]))
    side = sides[choose(play.table, "die.side", play.player, play.figure.id, list(sides), default=best)]
    faces[place] = (colour, INSTEAD_OF_DODGE if side == DODGE else side)
    play.attack.mark(Mark.DIE_TURNED, play.source, play.figure.id, f"{play.reason}: the {colour} die to {side}")
