"""The small phrases that sentences about events are made of: names, numbers, places, durations, modifiers."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Change, ChangeOp, Until, UntilMoment
from projections.story.text import counted as counted
from projections.story.text import short


def who(combatant: str) -> str:
    """A combatant's id as a name, so that it can stand anywhere in a sentence: `rurik` is Rurik."""
    return "the GM" if combatant == "gm" else combatant[:1].upper() + combatant[1:]


def whose(combatant: str) -> str:
    return f"{who(combatant)}'s"


def name_of(key: str) -> str:
    """A resource, a pool or an option as people say it: `bonus_action` is bonus action."""
    return key.replace("_", " ")


def capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def or_list(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def verb(noun: str, stem: str) -> str:
    """The verb that a resource's name takes: its attacks go, its movement goes."""
    plural = noun.endswith("s") and not noun.endswith("ss")
    return stem if plural else f"{stem}es" if stem.endswith("o") else f"{stem}s"


def a(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def place(position: tuple[int, int]) -> str:
    return f"{position[0]},{position[1]}"


def signed(amount: int) -> str:
    return f"+{amount}" if amount >= 0 else f"−{-amount}"


def face(value: int | str) -> str:
    """One face of a die; a minus sign is a minus sign, not a hyphen."""
    return f"−{-value}" if isinstance(value, int) and value < 0 else str(value)


def until_in_words(until: Until | None) -> str:
    """How long something lasts, with a space before it: ` until the end of Rurik's turn`."""
    if until is None:
        return ""
    if until.moment is UntilMoment.ROUND_END:
        return " until the end of " + ("the round" if until.round is None else f"round {until.round}")
    turn = f"{whose(until.whose)} " if until.whose else "the "
    if until.round is not None:
        turn += f"turn in round {until.round}"
    else:
        turn += "next turn" if until.moment is UntilMoment.TURN_START else "turn"
    return f" until the {'start' if until.moment is UntilMoment.TURN_START else 'end'} of {turn}"


_NOUNS = {"exhaustion", "next attacks", "round defense"}
"""Conditions that somebody has; somebody is all others."""
_BEGIN = {"core:condition:unrevealed": "stays unseen by the players"}
_END = {"core:condition:unrevealed": "comes into sight"}
"""Conditions that have words of their own."""


def condition_in_words(condition: str) -> str:
    """A condition after its owner: `is prone`, `has exhaustion`."""
    name = short(condition)
    return _BEGIN.get(condition) or (f"has {name}" if name in _NOUNS else f"is {name}")


def no_longer(condition: str) -> str:
    """The end of a condition after its owner: `is no longer prone`, `no longer has exhaustion`."""
    name = short(condition)
    return _END.get(condition) or (f"no longer has {name}" if name in _NOUNS else f"is no longer {name}")


def change_in_words(change: Change) -> str:
    """A modifier by itself: `+2`, `1d6 fire`, `advantage`."""
    label = f" {name_of(change.label)}" if change.label else ""
    match change.op:
        case ChangeOp.BONUS:
            return f"{signed(change.amount or 0)}{label}"
        case ChangeOp.DICE:
            return f"{change.dice or 'no dice'}{label}"
        case ChangeOp.CRITICAL_FROM:
            return f"critical from {change.amount or 0}"
        case ChangeOp.MULTIPLY:
            return f"×{change.amount or 0}{label}"
        case ChangeOp.DIVIDE:
            return f"÷{change.amount or 0}{label}"
        case ChangeOp.FLAG:
            return name_of(change.label or "flag")
    return change.op.value


def effect_on(chain: str, change: Change) -> str:
    """What a modifier does to its chain, after its owner: `adds +2 to the attack`."""
    label = f"{name_of(change.label)} " if change.label else ""
    match change.op:
        case ChangeOp.BONUS | ChangeOp.DICE:
            return f"adds {change_in_words(change)} to the {chain}"
        case ChangeOp.ADVANTAGE:
            return f"gives advantage on the {chain}"
        case ChangeOp.DISADVANTAGE:
            return f"imposes disadvantage on the {chain}"
        case ChangeOp.CRITICAL_FROM:
            return f"makes the {chain} critical from {change.amount or 0}"
        case ChangeOp.MULTIPLY:
            return f"multiplies the {label}{chain} by {change.amount or 0}"
        case ChangeOp.DIVIDE:
            return f"divides the {label}{chain} by {change.amount or 0}"
        case ChangeOp.FLAG:
            amount = f" {change.amount}" if change.amount is not None else ""
            return f"marks the {chain}: {name_of(change.label or 'flag')}{amount}"
