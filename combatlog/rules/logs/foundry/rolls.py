"""Rolls as Foundry stores them: a list of terms, each with its results."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from combatlog.rules.logs.plain import record, records, slug, whole
from combatlog.rules.logs.scribe import Scribe
from ledger.events import FaceOrigin, Rolled, RollMode, RollModifier

_MOST = 1_000
_LONGEST_NOTATION = 300


class Roll(NamedTuple):
    notation: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifiers: tuple[RollModifier, ...]
    total: int
    mode: RollMode
    options: dict[str, Any]

    @property
    def natural(self) -> int | None:
        return self.kept[0] if self.kept and "d20" in self.notation else None

    @property
    def is_critical(self) -> bool:
        least = whole(self.options.get("criticalSuccess"))
        return self.natural is not None and self.natural >= (least if least is not None else 20)

    @property
    def is_fumble(self) -> bool:
        most = whole(self.options.get("criticalFailure"))
        return self.natural is not None and self.natural <= (most if most is not None else 1)


def rolls_of(message: dict[str, Any]) -> list[Roll | None]:
    """The rolls of a message; None for one that cannot be read."""
    found = message.get("rolls")
    if not isinstance(found, list):
        found = [message["roll"]] if message.get("roll") else []
    return [_roll(one) for one in found[:_MOST]]


def _roll(stored: Any) -> Roll | None:
    """A roll is stored as JSON within the JSON of its message."""
    try:
        data = json.loads(stored) if isinstance(stored, str) else stored
    except (ValueError, RecursionError):
        return None
    total = whole(record(data).get("total"))
    if total is None:
        return None
    options, terms = record(data.get("options")), records(data.get("terms"))[:_MOST]
    dice = [term for term in terms if _is_dice(term)]
    plain = _is_sum(terms)
    dice_notation = "+".join(_notation(term) for term in dice)
    formula = str(data.get("formula") or "")[:_LONGEST_NOTATION]
    faces = tuple(face for term in dice for face, _ in _results(term))
    kept = tuple(face for term in dice for face, counts in _results(term) if counts)
    added = _modifiers(terms) if plain else ()
    return Roll(dice_notation if plain and dice else formula, faces, kept, added, total, _mode(options, dice), options)


def _is_dice(term: dict[str, Any]) -> bool:
    return isinstance(term.get("results"), list) and whole(term.get("faces")) is not None


def _notation(term: dict[str, Any]) -> str:
    done = "".join(_keeping(str(each)) for each in _listed(term.get("modifiers"))[:10])
    return f"{whole(term.get('number')) or 1}d{whole(term.get('faces'))}{done}"[:100]


def _keeping(modifier: str) -> str:
    """`kh` keeps one, and is written so."""
    return f"{modifier}1" if modifier in ("kh", "kl") else modifier


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _results(term: dict[str, Any]) -> list[tuple[int, bool]]:
    found = ((whole(one.get("result")), one.get("active") is not False) for one in records(term.get("results"))[:_MOST])
    return [(face, counts) for face, counts in found if face is not None]


def _is_sum(terms: list[dict[str, Any]]) -> bool:
    """Dice and numbers that are added, or numbers that are taken away."""
    sign = "+"
    for term in terms:
        if "operator" in term:
            sign = str(term["operator"]).strip()
        elif not (_is_dice(term) and sign == "+") and not (_is_number(term) and sign in ("+", "-")):
            return False
    return True


def _is_number(term: dict[str, Any]) -> bool:
    return whole(term.get("number")) is not None and "faces" not in term


def _modifiers(terms: list[dict[str, Any]]) -> tuple[RollModifier, ...]:
    found, sign = [], 1
    for term in terms:
        if "operator" in term:
            sign = -1 if str(term["operator"]).strip() == "-" else 1
        elif _is_number(term):
            flavor = record(term.get("options")).get("flavor")
            source = slug(flavor) if isinstance(flavor, str) and flavor else "bonus"
            found.append(RollModifier(source=f"recorded:modifier:{source}", amount=sign * (whole(term["number"]) or 0)))
    return tuple(found)


def _mode(options: dict[str, Any], dice: list[dict[str, Any]]) -> RollMode:
    said = whole(options.get("advantageMode"))
    first = [str(each) for each in _listed(dice[0].get("modifiers"))] if dice else []
    if said == 1 or (said is None and "kh" in first):
        return RollMode.ADVANTAGE
    return RollMode.DISADVANTAGE if said == -1 or (said is None and "kl" in first) else RollMode.NORMAL


def record_foundry_roll(scribe: Scribe, roller: str, what_for: str, roll: Roll) -> Rolled:
    return scribe.record(
        Rolled,
        purpose=what_for,
        roller=roller,
        notation=roll.notation,
        mode=roll.mode,
        faces=roll.faces,
        kept=roll.kept,
        modifiers=roll.modifiers,
        total=roll.total,
        dice_source=FaceOrigin.RECORDED,
    )
