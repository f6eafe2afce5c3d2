"""The dice setting of an encounter: one source for everyone, or one for each side or combatant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.dice_sources import CommittedDice, DiceSource, PlainDice, TableDice, source_of
from combatlog.rules.engine.naming import combatant_id
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Face, FaceOrigin
from projections.battle.combatant import Combatant
from projections.battle.dice import SHARED
from projections.battle.fold import Battle

TABLE, COMMITTED, USUAL = "table", "committed", "random"


@dataclass(frozen=True, slots=True)
class DiceSetting:
    """A parsed setting such as `heroes=table,foes=random`."""

    usual: str
    """The source for everyone that the setting does not name."""
    own: Mapping[str, str] = field(default_factory=dict)
    """Sources by side or by combatant id. A combatant's own entry takes precedence."""

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
        sentence = "Shared dice are for everyone at the table; they cannot be mixed with other sources."
        raise Refusal("dice/shared-with-others", sentence, found=text)


@lru_cache(maxsize=64)
def read_setting(text: str) -> DiceSetting:
    """Parse the dice setting of an encounter. Cached, because every command needs it."""
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
    """Whether any of the dice are committed."""
    return COMMITTED in read_setting(text).sources


def is_shared(text: str) -> bool:
    return text == SHARED


def has_secret(text: str) -> bool:
    """Whether the encounter needs a secret seed."""
    return is_committed(text) or is_shared(text)


def _whose(name: str, text: str) -> str:
    if not name.strip():
        sentence = f"{text!r} does not say whose dice they are; name a side or a combatant."
        raise Refusal("dice/whose", sentence, found=text)
    return _named(name)


def _named(name: str) -> str:
    """The key of a side or combatant, whatever its spelling."""
    return combatant_id(name)


Rolls = dict[tuple[str, str, int, int], list[Face]]
"""Faces by roller, purpose, event and position in the roll."""


@dataclass(slots=True)
class MixedDice:
    """Every roller has a source of its own. Given faces go to those who roll at the table, in order."""

    setting: DiceSetting
    battle: Battle
    table: TableDice
    committed: CommittedDice | None = None
    rolled: Rolls = field(default_factory=dict)
    """Faces rolled by all other sources, kept in case the command is attempted again with other given faces."""

    def of(self, roller: str) -> DiceSource:
        if self.is_by_hand(roller):
            return self.table.of(roller)
        source = self._source(roller)
        if source == COMMITTED and self.committed is not None:
            return self.committed
        return RecordedDice(source_of(source), roller, self.rolled)

    def is_by_hand(self, roller: str) -> bool:
        """Whether the roller's faces have to be given. That includes committed dice without a usable secret."""
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
        """For rolls without a particular roller."""
        return self.of("").faces(dice, seq, purpose, after, number)

    def finish(self) -> None:
        self.table.finish()


@dataclass(slots=True)
class RecordedDice(PlainDice):
    """Dice that show the same faces when a command is attempted again, so that retrying gives no new chance."""

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
