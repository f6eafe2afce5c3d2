"""Combat states of Avrae: the combatants, their hit points and effects, and the current turn. Also messages of the
bot: checks and saves that players rolled, and the names of actions.

Each state is compared with the events so far. Where they differ, the state of the source counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from combatlog.importers.logs.dice_parser import RollText
from combatlog.importers.logs.fight_writer import STATE, FightWriter, LogLine
from combatlog.importers.logs.import_run import LogImport, StateDifference
from combatlog.importers.logs.log_formats import name, record, records, slug, whole
from combatlog.importers.logs.rolls_and_damage import HP, TEMPORARY, purpose, read_or_none, record_roll
from ledger.events import (
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Controller,
    Gauge,
    InitiativeEntry,
    InitiativeSet,
    ResourceChanged,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from projections.battle.combatant import Combatant

_MAKES = re.compile(r"(?:An? )?(?P<who>.{1,60}?) makes an? (?P<what>.{1,60}?)!?(?: \(.*)?$")
_ADDED = re.compile(r"(?P<who>.{1,60}?) was added to combat with initiative (?P<roll>.{1,200})\.$", re.MULTILINE)
_RESULT = re.compile(r"\*\*Result\*\*: (?P<roll>.+)$", re.MULTILINE)


class MessageRoll(NamedTuple):
    """A roll in a message."""

    who: str | None
    what: str
    roll: RollText


def write_rolls(scribe: FightWriter, line: LogLine, content: str, embeds: list[dict[str, Any]]) -> None:
    for number, told in enumerate((*_in_content(content), *_in_embeds(embeds))):
        known = scribe.named(told.who)
        roller = known.id if known is not None else "gm"
        one = line._replace(key=f"{line.key}:{number}", by="system")
        if scribe.begins(one, f"recorded:roll:{slug(told.what)}", roller):
            record_roll(scribe, roller, purpose(told.what), told.roll)


def _in_content(content: str) -> Iterator[MessageRoll]:
    for added in _ADDED.finditer(content):
        yield from _message_roll(added["who"], "Initiative", added["roll"])
    for result in _RESULT.finditer(content):
        yield from _message_roll(None, "roll", result["roll"])


def _in_embeds(embeds: list[dict[str, Any]]) -> Iterator[MessageRoll]:
    for embed in embeds:
        title, description = embed.get("title"), embed.get("description")
        makes = _MAKES.match(title) if isinstance(title, str) else None
        if makes is not None and isinstance(description, str):
            yield from _message_roll(makes["who"], makes["what"], description.partition("\n")[0])


def _message_roll(who: str | None, what: str, text: str) -> Iterator[MessageRoll]:
    roll = read_or_none(text)
    if roll is not None and roll.dice:
        yield MessageRoll(who, what, roll)


def title_of(data: dict[str, Any]) -> str | None:
    """The title of the bot's reply to a command: `Snig attacks with a Scimitar!`"""
    if data.get("event_type") != "message" or data.get("author_bot") is not True:
        return None
    titles = (embed.get("title") for embed in records(data.get("embeds")))
    return next((title for title in titles if isinstance(title, str) and title.endswith("!")), None)


_DOES = re.compile(r"(?P<verb>attacks with|casts|uses|has) (?:an? |the )?(?P<what>.+)$", re.IGNORECASE)


def action_in(title: str | None, who: str | None, asked: str | None) -> str:
    """The name of an action: from the bot's reply or, without one, from the command."""
    if title:
        does = _DOES.search(title.rstrip("!").removeprefix(who or "").strip())
        if does is not None:
            return does["what"]
    return _asked_for(asked) if asked else "unnamed"


def _asked_for(command: str) -> str:
    """`!i a "Fire Bolt" -t snig` asks for `Fire Bolt`."""
    words = re.findall(r'"[^"]{1,60}"|\S+', command)
    said = [word.strip('"') for word in words if word.lower() not in _COMMANDS]
    ends = next((place for place, word in enumerate(said) if word.startswith("-")), len(said))
    return " ".join(said[:ends])[:60] or "unnamed"


_COMMANDS = {
    *("!a", "!attack", "!action", "!cast", "!i", "!init", "!ma", "!monattack"),
    *("a", "attack", "cast", "aoo", "action"),
}


__all__ = ["TEMPORARY", "by_source", "write_state"]

_SOURCE = "recorded:source:state"
_MOST = 200
"""The most combatants in one fight."""
_SHOWN = re.compile(
    r"^(?:[# ] *-?\d+: | +- )(?P<name>.+?) <(?:(?P<hp>-?\d+)(?:/(?P<most>-?\d+))? HP)?"
    r"(?:(?:, )?(?P<temp>\d+) temp)?>(?: \(\+(?P<added>\d+) temp\))?",
    re.MULTILINE,
)
"""A line of the visible summary. It has the hit points of players' characters, which the data lacks."""


class AvraeHealth(NamedTuple):
    """Hit points according to the source; None if it does not give them."""

    hp: int | None = None
    most: int | None = None
    temporary: int | None = None


def by_source(scribe: FightWriter) -> dict[str, Combatant]:
    """Combatants by their ids in the source."""
    known: dict[str, Combatant] = scribe.memory.setdefault("combatants", {})
    if len(known) != len(scribe.battle.combatants):
        known.clear()
        known.update({str(one.sheet.get("id")): one for one in scribe.battle.combatants.values()})
    return known


def write_state(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    state = data.get("data")
    if not isinstance(state, dict) or not isinstance(state.get("combatants"), list):
        desk.unread(line, str(data), "state without combatants")
        return
    if not scribe.begins(line, STATE, only_with_consequences=True):
        return
    shown = _shown(data.get("human_readable"))
    there = dict(_everybody(records(state["combatants"])))
    _compare_known(desk, scribe, there, shown)
    for source, one in there.items():
        if source not in by_source(scribe):
            _join(scribe, source, one, shown)
    _leave(scribe, set(there))
    _take_turn(scribe, state)


def _everybody(listed: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """All participants, including members of groups."""
    for one in listed[:_MOST]:
        if one.get("type") == "group":
            yield from _everybody([part for part in records(one.get("combatants")) if part.get("type") != "group"])
        elif isinstance(one.get("id"), str) and name(one.get("name")) is not None:
            yield one["id"], one


def _shown(summary: Any) -> dict[str, AvraeHealth]:
    if not isinstance(summary, str):
        return {}
    return {
        found["name"]: AvraeHealth(_int(found["hp"]), _int(found["most"]), _int(found["temp"] or found["added"]) or 0)
        for found in _SHOWN.finditer(summary)
    }


def _int(text: str | None) -> int | None:
    return whole(int(text)) if text is not None and len(text) < 12 else None


def _health(one: dict[str, Any], shown: dict[str, AvraeHealth]) -> AvraeHealth:
    """Hit points from the data or, if it has none, from the summary."""
    if (hp := whole(one.get("hp"))) is not None:
        return AvraeHealth(hp, whole(one.get("max_hp")), whole(one.get("temp_hp")) or 0)
    return shown.get(str(one.get("name")), AvraeHealth())


# Participants


_SIDES = {"player": "players", "monster": "monsters"}


def _join(scribe: FightWriter, source: str, one: dict[str, Any], shown: dict[str, AvraeHealth]) -> None:
    kind = str(one.get("type"))
    health = _health(one, shown)
    joined = scribe.join(
        name(one.get("name")) or "unnamed",
        side=_SIDES.get(kind, ""),
        controller=Controller.PLAYER if kind == "player" else Controller.GM,
        sheet=_sheet(source, one),
        vitals=_vitals(health),
    )
    for applied in _effects(one).items():
        _apply(scribe, joined, applied)


def _sheet(source: str, one: dict[str, Any]) -> dict[str, Any]:
    said = {"ac": whole(one.get("ac")), "monster": name(one.get("monster_name")), "type": name(one.get("type"))}
    return {"id": source[:100]} | {key: value for key, value in said.items() if value is not None}


def _vitals(health: AvraeHealth) -> dict[str, Gauge]:
    if health.hp is None:
        return {}
    return {
        HP: Gauge(current=health.hp, maximum=health.most),
        TEMPORARY: Gauge(current=health.temporary or 0),
    }


def _leave(scribe: FightWriter, there: set[str]) -> None:
    for source, one in list(by_source(scribe).items()):
        if one.present and source not in there:
            scribe.record(CombatantLeft, combatant=one.id, why="no longer in the initiative order")


# Hit points and effects


def _compare_known(
    desk: LogImport, scribe: FightWriter, there: dict[str, dict[str, Any]], shown: dict[str, AvraeHealth]
) -> None:
    known = by_source(scribe)
    for source, one in there.items():
        combatant = known.get(source)
        if combatant is not None and combatant.present:
            health, effects = _health(one, shown), _effects(one)
            found = {*_health_differs(combatant, health), *_effects_differ(combatant, effects)}
            desk.agreement.compare(found)
            if found:
                _take_over(scribe, combatant, health, effects)


def _health_differs(combatant: Combatant, health: AvraeHealth) -> Iterator[StateDifference]:
    if health.hp is None:
        return
    if HP not in combatant.vitals:
        yield StateDifference.UNKNOWN
        return
    if combatant.vitals[HP].current != health.hp:
        yield StateDifference.HIT_POINTS
    if combatant.vitals[TEMPORARY].current != (health.temporary or 0):
        yield StateDifference.TEMPORARY_HIT_POINTS


def _effects_differ(combatant: Combatant, effects: dict[str, dict[str, Any]]) -> Iterator[StateDifference]:
    if effects.keys() - combatant.conditions.keys():
        yield StateDifference.EFFECT_BEGAN
    if combatant.conditions.keys() - effects.keys():
        yield StateDifference.EFFECT_ENDED


def _take_over(
    scribe: FightWriter, combatant: Combatant, health: AvraeHealth, effects: dict[str, dict[str, Any]]
) -> None:
    """Set the state to that of the source."""
    if health.hp is not None and HP in combatant.vitals:
        _set(scribe, combatant, HP, health.hp)
        _set(scribe, combatant, TEMPORARY, health.temporary or 0)
    for ref in [ref for ref in combatant.conditions if ref not in effects]:
        scribe.record(ConditionRemoved, target=combatant.id, condition=ref, why="ended in the log")
    for ref, effect in effects.items():
        if not combatant.has(ref):
            _apply(scribe, combatant, (ref, effect))


def _set(scribe: FightWriter, combatant: Combatant, pool: str, value: int) -> None:
    before = combatant.vitals[pool].current
    if before != value:
        scribe.record(
            ResourceChanged,
            owner=combatant.id,
            resource=pool,
            before=before,
            after=value,
            maximum=combatant.vitals[pool].maximum,
            source=_SOURCE,
            why="the log has a different number here and gives no reason",
        )


def _effects(one: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Effects, by the ref of their condition."""
    named = ((name(effect.get("name")), effect) for effect in records(one.get("effects"))[:_MOST])
    return {f"recorded:condition:{slug(called)}": effect for called, effect in named if called is not None}


def _apply(scribe: FightWriter, combatant: Combatant, applied: tuple[str, dict[str, Any]]) -> None:
    ref, effect = applied
    duration = whole(effect.get("duration"))
    scribe.record(
        ConditionApplied,
        target=combatant.id,
        condition=ref,
        source=_SOURCE,
        owner="gm",
        data={"duration": duration} if duration is not None else {},
    )


# Turns


def _take_turn(scribe: FightWriter, state: dict[str, Any]) -> None:
    clock, number = scribe.battle.clock, whole(state.get("round"))
    current = _current(scribe, state)
    if clock.closed or number is None or number < 0 or state.get("current") is None:
        return
    _set_order(scribe, records(state["combatants"]))
    if (number, current) == (clock.round, clock.turn):
        return
    if clock.turn is not None:
        scribe.record(TurnEnded, combatant=clock.turn)
    if number != clock.round:
        scribe.record(RoundStarted, number=number)
    if current is not None:
        scribe.record(TurnStarted, combatant=current)


def _current(scribe: FightWriter, state: dict[str, Any]) -> str | None:
    """The combatant whose turn it is; None if there is none or it is a group, which has no turn of its own here."""
    place, listed = whole(state.get("current")), state["combatants"]
    if place is None or not 0 <= place < len(listed):
        return None
    found = by_source(scribe).get(str(record(listed[place]).get("id")))
    return found.id if found is not None else None


def _set_order(scribe: FightWriter, listed: list[dict[str, Any]]) -> None:
    known = by_source(scribe)
    order = [
        InitiativeEntry(combatant=known[source].id, value=value)
        for one in listed
        for source, member in _everybody([one])
        if source in known and (value := whole(member.get("init") if "init" in member else one.get("init"))) is not None
    ]
    if order != scribe.battle.clock.order:
        scribe.record(InitiativeSet, order=tuple(order))
