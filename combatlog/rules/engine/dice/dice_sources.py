"""The sources of faces: random, seeded or committed dice, and dice rolled by people.

Random bytes are fetched from the operating system for many rolls at a time: a call for each roll would be slow.
"""

from __future__ import annotations

import hmac
import os
import random
import secrets
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Protocol
from uuid import UUID

from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.refusal import Refusal, suggest
from ledger.events import Face, FaceOrigin
from projections.story.phrases import counted


class DiceSource(Protocol):
    """Where faces come from."""

    @property
    def origin(self) -> FaceOrigin: ...

    @property
    def binds(self) -> bool:
        """Whether it may roll faces that cannot be unseen, so that the command must then go through."""

    def of(self, roller: str) -> DiceSource:
        """The source of this roller's faces."""

    def number(self, held: int | None) -> int | None:
        """The number of a roll; `held` is the one it already has. Only committed dice assign new numbers."""

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        """One face for each die of the roll that is recorded as event `seq` and already has `after` faces."""

    def finish(self) -> None:
        """Refuse faces that are left over. Called when the declaration is resolved or pauses."""


class PlainDice(DiceSource, Protocol):
    """The defaults of most sources: the same for every roller, not binding, without numbers or leftover faces."""

    __slots__ = ()

    @property
    def binds(self) -> bool:
        return False

    def of(self, roller: str) -> DiceSource:
        return self

    def number(self, held: int | None) -> int | None:
        return held

    def finish(self) -> None:
        return None


@dataclass(slots=True)
class RandomDice(PlainDice):
    """Faces that nobody can predict."""

    origin: FaceOrigin = FaceOrigin.RNG

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        return [die.faces[below(len(die.faces))] for die in dice]


@dataclass(slots=True)
class SeededDice(PlainDice):
    """Faces derived from a seed and the roll's place in the log, so every process gets the same ones."""

    seed: str
    origin: FaceOrigin = FaceOrigin.SEED

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        place = f"{seq}:{after}" if after else f"{seq}"
        stream = random.Random(f"{self.seed}:{place}")  # noqa: S311 - repeatable on purpose
        return [stream.choice(die.faces) for die in dice]


def check_face(die: Die, face: Face, purpose: str) -> None:
    """Refuse a face that the die does not have."""
    if face not in die.faces:
        raise Refusal(
            "dice/impossible-face",
            f"{face} is not a face of {die.name}, which the {purpose} roll needs.",
            purpose=purpose,
            needed=die.name,
            found=face,
        )


@dataclass(slots=True)
class TableDice(PlainDice):
    """Faces that people rolled and gave with the declaration; there must be exactly as many as it needs."""

    given: Sequence[Face]
    used: int = field(default=0, init=False)
    origin: FaceOrigin = FaceOrigin.TABLE
    roller: str | None = field(default=None, init=False)
    """The current roller."""

    def of(self, roller: str) -> DiceSource:
        self.roller = roller
        return self

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        faces = list(self.given[self.used : self.used + len(dice)])
        if len(faces) < len(dice):
            raise Refusal(
                "dice/too-few",
                f"The {purpose} roll needs {counted(len(dice), 'more face')} ({' '.join(die.name for die in dice)}), "
                f"and {len(faces) or 'none'} {'is' if len(faces) == 1 else 'are'} left of those given.",
                purpose=purpose,
                dice=[die.name for die in dice],
                needed=len(dice),
                found=len(faces),
                roller=self.roller,
            )
        for die, face in zip(dice, faces, strict=True):
            check_face(die, face, purpose)
        self.used += len(dice)
        return faces

    def finish(self) -> None:
        if left := self.given[self.used :]:
            raise Refusal(
                "dice/too-many",
                f"{len(left)} of the {counted(len(self.given), 'face')} given {'is' if len(left) == 1 else 'are'} not "
                f"needed before the next decision: {', '.join(map(str, left))}.",
                needed=self.used,
                found=len(self.given),
                left=list(left),
            )


def usable(seed: bytes | None, is_revealed: bool, purpose: str, dice: Sequence[Die]) -> bytes:
    """The secret seed of an encounter; refused if it is public or not known here."""
    if is_revealed:
        raise Refusal(
            "dice/revealed",
            f"The {purpose} roll needs dice, and the seed of this encounter has been public since it closed; "
            "roll real dice and give the faces.",
            purpose=purpose,
            dice=[die.name for die in dice],
        )
    if seed is None:
        raise Refusal(
            "dice/no-seed",
            f"The {purpose} roll needs dice, and the secret seed of this encounter is not in this ledger; "
            "roll real dice and give the faces.",
            purpose=purpose,
            dice=[die.name for die in dice],
        )
    return seed


@dataclass(slots=True)
class CommittedDice(PlainDice):
    """Faces derived from a secret seed, to which the encounter committed when it was opened.

    Each roll has a number of its own: the lowest that no standing roll holds. So only other rolls affect the number,
    and a roll that is taken back frees its number for the next one: the same faces come up again, whoever rolls.
    """

    seed: bytes | None = None
    encounter: UUID | None = None
    free: Iterator[int] = field(default_factory=lambda: count(1))
    """The numbers that no standing roll holds, lowest first."""
    is_revealed: bool = False
    origin: FaceOrigin = FaceOrigin.COMMITTED

    @property
    def binds(self) -> bool:
        return True

    def number(self, held: int | None) -> int | None:
        return held if held is not None else next(self.free)

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        seed = usable(self.seed, self.is_revealed, purpose, dice)
        assert number is not None
        return [self.face(seed, die, number, after + index) for index, die in enumerate(dice)]

    def face(self, seed: bytes, die: Die, number: int, index: int) -> Face:
        """Derived from an HMAC-SHA-256 of the roll's number and the index. A digest that is low for one die is low for
        every die, so rolling another die after an undo gives no new chance."""
        return face_at(die, hmac.digest(seed, f"{self.encounter}:roll:{number}:{index}".encode(), "sha256"))


def face_at(die: Die, digest: bytes) -> Face:
    """The face selected by a digest of 256 bits, read as a fraction from 0 to 1 of the die's faces. No face is favoured
    by more than one part in 2**240."""
    return die.faces[int.from_bytes(digest, "big") * len(die.faces) >> 256]


def face_by_event(seed: bytes, encounter: UUID, correction: int, seq: int, index: int, die: Die) -> Face:
    """The face as it was derived before rolls had numbers: from the event's seq and that of its correction."""
    for attempt in count():
        place = f"{encounter}:{correction}:{seq}:{index}:{attempt}"
        number = int.from_bytes(hmac.digest(seed, place.encode(), "sha256")[:8], "big")
        if number < _ALL_NUMBERS - _ALL_NUMBERS % len(die.faces):
            return die.faces[number % len(die.faces)]
    raise AssertionError("count() does not end")


_ALL_NUMBERS = 2**64
SEED_BYTES = 32


def new_seed(has_secret: bool) -> bytes | None:
    """A new secret if the encounter's dice are committed or shared."""
    return secrets.token_bytes(SEED_BYTES) if has_secret else None


def commitment_to(seed: bytes | None) -> str | None:
    return sha256(seed).hexdigest() if seed is not None else None


RECORDED = "recorded"
"""The dice of a fight that another tool recorded. They cannot be rolled again."""


def source_of(setting: str) -> DiceSource:
    """The dice source of this name."""
    if setting == "random":
        return RandomDice()
    if setting == "table":
        return TableDice(())
    if setting.startswith("seed:") and setting != "seed:":
        return SeededDice(setting.removeprefix("seed:"))
    if setting == "committed":
        return CommittedDice()
    if setting == "shared":
        from combatlog.rules.engine.dice.shared_dice import SharedDiceSource

        return SharedDiceSource()
    raise Refusal(
        "dice/source",
        f"{setting!r} is not a dice source; it is random, committed, shared, seed:N (for example seed:7) or table.",
        found=setting,
        available=["random", "committed", "shared", "seed:N", "table"],
        suggestions=suggest(setting, ["random", "committed", "shared", "table"]),
    )


_RANGE = 1 << 16
_drawn = array("H")
os.register_at_fork(after_in_child=lambda: _drawn.__delitem__(slice(None)))  # or parent and child would roll the same


def below(limit: int) -> int:
    """A number below a limit of at most 65,536, each equally likely; from any thread."""
    fair = _RANGE - _RANGE % limit
    while (number := _next()) >= fair:
        pass
    return number % limit


def _next() -> int:
    while True:
        try:
            return _drawn.pop()
        except IndexError:  # empty, or another thread took the last number
            _drawn.frombytes(os.urandom(2048))
