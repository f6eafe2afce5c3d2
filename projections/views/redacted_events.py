"""Partly seen events, their sentences, and health as a word instead of hit points.

A redacted event has the `kind` of the whole event and the fields that the seat sees. The table at the end lists the
functions that write the sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from pydantic import Field

from ledger.events import Event, Key, Name, Position, Ref, Value, Who
from projections.battle.combatant import Combatant, Vital
from projections.story.phrases import a, counted, name_of, place, saved_against, the_side, who, with_weapon


class ApparentHealth(StrEnum):
    UNHURT = "unhurt"
    HURT = "hurt"
    BLOODIED = "bloodied"
    NEARLY_DOWN = "nearly down"
    DOWN = "down"


THRESHOLDS: tuple[tuple[Fraction, ApparentHealth], ...] = (
    (Fraction(0), ApparentHealth.DOWN),
    (Fraction(1, 4), ApparentHealth.NEARLY_DOWN),
    (Fraction(1, 2), ApparentHealth.BLOODIED),
)
"""The share of its health up to which a combatant looks like that, from worst to best. At full health it is unhurt,
and otherwise hurt."""

BODY = ("hp", "vit", "health")
"""The pools that show on the body; fatigue, for example, does not. Without any of them, the first pool with a
maximum counts."""


def health_of(combatant: Combatant) -> ApparentHealth | None:
    """None if it has no health, such as a player in a skirmish."""
    pools = {name: vital for name, vital in combatant.vitals.items() if vital.maximum}
    shown = next((pools[name] for name in BODY if name in pools), next(iter(pools.values()), None))
    return _health(shown) if shown is not None else None


def _health(vital: Vital) -> ApparentHealth:
    share = Fraction(vital.current, vital.maximum or 1)
    worse = (health for threshold, health in THRESHOLDS if share <= threshold)
    return next(worse, ApparentHealth.UNHURT if share >= 1 else ApparentHealth.HURT)


class SeenJoined(Event):
    """A combatant enters the fight: what it is called and how it looks."""

    kind: Literal["combatant_joined"] = "combatant_joined"
    combatant: Who = Field(description="its id in this encounter")
    name: Name = Field(description="the name people call it by")
    side: Name = Field(description="the side it fights on")
    position: Position | None = Field(default=None, description="where it stands; absent: not on the map")
    health: ApparentHealth | None = Field(default=None, description="how it looks")


class SeenPlace(Value):
    combatant: Who = Field(description="the combatant")
    value: int | None = Field(default=None, description="its initiative; absent: not seen")


class SeenInitiative(Event):
    """The order in which combatants act, as far as they are seen."""

    kind: Literal["initiative_set"] = "initiative_set"
    order: tuple[SeenPlace, ...] = Field(description="those who are seen, in the order of their turns")


class SeenAttack(Event):
    """An attack hit or missed."""

    kind: Literal["attack_resolved"] = "attack_resolved"
    attacker: Who | None = Field(default=None, description="the combatant that attacks; absent: not seen")
    target: Who = Field(description="the combatant that is attacked")
    weapon: Name | None = Field(default=None, description="the weapon or spell it was made with")
    hit: bool = Field(description="whether it hit")
    critical: bool = Field(default=False, description="whether it was a critical hit")
    roll: int | None = Field(default=None, description="the natural roll that counted; absent: not seen")
    total: int | None = Field(default=None, description="the roll with all modifiers; absent: not seen")
    against: int | None = Field(default=None, description="the number it had to reach; absent: not seen")


class SeenSave(Event):
    """A saving throw succeeded or failed. The number it had to reach is not seen."""

    kind: Literal["save_resolved"] = "save_resolved"
    saver: Who = Field(description="the combatant that saves")
    save: Key = Field(description="which save: `dex`, `con` ...")
    success: bool = Field(description="whether it succeeded")
    total: int | None = Field(default=None, description="the roll with all modifiers; absent: not seen")
    source: Ref = Field(description="what is saved against")


class SeenCheck(Event):
    """A check succeeded or failed. The number it had to reach is not seen."""

    kind: Literal["check_resolved"] = "check_resolved"
    checker: Who = Field(description="the combatant that makes the check")
    check: Key = Field(description="the skill or ability that is checked")
    success: bool = Field(description="whether it succeeded")
    total: int = Field(description="the roll with all modifiers")
    quality: Key | None = Field(default=None, description="how well it went")


class SeenHurt(Event):
    """A combatant was hurt: how it looks now."""

    kind: Literal["damaged"] = "damaged"
    target: Who = Field(description="the combatant that is hurt")
    health: ApparentHealth | None = Field(description="how it looks now")
    source: Who | None = Field(default=None, description="who dealt it; absent: no combatant, or not seen")


class SeenHealed(Event):
    """A combatant was healed: how it looks now."""

    kind: Literal["healed"] = "healed"
    target: Who = Field(description="the combatant that is healed")
    health: ApparentHealth | None = Field(description="how it looks now")


class SeenCards(Event):
    """Cards went from one pile to another, face down."""

    kind: Literal["cards_moved"] = "cards_moved"
    owner: Who = Field(description="the player whose cards they are")
    count: int = Field(description="how many cards")
    origin: Key | None = Field(default=None, description="the pile they leave; absent: they come into the game")
    to: Key | None = Field(default=None, description="the pile they are put under; absent: they leave the game")


@cache
def seen_forms() -> dict[str, list[type[Event]]]:
    """All of them, by kind."""
    found: dict[str, list[type[Event]]] = {}
    for cls in Event.__subclasses__():
        if cls.__module__ == __name__:
            found.setdefault(cls.model_fields["kind"].default, []).append(cls)
    return found


SOMEBODY = "someone unseen"


def health_in_words(health: ApparentHealth | None) -> str:
    """How a combatant looks, as a predicate: `is bloodied`."""
    return f"is {health.value}" if health is not None else "is there"


def _joined(e: SeenJoined) -> str:
    where = f" at {place(e.position)}" if e.position else ""
    return f"{e.name} joins {the_side(e.side)}{where}"


def _initiative(e: SeenInitiative) -> str:
    return "Initiative: " + ", ".join(
        who(entry.combatant) + (f" {entry.value}" if entry.value is not None else "") for entry in e.order
    )


def _attack(e: SeenAttack) -> str:
    verb = "critically hits" if e.critical else "hits" if e.hit else "misses"
    numbers = numbers_of(e)
    attacker = who(e.attacker) if e.attacker is not None else SOMEBODY
    return f"{attacker} {verb} {who(e.target)}{with_weapon(e.weapon)}" + (f": {numbers}" if numbers else "")


def numbers_of(e: SeenAttack) -> str:
    """The roll, if it is seen. The number it had to reach is left out: the target's player knows it."""
    return str(e.total) if e.total is not None else ""


def _save(e: SeenSave) -> str:
    outcome = "succeeds on" if e.success else "fails"
    total = f": {e.total}" if e.total is not None else ""
    return f"{who(e.saver)} {outcome} {a(e.save)} save{saved_against(e.save, e.source)}{total}"


def _check(e: SeenCheck) -> str:
    quality = f" ({name_of(e.quality)})" if e.quality else ""
    return f"{who(e.checker)} {'succeeds on' if e.success else 'fails'} {a(name_of(e.check))} check: {e.total}{quality}"


def _cards(e: SeenCards) -> str:
    origin = f" from the {e.origin}" if e.origin else ""
    to = f" to the {e.to}" if e.to else " out of the game"
    return f"{who(e.owner)} moves {counted(e.count, 'card')}{origin}{to}"


SEEN_WORDS: dict[type[Event], Callable[[Any], str]] = {
    SeenJoined: _joined,
    SeenInitiative: _initiative,
    SeenAttack: _attack,
    SeenSave: _save,
    SeenCheck: _check,
    SeenHurt: lambda e: f"{who(e.target)} takes damage and {health_in_words(e.health)}",
    SeenHealed: lambda e: f"{who(e.target)} is healed and {health_in_words(e.health)}",
    SeenCards: _cards,
}
