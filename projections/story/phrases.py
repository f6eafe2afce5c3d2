"""The phrases that sentences about events are made of: names, numbers, places, durations, modifiers."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Change, ChangeOp, Until, UntilMoment
from projections.ruleset_profile import ConditionWords, profile_of
from projections.story.text import counted as counted
from projections.story.text import short


def who(combatant: str) -> str:
    """A combatant's id as a name that can stand anywhere in a sentence: `rurik` is Rurik."""
    return "the GM" if combatant == "gm" else combatant[:1].upper() + combatant[1:]


def whose(combatant: str) -> str:
    name = who(combatant)
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def name_of(key: str) -> str:
    """A resource, pool or option as people say it: `bonus_action` is bonus action."""
    return key.replace("_", " ")


def capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def or_list(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def verb(noun: str, stem: str) -> str:
    """The verb form that fits a resource's name: its attacks go, its movement goes."""
    if _is_plural(noun):
        return "are" if stem == "be" else stem
    return "is" if stem == "be" else f"{stem}es" if stem.endswith("o") else f"{stem}s"


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss")


def a(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def with_weapon(weapon: str | None) -> str:
    """A weapon with a space before it; empty without one."""
    return f" with {a(name_of(weapon))}" if weapon else ""


def place(position: tuple[int, int]) -> str:
    return f"{position[0]},{position[1]}"


def signed(amount: int) -> str:
    return f"+{amount}" if amount >= 0 else f"−{-amount}"


def face(value: int | str) -> str:
    """One face of a die, with a real minus sign instead of a hyphen."""
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


_UNREVEALED = ConditionWords(
    holds="stays unseen by the players", begins="stays unseen by the players", ends="comes into sight"
)
_CORE = {"core:condition:unrevealed": _UNREVEALED}
"""Conditions that every ruleset has."""


def words_for(condition: str) -> ConditionWords:
    """The words for a condition, given by its ref, from the profile of its ruleset."""
    return _CORE.get(condition) or profile_of(condition.partition(":")[0]).condition(condition)


def condition_in_words(condition: str) -> str:
    """A condition after its owner: `is prone`, `has exhaustion`."""
    return words_for(condition).holds


def no_longer(condition: str) -> str:
    """The end of a condition after its owner: `is no longer prone`, `no longer has exhaustion`."""
    return words_for(condition).ends


def what_may_be_done(action: str) -> str:
    """An action after `may`: `strike`, `use frightful presence`."""
    words = profile_of(action.partition(":")[0]).action(action)
    return words.can if words is not None and words.can else f"use {short(action)}"


def saved_against(save: str, source: str) -> str:
    """What a save is made against, with a space before it. A death save is not made against anything."""
    is_plain = save in profile_of(source.partition(":")[0]).saves_against_nothing
    return "" if is_plain else f" against {source_of(source)}"


def the_side(side: str) -> str:
    """A side in a sentence: `the heroes`, `the neutral side`."""
    return f"the {side} side" if side in _ADJECTIVES else f"the {side}"


_ADJECTIVES = {"allied", "enemy", "friendly", "hostile", "neutral"}


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
    """What a modifier does to its chain, as a predicate of its source: `adds +2 to the attack`."""
    label = f"{name_of(change.label)} " if change.label else ""
    the_chain = f"the {name_of(chain)}"
    match change.op:
        case ChangeOp.BONUS if (change.amount or 0) < 0:
            return f"subtracts {-(change.amount or 0)} {label}from {the_chain}"
        case ChangeOp.BONUS | ChangeOp.DICE:
            return f"adds {change_in_words(change)} to {the_chain}"
        case ChangeOp.ADVANTAGE:
            return f"gives advantage on {the_chain}"
        case ChangeOp.DISADVANTAGE:
            return f"imposes disadvantage on {the_chain}"
        case ChangeOp.CRITICAL_FROM:
            return f"makes {the_chain} critical from {change.amount or 0}"
        case ChangeOp.MULTIPLY:
            return f"multiplies the {label}{name_of(chain)} by {change.amount or 0}"
        case ChangeOp.DIVIDE:
            return f"divides the {label}{name_of(chain)} by {change.amount or 0}"
        case ChangeOp.FLAG:
            return f"marks {the_chain}: {_flag(change)}"


def changed(chain: str, change: Change) -> str:
    """The same with the chain as the subject: `the attack has advantage`, `the damage gets +2`."""
    label = f"{name_of(change.label)} " if change.label else ""
    the_chain = f"the {name_of(chain)}"
    match change.op:
        case ChangeOp.BONUS | ChangeOp.DICE:
            return f"{the_chain} gets {change_in_words(change)}"
        case ChangeOp.ADVANTAGE | ChangeOp.DISADVANTAGE:
            return f"{the_chain} has {change.op.value}"
        case ChangeOp.CRITICAL_FROM:
            return f"{the_chain} is critical from {change.amount or 0}"
        case ChangeOp.MULTIPLY:
            return f"the {label}{name_of(chain)} is multiplied by {change.amount or 0}"
        case ChangeOp.DIVIDE:
            return f"the {label}{name_of(chain)} is divided by {change.amount or 0}"
        case ChangeOp.FLAG:
            return f"{the_chain} is marked: {_flag(change)}"


def _flag(change: Change) -> str:
    amount = f" {change.amount}" if change.amount is not None else ""
    return f"{name_of(change.label or 'flag')}{amount}"


def type_of(ref: str) -> str:
    """The type in a ref: `dnd5e:condition:prone` is a `condition`."""
    return ref.split(":")[1] if ":" in ref else ""


def source_of(ref: str) -> str:
    """A source in words: `shove`, `hold person`; for rulings of the GM, `ruling`."""
    return type_of(ref) if type_of(ref) in (RULING, AMENDMENT) else short(ref)


def origin_of(owner: str, source: str) -> str:
    """Where a modifier comes from, behind its effect: `from Osric's protection`, `because Snig is prone`."""
    match type_of(source):
        case "condition":
            return f"because {who(owner)} {condition_in_words(source)}"
        case kind if kind in (RULING, AMENDMENT):
            return f"from {a(kind)}"
    return f"from {whose(owner)} {short(source)}"


RULING, AMENDMENT = "ruling", "amendment"
"""Types of refs for what the GM brought about; their last part can be anything."""
