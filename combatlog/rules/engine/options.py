"""Declared options: what an action, a reaction or an encounter takes, by name.

Every piece declares its options as a model. Any other option is refused, with a suggestion. Recorded options are read
leniently: a fight that an older version recorded with an option that had no effect still resolves as it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Protocol, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.validation import validated
from ledger.events import Data
from projections.consent import Consent
from projections.time_limits import TimeUp
from projections.views.secrets import Shown


class Options(BaseModel):
    """The options of one action, by name. A model without fields: the action takes none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """The options as they were recorded, without those that this model does not have."""
        if not said and (unsaid := _unsaid(cls)) is not None:
            return cast(Self, unsaid)
        known = option_fields(cls)
        return cls.model_validate({name: value for name, value in said.items() if name in known})


class EncounterOptions(Options):
    """What any encounter can be opened with, whatever its ruleset."""

    model_config = ConfigDict(coerce_numbers_to_str=True)  # a campaign may be called 2024

    campaign: str | None = Field(default=None, max_length=100, description="the campaign that the encounter belongs to")
    players_see: tuple[Shown, ...] | None = Field(
        default=None, description="what players see of others that is hidden otherwise"
    )
    consent: Consent | None = Field(default=None, description="who has to agree to corrections: gm or table")
    reaction_time: int | None = Field(
        default=None, ge=1, le=86400, description="seconds that somebody has to answer who may react"
    )
    time_up: TimeUp | None = Field(
        default=None, description="what is done for whoever does not answer in time: pass, or whatever is useful"
    )


class Part(StrEnum):
    """What a declaration can name besides its options."""

    TARGET = "target"
    DESTINATION = "destination"
    WEAPON = "weapon"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a declaration of one action, or the use of one reaction, can say."""

    options: type[Options] = Options
    parts: frozenset[Part] = frozenset()
    about: str = field(default="", compare=False)
    """What the action does, in a sentence."""
    check: Callable[[Said], None] | None = field(default=None, compare=False)
    """Refuses what only the whole of what is said shows to have no effect, such as a weapon for a readied move.

    Like the rest of the signature, it is asked when somebody speaks and never of what is on record already.
    """


class Said(Protocol):
    """What somebody declares."""

    @property
    def actor(self) -> str: ...
    @property
    def targets(self) -> tuple[str, ...]: ...
    @property
    def destination(self) -> tuple[int, int] | None: ...
    @property
    def weapon(self) -> str | None: ...
    @property
    def options(self) -> Data: ...


def check_said(signature: Signature, what: str, said: Said) -> None:
    """Refuse what the action does not take: it would be recorded without any effect."""
    named = ((Part.TARGET, said.targets), (Part.DESTINATION, said.destination), (Part.WEAPON, said.weapon))
    for part, value in named:
        if value and part not in signature.parts:
            raise Refusal(
                f"declaration/takes-no-{part}", f"{what} takes no {part}.", what=what, part=part.value, found=value
            )
    check_options(signature.options, what, said.options)
    if signature.check is not None:
        signature.check(said)


def check_options(model: type[Options], what: str, said: Data) -> None:
    """Refuse options that are unknown, missing or invalid."""
    if not said and _unsaid(model) is not None:
        return
    known = option_fields(model)
    for name in said:
        if name not in known:
            raise _unknown(what, name, list(known))
    for name, info in known.items():
        if info.is_required() and name not in said:
            raise Refusal(
                "declaration/missing-option",
                f"{what} needs the option {name!r}{f': {info.description}' if info.description else ''}.",
                what=what,
                option=name,
            )
    if known:
        validated(model, said, "declaration/invalid-option", f"{what}'s option", what=what)


@cache
def option_fields(model: type[Options]) -> dict[str, FieldInfo]:
    """The fields of a model by the name that people use: the alias, if a field has one."""
    return {info.alias or name: info for name, info in model.model_fields.items()}


M = TypeVar("M", bound=Options)


@cache
def _unsaid(model: type[M]) -> M | None:
    """The options if nothing is said, as is the case most of the time; None if something has to be."""
    try:
        return model()
    except ValidationError:
        return None


def _unknown(what: str, name: str, known: list[str]) -> Refusal:
    takes = f"it takes {choices(known)}" if known else "it takes none"
    return Refusal(
        "declaration/unknown-option",
        f"{what} has no option {name!r}; {takes}.",
        what=what,
        option=name,
        available=known,
        suggestions=suggest(name, known),
    )
