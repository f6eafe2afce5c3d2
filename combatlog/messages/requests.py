"""Other requests: a new fight, a fork, automatic play, consent, files."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from combatlog.messages.corrections import Correction, as_json
from combatlog.messages.message import Count, Message, Name, Prose, Said, example
from combatlog.messages.rights import Right
from ledger.events import Data
from ledger.seal import Seal

Proposal = Annotated[Count | None, Field(description="the seq of the proposal that is meant; by default the last one")]


class Open(Said):
    """Open a fight under a name that is not taken."""

    model_config = example(name="Bridge ambush", ruleset="dnd5e", map=["......", "..~~..", "......"])

    name: Annotated[Name, Field(examples=["Bridge ambush"])]
    ruleset: Name = "dnd5e"
    dice: Name = "random"
    map: Annotated[tuple[Annotated[str, Field(max_length=1000)], ...] | None, Field(max_length=1000)] = None
    options: Data = Field(default_factory=dict)
    labels: Annotated[tuple[Name, ...], Field(max_length=20)] = ()


class Auto(Message):
    model_config = example(sides=["foes"], rounds=1)

    sides: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    turns: Annotated[int | None, Field(ge=1, le=50)] = None
    rounds: Annotated[int | None, Field(ge=1, le=20)] = None


class Fork(Said):
    """Open a new fight that shares the past of this one up to an event."""

    model_config = example(name="What if Snig had fled", at=12)

    name: Name
    at: Count | None = None


class Propose(Said):
    """Propose a correction to the players whose combatants it affects; if there are none, it is made at once."""

    path: ClassVar[str] = "proposals"

    correction: Correction

    def request(self) -> tuple[str, Data]:
        return self.path, as_json(self.correction)


class Consent(Said):
    """Agree to a proposed correction or not, for a combatant that it affects. The last answer makes the correction."""

    model_config = example(who="rurik", agree=True)
    right = Right.CONSENT
    path: ClassVar[str] = "proposals/{proposal}/answers"

    who: Annotated[Name, Field(description="the combatant that is asked", examples=["rurik"])]
    agree: Annotated[bool, Field(description="false: then nothing is changed", examples=[True])] = True
    reason: Prose = ""
    proposal: Proposal = None


class Overrule(Said):
    """Make a proposed correction as the GM, whoever has not agreed. That is on record."""

    path: ClassVar[str] = "proposals/{proposal}/overruling"

    model_config = example(reason="the rules are clear")

    reason: Annotated[str, Field(min_length=1, max_length=2000, examples=["the rules are clear"])]
    proposal: Proposal = None


class Seals(Message):
    model_config = example(
        seals=[
            {
                "encounter": "ea2930ea-a62d-52b4-af66-58200bf01a75",
                "name": "Bridge ambush",
                "seq": 24,
                "head": "9d" * 32,
                "sealed_at": "2026-07-01T12:00:00Z",
                "public_key": "1b" * 32,
                "signature": "7e" * 64,
            }
        ]
    )

    seals: Annotated[list[Seal], Field(max_length=1000, description="as `GET .../seal` gave them, at any time")]


class Script(Message):
    model_config = example(
        scenario={
            "encounter": "Duel",
            "dice": "seed:7",
            "combatants": [
                {"sheet": "fighter", "as": "Rurik", "at": [1, 1]},
                {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [2, 1]},
            ],
            "script": [{"do": "start"}],
        }
    )

    scenario: Annotated[dict[str, Any], Field(description="a scenario, as docs/scenarios.md describes it")]
    name: Name | None = None


class PackFiles(Message):
    model_config = example(
        files={"spells.yaml": "ice_bolt: {archetype: bolt, level: 0, range: 90, damage: 1d8, damage_type: cold}"}
    )

    files: Annotated[
        dict[Annotated[str, Field(pattern=r"^[\w-][\w.-]*(/[\w-][\w.-]*){0,3}$", max_length=200)], str],
        Field(min_length=1, max_length=200, description="the files of a pack, by their names in its folder"),
    ]
    name: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")] = "pack"
    ruleset: Name = "dnd5e"
