"""Why not: what kept a reaction or a modifier out of a declaration."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Declared, Event
from projections.battle import Battle, fold
from projections.combatant import Combatant
from projections.explanation import check_event, look_for
from rules.engine import ruleset as rulesets
from rules.engine.refusal import Refusal, unknown


def why_not(events: Sequence[Event], seq: int, asked: str) -> list[str]:
    """What became of a reaction or modifier in the declaration that an event belongs to, in sentences."""
    check_event(events, seq)
    declaration = events[seq - 1].declaration
    declared = events[declaration - 1]
    if not isinstance(declared, Declared):
        raise Refusal(
            "explain/no-declaration",
            f"Event {seq} does not belong to a declaration, so nothing could modify it.",
            seq=seq,
        )
    name = asked.strip().lower().replace(" ", "_").replace("-", "_")
    absence = look_for([event for event in events if event.declaration == declaration], name)
    if absence.declined and not absence.used:
        return [_declined(event.reactor, event.decided_by.value, name, event.seq) for event in absence.declined]
    if came := [*absence.used, *absence.counted]:
        return [f"It did take part: {name.replace('_', ' ')} counts at event {came[0].seq}."]
    return _obstacles(fold(events[: declaration - 1]), declared, name)


def check_frames(count: int) -> None:
    if count == 0:
        raise Refusal("replay/nothing", "No event matches the selection.")


def _declined(reactor: str, decided_by: str, name: str, seq: int) -> str:
    how = "by policy" if decided_by == "policy" else "when asked"
    return f"{reactor} was offered {name.replace('_', ' ')} and declined it {how}, at event {seq}."


def _obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    rules = rulesets.find(before.encounter.ruleset)
    told = rules.obstacles(before, declared, name)
    if told:
        return told
    if name in rules.condition_names():
        return _of_condition(before, rules.condition_ref(name), name)
    known = [*rules.reaction_refs(), *rules.condition_names()]
    raise unknown(
        "explain/unknown",
        f"Nobody in this fight has {name!r}, and {rules.name} has no condition of that name.",
        name,
        known,
        ruleset=rules.name,
    )


def _of_condition(before: Battle, ref: str, name: str) -> list[str]:
    held = [combatant.id for combatant in before.present() if combatant.has(ref)]
    if not held:
        return [f"Nobody was {name.replace('_', ' ')} at that moment."]
    return [f"{who} was {name.replace('_', ' ')}, but that does not affect this declaration." for who in held]


def spent_at(combatant: Combatant, resource: str) -> str:
    """When something was used up, for the end of a sentence: ` at event 41`."""
    recent = combatant.economy[resource].recent if resource in combatant.economy else ()
    return f" at event {recent[-1].seq}" if recent else ""
