"""Commands of the GM: rulings, damage and healing, the order of turns, what players see, rolls, notes and rests."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor, complete_condition, complete_damage, complete_pool, complete_side
from cli.option_completion import complete_policy, complete_value
from cli.options import ActorArg, Fills, SecretOpt, WhoArg
from cli.readers import read_hit_dice, read_numbers, read_pairs, read_position
from cli.recording import Fields, records

app = typer.Typer()
rest_app = typer.Typer(help="Rest between fights: hit points, slots and uses come back.", no_args_is_help=True)

AlsoOpt = Annotated[
    list[str] | None, typer.Option("--also", help="Somebody else; repeatable.", autocompletion=complete_actor)
]
RestingArg = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[COMBATANT]",
        help="Who rests; default: everybody whom a player controls, except the dead.",
        autocompletion=complete_actor,
    ),
]


@records(app, "Rule")
def rule(
    reason: Annotated[str, typer.Option(help="Why; recorded with the ruling.")],
    subject: Annotated[
        str | None, typer.Argument(help="Combatant it is about.", autocompletion=complete_actor), Fills("who")
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Set a value, such as hp=12 or action=1; repeatable.", autocompletion=complete_value
        ),
        Fills("set", read_numbers, "--set"),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="CONDITION", help="Apply a condition; repeatable.", autocompletion=complete_condition),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="End a condition; repeatable.", autocompletion=complete_condition)
    ] = None,
    to: Annotated[
        str | None, typer.Option(help="Put it on another square."), Fills(read=read_position, option="--to")
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="Let it fight for another side.", autocompletion=complete_side)
    ] = None,
    terrain: Annotated[
        list[str] | None,
        typer.Option(metavar="SQUARE=LETTER", help="Change a square, such as 4,2=/ (an open door); repeatable."),
        Fills(read=read_pairs, option="--terrain"),
    ] = None,
    note: Annotated[str | None, typer.Option(help="Rule anything else, in words.")] = None,
    answers: Annotated[int | None, typer.Option(min=1, help="Number of the event that waits for a ruling.")] = None,
    secret: SecretOpt = False,
) -> None:
    """Overrule the rules: change a combatant or the map.

    A ruling is possible at any moment, even while a reaction is being waited for.

    Example: combatlog rule "Bridge ambush" rurik --set hp=9 --reason "the bridge gave way under him"
    """


@records(app, "Hurt", "dice", "by")
def hurt(
    actor: ActorArg,
    amount: Annotated[int, typer.Argument(min=1, max=9999, help="Points of damage.")],
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[TYPE]", help="Type of damage, such as fire.", autocompletion=complete_damage),
    ] = None,
    also: AlsoOpt = None,
    reason: Annotated[str | None, typer.Option(help="What hurts; recorded with it.")] = None,
) -> Fields:
    """Deal damage as the GM, by the rules.

    Resistances, concentration, falling and dying count, unlike with `combatlog rule --set`.

    Examples:
    combatlog hurt "Bridge ambush" rurik 6 fire --reason "the floor burns"
    combatlog hurt "Bridge ambush" rurik 3 --also osric --dice 14
    """
    return {"who": [actor, *(also or [])], "amount": amount, "type": kind, "reason": reason}


@records(app, "Heal", "by")
def heal(
    actor: ActorArg,
    amount: Annotated[int, typer.Argument(min=1, max=9999, help="Points that are healed.")],
    pool: Annotated[
        str | None,
        typer.Argument(metavar="[POOL]", help="What is healed, if there are several.", autocompletion=complete_pool),
    ] = None,
    also: AlsoOpt = None,
    reason: Annotated[str | None, typer.Option(help="What heals; recorded with it.")] = None,
) -> Fields:
    """Heal as the GM, by the rules.

    Nobody gets more than the maximum, and whoever had fallen wakes up.

    Examples:
    combatlog heal "Bridge ambush" rurik 7 --reason "a potion"
    combatlog heal "Gate" bor 2 vit
    """
    return {"who": [actor, *(also or [])], "amount": amount, "pool": pool, "reason": reason}


@records(app, "SetInitiative", "by")
def initiative(
    values: Annotated[
        list[str],
        typer.Argument(metavar="WHO=NUMBER", help="Who, and the new initiative.", autocompletion=complete_actor),
        Fills(read=read_numbers, option="WHO=NUMBER"),
    ],
    reason: Annotated[str | None, typer.Option(help="Why; recorded with it.")] = None,
) -> None:
    """Set or correct the initiative of combatants.

    Those who are named get a new place in the order of turns. The turn in progress goes on.

    Example: combatlog initiative "Bridge ambush" rurik=17 snig=12 --reason "misread"
    """


@records(app, "SetReactions", "by")
def reactions(
    actor: ActorArg,
    settings: Annotated[
        list[str],
        typer.Argument(
            metavar="REACTION=WHEN",
            help="When it uses a reaction: ask, always, never or 'when useful'. * names all others.",
            autocompletion=complete_policy,
        ),
        Fills("policies", read_pairs, "REACTION=WHEN"),
    ],
) -> None:
    """Change when a combatant uses its reactions.

    It counts from the next reaction that is offered.

    Examples:
    combatlog reactions "Bridge ambush" osric protection=always
    combatlog reactions "Bridge ambush" snig "*=never"
    """


@records(app, "Reveal", "by")
def reveal(who: WhoArg) -> None:
    """Let the players see combatants that joined with --hidden.

    What they did until then stays unseen. `combatlog watch --as players` shows what players see.

    Example: combatlog reveal "Bridge ambush" ogre
    """


@records(app, "Conceal", "by")
def conceal(who: WhoArg) -> None:
    """Keep combatants from the players' eyes, with all they do.

    The rules take no notice: who can be attacked does not change. `combatlog reveal` ends it.

    Example: combatlog conceal "Bridge ambush" ogre
    """


@records(app, "Roll", "dice", "by")
def roll(
    notation: Annotated[str, typer.Argument(metavar="DICE", help="What to roll, such as 1d20+3.")],
    purpose: Annotated[str | None, typer.Option("--for", help="What it is for.")] = None,
    of: Annotated[
        str | None,
        typer.Option("--of", help="Whose roll it is; default: the GM's.", autocompletion=complete_actor),
        Fills("who"),
    ] = None,
    secret: SecretOpt = False,
) -> None:
    """Roll dice for something that the rules do not ask for.

    Everybody sees the roll, unless it is secret.

    Examples:
    combatlog roll "Bridge ambush" 1d20+3 --for perception --of mira --secret
    combatlog roll "Bridge ambush" 1d100 --for "wild magic"
    """


@records(app, "Note", "by")
def note(
    text: Annotated[str, typer.Argument(help="What to note.")],
    about: Annotated[
        str | None, typer.Option("--about", help="Combatant that it is about.", autocompletion=complete_actor)
    ] = None,
    secret: SecretOpt = False,
) -> None:
    """Note something in the log, for everybody or for the GM alone.

    It is possible at any moment, even when the fight is over.

    Examples:
    combatlog note "Bridge ambush" "The bridge creaks."
    combatlog note "Bridge ambush" "Grak waits until they cross." --secret
    """


@records(app, "Label")
def label(
    labels: Annotated[
        list[str],
        typer.Argument(
            help="Label: practice, archived, or a tag of your own; repeatable.",
            autocompletion=lambda: ["practice", "archived"],
        ),
    ],
    remove: Annotated[bool, typer.Option("--remove", help="Take these labels off.")] = False,
    reason: Annotated[str | None, typer.Option(help="Why; recorded with the label.")] = None,
) -> Fields:
    """Label a fight, even one that is closed.

    Statistics across fights leave out practice and archived fights, and `combatlog list` leaves out archived ones.
    Nothing is deleted: --remove or `combatlog undo` brings a fight back.

    Examples:
    combatlog label "Bridge ambush" practice
    combatlog label "Bridge ambush" archived --remove
    """
    return {"remove" if remove else "add": labels, "reason": reason}


@records(rest_app, "Rest", "dice", "by")
def short(
    who: RestingArg = None,
    hit_dice: Annotated[
        list[str] | None,
        typer.Option(
            "--hit-dice",
            metavar="NUMBER",
            help="Hit dice that each spends, or NAME=NUMBER; repeatable.",
            autocompletion=complete_actor,
        ),
        Fills(read=read_hit_dice, option="--hit-dice"),
    ] = None,
) -> Fields:
    """Take a short rest, in a fight that is over or has not started.

    `combatlog join --from` then brings the rested to the next fight.

    Examples:
    combatlog rest short "Bridge ambush"
    combatlog rest short "Bridge ambush" rurik osric --hit-dice rurik=2 --dice 7,4
    """
    return {"kind": "short", "who": who, "hit_dice": hit_dice}


@records(rest_app, "Rest", "by")
def long(who: RestingArg = None) -> Fields:
    """Take a long rest, in a fight that is over or has not started.

    `combatlog join --from` then brings the rested to the next fight.

    Examples:
    combatlog rest long "Bridge ambush"
    combatlog rest long "Bridge ambush" rurik osric
    """
    return {"kind": "long", "who": who}
