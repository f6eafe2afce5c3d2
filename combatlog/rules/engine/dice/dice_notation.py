"""Dice notation: dice and their faces, which faces count, exploding and special dice, advantage and disadvantage."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from combatlog.rules.engine.refusal import Refusal
from ledger.events import Face, RollMode

MAX_DICE = 200
MAX_SIDES = 1000


@dataclass(frozen=True, slots=True)
class Die:
    """A die and its faces. Most dice have the numbers 1 to N; some have other numbers, or symbols."""

    name: str
    faces: tuple[Face, ...]

    @classmethod
    def with_sides(cls, sides: int) -> Die:
        return cls(f"d{sides}", tuple(range(1, sides + 1)))


FATE = Die("dF", (1, 1, 0, 0, -1, -1))


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind, and how many count. `keep` 1: only the highest; -1: only the lowest; None: all."""

    count: int
    die: Die
    keep: int | None = None

    def kept(self, faces: Sequence[Face]) -> tuple[Face, ...]:
        if self.keep is None:
            return tuple(faces)
        ranked = sorted(faces, key=int, reverse=self.keep > 0)
        return tuple(ranked[: abs(self.keep)])


@dataclass(frozen=True, slots=True)
class DiceFormula:
    """What is rolled: groups of dice and a constant."""

    text: str
    groups: tuple[Dice, ...]
    constant: int = 0
    dice: tuple[Die, ...] = field(init=False, compare=False, repr=False)
    """Every single die."""

    def __post_init__(self) -> None:
        dice = tuple(group.die for group in self.groups for _ in range(group.count))
        object.__setattr__(self, "dice", dice)

    @property
    def count(self) -> int:
        return len(self.dice)

    @property
    def average(self) -> float:
        """The expected total if every die counts."""
        return self.constant + sum(sum(map(int, die.faces)) / len(die.faces) for die in self.dice)

    def needed(self, faces: Sequence[Face]) -> tuple[Die, ...]:
        """The dice to roll next after these faces; none if the roll is complete."""
        return self.dice[len(faces) :]

    def fits(self, faces: Sequence[Face]) -> bool:
        """Whether these can be the faces of this roll. If it explodes, they may be only its first throws."""
        used = 0
        while used < len(faces):
            needed = self.needed(faces[:used])
            throw = faces[used : used + len(needed)]
            if not needed or any(face not in die.faces for face, die in zip(throw, needed, strict=False)):
                return False
            used += len(throw)
        return used >= self.count

    def kept(self, faces: Sequence[Face]) -> tuple[Face, ...]:
        if len(self.groups) == 1:
            return self.groups[0].kept(faces)
        kept: list[Face] = []
        start = 0
        for group in self.groups:
            kept.extend(group.kept(faces[start : start + group.count]))
            start += group.count
        return tuple(kept)


@dataclass(frozen=True, slots=True)
class ExplodingFate(DiceFormula):
    """Fate dice that explode: while all show a plus (or all a minus), they are rolled again for more of that sign."""

    def needed(self, faces: Sequence[Face]) -> tuple[Die, ...]:
        thrown = len(faces) % self.count
        if thrown or not faces:
            return self.dice[thrown:]
        return self.dice if faces[0] and all(face == faces[0] for face in faces) else ()

    def kept(self, faces: Sequence[Face]) -> tuple[Face, ...]:
        """The whole first throw; of the others, only the faces with the sign that made them explode."""
        first, others = faces[: self.count], faces[self.count :]
        return (*first, *(face for face in others if face == faces[0]))


_EXPLODING = re.compile(r"(?P<count>[0-9]{1,4})dF\+")
_TERM = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<count>[0-9]{0,4})d(?:(?P<sides>[0-9]{1,4})|(?P<fate>F)|\{(?P<faces>[-+\w/]{1,40}(?:,[-+\w/]{1,40}){0,99})\})"
    r"(?:k(?P<keep>[hl])(?P<kept>[0-9]{0,3}))?|(?P<constant>[0-9]{1,6}))"
)


def parse(text: str) -> DiceFormula:
    """Read `NdS+K`: for example `1d20+5`, `4d6kh3`, `2d20kl1`, `1d6+1d8`, `4dF`, `4dF+` (exploding), `2d{0,0,1,2}`."""
    cached = _PARSED.get(text)
    if cached is None:
        cached = _parse(text)
        if len(_PARSED) < 1000 and len(text) <= _LONGEST_REMEMBERED:
            _PARSED[text] = cached
    return cached


_PARSED: dict[str, DiceFormula] = {}
_LONGEST_REMEMBERED = 40
"""Longer notation is not cached: 200 dice of 1,000 sides each take megabytes."""

NAMED: dict[str, Die] = {}
"""Dice that rulesets have named, so that notation such as `red+blue` can be read."""


def _parse(text: str) -> DiceFormula:
    compact = re.sub(r" *([+-]) *", r"\1", text.strip(" "))
    if exploding := _EXPLODING.fullmatch(compact):
        return _exploding(text, int(exploding["count"]))
    if all(name in NAMED for name in compact.split("+")):
        return DiceFormula(text, tuple(Dice(1, NAMED[name]) for name in compact.split("+")))
    groups: list[Dice] = []
    constant = 0
    at = 0
    while at < len(compact):
        term = _TERM.match(compact, at)
        if term is None or (at > 0 and not term["sign"]):
            raise _bad_notation(text)
        if term["constant"]:
            constant += int(term["sign"] + term["constant"])
        elif term["sign"] == "-":
            raise _bad_notation(text)
        else:
            groups.append(_group(term, text))
        at = term.end()
    if not compact or sum(group.count for group in groups) > MAX_DICE:
        raise _bad_notation(text)
    return DiceFormula(text, tuple(groups), constant)


def _exploding(text: str, count: int) -> DiceFormula:
    if not 1 <= count <= MAX_DICE:
        raise _bad_notation(text)
    return ExplodingFate(text, (Dice(count, FATE),))


def _group(term: re.Match[str], text: str) -> Dice:
    count = int(term["count"] or 1)
    keep = int(term["kept"] or 1) * (1 if term["keep"] == "h" else -1) if term["keep"] else None
    die = _die(term, text)
    if count < 1 or (keep is not None and (abs(keep) > count or keep == 0 or not _numbered(die))):
        raise _bad_notation(text)
    return Dice(count, die, keep)


def _die(term: re.Match[str], text: str) -> Die:
    if term["fate"]:
        return FATE
    if term["faces"]:
        return Die(f"d{{{term['faces']}}}", tuple(_face(part) for part in term["faces"].split(",")))
    sides = int(term["sides"])
    if not 1 <= sides <= MAX_SIDES:
        raise _bad_notation(text)
    return Die.with_sides(sides)


def _face(text: str) -> Face:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,6}", text) else text


def _numbered(die: Die) -> bool:
    return all(isinstance(face, int) for face in die.faces)


def _bad_notation(text: str) -> Refusal:
    return Refusal(
        "dice/notation",
        f"{text!r} is not dice notation, such as 1d20+5, 4d6kh3, 2d20kl1, 4dF, 4dF+ or 2d{{0,1,2}}; "
        f"at most {MAX_DICE} dice with {MAX_SIDES} sides are possible.",
        found=text,
    )


_D20 = {RollMode.NORMAL: "1d20", RollMode.ADVANTAGE: "2d20kh1", RollMode.DISADVANTAGE: "2d20kl1"}


def d20(mode: RollMode) -> DiceFormula:
    """One d20, or two of which the higher or the lower counts. Every face is recorded."""
    return parse(_D20[mode])


def mode_of(advantage: int, disadvantage: int) -> RollMode:
    """The mode of a roll with these numbers of sources. If there is at least one of each, they cancel out."""
    if bool(advantage) == bool(disadvantage):
        return RollMode.NORMAL
    return RollMode.ADVANTAGE if advantage else RollMode.DISADVANTAGE
