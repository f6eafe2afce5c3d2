"""Differences between two states as sentences, each about the change from the first to the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from ledger.events import Controller
from projections.review.difference import (
    Aspect,
    Difference,
    HeldCondition,
    HeldGrant,
    InitiativePlace,
    PoolState,
    Presence,
    WaitingReaction,
)
from projections.story.names import Names, called
from projections.story.phrases import (
    AMENDMENT,
    RULING,
    a,
    capitalized,
    condition_in_words,
    name_of,
    no_longer,
    or_list,
    place,
    source_of,
    the_side,
    until_in_words,
    verb,
    what_may_be_done,
    who,
    whose,
    with_weapon,
)
from projections.story.text import and_list, clean, short


def called_difference(difference: Difference, names: Names) -> Difference:
    """The difference with names in place of ids. Use the result only for sentences."""
    if not names:
        return difference
    before, after = (_with_names(value, names, difference.aspect) for value in (difference.before, difference.after))
    who = names.get(difference.who, difference.who) if difference.who is not None else None
    return replace(difference, who=who, before=before, after=after)


def _with_names(value: Any, names: Names, aspect: Aspect) -> Any:
    if aspect is Aspect.TURN:
        return names.get(value, value)
    if isinstance(value, WaitingReaction):
        reactor = names.get(value.reactor, value.reactor) if value.reactor is not None else None
        return replace(value, subject=names.get(value.subject, value.subject), reactor=reactor)
    if isinstance(value, HeldCondition):
        until = called(value.until, names) if value.until is not None else None
        return replace(value, owner=names.get(value.owner, value.owner), until=until)
    if isinstance(value, tuple) and aspect is Aspect.INITIATIVE:
        return tuple(_placed(place, names) for place in value)
    return value


def _placed(place: InitiativePlace, names: Names) -> InitiativePlace:
    return replace(place, combatant=names.get(place.combatant, place.combatant))


T = TypeVar("T")


def say_difference(difference: Difference, names: Names | None = None) -> str:
    """What changed, as one sentence without a full stop, with the given names in place of ids."""
    named = called_difference(difference, names or {})
    return clean(capitalized(_SENTENCES[named.aspect](named)))


# The fight


def _encounter_text(d: Difference) -> str:
    what = "ruleset is" if d.aspect is Aspect.RULESET else "dice are"
    return f"the {what} {d.after} instead of {d.before}"


def _round(d: Difference) -> str:
    if not d.after:
        return "the fight has not started yet"
    return f"it is round {d.after}" + (f" instead of round {d.before}" if d.before else ", and the fight has started")


def _turn(d: Difference) -> str:
    if d.after is None:
        return f"it is no longer {whose(str(d.before))} turn, and no other is in progress"
    return f"it is {whose(str(d.after))} turn" + (f" instead of {whose(str(d.before))}" if d.before else "")


def _closed(d: Difference) -> str:
    return "the fight is over" if d.after else "the fight is open again"


def _labels(d: Difference) -> str:
    labels: tuple[str, ...] = _as(tuple, d.after)
    return f"the fight is labelled {and_list(list(labels))}" if labels else "the fight has no labels"


def _initiative(d: Difference) -> str:
    order: tuple[InitiativePlace, ...] = _as(tuple, d.after)
    if not order:
        return "there is no initiative order yet"
    return "the initiative order is " + and_list([_place(entry) for entry in order])


def _place(entry: InitiativePlace) -> str:
    return who(entry.combatant) + (f" ({entry.value})" if entry.value is not None else "")


def _window(d: Difference) -> str:
    before, after = d.before, d.after
    if after is None:
        return f"{_asked(_as(WaitingReaction, before))} is no longer asked to react"
    waiting = _as(WaitingReaction, after)
    choice = or_list([short(reaction) for reaction in waiting.reactions])
    asked = f"{_asked(waiting)} is asked to react" + (f" with {choice}" if choice else "")
    if before is None or _asked(_as(WaitingReaction, before)) == _asked(waiting):
        return asked
    return f"{asked}, instead of {_asked(_as(WaitingReaction, before))}"


def _asked(waiting: WaitingReaction) -> str:
    return who(waiting.reactor) if waiting.reactor is not None else "nobody"


def _question(d: Difference) -> str:
    about, question = f" for {who(d.who)}" if d.who else "", str(d.name).rstrip(".")
    if d.after is None:
        return f"no ruling is needed{about} any more: {question}"
    times = _as(int, d.after)
    needed = "a ruling is needed" if times == 1 else f"{times} rulings are needed"
    return f"{needed}{about}: {question}"


# A combatant


def _presence(d: Difference) -> str:
    subject = _who(d)
    match d.before, d.after:
        case Presence.ABSENT, Presence.PRESENT:
            return f"{subject} joins"
        case Presence.ABSENT, Presence.LEFT:
            return f"{subject} joins and leaves"
        case Presence.LEFT, Presence.PRESENT:
            return f"{subject} is back in the fight"
        case Presence.LEFT, Presence.ABSENT:
            return f"{subject} never joins"
    return f"{subject} leaves"


def _called(d: Difference) -> str:
    return f"{_who(d)} is called “{d.after}” instead of “{d.before}”"


def _side(d: Difference) -> str:
    return f"{_who(d)} fights for {the_side(str(d.after))} instead of {the_side(str(d.before))}"


def _controller(d: Difference) -> str:
    return f"{_who(d)} is controlled by {'the GM' if d.after is Controller.GM else 'a player'}"


def _position(d: Difference) -> str:
    if d.after is None:
        return f"{_who(d)} is no longer on the map"
    return f"{_who(d)} is at {place(_as(tuple, d.after))}" + (
        f" instead of {place(_as(tuple, d.before))}" if d.before is not None else ""
    )


def _health(d: Difference) -> str:
    return f"{_who(d)} is {d.after}" + (f" instead of {d.before}" if d.before is not None else "")


def _pool(d: Difference) -> str:
    name = name_of(str(d.name))
    if d.after is None:
        return f"{_who(d)} no longer has {name}"
    after = _as(PoolState, d.after)
    if d.before is None:
        return f"{_who(d)} has {name} ({_amount(after)})"
    before = _as(PoolState, d.before)
    if before.current == after.current:
        return _same_amount(d, name, before, after)
    return _went(d, name, before, after) + _with_locked(before, after)


def _went(d: Difference, name: str, before: PoolState, after: PoolState) -> str:
    """A resource with a maximum of 1 is there or not; others are counted."""
    if (before.maximum, after.maximum) == (1, 1) and {before.current, after.current} == {0, 1}:
        return f"{_who(d)} {f'gets the {name} back' if after.current else f'no longer has the {name}'}"
    went = verb(name, "rise" if after.current > before.current else "fall")
    bound = "" if before.maximum == after.maximum else f" {_at_most(after)}"
    return f"{whose(str(d.who))} {name} {went} from {before.current} to {after.current}{bound}"


def _same_amount(d: Difference, name: str, before: PoolState, after: PoolState) -> str:
    """The amount is the same, but not its maximum, or what was spent or locked."""
    parts = []
    if before.maximum != after.maximum:
        parts.append(_at_most(after))
    if before.spent != after.spent:
        parts.append(f"with {after.spent} spent instead of {before.spent}")
    if before.locked != after.locked:
        parts.append(f"with {after.locked} locked instead of {before.locked}")
    return f"{whose(str(d.who))} {name} {verb(name, 'stay')} at {after.current}, {and_list(parts)}"


def _with_locked(before: PoolState, after: PoolState) -> str:
    if before.locked == after.locked:
        return ""
    return f", with {after.locked} locked instead of {before.locked}"


def _amount(pool: PoolState) -> str:
    return str(pool.current) if pool.maximum is None else f"{pool.current} of {pool.maximum}"


def _at_most(pool: PoolState) -> str:
    return "without a limit" if pool.maximum is None else f"of at most {pool.maximum}"


def _condition(d: Difference) -> str:
    if d.after is None:
        return f"{_who(d)} {no_longer(str(d.name))}"
    after = _as(HeldCondition, d.after)
    is_or_has = condition_in_words(str(d.name))
    if d.before is None:
        return f"{_who(d)} {is_or_has}{_level(after)}{until_in_words(after.until)}"
    return f"{_who(d)} {is_or_has}{_changed_condition(_as(HeldCondition, d.before), after)}"


def _changed_condition(before: HeldCondition, after: HeldCondition) -> str:
    parts = []
    if before.level != after.level:
        parts.append(f"{_level(after) or ' at no particular level'} instead of{_level(before) or ' none'}")
    if before.until != after.until:
        parts.append(f"{_until(after)} instead of{_until(before)}")
    if (before.source, before.owner) != (after.source, after.owner):
        parts.append(f" from {_origin(after)} instead of {_origin(before)}")
    return ",".join(parts)


def _level(held: HeldCondition) -> str:
    return "" if held.level is None else f" at level {held.level}"


def _until(held: HeldCondition) -> str:
    return until_in_words(held.until) or " until something ends it"


def _origin(held: HeldCondition) -> str:
    kind = source_of(held.source)
    return a(kind) if kind in (RULING, AMENDMENT) else f"{whose(held.owner)} {kind}"


def _grant(d: Difference) -> str:
    before, after = (Counter(_as(tuple, grants or ())) for grants in (d.before, d.after))
    changed = [grant for grant in {**before, **after} if before[grant] != after[grant]]
    action = what_may_be_done(str(d.name))
    return f"{_who(d)} {and_list([_may(action, one, before[one], after[one]) for one in changed])}"


def _may(action: str, grant: HeldGrant, before: int, after: int) -> str:
    use = f"{action}{with_weapon(grant.weapon)}"
    if not after:
        return f"may no longer {use} ({source_of(grant.source)})"
    times = f" {_times(after)} instead of {_times(before)}" if before else f" {_times(after)}" if after > 1 else ""
    return f"may {use}{times} ({source_of(grant.source)})"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _pile(d: Difference) -> str:
    before, after = (Counter(_as(tuple, cards or ())) for cards in (d.before, d.after))
    gained, lost = (list((one - other).elements()) for one, other in ((after, before), (before, after)))
    parts = [f"{what} {and_list(cards)}" for what, cards in (("gains", gained), ("loses", lost)) if cards]
    pile = f"{whose(str(d.who))} {name_of(str(d.name))}"
    return f"{pile} {and_list(parts)}" if parts else f"{pile} is in another order"


def _who(d: Difference) -> str:
    return who(str(d.who))


def _as(kind: type[T], value: object) -> T:
    """The value, which has this type because of its aspect."""
    assert isinstance(value, kind)
    return value


_SENTENCES: dict[Aspect, Callable[[Difference], str]] = {
    Aspect.RULESET: _encounter_text,
    Aspect.DICE: _encounter_text,
    Aspect.ROUND: _round,
    Aspect.TURN: _turn,
    Aspect.CLOSED: _closed,
    Aspect.LABELS: _labels,
    Aspect.INITIATIVE: _initiative,
    Aspect.WINDOW: _window,
    Aspect.QUESTION: _question,
    Aspect.PRESENCE: _presence,
    Aspect.CALLED: _called,
    Aspect.SIDE: _side,
    Aspect.CONTROLLER: _controller,
    Aspect.POSITION: _position,
    Aspect.HEALTH: _health,
    Aspect.VITAL: _pool,
    Aspect.RESOURCE: _pool,
    Aspect.CONDITION: _condition,
    Aspect.GRANT: _grant,
    Aspect.PILE: _pile,
}
