"""The commands that people give during a fight. The table of all of them is `COMMANDS`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from combatlog.messages.message import (
    AT,
    Amount,
    AttributedMessage,
    Count,
    Dice,
    Name,
    Names,
    OneOrSeveral,
    Prose,
    ReactionAnswer,
    Replies,
    Square,
    Targets,
    Who,
    example,
)
from combatlog.messages.rights import Right
from ledger.events import Data, Policy, Position

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="32 bytes in hexadecimal")]
Actor = Annotated[Who | None, Field(description="the combatant that acts; by default the one that has the turn")]
Combatants = Annotated[tuple[Who, ...], Field(min_length=1, max_length=100), OneOrSeveral]
Options = Annotated[Data, Field(description="other options")]
Weapon = Annotated[Name | None, Field(description="the weapon, as the sheet calls it; by default the obvious one")]
Reason = Annotated[Prose, Field(description="why")]
Labels = Annotated[tuple[Name, ...], Field(max_length=20)]
Reactions = dict[Annotated[str, Field(json_schema_extra={"format": "reaction"})], str]


class Command(AttributedMessage):
    """A message that is recorded in a fight. Documents quote its docstring."""

    path: ClassVar[str]
    """Its address below that of the fight."""


class Declare(Command):
    """Declare an action. If a combatant may react first, `window` says which one the fight waits for."""

    model_config = example(who="snig", action="strike", targets=["rurik"])

    path = "declarations"
    right = Right.ACT
    formerly = {"actor": "who", "target": "targets"}

    who: Annotated[Who, Field(description="the combatant that acts", examples=["snig"])]
    action: Annotated[Name, Field(description="the action; as the menu calls it", examples=["strike"])]
    targets: Annotated[Targets, Field(description="the targets", examples=[["rurik"]])] = ()
    to: Square = None
    weapon: Weapon = None
    options: Options = Field(default_factory=dict)
    round: Annotated[Count | None, Field(description="the round that is meant; refused in another one")] = None
    dice: Dice = None
    replies: Replies = ()


class React(ReactionAnswer, Command):
    """Answer the open window; a reaction of null lets it pass."""

    model_config = example(who="osric", reaction="protection")

    path = "reactions"
    right = Right.ACT
    formerly = {"reactor": "who"}

    dice: Dice = None


class Sit(Command):
    """Register a chain of secrets, in a fight with shared dice."""

    model_config = example(combatants=["rurik"], anchor="5f" * 32)

    path = "dice/chains"
    right = Right.ACT

    combatants: Annotated[Combatants, Field(description="the player's combatants", examples=[["rurik"]])]
    anchor: Annotated[Hex, Field(description="SHA-256 of the first link that will be revealed")]


class GiveLink(Command):
    """Reveal the link that a roll of shared dice waits for; null withholds it, which is recorded."""

    model_config = example(who="rurik", secret="c4" * 32)

    path = "dice/links"
    right = Right.ACT
    formerly = {"party": "who"}

    who: Annotated[Who, Field(description="the combatant whose player is asked", examples=["rurik"])]
    secret: Annotated[Hex | None, Field(description="the next link of the chain; null: it is withheld")] = None
    dice: Dice = None


class EndTurn(Command):
    """End the turn of a combatant; the next one begins."""

    model_config = example(who="snig")

    path = "turns"
    right = Right.ACT

    who: Annotated[Who, Field(description="the combatant whose turn ends")]
    round: Annotated[Count | None, Field(description="the round that is meant; refused in another one")] = None
    dice: Dice = None


class Hit(Command):
    """Make the obvious attack."""

    model_config = example(who="snig", target="rurik", weapon="scimitar")

    path = "hit"
    right = Right.ACT
    formerly = {"actor": "who"}

    who: Actor = None
    target: Annotated[Who | None, Field(description="the target; by default the last one")] = None
    weapon: Weapon = None
    dice: Dice = None
    replies: Replies = ()


class Cast(Command):
    """Cast a spell, by its name or the beginning of it."""

    model_config = example(who="mira", spell="fireball", to=[6, 4], options={"slot": 3})

    path = "cast"
    right = Right.ACT
    formerly = {"actor": "who", "target": "targets"}

    who: Actor = None
    spell: Annotated[Name, Field(description="the spell, or the beginning of its name")]
    targets: Annotated[Targets, Field(description="the targets")] = ()
    to: Square = None
    options: Options = Field(default_factory=dict)
    dice: Dice = None
    replies: Replies = ()


class Move(Command):
    """Move to a square at the lowest price."""

    model_config = example(who="rurik", to=[4, 3], via=[[3, 3]])

    path = "move"
    right = Right.ACT
    formerly = {"actor": "who"}

    who: Actor = None
    to: Annotated[Position, Field(description="column and row, both from 0", json_schema_extra=AT)]
    via: Annotated[tuple[Position, ...], Field(max_length=1000, description="squares to pass on the way")] = ()
    dice: Dice = None
    replies: Replies = ()


class SetReactions(Command):
    """Change how a combatant answers offered reactions."""

    model_config = example(who="rurik", policies={"opportunity_attack": "never"})

    path = "policies"
    right = Right.ACT

    who: Annotated[Who, Field(description="the combatant with these reactions")]
    policies: Annotated[
        Reactions,
        Field(
            description="the answer to each offered reaction; * stands for the others",
            examples=[{"opportunity_attack": "never"}],
            json_schema_extra={"additionalProperties": {"type": "string", "enum": [*Policy]}},
        ),
    ]


class Leave(Command):
    """Take a combatant out of the fight."""

    model_config = example(who="snig", reason="ran away")

    path = "leave"
    right = Right.ACT
    formerly = {"why": "reason"}

    who: Annotated[Who, Field(description="who leaves")]
    reason: Reason = "left the fight"
    dice: Dice = None


class TimeUp(Command):
    """Decide for a combatant that did not answer in time, as the fight's options say.

    The service does so by itself. Only if dice are rolled at the table, a person has to give the faces.
    """

    model_config = example(dice=[14])

    path = "time-up"
    right = Right.ACT
    can_be_tried = False

    dice: Dice = None


class Join(Command):
    """Add a combatant, or several of a kind."""

    model_config = example(sheet="goblin", name="Snig", at=[4, 2], side="foes")

    path = "combatants"

    sheet: Annotated[Name | Data, Field(description="a sheet by its name, or its fields", examples=["goblin"])]
    name: Annotated[Name | None, Field(description="the name; by default that of the sheet")] = None
    at: Annotated[Square, Field(description="where it stands, as column and row")] = None
    count: Annotated[int, Field(ge=1, le=50, description="how many")] = 1
    side: Annotated[Name, Field(description="the side that it fights for")] = "heroes"
    controller: Annotated[
        Literal["player", "gm"] | None, Field(description="who plays it; by default as the sheet says")
    ] = None
    hidden: Annotated[bool, Field(description="the players do not see it until it is revealed")] = False
    reactions: Annotated[
        Reactions, Field(description="its answers to offered reactions", examples=[{"*": "always"}])
    ] = Field(default_factory=dict)
    overrides: Annotated[Data, Field(description="fields that differ from the sheet", examples=[{"hp": 12}])] = Field(
        default_factory=dict
    )
    initiative: Annotated[Amount | None, Field(description="its initiative, in a fight that has started")] = None
    dice: Dice = None


class Start(Command):
    """Start the fight: initiative, the first round, the first turn."""

    model_config = example(dice=[11, 6, 17])

    path = "start"

    dice: Dice = None


class Conclude(Command):
    """Conclude the fight; nothing more can be declared in it."""

    model_config = example(reason="a truce")

    path = "conclude"
    formerly = {"why": "reason"}

    reason: Reason = "the fight is over"


class Rule(Command):
    """Make a ruling: set values, conditions, a square or a side, change the map, or settle a question."""

    model_config = example(who="rurik", reason="the bridge gives way", set={"hp": 12}, add=["prone"])

    path = "rulings"
    formerly = {"subject": "who"}

    who: Annotated[Who | None, Field(description="about which combatant")] = None
    reason: Annotated[str, Field(min_length=1, max_length=2000, description="why")]
    set: Annotated[dict[str, Amount], Field(description="set values", examples=[{"hp": 12, "reaction": 0}])] = Field(
        default_factory=dict
    )
    add: Annotated[Names, Field(description="add conditions", examples=[["prone", "poisoned"]])] = ()
    remove: Annotated[Names, Field(description="remove conditions", examples=[["prone"]])] = ()
    to: Annotated[Square, Field(description="put it at this square")] = None
    side: Annotated[Name | None, Field(description="put it on the side")] = None
    terrain: Annotated[dict[str, str], Field(description="change the map", examples=[{"3,4": "#", "5,4": "."}])] = (
        Field(default_factory=dict)
    )
    note: Annotated[Prose | None, Field(description="the decision, in words")] = None
    answers: Annotated[Count | None, Field(description="the event with the question that it settles")] = None
    secret: Annotated[bool, Field(description="players see the changes, but not the ruling")] = False


class Roll(Command):
    """Roll dice that the rules do not ask for."""

    model_config = example(notation="1d20+3", purpose="perception", who="rurik")

    path = "rolls"

    notation: Annotated[str, Field(min_length=1, max_length=100, description="the dice", examples=["1d20+3"])]
    purpose: Annotated[Name, Field(description="what for")] = "roll"
    who: Annotated[Who | None, Field(description="the combatant that rolls; by default the GM")] = None
    secret: Annotated[bool, Field(description="only GMs see it")] = False
    dice: Dice = None


class Note(Command):
    """Add a note for everybody, or for GMs only."""

    model_config = example(text="It begins to rain.")

    path = "notes"

    text: Annotated[str, Field(min_length=1, max_length=2000, description="the text")]
    about: Annotated[Who | None, Field(description="about which combatant")] = None
    secret: Annotated[bool, Field(description="only GMs see it")] = False


class Hurt(Command):
    """Deal damage as the GM, by the rules."""

    model_config = example(who=["rurik"], amount=7, type="fire", reason="a trap")

    path = "hurt"

    who: Annotated[Combatants, Field(description="the combatants that are hurt")]
    amount: Annotated[Amount, Field(description="how much")]
    type: Annotated[Name | None, Field(description="the type of damage", examples=["fire"])] = None
    reason: Reason = ""
    dice: Dice = None
    replies: Replies = ()


class Heal(Command):
    """Heal as the GM, by the rules."""

    model_config = example(who=["rurik"], amount=5, reason="a potion")

    path = "heal"

    who: Annotated[Combatants, Field(description="the combatants that are healed")]
    amount: Annotated[Amount, Field(description="how much")]
    pool: Annotated[Name | None, Field(description="the pool, if not the usual one", examples=["temp_hp"])] = None
    reason: Reason = ""


class SetInitiative(Command):
    """Set or correct the initiative of combatants."""

    model_config = example(values={"rurik": 14}, reason="we forgot his bonus")

    path = "initiative"

    values: Annotated[dict[Who, Amount], Field(min_length=1, description="the initiative of each")]
    reason: Reason = ""


class Reveal(Command):
    """Let the players see combatants that were unrevealed."""

    model_config = example(who=["grimjaw"])

    path = "reveal"

    who: Annotated[Combatants, Field(description="the combatants that the players see from now on")]


class Conceal(Command):
    """Keep combatants from the players' eyes."""

    model_config = example(who=["grimjaw"])

    path = "conceal"

    who: Annotated[Combatants, Field(description="the combatants that the players no longer see")]


class Label(Command):
    """Label the fight: practice, archived, or any tag."""

    model_config = example(add=["practice"])

    path = "labels"
    formerly = {"why": "reason"}

    add: Annotated[Labels, Field(description="labels to add", examples=[["practice", "archived"]])] = ()
    remove: Annotated[Labels, Field(description="labels to take off")] = ()
    reason: Annotated[Prose | None, Field(description="why")] = None


class Rest(Command):
    """Have combatants take a short or a long rest."""

    model_config = example(kind="short", who=["rurik"], hit_dice=1)

    path = "rests"

    kind: Annotated[Literal["short", "long"], Field(description="how long")]
    who: Annotated[Targets, Field(description="who rests; by default every player's combatant that is not dead")] = ()
    hit_dice: Annotated[
        Annotated[int, Field(ge=0, le=100)] | dict[str, Annotated[int, Field(ge=0, le=100)]],
        Field(description="hit dice that each spends, or by name"),
    ] = 0
    dice: Dice = None


COMMANDS: tuple[type[Command], ...] = (
    Declare,
    React,
    Sit,
    GiveLink,
    EndTurn,
    Hit,
    Cast,
    Move,
    SetReactions,
    Leave,
    TimeUp,
    Join,
    Start,
    Conclude,
    Rule,
    Roll,
    Note,
    Hurt,
    Heal,
    SetInitiative,
    Reveal,
    Conceal,
    Label,
    Rest,
)
