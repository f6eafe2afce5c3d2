"""What a combatant can do now, and the history of its resources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.naming import unknown_combatant
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.ruleset import Advice, Section
from ledger.events import Event, ResourceChanged
from projections.battle import Battle
from projections.combatant import Combatant
from projections.timeline import standing


def menu_of(fight: Fight, actor: str) -> list[Section]:
    return fight.ruleset.menu(fight.battle, combatant_of(fight.battle, actor))


def obstacle(*checks: Callable[[], None]) -> str | None:
    """The sentence with which the first of these checks refuses; None if none does."""
    try:
        for check in checks:
            check()
    except Refusal as refusal:
        return refusal.sentence
    return None


def advice_for(fight: Fight, actor: str) -> list[Advice]:
    """Which choices fit a combatant's situation."""
    advice = fight.ruleset.advise(fight.battle, combatant_of(fight.battle, actor))
    if not advice:
        name = fight.ruleset.name
        raise Refusal("advise/none", f"{name} has no advice to give.", who=actor, ruleset=name)
    return advice


def history_of(
    battle: Battle, events: Sequence[Event], actor: str, resources: Collection[str] = ()
) -> list[ResourceChanged]:
    """Every change of a combatant's resources, in order."""
    own = [e for e in standing(events) if isinstance(e, ResourceChanged) and e.owner == actor]
    known = sorted({*combatant_of(battle, actor).economy, *(change.resource for change in own)})
    for name in resources:
        if name not in known:
            raise unknown(
                "economy/unknown", f"{actor} has no {name!r}; it has {listing(known)}.", name, known, who=actor
            )
    return [change for change in own if not resources or change.resource in resources]


def combatant_of(battle: Battle, name: str) -> Combatant:
    found = battle.combatants.get(name)
    if found is None:
        raise unknown_combatant(battle, name)
    return found
