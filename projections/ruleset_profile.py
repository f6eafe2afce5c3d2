"""How a ruleset wants its fights told and counted. The ruleset ships this as a file, so no projection names its parts.

The file is `profile.yaml` in the package that the ruleset's entry point names; for a ruleset in a single module,
`MODULE_profile.yaml` beside it. Nothing of the ruleset is imported: reading a fight loads no rules. A ruleset without a
file, or one that is not installed, gets the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ledger.errors import Problem

GROUP = "combatlog.rulesets"


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ActionWords(_Declared):
    """How the story begins the sentence of a declaration, after the actor's name."""

    verb: str = Field(description="`dodges`, `strikes`, `casts`; its targets follow")
    alone: str = Field(default="", description="what is said instead if no target, or nothing to name, is given")
    can: str = Field(default="", description="after `may`, where it is granted: `strike`; by default `use NAME`")
    attack: bool = Field(default=False, description="whether the outcome of an attack completes the sentence")
    move: bool = Field(default=False, description="whether the sentence says where the actor ends up")
    names: str | None = Field(
        default=None, description="the option that the verb is about, such as `spell`; or else the action's own name"
    )
    article: bool = Field(default=False, description="whether `a` or `an` stands before what is named")

    @model_validator(mode="before")
    @classmethod
    def _from_verb(cls, said: object) -> object:
        return {"verb": said} if isinstance(said, str) else said


class ConditionWords(_Declared):
    """What is said of a combatant with this condition, each after its name."""

    holds: str = Field(description="while it lasts: `is prone`, `has exhaustion`")
    begins: str = Field(description="when it begins, in the story; by default as while it lasts")
    ends: str = Field(description="when it is over: `is no longer prone`")
    told: bool = Field(default=True, description="false: the story leaves it out, since other events say enough")
    final: bool = Field(default=False, description="whether conditions that end with it need no telling, as with death")
    said_by: frozenset[str] = Field(
        default=frozenset(), description="actions, by name, whose own words say that it begins or ends"
    )

    @model_validator(mode="before")
    @classmethod
    def _from_state(cls, said: object) -> object:
        given: dict[str, object] = {"holds": said} if isinstance(said, str) else dict(said)  # type: ignore[call-overload]
        holds = str(given.get("holds", ""))
        return {"begins": holds, "ends": _no_longer(holds), **given}


def _no_longer(holds: str) -> str:
    verb, _, rest = holds.partition(" ")
    return f"is no longer {rest}" if verb == "is" else f"no longer {holds}"


class Naturals(_Declared):
    """Faces of the die that decide an attack, whatever the total is."""

    hits: int | None = None
    misses: int | None = None

    @property
    def both(self) -> tuple[int | None, int | None]:
        return self.hits, self.misses

    def hit(self, face: int | str | None, *, reached: bool) -> bool:
        """Whether an attack with this natural roll hits, given whether its total reached the number."""
        return (face is not None and face == self.hits) or ((face is None or face != self.misses) and reached)


class Shooting(_Declared):
    """How sheets mark weapons that are shot."""

    weapons: str = Field(description="the field of the sheet that lists weapons, each with a name and its properties")
    property: str = Field(description="the property of those that are shot")


class RulesetProfile(_Declared):
    attack: str = Field(default="{total} against {against}", description="the two numbers of an attack")
    attack_without_number: str | None = Field(
        default=None, description="the same for attacks without a number to reach; by default like all others"
    )
    difficulty: str = Field(default="", description="what precedes the number that a save has to reach: `DC`")
    saves: Mapping[str, str] = Field(default_factory=dict, description="what the short names of saves mean")
    saves_against_nothing: frozenset[str] = Field(
        default=frozenset(), description="saves that are not made against something, such as death saves"
    )
    naturals: Naturals = Naturals()
    shooting: Shooting | None = None
    falls: frozenset[str] = Field(
        default=frozenset({"dying", "dead", "defeated"}), description="the conditions of combatants that have fallen"
    )
    conceals_unrecorded: frozenset[str] = Field(
        default=frozenset(), description="conditions that hide their owner in fights that do not record which ones do"
    )
    unnoticed_unrecorded: frozenset[str] = Field(
        default=frozenset(), description="conditions that do not show in fights that do not record which ones do"
    )
    untold: frozenset[str] = Field(
        default=frozenset(), description="actions that the story leaves out, telling only what follows"
    )
    actions: Mapping[str, ActionWords] = Field(default_factory=dict, description="words for actions, by name")
    types: Mapping[str, ActionWords] = Field(
        default_factory=dict, description="words for all other actions of a type, such as `spell`"
    )
    reactions: Mapping[str, str] = Field(
        default_factory=dict, description="words for reactions, by name: `parries`; by default `uses NAME`"
    )
    conditions: Mapping[str, ConditionWords] = Field(
        default_factory=dict, description="words for conditions, by name; all others are `is NAME`"
    )

    def action(self, ref: str) -> ActionWords | None:
        """The words for an action. None: nothing is declared for it."""
        kind, name = _type_and_name(ref)
        return self.actions.get(name) or _USUAL.get(name) or self.types.get(kind)

    def reaction(self, ref: str) -> str:
        """The words for a reaction: `parries`, `uses protection`, `casts shield`."""
        kind, name = _type_and_name(ref)
        words = self.types.get(kind)
        return self.reactions.get(name) or f"{words.verb if words is not None else 'uses'} {name.replace('_', ' ')}"

    def condition(self, ref: str) -> ConditionWords:
        name = ref.rsplit(":", 1)[-1]
        return self.conditions.get(name) or ConditionWords.model_validate(f"is {name.replace('_', ' ')}")


def _type_and_name(ref: str) -> tuple[str, str]:
    """The parts of a ref; imported events may hold any text instead."""
    kind, _, name = ref.rpartition(":")
    return kind.partition(":")[2], name


_USUAL = {"attack": ActionWords(verb="attacks", attack=True), "move": ActionWords(verb="moves", move=True)}
"""Words for actions that most games have, for rulesets that declare none."""
_DEFAULT = RulesetProfile()


@lru_cache(maxsize=64)  # a ledger may name any rulesets
def profile_of(ruleset: str) -> RulesetProfile:
    """The profile of a ruleset, by its name."""
    file = _file_of(ruleset)
    return read_profile(file) if file is not None else _DEFAULT


def read_profile(file: Path) -> RulesetProfile:
    import yaml  # not needed to read a fight of a ruleset without a profile

    try:
        return RulesetProfile.model_validate(yaml.safe_load(file.read_text("utf-8")))
    except (yaml.YAMLError, ValueError) as error:
        what = str(error).replace("\n", " ")
        raise Problem("ruleset/profile", f"{file} is not a profile of a ruleset: {what}.", file=str(file)) from error


@cache
def profiles() -> dict[str, RulesetProfile]:
    """The profiles of all installed rulesets, by name."""
    return {entry.name: profile_of(entry.name) for entry in entry_points(group=GROUP)}


def _file_of(ruleset: str) -> Path | None:
    """Where the profile is. Only the top-level package is found by import; the rest is a path below it."""
    module = next((entry.module for entry in entry_points(group=GROUP) if entry.name == ruleset), "")
    top, *inner = module.split(".")
    spec = find_spec(top) if top else None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    is_package = spec.submodule_search_locations is not None
    place = folder.joinpath(*inner) if is_package else folder / top
    candidates = (place / "profile.yaml", place.with_name(f"{place.name}_profile.yaml"))
    return next((file for file in candidates if file.is_file()), None)
