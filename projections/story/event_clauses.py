"""What each kind of event adds to the sentence of its declaration. The tables at the end list the functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    AreaAffected,
    AttackResolved,
    CardsMoved,
    ChainModified,
    CheckResolved,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    Healed,
    InitiativeSet,
    LinkAsked,
    LinkRevealed,
    LinksCommitted,
    ManualResolutionNeeded,
    Moved,
    Noted,
    ReactionChosen,
    ReactionDeclined,
    ReactionLapsed,
    ReactionUsed,
    ReactionWindowOpened,
    ResourceChanged,
    Rolled,
    RoundEnded,
    RoundStarted,
    Ruled,
    SaveResolved,
    TerrainChanged,
    TurnEnded,
    TurnStarted,
)
from projections.battle.clock_and_map import TERRAIN
from projections.story.declaration_context import SEEN_PIECES, Clause, DeclarationContext, attack
from projections.story.phrases import a, name_of, or_list, place, until_in_words, words_for
from projections.story.text import and_list, clean, short
from projections.views.visibility import NOTE, UNREVEALED

START, INITIATIVE, RULE = "core:time:start", "core:time:initiative", "core:ruling:rule"
_TIME = "core:time:"


def clauses_of(event: Event, scene: DeclarationContext) -> Iterable[Clause]:
    """The clauses for an event. Kinds without a function of their own use the sentence of the event."""
    if type(event) in QUIET or _is_said_by_ruling(event, scene):
        return ()
    piece = PIECES.get(type(event)) or SEEN_PIECES.get(type(event))
    return piece(event, scene) if piece is not None else (Clause(None, scene.words(event)),)


def _is_said_by_ruling(event: Event, scene: DeclarationContext) -> bool:
    """A ruling names everything that it changes directly."""
    return scene.action == RULE and any(r.ruling and r.seq == event.cause for r in scene.all_of(Ruled))


def _noted(event: Noted, scene: DeclarationContext) -> Iterator[Clause]:
    """A note that was declared as such already begins its sentence."""
    if scene.action != NOTE:
        yield Clause(None, scene.words(event))


def _initiative(e: InitiativeSet, scene: DeclarationContext) -> Iterator[Clause]:
    """Only when the fight starts or the GM sets it. Otherwise a new order shows in the turns that follow."""
    if scene.action in (START, INITIATIVE):
        order = [f"{scene.name(entry.combatant)} {entry.value}" for entry in e.order]
        yield Clause(None, f"initiative {', '.join(order)}")


def _left(e: CombatantLeft, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.combatant, "leaves", f"the fight ({e.why})" if e.why else "the fight")


# Reactions


def _window(e: ReactionWindowOpened, scene: DeclarationContext) -> Iterator[Clause]:
    """Only if the declaration is still waiting for an answer, so that only answers follow the window."""
    later = [event for event in scene.events if event.seq > e.seq]
    answers = [event for event in later if isinstance(event, ReactionChosen | ReactionDeclined)]
    if len(answers) < len(later):
        return
    answered = {answer.reactor for answer in answers}
    for offer in e.offers:
        if offer.reactor not in answered:
            yield Clause(offer.reactor, "may use", or_list([short(ref) for ref in offer.reactions]))


def _chosen(e: ReactionChosen, scene: DeclarationContext) -> Iterator[Clause]:
    verb, _, what = scene.cast.profile.reaction(e.reaction).partition(" ")
    yield Clause(e.reactor, verb, what)


def _lapsed(e: ReactionLapsed, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.reactor, "comes too late", f"({e.reason})")


# Outcomes


def _save(e: SaveResolved, scene: DeclarationContext) -> Iterator[Clause]:
    against = f"{scene.cast.profile.difficulty} {e.against}".lstrip()
    yield Clause(e.saver, "makes" if e.success else "fails", f"{a(name_of(e.save))} save ({e.total} against {against})")


def _check(e: CheckResolved, scene: DeclarationContext) -> Iterator[Clause]:
    """Checks that decide an attack are left out, since the attack says the same."""
    if not any(attack.cause == e.seq for attack in scene.attacks):
        quality = f", {name_of(e.quality)}" if e.quality else ""
        outcome = "makes" if e.success else "fails"
        yield Clause(e.checker, outcome, f"{a(name_of(e.check))} check ({e.total} against {e.against}{quality})")


def _damaged(e: Damaged, scene: DeclarationContext) -> Iterator[Clause]:
    pool = name_of(e.pool)
    if e.amount == 0 and e.overkill:
        yield Clause(e.target, "takes", f"{e.overkill} damage at {e.left} {pool}")
    elif e.amount == 0:
        yield Clause(e.target, "takes", "no damage")
    else:
        yield Clause(e.target, "loses", f"{e.amount} {pool} ({e.left} left)")


def _healed(e: Healed, scene: DeclarationContext) -> Iterator[Clause]:
    pool = name_of(e.pool)
    amount = f"{e.amount} {pool} (now {e.left})" if e.amount else f"no {pool} (still {e.left})"
    yield Clause(e.target, "regains", amount)


def _applied(e: ConditionApplied, scene: DeclarationContext) -> Iterator[Clause]:
    if e.condition == UNREVEALED:
        yield Clause(None, scene.words(e))
        return
    words = words_for(e.condition)
    if e.seq in scene.conditions.renewed or not words.told or _is_said_by_action(e, scene):
        return
    level = f" (level {e.level})" if e.level is not None else ""
    until = until_in_words(scene.named(e).until)
    yield _of_condition(e.target, words.begins, f"{level}{until}")


_SHARED = ("is no longer ", "no longer has ", "is ", "has ", "falls ")
"""Verbs that conditions can share: `is prone and poisoned`."""


def _of_condition(owner: str, words: str, more: str = "") -> Clause:
    verb = next((verb for verb in _SHARED if words.startswith(verb)), words)
    return Clause(owner, verb.rstrip(), f"{words[len(verb) :]}{more}".strip())


def _is_said_by_action(e: ConditionApplied, scene: DeclarationContext) -> bool:
    """A combatant that dodges is dodging, and the targets of a blessing are blessed."""
    concerned = (scene.actor, *scene.declared.targets) if scene.declared else ()
    is_named = _begins_alike(e.source, e.condition) or _says(scene, e.condition)
    return e.target in concerned and e.source in _done(scene) and is_named


def _says(scene: DeclarationContext, condition: str) -> bool:
    """Whether the words for the action already say that a condition begins or ends."""
    return scene.action.rsplit(":", 1)[-1] in words_for(condition).said_by


def _done(scene: DeclarationContext) -> set[str]:
    """The action and what its options name: with `spell: bless`, the ref of that spell."""
    named = scene.declared.options.items() if scene.declared else ()
    ruleset = scene.action.partition(":")[0]
    return {scene.action, *(f"{ruleset}:{kind}:{name}" for kind, name in named)}


def _begins_alike(one: str, other: str) -> bool:
    return short(one)[:3] == short(other)[:3]


def _removed(e: ConditionRemoved, scene: DeclarationContext) -> Iterator[Clause]:
    words = words_for(e.condition)
    if e.condition == UNREVEALED:
        yield Clause(e.target, "comes", "into sight")
    elif words.told and not _goes_without_saying(e, scene) and not _runs_out(e, scene):
        yield _of_condition(e.target, words.ends)


def _goes_without_saying(e: ConditionRemoved, scene: DeclarationContext) -> bool:
    """Whether the sentence implies it: the action says so, a reaction used it up, or its owner died."""
    is_used_up = any(chosen.reaction == e.condition for chosen in scene.all_of(ReactionChosen))
    if is_used_up or _says(scene, e.condition):
        return True
    begun = (applied for applied in _applications(scene) if applied.target == e.target)
    return any(words_for(applied.condition).final for applied in begun)


def _applications(scene: DeclarationContext) -> Iterable[ConditionApplied]:
    return scene.all_of(ConditionApplied)


def _runs_out(e: ConditionRemoved, scene: DeclarationContext) -> bool:
    """Whether a combatant's own stance runs out on time, which is no news."""
    began = scene.conditions.began.get(e.seq)
    is_stance = began is not None and began.owner == e.target and began.until is not None
    return is_stance and scene.action.startswith(_TIME)


def _pending(e: ResourceChanged, scene: DeclarationContext) -> Iterator[Clause]:
    """Spending is left to the full log; pending damage and healing are told."""
    is_told = e.resource.startswith("pending_") and e.after > e.before
    if is_told and not scene.action.startswith(_TIME):
        yield Clause(e.owner, "has", f"{e.after} {name_of(e.resource)}")


def _moved(e: Moved, scene: DeclarationContext) -> Iterator[Clause]:
    """All steps as one. The steps of the actor's own move are part of the opening."""
    last = [step for step in scene.all_of(Moved) if step.mover == e.mover][-1]
    is_own = e.mover == scene.actor and not e.forced and scene.is_a_move
    if e is last and not is_own:
        yield Clause(e.mover, "is moved" if e.forced else "moves", f"to {place(e.to)}")


def _terrain(e: TerrainChanged, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(None, f"square {place(e.square)} becomes {TERRAIN.get(e.after, e.after)}")


def _area(e: AreaAffected, scene: DeclarationContext) -> Iterator[Clause]:
    """Everyone caught in it is named in the clauses about saves and damage."""
    if not e.caught:
        yield Clause(None, "nobody is caught in it")


_TOLD_OF_CARDS = {
    ("deck", "hand"): "draws",
    ("hand", "discard"): "discards",
    ("discard", "attached"): "attaches",
    ("attached", "discard"): "discards the attachment",
    ("attached", "depleted"): "depletes",
    ("discard", "hand"): "takes back",
}


def _cards(e: CardsMoved, scene: DeclarationContext) -> Iterator[Clause]:
    """Cards that are drawn or discarded. Playing a card is told by the opening."""
    told = _TOLD_OF_CARDS.get((e.origin or "", e.to or ""))
    cards = [card for card in e.cards if told != "discards" or not _is_played(card, scene)]
    if scene.action == START or not cards:
        return
    if told is None:
        yield Clause(None, scene.words(e))
    else:
        yield Clause(e.owner, told, and_list(cards))


def _is_played(card: str, scene: DeclarationContext) -> bool:
    played = [scene.declared.options.get("card")] if scene.declared else []
    reactions = [short(chosen.reaction) for chosen in scene.all_of(ReactionChosen)]
    return card in played or card.lower() in reactions


def _question(e: ManualResolutionNeeded, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(None, f"needs a ruling: {clean(e.effect).rstrip('.')}")


PIECES: dict[type[Event], Callable[[Any, DeclarationContext], Iterable[Clause]]] = {
    CombatantLeft: _left,
    InitiativeSet: _initiative,
    ReactionWindowOpened: _window,
    ReactionChosen: _chosen,
    ReactionLapsed: _lapsed,
    AttackResolved: attack,
    SaveResolved: _save,
    CheckResolved: _check,
    Damaged: _damaged,
    Healed: _healed,
    ConditionApplied: _applied,
    ConditionRemoved: _removed,
    ResourceChanged: _pending,
    Moved: _moved,
    AreaAffected: _area,
    TerrainChanged: _terrain,
    CardsMoved: _cards,
    Noted: _noted,
    ManualResolutionNeeded: _question,
}
"""What there is to tell of a kind, where its words are not what fits a story."""

QUIET: set[type[Event]] = {
    Declared,
    RoundStarted,
    TurnStarted,
    TurnEnded,
    RoundEnded,
    ChainModified,
    Rolled,
    LinksCommitted,
    LinkAsked,
    LinkRevealed,
    ReactionDeclined,
    ReactionUsed,
    ActionGranted,
    ActionRemoved,
}
"""Kinds that are left to the full log: they are details, or the headings and the opening tell them."""
