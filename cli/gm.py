"""Commands of the GM: rulings, damage and healing, initiative, what players see, rolls, notes and rests."""

from __future__ import annotations

from cli.options import argument, flag, option, options, read_hit_dice, read_numbers, read_pairs, read_position
from cli.send_message import Fields, records
from combatlog.messages.commands import (
    Conceal,
    Heal,
    Hurt,
    Label,
    Note,
    Rest,
    Reveal,
    Roll,
    Rule,
    SetInitiative,
    SetReactions,
)

ALSO = options("Another combatant; repeatable.")
RESTING = argument(metavar="[COMBATANT]")


@records(
    Rule,
    "reason side note answers secret",
    subject=argument(fills="who"),
    values=options("Set a value, such as hp=12 or action=1; repeatable.", "--set", fills="set", read=read_numbers),
    add=option(metavar="CONDITION", complete="conditions"),
    remove=option(complete="conditions"),
    to=option(read=read_position),
    terrain=option(
        "Change a square, such as 4,2=/ (an open door); repeatable.", metavar="SQUARE=LETTER", read=read_pairs
    ),
)
def rule() -> None:
    """A ruling is possible at any moment, even while the fight waits for a reaction.

    Example: combatlog rule "Bridge ambush" rurik --set hp=9 --reason "the bridge gave way under him"
    """


@records(
    Hurt, "actor reason dice by", amount=argument(min=1, max=9999), type=argument(complete="damage_types"), also=ALSO
)
def hurt(actor: str, also: list[str] | None) -> Fields:
    """Unlike `combatlog rule --set`, this applies resistances, concentration and the rules for dying.

    Examples:
    combatlog hurt "Bridge ambush" rurik 6 fire --reason "the floor burns"
    combatlog hurt "Bridge ambush" rurik 3 --also osric --dice 14
    """
    return {"who": [actor, *(also or [])]}


@records(Heal, "actor reason by", amount=argument(min=1, max=9999), pool=argument(), also=ALSO)
def heal(actor: str, also: list[str] | None) -> Fields:
    """Healing stops at the maximum. A combatant that was down wakes up.

    Examples:
    combatlog heal "Bridge ambush" rurik 7 --reason "a potion"
    combatlog heal "Gate" bor 2 vit
    """
    return {"who": [actor, *(also or [])]}


@records(SetInitiative, "reason by", values=argument(read=read_numbers, metavar="WHO=NUMBER", complete="combatants"))
def initiative() -> None:
    """The combatants named move to their new place in the order of turns. The turn in progress goes on.

    Example: combatlog initiative "Bridge ambush" rurik=17 snig=12 --reason "misread"
    """


@records(
    SetReactions,
    "actor by",
    settings=argument(
        "When it uses a reaction: ask, always, never or 'when useful'. * is any other reaction.",
        fills="policies",
        read=read_pairs,
        metavar="REACTION=WHEN",
        complete="policies",
    ),
)
def reactions() -> None:
    """The change applies from the next reaction that is offered.

    Examples:
    combatlog reactions "Bridge ambush" osric protection=always
    combatlog reactions "Bridge ambush" snig "*=never"
    """


@records(Reveal, "who by")
def reveal() -> None:
    """What they did before stays hidden. `combatlog watch --as players` shows what players see.

    Example: combatlog reveal "Bridge ambush" ogre
    """


@records(Conceal, "who by")
def conceal() -> None:
    """This does not affect the rules: the combatants can still be attacked. `combatlog reveal` undoes it.

    Example: combatlog conceal "Bridge ambush" ogre
    """


@records(
    Roll, "secret dice by", notation=argument(metavar="DICE"), purpose=option(None, "--for"), of=option(fills="who")
)
def roll() -> None:
    """Everyone sees the roll, unless it is secret.

    Examples:
    combatlog roll "Bridge ambush" 1d20+3 --for perception --of mira --secret
    combatlog roll "Bridge ambush" 1d100 --for "wild magic"
    """


@records(Note, "about secret by", text=argument())
def note() -> None:
    """A note can be added at any moment, even after the fight.

    Examples:
    combatlog note "Bridge ambush" "The bridge creaks."
    combatlog note "Bridge ambush" "Grak waits until they cross." --secret
    """


@records(
    Label,
    "reason",
    labels=argument("Label: practice, archived, or a tag of your own; repeatable.", kind=list[str]),
    remove=flag("Take these labels off."),
)
def label(labels: list[str], remove: bool) -> Fields:
    """Statistics across fights exclude practice and archived fights, and `combatlog list` hides archived ones.
    Nothing is deleted: --remove or `combatlog undo` brings a fight back.

    Examples:
    combatlog label "Bridge ambush" practice
    combatlog label "Bridge ambush" archived --remove
    """
    return {"remove" if remove else "add": labels}


@records(
    Rest,
    "dice by",
    who=RESTING,
    hit_dice=options("Hit dice that each spends, or NAME=NUMBER; repeatable.", read=read_hit_dice, metavar="NUMBER"),
)
def short() -> Fields:
    """`combatlog join --from` then brings the rested combatants to the next fight.

    Examples:
    combatlog rest short "Bridge ambush"
    combatlog rest short "Bridge ambush" rurik osric --hit-dice rurik=2 --dice 7,4
    """
    return {"kind": "short"}


@records(Rest, "by", who=RESTING)
def long() -> Fields:
    """`combatlog join --from` then brings the rested to the next fight.

    Examples:
    combatlog rest long "Bridge ambush"
    combatlog rest long "Bridge ambush" rurik osric
    """
    return {"kind": "long"}
