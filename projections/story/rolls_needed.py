"""What a declaration would cost, provoke and need to roll, as data and in words.

A roll in words: `Mira: d20+2, Dexterity save against Snig's net (DC 12)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import (
    AttackResolved,
    CheckResolved,
    Declared,
    Event,
    Moved,
    ReactionChosen,
    ReactionUsed,
    ReactionWindowOpened,
    Ref,
    ResourceChanged,
    Rolled,
    RollMode,
    SaveResolved,
    Who,
)
from projections.battle.dice import read_notation
from projections.ruleset_profile import RulesetProfile, profile_of
from projections.story.phrases import capitalized, name_of, place, saved_against, source_of, who, whose, with_weapon
from projections.story.text import and_list, clean, short

Resolved = AttackResolved | SaveResolved | CheckResolved


class Turnout(StrEnum):
    """How something turns out that depends on a roll."""

    HIT = "hit"
    CRITICAL = "critical"
    MISS = "miss"
    SUCCESS = "success"
    FAILURE = "failure"


class Proviso(BaseModel):
    """What has to happen before a roll is needed at all."""

    model_config = ConfigDict(frozen=True)

    who: Who = Field(description="whose attack, save or check it is")
    turnout: Turnout = Field(description="how that has to turn out")


class RollNeeded(BaseModel):
    """A roll that a player or the GM has to make."""

    model_config = ConfigDict(frozen=True)

    roller: Who = Field(description="the combatant whose roll it is")
    purpose: str = Field(description="what it is for, as the event of the roll has it")
    notation: str = Field(description="the dice of the whole roll")
    dice: tuple[str, ...] = Field(description="the dice that still have to be rolled, one by one")
    mode: RollMode = RollMode.NORMAL
    modifier: int = Field(default=0, description="what is added to the dice")
    target: Who | None = Field(default=None, description="the target it is aimed at")
    weapon: str | None = Field(default=None, description="what an attack is made with")
    save: str | None = Field(default=None, description="the ability that a save is made with")
    against: int | None = Field(default=None, description="the number that a save or check has to reach")
    source: Ref | None = Field(default=None, description="what a save is made against")
    actor: Who = Field(description="whose declaration leads to it")
    action: Ref = Field(description="what was declared")
    reaction: Ref | None = Field(default=None, description="the reaction of the roller that it belongs to")
    certain: bool = Field(default=True, description="whether it is needed regardless of the rolls before it")
    only_if: Proviso | None = Field(default=None, description="what it depends on, if that can be said in general")

    @property
    def key(self) -> tuple[str, str, str]:
        return self.roller, self.purpose, self.notation


def rolls_needed(events: Sequence[Event], lacking: Mapping[int, Sequence[str]]) -> list[RollNeeded]:
    """The rolls among these events that lack faces, in order. `lacking` maps event numbers to the missing dice."""
    by_seq = {event.seq: event for event in events}
    return [
        _needed(event, events, by_seq, lacking)
        for event in events
        if isinstance(event, Rolled) and event.seq in lacking
    ]


def _needed(
    rolled: Rolled, events: Sequence[Event], by_seq: Mapping[int, Event], lacking: Mapping[int, Sequence[str]]
) -> RollNeeded:
    before = [event for event in events if event.seq < rolled.seq]
    facts = _decided(rolled, [event for event in events if event.seq > rolled.seq]) or _aimed(rolled, before)
    declared = events[0]
    assert isinstance(declared, Declared)
    return RollNeeded(
        roller=rolled.roller,
        purpose=rolled.purpose,
        notation=rolled.notation,
        dice=tuple(lacking[rolled.seq]),
        mode=rolled.mode,
        modifier=sum(modifier.amount for modifier in rolled.modifiers),
        actor=declared.actor,
        action=declared.action,
        reaction=_reaction(rolled, by_seq),
        only_if=_proviso(before, lacking),
        **facts,
    )


def _decided(rolled: Rolled, later: Sequence[Event]) -> dict[str, object]:
    """What the roll decides: the next thing resolved for its roller, if that roller makes no other roll first.

    A roll without a chain decides nothing by itself. It is added to another, like the d4 of Bless.
    """
    if rolled.chain is None:
        return {}
    for event in later:
        if isinstance(event, Rolled) and event.roller == rolled.roller and event.chain is not None:
            return {}
        if isinstance(event, AttackResolved) and event.attacker == rolled.roller:
            return {"target": event.target, "weapon": event.weapon}
        if isinstance(event, SaveResolved) and event.saver == rolled.roller:
            return {"save": event.save, "against": event.against, "source": event.source}
        if isinstance(event, CheckResolved) and event.checker == rolled.roller:
            aimed = _attack_after(event, later)
            return aimed or {"against": event.against}
    return {}


def _attack_after(check: CheckResolved, later: Sequence[Event]) -> dict[str, object]:
    """In rulesets where an attack is a check: the attack that this check decides."""
    for event in later:
        if isinstance(event, AttackResolved) and event.cause == check.seq:
            return {"target": event.target, "weapon": event.weapon}
    return {}


def _aimed(rolled: Rolled, before: Sequence[Event]) -> dict[str, object]:
    """The target of a roll that decides nothing itself, such as damage: the last target its roller hit."""
    for event in reversed(before):
        if isinstance(event, AttackResolved) and event.attacker == rolled.roller:
            return {"target": event.target}
    return {}


def _reaction(rolled: Rolled, by_seq: Mapping[int, Event]) -> Ref | None:
    at: Event | None = rolled
    while at is not None:
        if isinstance(at, ReactionChosen | ReactionUsed) and at.reactor == rolled.roller:
            return at.reaction
        at = by_seq.get(at.cause) if at.cause is not None else None
    return None


def _proviso(before: Sequence[Event], lacking: Mapping[int, Sequence[str]]) -> Proviso | None:
    """The latest earlier result that is only assumed, because its roll lacks faces."""
    rolled: Rolled | None = None
    found = None
    for event in before:
        if isinstance(event, Rolled):
            rolled = event
        elif isinstance(event, Resolved) and rolled is not None and rolled.seq in lacking:
            found = _turnout(event)
    return found


def _turnout(event: Resolved) -> Proviso:
    if isinstance(event, AttackResolved):
        turnout = Turnout.CRITICAL if event.critical else Turnout.HIT if event.hit else Turnout.MISS
        return Proviso(who=event.attacker, turnout=turnout)
    who = event.saver if isinstance(event, SaveResolved) else event.checker
    return Proviso(who=who, turnout=Turnout.SUCCESS if event.success else Turnout.FAILURE)


def merged(cases: Sequence[Sequence[RollNeeded]]) -> list[RollNeeded]:
    """Merge the rolls of several imagined courses into one list. A roll that every course needs is certain."""
    numbered = [_numbered(case) for case in cases]
    order: list[Numbered] = []
    for case in numbered:
        _weave(order, list(case))
    return [_in_all([case.get(key) for case in numbered]) for key in order]


Numbered = tuple[tuple[str, str, str], int]


def _numbered(case: Sequence[RollNeeded]) -> dict[Numbered, RollNeeded]:
    """Rolls by what they are. Further rolls of the same kind are numbered."""
    numbered: dict[Numbered, RollNeeded] = {}
    for needed in case:
        number = 0
        while (needed.key, number) in numbered:
            number += 1
        numbered[needed.key, number] = needed
    return numbered


def _weave(order: list[Numbered], keys: Sequence[Numbered]) -> None:
    """Insert the keys that are missing, each before the next key that is already known.

    The same roll with other dice, such as with advantage, goes next to the known one.
    """
    at = len(order)
    for key in reversed(keys):
        if key in order:
            at = order.index(key)
        elif (beside := next((place for place, known in enumerate(order) if _is_alike(known, key)), None)) is not None:
            order.insert(beside + 1, key)
            at = beside
        else:
            order.insert(at, key)


def _is_alike(one: Numbered, other: Numbered) -> bool:
    """Whether two rolls differ only in their dice."""
    return one[0][:2] == other[0][:2] and one[1] == other[1]


def _in_all(found: Sequence[RollNeeded | None]) -> RollNeeded:
    """A roll as all courses have it: certain, or with the proviso that they agree on."""
    there = [needed for needed in found if needed is not None]
    first = there[0]
    if len(there) == len(found):
        return first.model_copy(update={"only_if": None})
    agreed = first.only_if if all(needed.only_if == first.only_if for needed in there) else None
    return first.model_copy(update={"certain": False, "only_if": agreed})


Names = Mapping[str, str]
"""Display names of combatants, by id."""

_OF_AN_ACTION = {"damage", "healing"}
_OF_TWO = re.compile(r"2d20k[hl]1\b")


def roll_in_words(needed: RollNeeded, names: Names) -> str:
    """Who rolls what, and what for."""
    return clean(f"{_name(needed.roller, names)}: {_dice(needed)}, {_what_for(needed, names)}")


def rolls_in_words(rolls: Sequence[RollNeeded], names: Names) -> list[str]:
    """Several rolls in words, each with what has to happen first."""
    return [
        roll_in_words(needed, names) + (f", {when(needed, names)}" if not needed.certain else "") for needed in rolls
    ]


def when(needed: RollNeeded, names: Names) -> str:
    """When a roll is needed: `if it hits`."""
    if needed.only_if is None:
        return "if it comes to that"
    its = "it" if needed.only_if.who == needed.roller else _name(needed.only_if.who, names)
    return f"if {its} {_TURNOUTS[needed.only_if.turnout]}"


_TURNOUTS = {
    Turnout.HIT: "hits",
    Turnout.CRITICAL: "hits critically",
    Turnout.MISS: "misses",
    Turnout.SUCCESS: "succeeds",
    Turnout.FAILURE: "fails",
}


def _name(combatant: str, names: Names) -> str:
    return names.get(combatant) or who(combatant)


def _dice(needed: RollNeeded) -> str:
    notation = _together(_OF_TWO.sub("2d20", needed.notation))
    gap = " " if notation.endswith("+") else ""
    added = f"{gap}{needed.modifier:+d}".replace("-", "−") if needed.modifier else ""
    mode = "" if needed.mode is RollMode.NORMAL else f" with {needed.mode.value}"
    return f"{notation}{added}{mode}"


def _together(notation: str) -> str:
    """Dice of the same kind as people pick them up: `1d8+1d8` is 2d8, and `1d20` is d20."""
    known = read_notation(notation)
    if known is None or known.explodes or any(group.keep is not None for group in known.groups):
        return notation
    counts: dict[str, int] = {}
    for group in known.groups:
        counts[group.name] = counts.get(group.name, 0) + group.count
    dice = "+".join(f"{count if count > 1 else ''}{name}" for name, count in counts.items())
    return f"{dice}{known.constant:+d}" if known.constant else dice


def _what_for(needed: RollNeeded, names: Names) -> str:
    if needed.save is not None:
        return _save(needed, names)
    what = short(needed.reaction) if needed.reaction is not None and needed.purpose == "attack" else _purpose(needed)
    if what in _OF_AN_ACTION and needed.target is None:
        what = f"{short(needed.action)} {what}"
    elif needed.target is not None:
        what += f" {'to' if needed.purpose == 'damage' else 'on'} {_name(needed.target, names)}"
    if needed.weapon is not None and needed.reaction is None:
        what += with_weapon(needed.weapon)
    return what + (f" (against {needed.against})" if needed.against is not None else "")


def _save(needed: RollNeeded, names: Names) -> str:
    what = _purpose(needed)
    if needed.source is not None and needed.purpose == f"{needed.save} save":
        what += _saved_against(needed.save, needed.source, needed, names)
    return f"{what} ({_profile(needed).difficulty or 'against'} {needed.against})"


def _saved_against(save: str | None, source: Ref, needed: RollNeeded, names: Names) -> str:
    """Names the actor, except at the end of a turn, when the effect may be someone else's."""
    if needed.action.startswith(_TIME):
        return saved_against(save or "", source)
    if save in _profile(needed).saves_against_nothing:
        return ""
    return f" against {whose(_name(needed.actor, names))} {source_of(source)}"


_TIME = "core:time:"


def _purpose(needed: RollNeeded) -> str:
    first, _, rest = name_of(needed.purpose).partition(" ")
    return f"{_profile(needed).saves.get(first, first)} {rest}".strip()


def _profile(needed: RollNeeded) -> RulesetProfile:
    """The profile of the ruleset that asks for the roll. Core actions, such as the end of a turn, do not name it."""
    refs = (needed.source, needed.reaction, needed.action)
    rulesets = [ref.partition(":")[0] for ref in refs if ref is not None]
    return profile_of(next((ruleset for ruleset in rulesets if ruleset != "core"), ""))


def missing_in_words(rolls: Sequence[RollNeeded], names: Names) -> str:
    """One sentence about all of them."""
    listed = "; ".join(rolls_in_words(rolls, names))
    return capitalized(f"{'a roll is' if len(rolls) == 1 else 'rolls are'} missing: {listed}.")


class Spent(BaseModel):
    """How much of a resource is spent, and what is left."""

    resource: str
    amount: int
    left: int


class Provoked(BaseModel):
    """A reaction that a combatant could take."""

    who: Who
    reaction: Ref


class Preview(BaseModel):
    """What a declaration would cost and provoke, if no reaction is used."""

    to: tuple[int, int] | None = Field(default=None, description="where it leads")
    spent: list[Spent] = Field(default_factory=list)
    provoked: list[Provoked] = Field(default_factory=list)


def preview(events: Sequence[Event], actor: str) -> Preview:
    changes = [event for event in events if isinstance(event, ResourceChanged) and event.owner == actor]
    steps = [event for event in events if isinstance(event, Moved) and event.mover == actor]
    return Preview(
        to=steps[-1].to if steps else None,
        spent=[
            spent for name in dict.fromkeys(change.resource for change in changes) if (spent := _spent(name, changes))
        ],
        provoked=[
            provoked for event in events if isinstance(event, ReactionWindowOpened) for provoked in _offered(event)
        ],
    )


def _spent(resource: str, changes: Sequence[ResourceChanged]) -> Spent | None:
    own = [change for change in changes if change.resource == resource]
    amount = own[0].before - own[-1].after
    return Spent(resource=resource, amount=amount, left=own[-1].after) if amount > 0 else None


def _offered(window: ReactionWindowOpened) -> list[Provoked]:
    return [Provoked(who=offer.reactor, reaction=ref) for offer in window.offers for ref in offer.reactions]


def move_in_words(found: Preview, names: Mapping[str, str]) -> str:
    """`To 6,2: 15 movement, 15 left. Provokes opportunity attack from Fang.`"""
    costs = and_list([f"{spent.amount} {name_of(spent.resource)}, {spent.left} left" for spent in found.spent])
    where = f"To {place(found.to)}: {costs or 'free'}." if found.to is not None else "Nowhere."
    by_reaction: dict[str, list[str]] = {}
    for provoked in found.provoked:
        by_reaction.setdefault(short(provoked.reaction), []).append(names.get(provoked.who) or who(provoked.who))
    provokes = [f"{reaction} from {and_list(list(dict.fromkeys(those)))}" for reaction, those in by_reaction.items()]
    return clean(where + (f" Provokes {and_list(provokes)}." if provokes else ""))
