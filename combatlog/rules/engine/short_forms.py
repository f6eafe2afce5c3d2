"""Short forms: what people at a table mean by hitting somebody, casting a spell and moving, whatever the rules call it.

A ruleset says which declarations could be meant. Here they are tried, without making them, to find those that are
possible now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.foresight import foresee
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.turns import turn_in_progress
from ledger.events import Data, Declared, Position, TurnStarted
from projections.battle import Battle
from projections.combatant import Combatant

if TYPE_CHECKING:
    from combatlog.rules.engine.fight import Fight

Ways = Sequence[Sequence[Declaration]]
"""What could be meant, the most obvious first. What stands together is a choice that only a person can make."""


def acting(battle: Battle, actor: str | None) -> Combatant:
    """Whoever is named, or else whoever has the turn."""
    return battle.combatants[known_id(battle, actor) if actor is not None else turn_in_progress(battle)]


def last_target(fight: Fight, actor: Combatant, sees: Callable[[str], bool] | None = None) -> str:
    """Whom somebody has aimed at last in this turn. One that whoever says it does not `see` now is nobody."""
    for event in reversed(fight.course.standing):
        if isinstance(event, TurnStarted):
            break
        if isinstance(event, Declared) and event.actor == actor.id and event.targets:
            if sees is not None and not sees(event.targets[-1]):
                break
            return event.targets[-1]
    raise Refusal("hit/whom", f"{actor.name} has not aimed at anybody in this turn; name a target.", who=actor.id)


def ways_to_hit(fight: Fight, target: str, *, actor: str | None = None, weapon: str | None = None) -> list[Declaration]:
    """The declarations with which somebody can hit a target now; more than one if there is a choice."""
    who = acting(fight.battle, actor)
    whom = fight.battle.combatants.get(found := known_id(fight.battle, target))
    if whom is None:
        raise Refusal("hit/whom", f"{found} cannot be hit; name a combatant.", name=found)
    wanted = named(weapon, fight.ruleset.weapons(who), "weapon") if weapon is not None else None
    return _possible(fight, fight.ruleset.hitting(fight.battle, who, whom, wanted), "hit")


def way_to_move(
    fight: Fight, to: Position, *, via: Sequence[Position] = (), actor: str | None = None, as_seen: bool = False
) -> Declaration:
    """The declaration with which somebody gets to a square now, at the lowest price; if wanted, by way of others, and
    as its side sees the map."""
    who = acting(fight.battle, actor)
    chosen: Data = {"options": {"via": [list(place) for place in via]}} if via else {}
    chosen |= {"as_seen": True} if as_seen else {}
    ways = [way.model_copy(update=chosen) for way in fight.ruleset.moving(fight.battle, who, to)]
    return _possible(fight, [[way] for way in ways], "move")[0]


def way_to_cast(
    fight: Fight,
    spell: str,
    *,
    targets: Iterable[str] = (),
    to: Position | None = None,
    options: Data | None = None,
    actor: str | None = None,
) -> Declaration:
    """The declaration of a spell, by its name or the beginning of it."""
    who = acting(fight.battle, actor)
    cast = fight.ruleset.casting(who, named(spell, fight.ruleset.spells(who), "spell"))
    aimed = {"targets": tuple(targets), "destination": to, "options": {**cast.options, **(options or {})}}
    return cast.model_copy(update=aimed)


def _possible(fight: Fight, ways: Ways, what: str) -> list[Declaration]:
    """Those of the first group that has any; if there is none, the refusal of the last."""
    refused = Refusal(f"{what}/unknown", f"These rules do not say what it is to {what}; name an action.", what=what)
    for group in ways:
        possible = []
        for way in group:
            try:
                foresee(fight, way)
                possible.append(way)
            except Refusal as refusal:
                refused = refusal
        if possible:
            return possible
    raise refused


def named(typed: str, known: Iterable[str], what: str) -> str:
    """The name that somebody typed, in any case, or the beginning of a word of it."""
    names = list(known)
    wanted = _key(typed)
    exact = [name for name in names if _key(name) == wanted]
    begun = exact or [name for name in names if f" {wanted}" in f" {_key(name)}"]
    if len(begun) == 1:
        return begun[0]
    if begun:
        sentence = f"{typed!r} could be {choices(begun)}; write more of it."
        raise Refusal(f"{what}/ambiguous", sentence, name=typed, available=begun)
    raise unknown(f"{what}/unknown", f"There is no {what} {typed!r} here; there is {listing(names)}.", typed, names)


def _key(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())
