"""Where the dice of an encounter come from, as it is opened: one source for all, or one for each side or combatant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from combatlog.rules.engine.dice import source_of
from combatlog.rules.engine.naming import combatant_id
from combatlog.rules.engine.refusal import Refusal
from projections.combatant import Combatant
from projections.links import SHARED

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
