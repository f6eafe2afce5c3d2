"""Events in words: one sentence each. The table at the end says who writes which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    Amended,
    AreaAffected,
    AttackResolved,
    CardsMoved,
    ChainModified,
    Change,
    ChangeOp,
    CheckResolved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    EncounterClosed,
    EncounterOpened,
    Event,
    Forked,
    Healed,
    InitiativeSet,
    ManualResolutionNeeded,
    Moved,
    ReactionChosen,
    ReactionDeclined,
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
    TurnEnded,
    TurnStarted,
    Undone,
    Until,
)
from projections.text import and_list, clean, short


def in_words(event: Event) -> str:
    """What happened, for people."""
    return clean(WORDS[type(event)](event))


def place(position: tuple[int, int]) -> str:
    return f"{position[0]},{position[1]}"


def signed(amount: int) -> str:
    return f"+{amount}" if amount >= 0 else f"−{-amount}"


def _opened(e: EncounterOpened) -> str:
    packs = and_list([str(pack.get("name")) for pack in e.options.get("packs", ()) if isinstance(pack, dict)])
    return f"“{e.name}” opens: {e.ruleset} {e.ruleset_version}, dice {e.dice}" + (f", with {packs}" if packs else "")


def _joined(e: CombatantJoined) -> str:
    vitals = and_list([f"{gauge.current} {name}" for name, gauge in e.vitals.items() if gauge.current])
    where = f" at {place(e.position)}" if e.position else ""
    return f"{e.name} joins the {e.side}{where}" + (f" with {vitals}" if vitals else "")


def _left(e: CombatantLeft) -> str:
    return f"{e.combatant} leaves: {e.why}"


def _initiative(e: InitiativeSet) -> str:
    return "initiative: " + ", ".join(f"{entry.combatant} {entry.value}" for entry in e.order)


def _declared(e: Declared) -> str:
    parts = [f"{e.actor} declares {short(e.action)}"]
    if e.targets:
        parts.append(f"on {and_list(list(e.targets))}")
    if e.weapon:
        parts.append(f"with {e.weapon}")
    if e.destination:
        parts.append(f"to {place(e.destination)}")
    said = [f"{name.replace('_', ' ')} {value}" for name, value in e.options.items() if isinstance(value, str | int)]
    return " ".join(parts) + (f" ({', '.join(said)})" if said and not e.action.startswith("core:") else "")


def change_in_words(change: Change) -> str:
    label = f" {change.label.replace('_', ' ')}" if change.label else ""
    match change.op:
        case ChangeOp.BONUS:
            return f"{signed(change.amount or 0)}{label}"
        case ChangeOp.DICE:
            return f"{change.dice}{label}"
        case ChangeOp.CRITICAL_FROM:
            return f"critical from {change.amount}"
        case ChangeOp.MULTIPLY:
            return f"×{change.amount}{label}"
        case ChangeOp.DIVIDE:
            return f"÷{change.amount}{label}"
        case ChangeOp.FLAG:
            return (change.label or "flag").replace("_", " ")
    return change.op.value


def _chain(e: ChainModified) -> str:
    return f"{e.chain}, {e.stage}: {change_in_words(e.change)} — {e.reason} ({short(e.source)}, {e.owner})"


def _rolled(e: Rolled) -> str:
    faces = and_list([str(face) for face in e.faces])
    taken = "" if len(e.kept) == len(e.faces) else f", took {and_list([str(face) for face in e.kept])}"
    why = "" if e.mode is RollMode.NORMAL else f" ({e.mode.value})"
    added = "".join(f" {signed(modifier.amount)} {short(modifier.source)}" for modifier in e.modifiers)
    return f"{e.roller} rolls {e.notation} for {e.purpose}: {faces}{taken}{why}{added} = {e.total}"


def _window(e: ReactionWindowOpened) -> str:
    offers = [f"{offer.reactor} ({' or '.join(map(short, offer.reactions))})" for offer in e.offers]
    return f"{e.moment}: may react: {', '.join(offers)}"


def _chosen(e: ReactionChosen) -> str:
    return f"{e.reactor} reacts with {short(e.reaction)}" + _decided(e)


def _declined(e: ReactionDeclined) -> str:
    return f"{e.reactor} lets it pass" + _decided(e)


def _decided(e: ReactionChosen | ReactionDeclined) -> str:
    return "" if e.decided_by == "person" else " (by its setting)"


def _attack(e: AttackResolved) -> str:
    verb = "critically hits" if e.critical else "hits" if e.hit else "misses"
    weapon = f" with {e.weapon}" if e.weapon else ""
    return f"{e.attacker} {verb} {e.target}{weapon}: {e.total} against {e.against}"


def _save(e: SaveResolved) -> str:
    outcome = "succeeds at" if e.success else "fails"
    return f"{e.saver} {outcome} a {e.save} save against {short(e.source)}: {e.total} against {e.against}"


def _check(e: CheckResolved) -> str:
    outcome = "succeeds" if e.success else "fails"
    quality = f", {e.quality}" if e.quality else ""
    return f"{e.checker} {outcome} at {e.check}: {e.total} against {e.against}{quality}"


def _damaged(e: Damaged) -> str:
    parts = ", ".join(
        f"{short(part.source)} {signed(part.amount)}{f' {part.damage_type}' if part.damage_type else ''}"
        for part in e.parts
    )
    over = f", {e.overkill} more than it had" if e.overkill else ""
    return f"{e.target} loses {e.amount} {e.pool}, {e.left} left{over}" + (f" ({parts})" if parts else "")


def _healed(e: Healed) -> str:
    return f"{e.target} regains {e.amount} {e.pool}, now {e.left} ({e.why})"


def until_in_words(until: Until | None) -> str:
    if until is None:
        return ""
    whose = f" of {until.whose}'s" if until.whose else ""
    moment = {"turn_start": "the start", "turn_end": "the end", "round_end": "the end"}[until.moment]
    what = "the round" if until.moment == "round_end" else f"{'next ' if until.moment == 'turn_start' else ''}turn"
    return f" until {moment}{whose} {what}" if until.whose else f" until {moment} of {what}"


def _applied(e: ConditionApplied) -> str:
    level = f" {e.level}" if e.level is not None else ""
    return f"{e.target} is {short(e.condition)}{level}{until_in_words(e.until)} ({short(e.source)})"


def _removed(e: ConditionRemoved) -> str:
    return f"{e.target} is no longer {short(e.condition)} ({e.why})"


def _granted(e: ActionGranted) -> str:
    return f"{e.owner} may {short(e.action)}{f' with {e.weapon}' if e.weapon else ''} ({short(e.source)})"


def _ungranted(e: ActionRemoved) -> str:
    return f"{e.owner} may no longer {short(e.action)} ({e.why})"


def _resource(e: ResourceChanged) -> str:
    locked = f", {e.locked} locked" if e.locked else ""
    return f"{e.owner}: {e.resource.replace('_', ' ')} {e.before} → {e.after}{locked} ({e.why})"


def _moved(e: Moved) -> str:
    origin = f" from {place(e.origin)}" if e.origin else ""
    cost = f" for {e.cost}" if e.cost else ""
    return f"{e.mover} {'is moved' if e.forced else 'steps'}{origin} to {place(e.to)}{cost}"


def _area(e: AreaAffected) -> str:
    caught = and_list(list(e.caught)) or "nobody"
    area = f"a {e.shape} of {len(e.squares)} squares from {place(e.origin)}"
    return f"{e.owner}'s {short(e.source)}: {area} catches {caught}"


def _cards(e: CardsMoved) -> str:
    origin = f" from the {e.origin}" if e.origin else ""
    to = f" to the {e.to}" if e.to else " out of the game"
    return f"{e.owner}: {and_list(list(e.cards))}{origin}{to} ({e.why})"


def _ruled(e: Ruled) -> str:
    about = f" of {e.subject}" if e.subject else ""
    return f"the GM rules{about}: {e.ruling} (because {e.reason})"


def _undone(e: Undone) -> str:
    return f"{e.by} takes back {and_list([str(seq) for seq in e.retracts])}: {e.reason}"


def _redone(e: Redone) -> str:
    return f"{e.by} takes back the correction {e.undone}: {e.reason}"


def _amended(e: Amended) -> str:
    return f"{e.by} amends {e.amends}: {e.reason}"


def _forked(e: Forked) -> str:
    return f"“{e.name}” forks from {e.parent} after {e.at}"


WORDS: dict[type[Event], Callable[[Any], str]] = {
    EncounterOpened: _opened,
    CombatantJoined: _joined,
    CombatantLeft: _left,
    InitiativeSet: _initiative,
    RoundStarted: lambda e: f"round {e.number} begins",
    TurnStarted: lambda e: f"{e.combatant}'s turn",
    TurnEnded: lambda e: f"{e.combatant}'s turn ends",
    RoundEnded: lambda e: f"round {e.number} ends",
    EncounterClosed: lambda e: f"the fight is over: {e.why}",
    Declared: _declared,
    ChainModified: _chain,
    Rolled: _rolled,
    ReactionWindowOpened: _window,
    ReactionChosen: _chosen,
    ReactionDeclined: _declined,
    ReactionUsed: lambda e: f"{e.reactor}'s {short(e.reaction)}: {e.reason}",
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
    CardsMoved: _cards,
    Ruled: _ruled,
    ManualResolutionNeeded: lambda e: f"a person has to resolve for {e.subject}: {e.effect} ({e.source})",
    Undone: _undone,
    Redone: _redone,
    Amended: _amended,
    Forked: _forked,
}
