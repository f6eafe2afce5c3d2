"""Names that the modules of the ruleset share: resources, conditions, timings, symbols and refs."""

from __future__ import annotations

import re
from enum import StrEnum

HEALTH = "health"

ACTIONS = "actions"
ATTACKS = "attacks"
MOVEMENT = "mp"
ACTIVATIONS = "activations"
VICTORY_POINTS = "vp"

DECK = "deck"
HAND = "hand"
DISCARD = "discard"

FOCUSED = "skirmish:condition:focused"
HIDDEN = "skirmish:condition:hidden"
WEAKENED = "skirmish:condition:weakened"
STUNNED = "skirmish:condition:stunned"
BLEEDING = "skirmish:condition:bleeding"
DEFEATED = "skirmish:condition:defeated"
TURNED = "skirmish:condition:turned"
HALTED = "skirmish:condition:halted"
HARMFUL = (STUNNED, WEAKENED, BLEEDING)

CONDITION_WORDS = {"focus": FOCUSED, "hide": HIDDEN, "weaken": WEAKENED, "stun": STUNNED, "bleed": BLEEDING}
"""The library's words for conditions, which name what is done to a figure (`stun`, not `stunned`)."""


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


class Need(StrEnum):
    """What an effect needs in order to be carried out."""

    PLAYER = "a player"
    FIGURE = "a figure to be played for"
    ATTACKER = "an attack, as the attacker"
    DEFENDER = "an attack, as the defender"


_IN_ACTIVATION = frozenset({Need.PLAYER, Need.FIGURE})
_AS_ATTACKER = frozenset({Need.PLAYER, Need.FIGURE, Need.ATTACKER})

PROVIDED: dict[Timing, frozenset[Need]] = {
    Timing.START_OF_ACTIVATION: _IN_ACTIVATION,
    Timing.DURING_ACTIVATION: _IN_ACTIVATION,
    Timing.SPECIAL_ACTION: _IN_ACTIVATION,
    Timing.DOUBLE_ACTION: _IN_ACTIVATION,
    Timing.DECLARING: _AS_ATTACKER,
    Timing.ATTACKING: _AS_ATTACKER,
    Timing.DEFENDING: frozenset({Need.PLAYER, Need.FIGURE, Need.DEFENDER}),
    Timing.END_OF_ROUND: frozenset({Need.PLAYER}),
}

ACTION_COST: dict[Timing, int] = {Timing.SPECIAL_ACTION: 1, Timing.DOUBLE_ACTION: 2}


class Symbol(StrEnum):
    """What the faces of dice show, and modifiers and surges add."""

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
