"""What each kind of event adds to the sentence of its declaration. The tables at the end say which says what."""

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
    TurnEnded,
    TurnStarted,
)
from projections.story.declaration_context import SEEN_PIECES, Clause, DeclarationContext, attack
from projections.story.phrases import a, name_of, or_list, place, until_in_words
from projections.story.text import and_list, clean, short
from projections.views.visibility import NOTE, UNREVEALED

START, INITIATIVE, RULE = "core:time:start", "core:time:initiative", "core:ruling:rule"
_TIME = "core:time:"


def clauses_of(event: Event, scene: DeclarationContext) -> Iterable[Clause]:
    """What there is to tell of an event; of a kind that nobody thought of, its words."""
    if type(event) in QUIET or _is_said_by_ruling(event, scene):
        return ()
    piece = PIECES.get(type(event)) or SEEN_PIECES.get(type(event))
    return piece(event, scene) if piece is not None else (Clause(None, scene.words(event)),)


def _is_said_by_ruling(event: Event, scene: DeclarationContext) -> bool:
    """A ruling names everything that it changes directly."""
    return scene.action == RULE and any(r.ruling and r.seq == event.cause for r in scene.all_of(Ruled))


def _noted(event: Noted, scene: DeclarationContext) -> Iterator[Clause]:
    """What somebody notes at the table begins its sentence already."""
    if scene.action != NOTE:
        yield Clause(None, scene.words(event))


def _initiative(e: InitiativeSet, scene: DeclarationContext) -> Iterator[Clause]:
    """Only when the fight starts, or when somebody sets it: otherwise a new order shows in the turns that follow."""
    if scene.action in (START, INITIATIVE):
        order = [f"{scene.name(entry.combatant)} {entry.value}" for entry in e.order]
        yield Clause(None, f"initiative {', '.join(order)}")


def _left(e: CombatantLeft, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.combatant, "leaves", f"the fight ({e.why})" if e.why else "the fight")


# Reactions


def _window(e: ReactionWindowOpened, scene: DeclarationContext) -> Iterator[Clause]:
    """Only if the declaration still waits for an answer: then nothing but answers can have followed."""
    later = [event for event in scene.events if event.seq > e.seq]
    answers = [event for event in later if isinstance(event, ReactionChosen | ReactionDeclined)]
    if len(answers) < len(later):
        return
    answered = {answer.reactor for answer in answers}
    for offer in e.offers:
        if offer.reactor not in answered:
            yield Clause(offer.reactor, "may use", or_list([short(ref) for ref in offer.reactions]))


def _chosen(e: ReactionChosen, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.reactor, "uses", short(e.reaction))


def _lapsed(e: ReactionLapsed, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.reactor, "comes too late", f"({e.reason})")


# Outcomes


_DIFFICULTY = {"dnd5e": "DC "}
"""What the number is called that a save has to reach, by ruleset; for others it stands alone."""


def _save(e: SaveResolved, scene: DeclarationContext) -> Iterator[Clause]:
    against = f"{_DIFFICULTY.get(scene.cast.ruleset, '')}{e.against}"
    yield Clause(e.saver, "makes" if e.success else "fails", f"{a(name_of(e.save))} save ({e.total} against {against})")


def _check(e: CheckResolved, scene: DeclarationContext) -> Iterator[Clause]:
    """Not the check that an attack consists of, since the attack says the same."""
    if not any(attack.cause == e.seq for attack in scene.attacks):
        quality = f", {name_of(e.quality)}" if e.quality else ""
        outcome = "makes" if e.success else "fails"
        yield Clause(e.checker, outcome, f"{a(name_of(e.check))} check ({e.total} against {e.against}{quality})")


def _damaged(e: Damaged, scene: DeclarationContext) -> Iterator[Clause]:
    pool = name_of(e.pool)
    if e.amount == 0 and e.overkill:
        yield Clause(e.target, "takes", f"{e.overkill} damage at {e.left} {pool}")
    else:
        yield Clause(e.target, "loses", f"{e.amount} {pool} ({e.left} left)")


def _healed(e: Healed, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.target, "regains", f"{e.amount} {name_of(e.pool)} (now {e.left})")


_BEGINS = {"dead": ("dies", ""), "unconscious": ("falls", "unconscious"), "prone": ("falls", "prone")}
_HAS = {"exhaustion", "next attacks", "round defense"}
_UNTOLD = {"concentrating", "initiative claimed", "missing weapons"}
"""Conditions that only keep the books: what they are for says enough."""


def _applied(e: ConditionApplied, scene: DeclarationContext) -> Iterator[Clause]:
    name = short(e.condition)
    if e.condition == UNREVEALED:
        yield Clause(None, scene.words(e))
        return
    if e.seq in scene.conditions.renewed or name in _UNTOLD or _is_said_by_action(e, scene):
        return
    level = f" (level {e.level})" if e.level is not None else ""
    until = until_in_words(scene.named(e).until)
    verb, what = _BEGINS.get(name) or ("has" if name in _HAS else "is", name)
    yield Clause(e.target, verb, f"{what}{level}{until}")


def _is_said_by_action(e: ConditionApplied, scene: DeclarationContext) -> bool:
    """Whoever dodges is dodging, and whom somebody blesses is blessed."""
    concerned = (scene.actor, *scene.declared.targets) if scene.declared else ()
    return e.target in concerned and e.source in _done(scene) and _begins_alike(e.source, e.condition)


def _done(scene: DeclarationContext) -> set[str]:
    """The action, and what its options name: the spell that is cast, the card that is played."""
    named = scene.declared.options.values() if scene.declared else ()
    ruleset = scene.action.partition(":")[0]
    return {scene.action, *(f"{ruleset}:{kind}:{name}" for name in named for kind in ("spell", "item"))}


def _begins_alike(one: str, other: str) -> bool:
    return short(one)[:3] == short(other)[:3]


def _removed(e: ConditionRemoved, scene: DeclarationContext) -> Iterator[Clause]:
    dies = any(applied.target == e.target and short(applied.condition) == "dead" for applied in _applications(scene))
    if e.condition == UNREVEALED:
        yield Clause(e.target, "comes", "into sight")
    elif not dies and short(e.condition) not in _UNTOLD and not _runs_out(e, scene):
        name = short(e.condition)
        yield Clause(e.target, "no longer has" if name in _HAS else "is no longer", name)


def _applications(scene: DeclarationContext) -> Iterable[ConditionApplied]:
    return scene.all_of(ConditionApplied)


def _runs_out(e: ConditionRemoved, scene: DeclarationContext) -> bool:
    """A stance that its owner took for a while ends when its time comes, which surprises nobody."""
    began = scene.conditions.began.get(e.seq)
    is_stance = began is not None and began.owner == e.target and began.until is not None
    return is_stance and scene.action.startswith(_TIME)


def _pending(e: ResourceChanged, scene: DeclarationContext) -> Iterator[Clause]:
    """What is spent and comes back is left to the full log; what is about to happen to somebody is not."""
    is_told = e.resource.startswith("pending_") and e.after > e.before
    if is_told and not scene.action.startswith(_TIME):
        yield Clause(e.owner, "has", f"{e.after} {name_of(e.resource)}")


def _moved(e: Moved, scene: DeclarationContext) -> Iterator[Clause]:
    """All steps as one; those of the actor's own move are in the declaration."""
    last = [step for step in scene.all_of(Moved) if step.mover == e.mover][-1]
    is_own = e.mover == scene.actor and not e.forced and short(scene.action) in WAYS_TO_MOVE
    if e is last and not is_own:
        yield Clause(e.mover, "is moved" if e.forced else "moves", f"to {place(e.to)}")


WAYS_TO_MOVE = {"move": "moves", "step": "steps", "walk": "walks", "full sprint": "sprints"}


def _area(e: AreaAffected, scene: DeclarationContext) -> Iterator[Clause]:
    """Whoever is caught saves or suffers, and is named there."""
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
    """Cards that are drawn or discarded; not those that somebody plays, which is said already."""
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
"""Kinds that the story leaves to the full log: headings and the declaration itself say them, or they are details."""
