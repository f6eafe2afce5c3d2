"""What requests say. Unknown fields are refused, so that a misspelt one does not go unnoticed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data, Face, Position
from ledger.seal import Seal
from rules.engine.corrections.forgotten import Forgotten

Name = Annotated[str, Field(min_length=1, max_length=200)]
Count = Annotated[int, Field(ge=1, le=2**53)]
Amount = Annotated[int, Field(ge=-(10**6), le=10**6)]
Prose = Annotated[str, Field(max_length=2000)]
Dice = Annotated[list[Face] | None, Field(max_length=1000, description="faces rolled at the table, in order")]
Square = Annotated[Position | None, Field(description="column and row, both from 0")]
Impossible = Literal["drop", "keep", "stop"]


def example(**fields: Any) -> ConfigDict:
    """What such a body can say, for the OpenAPI document."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Reply(Body):
    model_config = example(reactor="osric", reaction="protection")

    reactor: Name
    reaction: Annotated[str | None, Field(max_length=200, description="null lets it pass")] = None
    options: Data = Field(default_factory=dict)


Replies = Annotated[list[Reply], Field(max_length=100, description="answers that are known beforehand")]


class Said(Body):
    by: Annotated[Name | None, Field(description="who says it, if not the one who sits here; only a GM can tell")] = (
        None
    )


class NewEncounter(Said):
    model_config = example(name="Bridge ambush", ruleset="dnd5e", map=["......", "..~~..", "......"])

    name: Annotated[Name, Field(examples=["Bridge ambush"])]
    ruleset: Name = "dnd5e"
    dice: Name = "random"
    map: Annotated[list[Annotated[str, Field(max_length=1000)]] | None, Field(max_length=1000)] = None
    options: Data = Field(default_factory=dict)
    labels: Annotated[list[Name], Field(max_length=20)] = []


class Join(Said):
    model_config = example(sheet="goblin", name="Snig", at=[4, 2], side="foes")

    sheet: Annotated[Name | Data, Field(description="a sheet by its name, or its fields", examples=["goblin"])]
    name: Name | None = None
    at: Square = None
    count: Annotated[int, Field(ge=1, le=100)] = 1
    side: Name = "heroes"
    controller: Literal["player", "gm"] | None = None
    hidden: bool = False
    reactions: dict[str, str] = Field(default_factory=dict)
    overrides: Data = Field(default_factory=dict)
    initiative: Amount | None = None
    dice: Dice = None


class Declaration(Said):
    model_config = example(actor="snig", action="strike", targets=["rurik"])

    actor: Annotated[Name, Field(examples=["snig"])]
    action: Annotated[Name, Field(examples=["strike"])]
    targets: Annotated[list[Name], Field(max_length=100, examples=[["rurik"]])] = []
    to: Square = None
    weapon: Name | None = None
    options: Data = Field(default_factory=dict)
    round: Annotated[Count | None, Field(description="the round that is meant; refused in another one")] = None
    dice: Dice = None
    replies: Replies = []


class Reaction(Reply, Said):
    model_config = example(reactor="osric", reaction="protection")

    dice: Dice = None


class TimeUp(Body):
    model_config = example(dice=[14])

    dice: Dice = None


Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="32 bytes in hexadecimal")]


class NewChain(Said):
    model_config = example(combatants=["rurik"], anchor="5f" * 32)

    combatants: Annotated[list[Name], Field(min_length=1, max_length=100, examples=[["rurik"]])]
    anchor: Annotated[Hex, Field(description="SHA-256 of the first link that will be revealed")]


class Link(Said):
    model_config = example(party="rurik", secret="c4" * 32)

    party: Annotated[Name, Field(description="whose player is asked", examples=["rurik"])]
    secret: Annotated[Hex | None, Field(description="the next link of the chain; null: it is withheld")] = None
    dice: Dice = None


class EndOfTurn(Said):
    model_config = example(who="snig")

    who: Name
    round: Annotated[Count | None, Field(description="the round that is meant; refused in another one")] = None
    dice: Dice = None


class Leave(Said):
    model_config = example(who="snig", why="ran away")

    who: Name
    why: Prose = "left the fight"
    dice: Dice = None


class Policies(Said):
    model_config = example(who="rurik", policies={"opportunity_attack": "never"})

    who: Name
    policies: Annotated[dict[str, str], Field(examples=[{"opportunity_attack": "never"}])]


class Hit(Said):
    model_config = example(actor="snig", target="rurik", weapon="scimitar")

    actor: Name
    target: Name | None = None
    weapon: Name | None = None
    dice: Dice = None
    replies: Replies = []


class Cast(Said):
    model_config = example(actor="mira", spell="fireball", to=[6, 4], options={"slot": 3})

    actor: Name
    spell: Name
    targets: Annotated[list[Name], Field(max_length=100)] = []
    to: Square = None
    options: Data = Field(default_factory=dict)
    dice: Dice = None
    replies: Replies = []


class Move(Said):
    model_config = example(actor="rurik", to=[4, 3], via=[[3, 3]])

    actor: Name
    to: Position
    via: Annotated[list[Position], Field(max_length=1000)] = []
    dice: Dice = None
    replies: Replies = []


class Start(Said):
    model_config = example(dice=[11, 6, 17])

    dice: Dice = None


class Close(Said):
    model_config = example(why="a truce")

    why: Prose = "the fight is over"


class Ruling(Said):
    model_config = example(subject="rurik", reason="the bridge gives way", set={"hp": 12}, add=["prone"])

    subject: Name | None = None
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    set: dict[str, Amount] = Field(default_factory=dict)
    add: Annotated[list[Name], Field(max_length=100)] = []
    remove: Annotated[list[Name], Field(max_length=100)] = []
    to: Square = None
    side: Name | None = None
    terrain: dict[str, str] = Field(default_factory=dict)
    note: Prose | None = None
    answers: Count | None = None
    secret: Annotated[bool, Field(description="players see what it changes, and not the ruling")] = False


class Roll(Said):
    model_config = example(notation="1d20+3", purpose="perception", who="rurik")

    notation: Annotated[str, Field(min_length=1, max_length=100, examples=["1d20+3"])]
    purpose: Name = "roll"
    who: Name | None = None
    secret: Annotated[bool, Field(description="only GMs see it")] = False
    dice: Dice = None


class Note(Said):
    model_config = example(text="It begins to rain.")

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    about: Name | None = None
    secret: Annotated[bool, Field(description="only GMs see it")] = False


class Hurt(Said):
    model_config = example(who=["rurik"], amount=7, type="fire", reason="a trap")

    who: Annotated[list[Name], Field(min_length=1, max_length=100)]
    amount: Amount
    type: Name | None = None
    reason: Prose = ""
    dice: Dice = None


class Heal(Said):
    model_config = example(who=["rurik"], amount=5, reason="a potion")

    who: Annotated[list[Name], Field(min_length=1, max_length=100)]
    amount: Amount
    pool: Name | None = None
    reason: Prose = ""


class Initiative(Said):
    model_config = example(values={"rurik": 14}, reason="we forgot his bonus")

    values: Annotated[dict[str, Amount], Field(min_length=1)]
    reason: Prose = ""


class Seen(Said):
    model_config = example(who=["grimjaw"])

    who: Annotated[list[Name], Field(min_length=1, max_length=100)]


class Label(Said):
    model_config = example(add=["practice"])

    add: Annotated[list[Name], Field(max_length=20)] = []
    remove: Annotated[list[Name], Field(max_length=20)] = []
    why: Prose | None = None


class Rest(Said):
    model_config = example(kind="short", who=["rurik"], hit_dice=1)

    kind: Literal["short", "long"]
    who: Annotated[list[Name], Field(max_length=100)] = []
    hit_dice: Annotated[int, Field(ge=0, le=100)] | dict[str, Annotated[int, Field(ge=0, le=100)]] = 0
    dice: Dice = None


class Auto(Body):
    model_config = example(sides=["foes"], rounds=1)

    sides: Annotated[list[Name], Field(max_length=20)] = []
    turns: Annotated[int | None, Field(ge=1, le=50)] = None
    rounds: Annotated[int | None, Field(ge=1, le=20)] = None


class Fork(Said):
    model_config = example(name="What if Snig had fled", at=12)

    name: Name
    at: Count | None = None


class _Correction(Said):
    reason: Prose = "corrected"
    impossible: Annotated[
        Impossible, Field(description="what to do with later declarations that are no longer possible")
    ] = "stop"
    later_replies: Annotated[
        dict[int, list[Reply]], Field(description="answers in later declarations, by their seq")
    ] = Field(default_factory=dict)
    dice: Dice = None


class Undo(_Correction):
    model_config = example(correction="undo", reason="Snig only feints")

    correction: Literal["undo"]
    seq: Count | None = None
    turn: bool = False
    round: bool = False
    back_to: Count | None = None


class Redo(Said):
    model_config = example(correction="redo")

    correction: Literal["redo"]
    reason: Prose = "it was right after all"


class Amend(_Correction):
    model_config = example(correction="amend", seq=22, targets=["osric"], reason="he meant Osric")

    correction: Literal["amend"]
    seq: Count
    targets: Annotated[list[Name] | None, Field(max_length=100)] = None
    to: Square = None
    weapon: Name | None = None
    options: Data = Field(default_factory=dict)
    add: Annotated[list[Forgotten], Field(max_length=100)] = []
    drop: Annotated[list[Name], Field(max_length=100)] = []
    resist: Annotated[list[Name], Field(max_length=100)] = []
    vulnerable: Annotated[list[Name], Field(max_length=100)] = []
    immune: Annotated[list[Name], Field(max_length=100)] = []
    whose: Name | None = None
    faces: Annotated[dict[int, list[Face]], Field(description="the right faces, by the seq of the roll")] = Field(
        default_factory=dict
    )
    replies: Annotated[list[Reply], Field(max_length=100)] = []


class Insert(_Correction):
    model_config = example(correction="insert", actor="osric", action="dodge", before=22, reason="it was forgotten")

    correction: Literal["insert"]
    actor: Name
    action: Name
    before: Count | None = None
    after: Count | None = None
    targets: Annotated[list[Name], Field(max_length=100)] = []
    to: Square = None
    weapon: Name | None = None
    options: Data = Field(default_factory=dict)
    replies: Annotated[list[Reply], Field(max_length=100)] = []


Correction = Annotated[Undo | Redo | Amend | Insert, Field(discriminator="correction")]


class Consent(Body):
    model_config = example(who="rurik", agree=True)

    who: Annotated[Name, Field(description="the combatant that is asked", examples=["rurik"])]
    agree: Annotated[bool, Field(description="false: then nothing is changed", examples=[True])] = True
    reason: Annotated[str, Field(max_length=500)] = ""


class Overruling(Said):
    model_config = example(reason="the rules are clear")

    reason: Annotated[str, Field(min_length=1, max_length=500, examples=["the rules are clear"])]


class Seals(Body):
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


class NewSeat(Body):
    model_config = example(role="player", combatants=["rurik"], name="Anna")

    role: Literal["gm", "player", "spectator", "auditor"]
    combatants: Annotated[list[Name], Field(max_length=100, description="whom a player plays")] = []
    name: Name | None = None
    delay: Annotated[int, Field(ge=0, le=24 * 3600, description="seconds, for a spectator")] = 0
    days: Annotated[int, Field(ge=1, le=3650)] = 30


class NewWebhook(Said):
    model_config = example(url="https://example.org/hook", role="spectator")

    url: Annotated[str, Field(min_length=1, max_length=2000, examples=["https://example.org/hook"])]
    role: Annotated[
        Literal["gm", "player", "spectator", "auditor"], Field(description="the seat whose view is delivered")
    ] = "spectator"
    combatants: Annotated[list[Name], Field(max_length=100, description="whom that player plays")] = []
    from_start: Annotated[bool, Field(description="from the first event of the fight; otherwise from now on")] = False


class Script(Body):
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


class PackFiles(Body):
    model_config = example(
        files={"spells.yaml": "ice_bolt: {archetype: bolt, level: 0, range: 90, damage: 1d8, damage_type: cold}"}
    )

    files: Annotated[
        dict[Annotated[str, Field(pattern=r"^[\w-][\w.-]*(/[\w-][\w.-]*){0,3}$", max_length=200)], str],
        Field(min_length=1, max_length=200, description="the files of a pack, by their names in its folder"),
    ]
    name: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")] = "pack"
    ruleset: Name = "dnd5e"
