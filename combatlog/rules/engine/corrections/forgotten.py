"""What was forgotten in a declaration: a modifier, or a resistance, vulnerability or immunity of whoever was hurt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.engine.chain import chain_of
from combatlog.rules.engine.defences import Defence
from combatlog.rules.engine.dice import parse
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from ledger.events import Adjustment, Change, ChangeOp, Damaged, Declared, Event

ALL = "all"
"""Damage of every type."""


class Forgotten(BaseModel):
    """A modifier that should have counted."""

    model_config = ConfigDict(frozen=True)

    what: str = Field(description="`advantage`, `disadvantage`, a number with its sign, or dice")
    source: str = Field(description="where it comes from")
    owner: str | None = Field(default=None, description="whose it is; None: whoever made the declaration")
    chain: str = Field(default="attack", description="what it modifies")
    of: str | None = Field(default=None, description="whose save or check it modifies; None: the first one's")
    label: str | None = None


class ForgottenDefence(BaseModel):
    """A resistance, vulnerability or immunity that should have counted."""

    model_config = ConfigDict(frozen=True)

    defence: Defence
    against: str = Field(default=ALL, description="the type of damage, or `all`")
    owner: str | None = Field(default=None, description="whose it is; None: the only target")


def addition(fight: Fight, group: Sequence[Event], forgotten: Forgotten, reason: str) -> Adjustment:
    """The modifier as the chain gets it."""
    assert forgotten.owner is not None
    said = read_change(forgotten.what, forgotten.label)
    change = fight.ruleset.forgotten_modifier(forgotten.chain, said, group)
    return Adjustment(
        chain=chain_of(forgotten.chain, _known(fight, forgotten.of) if forgotten.of else None),
        source=_amendment(fight, forgotten.source),
        owner=_known(fight, forgotten.owner),
        reason=f"{forgotten.source}: {reason}",
        change=change,
    )


def defended(
    fight: Fight, declared: Declared, group: Sequence[Event], forgotten: ForgottenDefence, reason: str
) -> Adjustment:
    """The defence as the chain of the one who was hurt gets it."""
    owner = _known(fight, forgotten.owner) if forgotten.owner else _only_target(declared)
    against = None if forgotten.against == ALL else forgotten.against
    chain, change = fight.ruleset.forgotten_defence(forgotten.defence, against)
    if against is not None:
        _check_dealt(group, owner, against)
    return Adjustment(
        chain=chain_of(chain, owner),
        source=_amendment(fight, forgotten.defence.value),
        owner=owner,
        reason=f"{forgotten.defence.value} to {against or 'all damage'}: {reason}",
        change=change,
    )


def read_change(what: str, label: str | None = None) -> Change:
    """`advantage`, `disadvantage`, a number with its sign, or dice."""
    if what in (ChangeOp.ADVANTAGE, ChangeOp.DISADVANTAGE):
        return Change(op=ChangeOp(what))
    if re.fullmatch(r"[+-][0-9]{1,4}", what):
        return Change(op=ChangeOp.BONUS, amount=int(what), label=label)
    if are_dice(what):
        parse(what)
        return Change(op=ChangeOp.DICE, dice=what, label=label)
    raise Refusal(
        "amend/change",
        f"{what!r} is not a modifier; it is advantage, disadvantage, a number with a sign such as +2, or dice.",
        what=what,
    )


def are_dice(what: str) -> bool:
    return re.fullmatch(r"[0-9]*d[0-9]+", what) is not None


def _amendment(fight: Fight, source: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", source.lower()).strip("_") or "forgotten"
    return f"{fight.battle.encounter.ruleset}:amendment:{slug}"


def _known(fight: Fight, owner: str) -> str:
    if owner not in fight.battle.combatants:
        names = list(fight.battle.combatants)
        raise unknown("amend/owner", f"Nobody in this fight is called {owner!r}.", owner, names)
    return owner


def _check_dealt(group: Sequence[Event], owner: str, against: str) -> None:
    """Refuse a defence against damage of another type than was dealt."""
    parts = [part for event in group if isinstance(event, Damaged) and event.target == owner for part in event.parts]
    types = list(dict.fromkeys(part.damage_type for part in parts if part.damage_type is not None))
    if types and against not in types:
        sentence = f"{owner} took no {against} damage in this declaration, but {listing(types)} damage."
        raise Refusal("amend/other-damage", sentence, who=owner, name=against, available=types)


def _only_target(declared: Declared) -> str:
    if len(declared.targets) != 1:
        raise Refusal(
            "amend/whose",
            "Say whose resistance, vulnerability or immunity was forgotten: the declaration names no single target.",
            seq=declared.seq,
            available=list(declared.targets),
        )
    return declared.targets[0]
