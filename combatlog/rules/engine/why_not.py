"""Why not: what kept a reaction or a modifier out of a declaration."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.refusal import Refusal, unknown
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Declared, Event
from projections.battle import Battle, fold
from projections.cast import Cast
from projections.combatant import Combatant
from projections.explanation import Absence, check_event, look_for
from projections.text import short
from projections.timeline import standing
from projections.whereabouts import Stay, declarations_of, key, stays


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
    name = key(asked)
    absence = look_for([event for event in events if event.declaration == declaration], name)
    return counted_or_declined(absence, name, Cast.of(events)) or _obstacles(events, declared, name)


def counted_or_declined(absence: Absence, name: str, cast: Cast) -> list[str]:
    """What the record itself says of it; nothing if it says nothing."""
    if absence.declined and not absence.used:
        return [
            _declined(cast.name(event.reactor), event.decided_by.value, name, event.seq) for event in absence.declined
        ]
    if came := [*absence.used, *absence.counted]:
        return [f"It did take part: {name.replace('_', ' ')} counts at event {came[0].seq}."]
    return []


def check_frames(count: int) -> None:
    if count == 0:
        raise Refusal("replay/nothing", "No event matches the selection.")


def _declined(reactor: str, decided_by: str, name: str, seq: int) -> str:
    how = {"policy": "by policy", "time": "because the time was up"}.get(decided_by, "when asked")
    return f"{reactor} was offered {name.replace('_', ' ')} and declined it {how}, at event {seq}."


def _obstacles(events: Sequence[Event], declared: Declared, name: str) -> list[str]:
    earlier = events[: declared.seq - 1]
    before = fold(earlier)
    rules = rulesets.find(before.encounter.ruleset)
    found = rules.obstacles(before, declared, name) or _of_effect(standing(earlier), declared, name, rules)
    if found:
        return found
    later = [event.seq for event in declarations_of(standing(events), name) if event.seq > declared.seq]
    if later:
        return [f"{_said(name)} came only later, at event {later[0]}."]
    if name in rules.condition_names():
        return [f"Nobody was {_said(name)} at that moment."]
    known = [*rules.reaction_refs(), *rules.condition_names(), *_actions(rules, before)]
    if name in known:
        return [f"Nobody had used {_said(name)} before this."]
    raise unknown(
        "explain/unknown",
        f"Nobody in this fight has {name!r}, and {rules.name} has no condition of that name.",
        name,
        known,
        ruleset=rules.name,
    )


def _actions(rules: Ruleset, before: Battle) -> list[str]:
    return list(dict.fromkeys(name for combatant in before.present() for name in rules.action_refs(combatant)))


def _of_effect(earlier: Sequence[Event], declared: Declared, name: str, rules: Ruleset) -> list[str]:
    """What became of something that was used before: who had it, and for whom it had ended."""
    cast = Cast.of(earlier)
    found = stays(earlier, name)
    telling = [stay for stay in found if stay.ended is not None or _takes_part(stay.began.target, declared)]
    if told := [_of_stay(stay, declared, cast, rules) for stay in telling or found]:
        return told
    used = declarations_of(earlier, name)
    return [f"{cast.name(used[-1].actor)} used {_said(name)} at event {used[-1].seq}; it is over."] if used else []


def _takes_part(combatant: str, declared: Declared) -> bool:
    return combatant in (declared.actor, *declared.targets)


def _of_stay(stay: Stay, declared: Declared, cast: Cast, rules: Ruleset) -> str:
    began, ended = stay
    condition = short(began.condition)
    since = f"{cast.name(began.target)} was {condition} from event {began.seq} ({short(began.source)})"
    if ended is not None:
        return f"{since} to event {ended.seq} ({ended.why}), so it had ended before this."
    if not _takes_part(began.target, declared):
        return f"{since} on, but had no part in this."
    about = rules.condition_about(key(began.condition))
    return f"{since} on, but that does not affect this declaration." + (f" {about}" if about else "")


def _said(name: str) -> str:
    return name.replace("_", " ")


def spent_at(combatant: Combatant, resource: str) -> str:
    """When something was used up, for the end of a sentence: ` at event 41`."""
    recent = combatant.economy[resource].recent if resource in combatant.economy else ()
    return f" at event {recent[-1].seq}" if recent else ""
