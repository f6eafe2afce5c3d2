"""Declared options of actions, reactions and encounters, and validation of data against a model.

Each piece declares its options as a model. Unknown options are refused with a suggestion. Recorded options are read
leniently: a fight that an older version recorded with an option that had no effect still resolves as it did.
The first complaint of pydantic becomes one sentence that names the field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Protocol, Self, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from combatlog.rules.engine.refusal import Refusal, choices, suggest
from ledger.events import Data
from ledger.json_shapes import adapter as adapter
from projections.battle.combatant import Combatant
from projections.battle.consent import ConsentMode, ReactionTimeUp
from projections.views.visibility import ShownDetail

M = TypeVar("M")

LONGEST = 80
"""Characters of a value that a refusal repeats."""


class Complaint(NamedTuple):
    """What is wrong with one field of some data."""

    field: str
    """Its path, such as `weapons.0.damage`; empty when the data as a whole is at fault."""
    message: str
    found: str | None
    """The value as it was written, shortened; None where there is no value to show."""

    @property
    def in_words(self) -> str:
        return f"{self.message}{f' (found {self.found})' if self.found is not None else ''}"


def validated(model: type[M], data: Any, code: str, what: str, /, **facts: Any) -> M:
    """The data as this model, or a refusal that names the first field that is wrong."""
    try:
        return cast(M, adapter(cast(Any, model)).validate_python(data))
    except ValidationError as error:
        raise refused(model, error, code, what, **facts) from error


def refused(model: Any, error: ValidationError, code: str, what: str, /, **facts: Any) -> Refusal:
    """The refusal that names the first field that is wrong."""
    wrong = first_complaint(error)
    field = wrong.field or "content"
    if wrong.found is not None:
        facts["found"] = wrong.found
    if meant := _meant(model, error.errors()[0]):
        facts["suggestions"] = meant
    return Refusal(code, f"{what} {field} is not valid: {wrong.in_words}.", **{"field": field, **facts})


def first_complaint(error: ValidationError) -> Complaint:
    first = error.errors()[0]
    message = _MESSAGES.get(first["type"], first["msg"].removeprefix("Value error, "))
    is_whole = not first["loc"] and isinstance(first["input"], dict | list)
    valueless = is_whole or first["type"] in ("missing", "extra_forbidden")
    return Complaint(
        field=".".join(map(str, first["loc"])),
        message=f"{message[:1].lower()}{message[1:]}",
        found=None if valueless else _shortened(first["input"]),
    )


_MESSAGES = {"extra_forbidden": "there is no such field"}
"""Plainer words for messages of pydantic."""


def _meant(model: Any, complaint: ErrorDetails) -> list[str]:
    """The fields that may have been meant by one that does not exist."""
    if complaint["type"] != "extra_forbidden":
        return []
    *path, name = complaint["loc"]
    for part in path:
        if isinstance(part, str):
            inner = model.model_fields.get(part) if _is_model(model) else None
            model = inner.annotation if inner is not None else None
        model = _model_in(model)
    found = _model_in(model)
    return suggest(str(name), [info.alias or known for known, info in found.model_fields.items()]) if found else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model of a field, also inside a list or a mapping; None if it holds none, or several."""
    if _is_model(annotation):
        return cast(type[BaseModel], annotation)
    found = [model for model in map(_model_in, get_args(annotation)) if model is not None]
    return found[0] if len(found) == 1 else None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def sheet_as(model: type[M], combatant: Combatant) -> M:
    """A combatant's sheet as its ruleset's model, parsed once.

    It was checked when the combatant joined, but an imported fight holds whatever its file says.
    """
    if combatant.view is None:
        combatant.view = validated(
            model, combatant.sheet, "sheet/unreadable", f"{combatant.name}'s recorded sheet:", combatant=combatant.id
        )
    return cast(M, combatant.view)


def _shortened(value: Any) -> str:
    """As files write it, shortened if that is long: people read the sentence."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}..."


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
    players_see: tuple[ShownDetail, ...] | None = Field(
        default=None, description="what players see of others that is hidden otherwise"
    )
    consent: ConsentMode | None = Field(default=None, description="who has to agree to corrections: gm or table")
    reaction_time: int | None = Field(
        default=None, ge=1, le=86400, description="seconds that a player has to answer an offered reaction"
    )
    time_up: ReactionTimeUp | None = Field(
        default=None, description="what happens if a player does not answer in time: pass, or use a reaction that helps"
    )


class Part(StrEnum):
    """The parts of a declaration besides its options."""

    TARGET = "target"
    DESTINATION = "destination"
    WEAPON = "weapon"


@dataclass(frozen=True, slots=True)
class Signature:
    """The options and parts that one action or reaction takes."""

    options: type[Options] = Options
    parts: frozenset[Part] = frozenset()
    about: str = field(default="", compare=False)
    """What the action does, in a sentence."""
    check: Callable[[DeclaredParts], None] | None = field(default=None, compare=False)
    """Refuses combinations that have no effect, such as a weapon for a readied move.

    Like the rest of the signature, it checks new declarations only, never recorded ones.
    """


class DeclaredParts(Protocol):
    """The parts of a declaration or an answer."""

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


def check_said(signature: Signature, what: str, said: DeclaredParts) -> None:
    """Refuse parts that the action does not take: they would be recorded without any effect."""
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


OptionsModel = TypeVar("OptionsModel", bound=Options)


@cache
def _unsaid(model: type[OptionsModel]) -> OptionsModel | None:
    """The options if none are given, which is the usual case; None if one is required."""
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
