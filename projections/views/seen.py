"""Events of which a part is not seen. Each has the `kind` of the whole event and those of its fields that are seen.

Kinds that are whole without the part that is not seen need none of these: `table` leaves the part out.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import Field

from ledger.events import Event, Key, Name, Position, Ref, Value, Who
from projections.views.health import Health


class SeenJoined(Event):
    """Somebody enters the fight: what it is called and how it looks."""

    kind: Literal["combatant_joined"] = "combatant_joined"
    combatant: Who = Field(description="its id in this encounter")
    name: Name = Field(description="the name people call it by")
    side: Name = Field(description="the side it fights on")
    position: Position | None = Field(default=None, description="where it stands; absent: not on the map")
    health: Health | None = Field(default=None, description="how it looks")


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
    """Somebody was hurt: how it looks now."""

    kind: Literal["damaged"] = "damaged"
    target: Who = Field(description="the combatant that is hurt")
    health: Health | None = Field(description="how it looks now")
    source: Who | None = Field(default=None, description="who dealt it; absent: nobody, or not seen")


class SeenHealed(Event):
    """Somebody was healed: how it looks now."""

    kind: Literal["healed"] = "healed"
    target: Who = Field(description="the combatant that is healed")
    health: Health | None = Field(description="how it looks now")


class SeenCards(Event):
    """Cards went from one pile to another, face down."""

    kind: Literal["cards_moved"] = "cards_moved"
    owner: Who = Field(description="the player whose cards they are")
    count: int = Field(description="how many cards")
    origin: Key | None = Field(default=None, description="the pile they leave; absent: they come into the game")
    to: Key | None = Field(default=None, description="the pile they are put under; absent: they leave the game")


@cache
def seen_forms() -> dict[str, list[type[Event]]]:
    """All of these by kind."""
    found: dict[str, list[type[Event]]] = {}
    for cls in Event.__subclasses__():
        if cls.__module__ == __name__:
            found.setdefault(cls.model_fields["kind"].default, []).append(cls)
    return found
