"""The dice of an encounter as it is opened: one source for all, or one for each side or combatant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from combatlog.rules.engine.dice.notation_and_sources import (
    CommittedDice,
    DiceSource,
    Die,
    PlainDice,
    TableDice,
    source_of,
)
from combatlog.rules.engine.naming import combatant_id
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Face, FaceOrigin
from projections.battle.combatant import Combatant
from projections.battle.dice import SHARED
from projections.battle.fold import Battle

TABLE, COMMITTED, USUAL = "table", "committed", "random"


@dataclass(frozen=True, slots=True)
class DiceSetting:
    """`heroes=table,foes=random`, read."""

    usual: str
    """The source of those who are not named, and of those who are not in the fight."""
    own: Mapping[str, str] = field(default_factory=dict)
    """By side, or by the id of a combatant, which comes first."""

    @property
    def is_mixed(self) -> bool:
        return bool(self.own)

    @property
    def sources(self) -> set[str]:
        return {self.usual, *self.own.values()}

    def of(self, combatant: Combatant | None) -> str:
        if combatant is None:
            return self.usual
        return self.own.get(combatant.id) or self.own.get(_named(combatant.side), self.usual)


def check_setting(text: str) -> None:
    """Refuse a setting that names a source that does not exist."""
    setting = read_setting(text)
    for source in sorted(setting.sources):
        source_of(source)
    if setting.is_mixed and SHARED in setting.sources:
        sentence = "Shared dice are for the whole table; they cannot be mixed with other sources."
        raise Refusal("dice/shared-with-others", sentence, found=text)


@lru_cache(maxsize=64)
def read_setting(text: str) -> DiceSetting:
    """The setting of an encounter. Every command asks for it."""
    if "=" not in text:
        return DiceSetting(text)
    usual, own = USUAL, {}
    for part in text.split(","):
        whose, equals, source = part.strip().rpartition("=")
        if equals:
            own[_whose(whose, text)] = source
        else:
            usual = source
    return DiceSetting(usual, own)


def is_committed(text: str) -> bool:
    """Whether anybody's dice are committed."""
    return COMMITTED in read_setting(text).sources


def is_shared(text: str) -> bool:
    return text == SHARED


def has_secret(text: str) -> bool:
    """Whether the encounter needs a secret seed."""
    return is_committed(text) or is_shared(text)


def _whose(name: str, text: str) -> str:
    if not name.strip():
        sentence = f"{text!r} does not say whose dice those are; name a side or a combatant."
        raise Refusal("dice/whose", sentence, found=text)
    return _named(name)


def _named(name: str) -> str:
    """A side or a combatant, however it is written."""
    return combatant_id(name)


Rolls = dict[tuple[str, str, int, int], list[Face]]
"""Faces by roller, purpose, event and place in the roll."""


@dataclass(slots=True)
class MixedDice:
    """Each rolls with their own source. Faces that were given are for those who roll at the table, in order."""

    setting: DiceSetting
    battle: Battle
    table: TableDice
    committed: CommittedDice | None = None
    rolled: Rolls = field(default_factory=dict)
    """What those have rolled who do not roll at the table, in case a command is attempted again with other faces."""

    def of(self, roller: str) -> DiceSource:
        if self.is_by_hand(roller):
            return self.table.of(roller)
        source = self._source(roller)
        if source == COMMITTED and self.committed is not None:
            return self.committed
        return RecordedDice(source_of(source), roller, self.rolled)

    def is_by_hand(self, roller: str) -> bool:
        """Whether the faces have to be given: also where the secret is not known, or is public already."""
        source, committed = self._source(roller), self.committed
        has_no_secret = committed is None or committed.is_revealed or committed.seed is None
        return source == TABLE or (source == COMMITTED and has_no_secret and bool(self.table.given))

    def _source(self, roller: str) -> str:
        return self.setting.of(self.battle.combatants.get(roller))

    @property
    def binds(self) -> bool:
        return self.committed is not None

    @property
    def origin(self) -> FaceOrigin:
        return source_of(self.setting.usual).origin

    def number(self, held: int | None) -> int | None:
        return held

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        """For rolls of nobody in particular."""
        return self.of("").faces(dice, seq, purpose, after, number)

    def finish(self) -> None:
        self.table.finish()


@dataclass(slots=True)
class RecordedDice(PlainDice):
    """Dice that show the same when a command is attempted again: giving other faces is no new chance for others."""

    source: DiceSource
    roller: str
    rolled: Rolls

    @property
    def origin(self) -> FaceOrigin:
        return self.source.origin

    @property
    def binds(self) -> bool:
        return self.source.binds

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        place = (self.roller, purpose, seq, after)
        if place not in self.rolled:
            self.rolled[place] = self.source.faces(dice, seq, purpose, after, number)
        return self.rolled[place]
