"""Names that the modules of the ruleset share (resources, conditions, timings, symbols, refs), and the dice.

There are six colours of dice. A face shows symbols.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from combatlog.rules.engine.dice.dice_notation import NAMED, DiceFormula, Die, parse
from ledger.events import Face

HEALTH = "health"

ACTIONS = "actions"
ATTACKS = "attacks"
MOVEMENT = "mp"
ACTIVATIONS = "activations"
VICTORY_POINTS = "vp"

DECK = "deck"
HAND = "hand"
DISCARD = "discard"
ATTACHED = "attached"
DEPLETED = "depleted"

FOCUSED = "skirmish:condition:focused"
HIDDEN = "skirmish:condition:hidden"
WEAKENED = "skirmish:condition:weakened"
STUNNED = "skirmish:condition:stunned"
BLEEDING = "skirmish:condition:bleeding"
DEFEATED = "skirmish:condition:defeated"
MELEE_ONLY = "skirmish:condition:melee_only"
NO_CARDS = "skirmish:condition:no_cards"
NO_DRAWING = "skirmish:condition:no_drawing"
UNDENIABLE = "skirmish:condition:undeniable"
VANISHED = "skirmish:condition:vanished"
WORTH = "skirmish:condition:worth"
QUICKENED = "skirmish:condition:quickened"
REACHING = "skirmish:condition:reaching"
DISABLED = "skirmish:condition:disabled"
TURNED = "skirmish:condition:turned"
HALTED = "skirmish:condition:halted"
HARMFUL = (STUNNED, WEAKENED, BLEEDING)

CONDITION_WORDS = {"focus": FOCUSED, "hide": HIDDEN, "weaken": WEAKENED, "stun": STUNNED, "bleed": BLEEDING}
"""The library's words for conditions, which are verbs (`stun`, not `stunned`)."""


class Timing(StrEnum):
    """When a card can be played."""

    START_OF_ACTIVATION = "startOfActivation"
    DURING_ACTIVATION = "duringActivation"
    SPECIAL_ACTION = "specialAction"
    DOUBLE_ACTION = "doubleAction"
    DECLARING = "declaring"
    ATTACKING = "attacking"
    DEFENDING = "defending"
    END_OF_ROUND = "endOfRound"
    START_OF_ROUND = "startOfRound"
    END_OF_ACTIVATION = "endOfActivation"
    AFTER_ATTACK = "afterAttack"
    AFTER_DEFENDING = "afterDefending"
    HOSTILE_ACTIVATES = "hostileActivates"
    HOSTILE_ENTERS_ADJACENT = "hostileEntersAdjacent"
    HOSTILE_DEFEATED = "hostileDefeated"
    FRIEND_DEFEATED = "friendDefeated"
    CARD_PLAYED = "cardPlayed"
    OPPONENT_REROLLS = "opponentRerolls"


class Need(StrEnum):
    """What an effect needs to be carried out."""

    PLAYER = "a player"
    FIGURE = "a figure to be played for"
    MOVER = "a figure to be played for in an activation"
    ATTACKER = "an attack, as the attacker"
    DEFENDER = "an attack, as the defender"
    ROLLED_DICE = "an attack, with dice that the figure has rolled"
    REROLLED_DIE = "a die that was rerolled in an attack"
    RESOLVED_ATTACK = "an attack that is resolved"
    DEFEAT = "a figure that is being defeated"
    PLAYED_CARD = "a card that the opponent plays"


_BETWEEN_ACTIVATIONS = frozenset({Need.PLAYER, Need.FIGURE})
"""The player chooses the figure for which the card is played."""
_IN_ACTIVATION = _BETWEEN_ACTIVATIONS | {Need.MOVER}
_AS_ATTACKER = _IN_ACTIVATION | {Need.ATTACKER}
_AS_DEFENDER = _IN_ACTIVATION | {Need.DEFENDER}

PROVIDED: dict[Timing, frozenset[Need]] = {
    Timing.START_OF_ACTIVATION: _IN_ACTIVATION,
    Timing.DURING_ACTIVATION: _IN_ACTIVATION,
    Timing.SPECIAL_ACTION: _IN_ACTIVATION,
    Timing.DOUBLE_ACTION: _IN_ACTIVATION,
    Timing.DECLARING: _AS_ATTACKER,
    Timing.ATTACKING: _AS_ATTACKER | {Need.ROLLED_DICE},
    Timing.DEFENDING: _AS_DEFENDER | {Need.ROLLED_DICE},
    Timing.END_OF_ROUND: _BETWEEN_ACTIVATIONS,
    Timing.START_OF_ROUND: _BETWEEN_ACTIVATIONS,
    Timing.END_OF_ACTIVATION: _IN_ACTIVATION,
    Timing.AFTER_ATTACK: _IN_ACTIVATION | {Need.RESOLVED_ATTACK},
    Timing.AFTER_DEFENDING: _IN_ACTIVATION | {Need.RESOLVED_ATTACK},
    Timing.HOSTILE_ACTIVATES: _IN_ACTIVATION,
    Timing.HOSTILE_ENTERS_ADJACENT: _IN_ACTIVATION,
    Timing.HOSTILE_DEFEATED: _IN_ACTIVATION | {Need.DEFEAT},
    Timing.FRIEND_DEFEATED: _IN_ACTIVATION | {Need.DEFEAT},
    Timing.CARD_PLAYED: frozenset({Need.PLAYER, Need.PLAYED_CARD}),
    Timing.OPPONENT_REROLLS: _IN_ACTIVATION | {Need.REROLLED_DIE},
}

ACTION_TIMINGS = (
    Timing.START_OF_ACTIVATION,
    Timing.DURING_ACTIVATION,
    Timing.SPECIAL_ACTION,
    Timing.DOUBLE_ACTION,
)
"""The timings of cards that are declared in an activation."""

ACTION_COST: dict[Timing, int] = {Timing.SPECIAL_ACTION: 1, Timing.DOUBLE_ACTION: 2}


class Symbol(StrEnum):
    """What dice show and what modifiers and surges add."""

    ACCURACY = "accuracy"
    DAMAGE = "damage"
    SURGE = "surge"
    BLOCK = "block"
    EVADE = "evade"
    DODGE = "dodge"
    PIERCE = "pierce"
    BLAST = "blast"
    CLEAVE = "cleave"
    RECOVER = "recover"


def slug(name: str) -> str:
    """The last part of a ref: `Officer's Training` is `officers_training`."""
    plain = name.lower().replace("'", "").replace("’", "")
    return re.sub(r"[^a-z0-9.-]+", "_", plain).strip("_")


def ref(kind: str, name: str) -> str:
    return f"skirmish:{kind}:{slug(name)}"


def name_in(reference: str) -> str:
    return reference.rsplit(":", 1)[1]


DODGE_FACE = "dodge"


class AttackColour(StrEnum):
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


class DefenseColour(StrEnum):
    WHITE = "white"
    BLACK = "black"


_FACES: dict[str, str] = {
    # accuracy/damage/surge
    AttackColour.RED: "0/1/0 0/2/0 0/2/0 0/2/1 0/3/0 0/3/0",
    AttackColour.YELLOW: "0/0/1 2/0/1 2/1/0 1/1/1 1/2/0 1/1/2",
    AttackColour.GREEN: "1/0/1 1/1/1 2/1/1 3/2/0 1/2/0 2/2/0",
    AttackColour.BLUE: "2/0/1 2/1/0 5/1/0 3/1/1 3/2/0 4/2/0",
    # block/evade
    DefenseColour.WHITE: "0/0 1/0 1/0 0/1 1/1 dodge",
    DefenseColour.BLACK: "0/0 1/0 2/0 2/0 3/0 0/1",
}
DICE: dict[str, Die] = {colour: Die(colour, tuple(faces.split())) for colour, faces in _FACES.items()}
NAMED.update(DICE)

_SHOWN = {3: (Symbol.ACCURACY, Symbol.DAMAGE, Symbol.SURGE), 2: (Symbol.BLOCK, Symbol.EVADE)}
"""The symbols on a face, by the number of its values."""


def pool_notation(colours: Sequence[str]) -> DiceFormula:
    """One roll of these dice, written as `red+blue`."""
    return parse("+".join(colours))


def symbols(face: Face) -> dict[Symbol, int]:
    if face == DODGE_FACE:
        return {Symbol.DODGE: 1}
    numbers = [int(number) for number in str(face).split("/")]
    return dict(zip(_SHOWN[len(numbers)], numbers, strict=True))
