"""What a combatant can do now, and why a reaction or a modifier did not apply.

Also resolves short forms: hit a target, cast a spell, move. The ruleset lists the declarations that each could mean;
dry runs find those that are possible now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.naming import known_id, unknown_combatant
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown
from combatlog.rules.engine.resolution.dry_run import foresee
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.turns import turn_in_progress
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.ruleset_types import Advice, ChoiceSection
from ledger.events import Data, Declared, Event, Position, ResourceChanged, TurnStarted
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle, fold
from projections.battle.timeline import standing
from projections.review.explanation import (
    Absence,
    ConditionSpan,
    check_event,
    condition_spans,
    declarations_of,
    look_for,
    name_in_ref,
)
from projections.story.names import CombatantNames
from projections.story.text import short


def menu_of(fight: FightEngine, actor: str) -> list[ChoiceSection]:
    return fight.ruleset.menu(fight.battle, combatant_of(fight.battle, actor))


def obstacle(*checks: Callable[[], None]) -> str | None:
    """The refusal of the first check that fails, as a sentence; None if all pass."""
    try:
        for check in checks:
            check()
    except Refusal as refusal:
        return refusal.sentence
    return None


def advice_for(fight: FightEngine, actor: str) -> list[Advice]:
    """The ruleset's advice on a combatant's choices; refused if it gives none."""
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


def why_not(events: Sequence[Event], seq: int, asked: str) -> list[str]:
    """Why a reaction or modifier did not apply in the declaration that an event belongs to, in sentences."""
    check_event(events, seq)
    declaration = events[seq - 1].declaration
    declared = events[declaration - 1]
    if not isinstance(declared, Declared):
        raise Refusal(
            "explain/no-declaration",
            f"Event {seq} does not belong to a declaration, so no modifier could apply to it.",
            seq=seq,
        )
    name = name_in_ref(asked)
    absence = look_for([event for event in events if event.declaration == declaration], name)
    return counted_or_declined(absence, name, CombatantNames.of(events)) or _obstacles(events, declared, name)


def counted_or_declined(absence: Absence, name: str, cast: CombatantNames) -> list[str]:
    """The answer that the record itself gives; empty if it gives none."""
    if absence.declined and not absence.used:
        return [
            _declined(cast.name(event.reactor), event.decided_by.value, name, event.seq) for event in absence.declined
        ]
    if came := [*absence.used, *absence.counted]:
        return [f"It did apply: {name.replace('_', ' ')} counts at event {came[0].seq}."]
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
        return [f"{_said(name)} was used only later, at event {later[0]}."]
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
    """What happened to an effect that was used before: who had it, and when it ended."""
    cast = CombatantNames.of(earlier)
    found = condition_spans(earlier, name)
    telling = [stay for stay in found if stay.ended is not None or _takes_part(stay.began.target, declared)]
    if told := [_of_stay(stay, declared, cast, rules) for stay in telling or found]:
        return told
    used = declarations_of(earlier, name)
    return [f"{cast.name(used[-1].actor)} used {_said(name)} at event {used[-1].seq}; it is over."] if used else []


def _takes_part(combatant: str, declared: Declared) -> bool:
    return combatant in (declared.actor, *declared.targets)


def _of_stay(stay: ConditionSpan, declared: Declared, cast: CombatantNames, rules: Ruleset) -> str:
    began, ended = stay
    condition = short(began.condition)
    since = f"{cast.name(began.target)} was {condition} from event {began.seq} ({short(began.source)})"
    if ended is not None:
        return f"{since} to event {ended.seq} ({ended.why}), so it had ended before this."
    if not _takes_part(began.target, declared):
        return f"{since} on, but had no part in this."
    about = rules.condition_about(name_in_ref(began.condition))
    return f"{since} on, but that does not affect this declaration." + (f" {about}" if about else "")


def _said(name: str) -> str:
    return name.replace("_", " ")


def spent_at(combatant: Combatant, resource: str) -> str:
    """When a resource was last changed, for the end of a sentence: ` at event 41`."""
    recent = combatant.economy[resource].recent if resource in combatant.economy else ()
    return f" at event {recent[-1].seq}" if recent else ""


Ways = Sequence[Sequence[Declaration]]
"""Possible meanings, the most obvious group first. Within a group, only a person can choose."""


def acting(battle: Battle, actor: str | None) -> Combatant:
    """The named combatant or, without a name, the one whose turn it is."""
    return battle.combatants[known_id(battle, actor) if actor is not None else turn_in_progress(battle)]


def last_target(fight: FightEngine, actor: Combatant, sees: Callable[[str], bool] | None = None) -> str:
    """The actor's last target in this turn; refused if there is none, or if the caller cannot see it (`sees`)."""
    for event in reversed(fight.course.standing):
        if isinstance(event, TurnStarted):
            break
        if isinstance(event, Declared) and event.actor == actor.id and event.targets:
            if sees is not None and not sees(event.targets[-1]):
                break
            return event.targets[-1]
    raise Refusal("hit/whom", f"{actor.name} has not had a target in this turn; name one.", who=actor.id)


def ways_to_hit(
    fight: FightEngine, target: str, *, actor: str | None = None, weapon: str | None = None
) -> list[Declaration]:
    """The declarations with which a combatant can hit a target now; more than one if there is a choice."""
    who = acting(fight.battle, actor)
    whom = fight.battle.combatants.get(found := known_id(fight.battle, target))
    if whom is None:
        raise Refusal("hit/whom", f"{found} cannot be hit; name a combatant.", name=found)
    wanted = named(weapon, fight.ruleset.weapons(who), "weapon") if weapon is not None else None
    return _possible(fight, fight.ruleset.hitting(fight.battle, who, whom, wanted), "hit")


def way_to_move(
    fight: FightEngine, to: Position, *, via: Sequence[Position] = (), actor: str | None = None, as_seen: bool = False
) -> Declaration:
    """The cheapest declaration with which a combatant can move to a square now.

    `via` are squares on the way; with `as_seen`, the path is found as the combatant's side sees the map.
    """
    who = acting(fight.battle, actor)
    chosen: Data = {"options": {"via": [list(place) for place in via]}} if via else {}
    chosen |= {"as_seen": True} if as_seen else {}
    ways = [way.model_copy(update=chosen) for way in fight.ruleset.moving(fight.battle, who, to)]
    return _possible(fight, [[way] for way in ways], "move")[0]


def way_to_cast(
    fight: FightEngine,
    spell: str,
    *,
    targets: Iterable[str] = (),
    to: Position | None = None,
    options: Data | None = None,
    actor: str | None = None,
) -> Declaration:
    """The declaration of a spell, which is given by its name or the beginning of its name."""
    who = acting(fight.battle, actor)
    cast = fight.ruleset.casting(who, named(spell, fight.ruleset.spells(who), "spell"))
    aimed = {"targets": tuple(targets), "destination": to, "options": {**cast.options, **(options or {})}}
    return cast.model_copy(update=aimed)


def _possible(fight: FightEngine, ways: Ways, what: str) -> list[Declaration]:
    """The possible declarations of the first group that has any; if none has, the last refusal is raised."""
    refused = Refusal(f"{what}/unknown", f"This ruleset does not define {what!r}; name an action.", what=what)
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
    """The known name that was typed, in upper or lower case, whole or as the beginning of one of its words."""
    names = list(known)
    wanted = _key(typed)
    exact = [name for name in names if _key(name) == wanted]
    begun = exact or [name for name in names if f" {wanted}" in f" {_key(name)}"]
    if len(begun) == 1:
        return begun[0]
    if begun:
        sentence = f"{typed!r} could be {choices(begun)}; type more of the name."
        raise Refusal(f"{what}/ambiguous", sentence, name=typed, available=begun)
    raise unknown(
        f"{what}/unknown", f"There is no {what} {typed!r} here; the choices are {listing(names)}.", typed, names
    )


def _key(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())
