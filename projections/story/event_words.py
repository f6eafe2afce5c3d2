"""Events in words: one sentence each. The table at the end lists the functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    Amended,
    AreaAffected,
    AttackResolved,
    CardsMoved,
    ChainModified,
    CheckResolved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Data,
    DecidedBy,
    Declared,
    EncounterClosed,
    EncounterImported,
    EncounterLabelled,
    EncounterOpened,
    Event,
    Forked,
    Healed,
    InitiativeSet,
    Inserted,
    LinkAsked,
    LinkRevealed,
    LinksCommitted,
    LinkWithheld,
    ManualResolutionNeeded,
    Moved,
    NoteAbout,
    Noted,
    Offer,
    PoliciesSet,
    ReactionChosen,
    ReactionDeclined,
    ReactionLapsed,
    ReactionUsed,
    ReactionWindowOpened,
    Redone,
    ResourceChanged,
    Rolled,
    RollMode,
    RoundEnded,
    RoundStarted,
    Ruled,
    SaveResolved,
    SideChanged,
    TerrainChanged,
    TurnEnded,
    TurnStarted,
    Undone,
)
from projections.battle.clock_and_map import TERRAIN
from projections.battle.consent import ABOUT_CONSENT, OVERRULE, PROPOSE
from projections.battle.dice import SIT
from projections.story.names import CombatantNames
from projections.story.phrases import (
    AMENDMENT,
    a,
    capitalized,
    changed,
    condition_in_words,
    counted,
    effect_on,
    face,
    name_of,
    no_longer,
    or_list,
    origin_of,
    place,
    saved_against,
    signed,
    source_of,
    the_side,
    type_of,
    until_in_words,
    verb,
    what_may_be_done,
    who,
    whose,
    with_weapon,
)
from projections.story.text import and_list, clean, short
from projections.views.redacted_events import SEEN_WORDS
from projections.views.visibility import FOR_THE_GM, NOTE, NOTE_TEXT, ROLL_ASIDE


def in_words(event: Event, cast: CombatantNames | None = None) -> str:
    """What happened, as one sentence without a full stop. The cast provides names and the order of turns."""
    write = WORDS.get(type(event)) or SEEN_WORDS[type(event)]
    return clean(capitalized(write(cast.named(event) if cast is not None else event)))


def _because(prose: str) -> str:
    """A reason behind a sentence; empty if it is not seen."""
    return f" ({prose})" if prose else ""


_SAYS_NOTHING = {"left the fight", "the fight is over"}
"""The reasons that are recorded when none is given."""


def reason(prose: str | None) -> str:
    return "" if prose is None or prose in _SAYS_NOTHING else prose


def names(combatants: Iterable[str]) -> str:
    return and_list([who(combatant) for combatant in combatants])


# Time

_DICE = {
    "random": "random dice",
    "committed": "committed dice",
    "table": "dice rolled at the table",
    "recorded": "dice rolled elsewhere",
}


def _own_dice(setting: str) -> str:
    """A seed, or the dice of each side: `heroes=table,foes=random`."""
    if "=" not in setting:
        return f"dice from {setting.replace(':', ' ')}"
    parts = (part.rpartition("=") for part in setting.split(","))
    return "dice of their own: " + and_list([f"{source} for {whose or 'all others'}" for whose, _, source in parts])


def _opened(e: EncounterOpened) -> str:
    packs = [str(pack.get("name")) for pack in e.options.get("packs", ()) if isinstance(pack, dict)]
    brought = f" and the pack{'s' if len(packs) > 1 else ''} {and_list(packs)}" if packs else ""
    dice = _DICE.get(e.dice) or _own_dice(e.dice)
    return f"“{e.name}” opens under {e.ruleset} {e.ruleset_version}, with {dice}{brought}"


def _joined(e: CombatantJoined) -> str:
    vitals = and_list([f"{gauge.current} {name_of(name)}" for name, gauge in e.vitals.items() if gauge.current])
    where = f" at {place(e.position)}" if e.position else ""
    side = f" {the_side(e.side)}" if e.side else ""
    return f"{e.name} joins{side}{where}" + (f" with {vitals}" if vitals else "")


def _initiative(e: InitiativeSet) -> str:
    return "Initiative: " + ", ".join(f"{who(entry.combatant)} {entry.value}" for entry in e.order)


def _policies(e: PoliciesSet) -> str:
    named = {("all others" if name == "*" else name_of(name)): policy for name, policy in e.policies.items()}
    settings = [f"{name} {policy.value}" for name, policy in named.items()]
    return f"{whose(e.combatant)} reactions from now on: {and_list(settings)}"


def _labelled(e: EncounterLabelled) -> str:
    said = f"The fight is labelled {and_list(list(e.labels))}" if e.labels else "The fight has no labels any more"
    return said + (f" ({e.why})" if e.why else "")


def _imported(e: EncounterImported) -> str:
    """The fight's name there may differ from its name here."""
    fight = e.originals[0]
    return f"The fight so far is copied from another ledger, where it is named “{fight.name}” ({fight.encounter})"


# Declarations and chains

_CORE = {
    "core:time:join": "adds a combatant",
    "core:time:start": "starts the fight",
    "core:time:end-turn": "ends the turn",
    "core:time:leave": "withdraws",
    "core:time:close": "closes the fight",
    "core:time:label": "labels the fight",
    "core:time:reveal": "reveals",
    "core:time:conceal": "conceals",
    "core:time:initiative": "sets initiative",
    "core:reaction:policies": "changes its reactions",
    "core:ruling:rule": "makes a ruling",
    "core:ruling:uphold": "lets the earlier outcome stand",
}
"""Openings for declarations that every ruleset has; the events that follow say the rest."""
_WITH_OBJECT = {"core:time:reveal", "core:time:conceal"}
"""Those with a direct object."""


_BY_THE_GM = {"core:gm:hurt": "hurts", "core:gm:heal": "heals"}


_REST = "core:gm:recuperate"


def _rests(e: Declared) -> str:
    kind = f"{e.options['kind']} " if e.options.get("kind") in ("short", "long") else ""
    return f"{names(e.targets)} {'takes' if len(e.targets) == 1 else 'take'} a {kind}rest"


def _aside(e: Declared) -> str:
    """A note, or a roll that the rules do not ask for."""
    secret = " in secret" if e.options.get(FOR_THE_GM) else ""
    if e.action == NOTE:
        about = f" about {names(e.targets)}" if e.targets else ""
        return f"{who(e.by)} notes{about}{secret}: “{e.options.get(NOTE_TEXT, '')}”"
    rolls = f"{e.options['dice']} for {e.options.get('purpose', 'something')}" if "dice" in e.options else "dice"
    return f"{names(e.targets) if e.targets else who(e.by)} rolls {rolls}{secret}"


def _about_consent(e: Declared) -> str:
    if e.action == PROPOSE:
        return f"{who(e.by)} proposes {_what_is_proposed(e)} and asks {names(e.targets)} to agree"
    if e.action == OVERRULE:
        return f"{who(e.by)} carries out the proposal without unanimous consent"
    if "agree" not in e.options:
        return f"{who(e.actor)} answers the proposal"
    return f"{who(e.actor)} {'agrees' if e.options['agree'] else 'does not agree'} to the proposal"


def _what_is_proposed(e: Declared) -> str:
    """The name of the proposed message, if it is seen."""
    name = e.options.get("message", e.options.get("correction"))
    return f"to {name_of(str(name))}" if name is not None else "something"


def _declared(e: Declared) -> str:
    if e.action in ABOUT_CONSENT:
        return _about_consent(e)
    if e.action in (NOTE, ROLL_ASIDE):
        return _aside(e)
    if e.action == _REST:
        return _rests(e)
    if e.action == SIT:
        return f"{whose(e.actor)} player sits down"
    if e.action in _BY_THE_GM:
        reason = f" ({e.options['reason']})" if e.options.get("reason") else ""
        return f"{who(e.actor)} {_BY_THE_GM[e.action]} {names(e.targets)}{reason}"
    parts = [who(e.actor), _CORE.get(e.action) or f"declares {short(e.action)}"]
    if e.targets:
        parts.append(f"{'' if e.action in _WITH_OBJECT else 'on '}{names(e.targets)}")
    if e.weapon:
        parts.append(with_weapon(e.weapon).strip())
    if e.destination:
        parts.append(f"to {place(e.destination)}")
    return " ".join(parts) + ("" if e.action in _CORE else _options(e.options))


def _options(said: Data) -> str:
    options = [_option(name, value) for name, value in said.items()]
    return f" ({', '.join(options)})" if options else ""


def _option(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name_of(name) if value else f"not {name_of(name)}"
    if isinstance(value, list | tuple):
        return f"{name_of(name)} {and_list([str(item) for item in value])}"
    return f"{name_of(name)} {value}" if isinstance(value, str | int | float) else name_of(name)


def _chain(e: ChainModified) -> str:
    match type_of(e.source):
        case "condition":
            return f"{changed(e.chain, e.change)} {origin_of(e.owner, e.source)}{_because(e.reason)}"
        case kind if kind == AMENDMENT:
            return f"{changed(e.chain, e.change)} for {who(e.owner)}{_said(e.reason)}"
    return f"{whose(e.owner)} {short(e.source)} {effect_on(e.chain, e.change)}{_because(e.reason)}"


def _rolled(e: Rolled) -> str:
    kept = "" if len(e.kept) == len(e.faces) else f", keeps {_faces(e.kept)}"
    mode = "" if e.mode is RollMode.NORMAL else f" ({e.mode.value})"
    added = "".join(f" {signed(modifier.amount)} {short(modifier.source)}" for modifier in e.modifiers)
    adds_up = e.modifiers or len(e.kept) > 1
    total = f" = {face(e.total)}" if adds_up and all(isinstance(kept, int) for kept in e.kept) else ""
    came_up = f"{_faces(e.faces)}{kept}{mode}{added}{total}" if e.faces else f"{face(e.total)}{mode}"
    return f"{who(e.roller)} rolls {e.notation} for {e.purpose}: {came_up}"


def _faces(faces: Iterable[int | str]) -> str:
    return and_list([face(value) for value in faces])


def _links_committed(e: LinksCommitted) -> str:
    others = [who(one) for one in e.combatants if one != e.party]
    also = f", also for {and_list(others)}" if others else ""
    return f"{whose(e.party)} player commits to a chain of secrets{also}"


def _link_asked(e: LinkAsked) -> str:
    """Players who are asked for a roll that they do not see are not told what it is for."""
    what = f"{e.notation} for {e.purpose} of {who(e.roller)}" if e.notation else "a roll behind the screen"
    return f"{whose(e.party)} player is asked for a link: {what}"


# Reactions


def _window(e: ReactionWindowOpened) -> str:
    offers = [_offer(offer, e.subject) for offer in e.offers]
    return f"{'; '.join(offers)} ({name_of(e.moment).replace('.', ' ')})"


def _offer(offer: Offer, subject: str) -> str:
    to = f" to {who(subject)}" if subject != offer.reactor else ""
    return f"{who(offer.reactor)} may react{to} with {or_list([short(ref) for ref in offer.reactions])}"


def _chosen(e: ReactionChosen) -> str:
    return f"{who(e.reactor)} reacts with {short(e.reaction)}{_options(e.options)}{_decided(e)}"


def _declined(e: ReactionDeclined) -> str:
    return f"{who(e.reactor)} does not react{_decided(e)}"


def _reaction_used(e: ReactionUsed) -> str:
    used = short(e.reaction)
    return f"{who(e.reactor)} uses {used}{_said(e.reason if e.reason != used else '')}"


def _decided(e: ReactionChosen | ReactionDeclined) -> str:
    return {DecidedBy.POLICY: " (automatic)", DecidedBy.TIME: " (the time was up)"}.get(e.decided_by, "")


# Outcomes


def _attack(e: AttackResolved) -> str:
    verb = "critically hits" if e.critical else "hits" if e.hit else "misses"
    return f"{who(e.attacker)} {verb} {who(e.target)}{with_weapon(e.weapon)}: {e.total} against {e.against}"


def _save(e: SaveResolved) -> str:
    outcome = "succeeds on" if e.success else "fails"
    return f"{who(e.saver)} {outcome} {a(e.save)} save{saved_against(e.save, e.source)}: {e.total} against {e.against}"


def _check(e: CheckResolved) -> str:
    outcome = "succeeds on" if e.success else "fails"
    quality = f" ({name_of(e.quality)})" if e.quality else ""
    return f"{who(e.checker)} {outcome} {a(name_of(e.check))} check: {e.total} against {e.against}{quality}"


def _damaged(e: Damaged) -> str:
    parts = ", ".join(
        f"{short(part.source)} {signed(part.amount)}{f' {part.damage_type}' if part.damage_type else ''}"
        for part in e.parts
    )
    over = f", overkill {e.overkill}" if e.overkill else ""
    lost = f"{who(e.target)} loses {e.amount} {name_of(e.pool)}, {e.left} left{over}"
    return lost + (f" ({parts})" if parts else "")


def _healed(e: Healed) -> str:
    return f"{who(e.target)} regains {e.amount} {name_of(e.pool)}, now {e.left}{_because(e.why)}"


def _applied(e: ConditionApplied) -> str:
    level = f", level {e.level}" if e.level is not None else ""
    until = until_in_words(e.until)
    comma = "," if level and until else ""
    return f"{who(e.target)} {condition_in_words(e.condition)}{level}{comma}{until} ({source_of(e.source)})"


def _removed(e: ConditionRemoved) -> str:
    return f"{who(e.target)} {no_longer(e.condition)}{_because(e.why)}"


def _granted(e: ActionGranted) -> str:
    may = f"{what_may_be_done(e.action)}{with_weapon(e.weapon)}"
    return f"{who(e.owner)} may {may}{until_in_words(e.until)} ({source_of(e.source)})"


def _ungranted(e: ActionRemoved) -> str:
    return f"{who(e.owner)} may no longer {what_may_be_done(e.action)}{_because(e.why)}"


def _resource(e: ResourceChanged) -> str:
    name = name_of(e.resource)
    same = e.before == e.after
    went = f"{verb(name, 'stay')} at {e.after}" if same else f"{verb(name, 'go')} from {e.before} to {e.after}"
    locked = f", {e.locked} locked" if e.locked else ""
    return f"{whose(e.owner)} {name} {went}{locked}{_because(e.why)}"


def _moved(e: Moved) -> str:
    origin = f" from {place(e.origin)}" if e.origin else ""
    cost = f" (cost {e.cost})" if e.cost else ""
    return f"{who(e.mover)} {'is moved' if e.forced else 'moves'}{origin} to {place(e.to)}{cost}"


def _area(e: AreaAffected) -> str:
    area = f"{a(e.shape)} of {counted(len(e.squares), 'square')} from {place(e.origin)}"
    return f"{whose(e.owner)} {short(e.source)} fills {area} and catches {names(e.caught) or 'nobody'}"


def _terrain(e: TerrainChanged) -> str:
    after, before = (TERRAIN.get(letter, letter) for letter in (e.after, e.before))
    return f"Square {place(e.square)} becomes {after}; it was {before}"


def _side(e: SideChanged) -> str:
    return f"{who(e.combatant)} changes sides, from {the_side(e.before)} to {the_side(e.after)}"


def _cards(e: CardsMoved) -> str:
    origin = f" from the {e.origin}" if e.origin else ""
    to = f" to the {e.to}" if e.to else " out of the game"
    return f"{who(e.owner)} moves {and_list(list(e.cards))}{origin}{to}{_because(e.why)}"


# Rulings and corrections


def _ruled(e: Ruled) -> str:
    about = f" on {who(e.subject)}" if e.subject else ""
    return f"{who(e.by)} rules{about}" + (f": {e.ruling}" if e.ruling else "") + _because(e.reason)


def _question(e: ManualResolutionNeeded) -> str:
    return f"A ruling is needed for {who(e.subject)}: {e.effect} ({source_of(e.source)})"


_NOTES = {NoteAbout.UNREAD: "Text that could not be read", NoteAbout.INCOMPLETE: "Not enough to tell what happened"}
_SHOWN = 300
"""How many characters of a note a sentence shows."""


def _noted(e: Noted) -> str:
    text = " ".join(e.text.split())
    shown = f"“{text[:_SHOWN]}…”" if e.cut or len(text) > _SHOWN else f"“{text}”"
    speaker = who(e.who) if e.who else who(e.by) if e.by != "system" else "Someone"
    return f"{speaker} says {shown}" if e.about is NoteAbout.SAID else f"{_NOTES[e.about]}: {shown}"


def _undone(e: Undone) -> str:
    which = f"declaration{'s' if len(e.retracts) > 1 else ''} {and_list([str(seq) for seq in e.retracts])}"
    return f"{who(e.by)} takes back {which}{_said(e.reason)}"


def _redone(e: Redone) -> str:
    return f"{who(e.by)} takes back correction {e.undone}{_said(e.reason)}"


def _amended(e: Amended) -> str:
    return f"{who(e.by)} amends declaration {e.amends}{_said(e.reason)}"


def _said(prose: str) -> str:
    return f": {prose}" if prose else ""


def _inserted(e: Inserted) -> str:
    return f"{who(e.by)} adds a forgotten declaration after event {e.after}{_said(e.reason)}"


def _forked(e: Forked) -> str:
    return f"“{e.name}” forks from encounter {e.parent} after event {e.at}"


WORDS: dict[type[Event], Callable[[Any], str]] = {
    EncounterOpened: _opened,
    CombatantJoined: _joined,
    CombatantLeft: lambda e: f"{who(e.combatant)} leaves the fight{_because(reason(e.why))}",
    InitiativeSet: _initiative,
    PoliciesSet: _policies,
    RoundStarted: lambda e: f"Round {e.number} begins",
    TurnStarted: lambda e: f"{whose(e.combatant)} turn begins",
    TurnEnded: lambda e: f"{whose(e.combatant)} turn ends",
    RoundEnded: lambda e: f"Round {e.number} ends",
    EncounterLabelled: _labelled,
    EncounterImported: _imported,
    EncounterClosed: lambda e: f"The fight is over{_because(reason(e.why))}",
    Declared: _declared,
    ChainModified: _chain,
    Rolled: _rolled,
    LinksCommitted: _links_committed,
    LinkAsked: _link_asked,
    LinkRevealed: lambda e: f"{whose(e.party)} player reveals a link",
    LinkWithheld: lambda e: f"{whose(e.party)} player withholds a link",
    ReactionWindowOpened: _window,
    ReactionChosen: _chosen,
    ReactionDeclined: _declined,
    ReactionLapsed: lambda e: f"{who(e.reactor)} can no longer use {short(e.reaction)}{_said(e.reason)}",
    ReactionUsed: _reaction_used,
    AttackResolved: _attack,
    SaveResolved: _save,
    CheckResolved: _check,
    Damaged: _damaged,
    Healed: _healed,
    ConditionApplied: _applied,
    ConditionRemoved: _removed,
    ActionGranted: _granted,
    ActionRemoved: _ungranted,
    ResourceChanged: _resource,
    Moved: _moved,
    AreaAffected: _area,
    TerrainChanged: _terrain,
    SideChanged: _side,
    CardsMoved: _cards,
    Ruled: _ruled,
    ManualResolutionNeeded: _question,
    Noted: _noted,
    Undone: _undone,
    Redone: _redone,
    Amended: _amended,
    Inserted: _inserted,
    Forked: _forked,
}
