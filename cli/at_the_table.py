"""Commands for people in a hurry: the fight in use, and the short forms of what is declared most."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_actor, complete_encounter, complete_spell, complete_weapon
from cli.context import (
    NUMBER,
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    Settings,
    open_fight,
    read_dice,
    read_pairs,
    read_position,
    read_reaction,
    read_values,
)
from cli.declare import show
from cli.option_completion import complete_option, complete_reply

if TYPE_CHECKING:
    from combatlog import Declaration, Fight
    from ledger.events import Face
    from projections.preview import Preview

app = typer.Typer()

AsOpt = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="COMBATANT", help="Who acts; default: whoever has the turn.", autocompletion=complete_actor
    ),
]
ReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Answer known in advance, COMBATANT=REACTION or COMBATANT=pass; repeatable.",
        autocompletion=complete_reply,
    ),
]


@app.command()
def use(
    encounter: Annotated[
        str | None, typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter)
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Forget it again.")] = False,
) -> None:
    """Choose the fight that commands are about when they name none.

    COMBATLOG_FIGHT does the same for one terminal, and goes first. A fight that is named goes before both.
    `conclude` and `label` always need the name.

    Examples:
    combatlog use "Bridge ambush"
    combatlog use --clear
    """
    from cli.implied import implied_fight, remember
    from cli.render.text import say

    if clear:
        remember(Settings.where(), None)
        say("No fight is in use.")
    elif encounter is not None:
        with open_fight(encounter) as fight:
            name = fight.state().name
        remember(Settings.where(), name)
        say(f"Commands that name no fight are about {name} now.")
    elif (implied := implied_fight(Settings.where())) is not None:
        say(f"{implied.name} ({implied.why})")
    else:
        say("No fight is in use.")


@app.command()
def hit(
    encounter: EncounterArg,
    target: Annotated[
        str | None,
        typer.Argument(help="Whom to hit; default: the same as before in this turn.", autocompletion=complete_actor),
    ] = None,
    faces: Annotated[list[str] | None, typer.Argument(help="Faces rolled: attack and damage, in order.")] = None,
    weapon: Annotated[
        str | None,
        typer.Option("--with", help="Weapon to use; default: the one in hand.", autocompletion=complete_weapon),
    ] = None,
    actor: AsOpt = None,
    dice: DiceOpt = None,
    reply: ReplyOpt = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Make the obvious attack, for whoever has the turn.

    Takes the action for it, if that is still to be taken, and strikes with the weapon in hand.

    Examples:
    combatlog hit "Bridge ambush" snig 15 6
    combatlog hit snig --with longbow
    combatlog hit 9 4
    """
    words = [word for word in (target, *(faces or ())) if word is not None]
    whom = words.pop(0) if words and not re.fullmatch(NUMBER, words[0]) else None
    rolled = _faces(dice, words)
    with open_fight(encounter) as fight:
        outcome = fight.hit(
            whom, who=actor, weapon=weapon, dice=rolled, replies=_replies(reply), by=by, command_id=command_id
        )
        show(outcome, as_json, rolled)


@app.command()
def cast(
    encounter: EncounterArg,
    spell: Annotated[str, typer.Argument(help="Spell, or the beginning of its name.", autocompletion=complete_spell)],
    target: Annotated[
        list[str] | None, typer.Argument(help="Targets, if it takes any.", autocompletion=complete_actor)
    ] = None,
    to: Annotated[str | None, typer.Option(help="Square it is aimed at.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="Option of the spell; repeatable.", autocompletion=complete_option),
    ] = None,
    actor: AsOpt = None,
    dice: DiceOpt = None,
    reply: ReplyOpt = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Cast a spell, for whoever has the turn.

    Examples:
    combatlog cast "Bridge ambush" bless osric mira
    combatlog cast fireball --to 7,4 --option slot=4
    """
    place, options, rolled = read_position(to, "--to"), read_values(option or [], "--option"), read_dice(dice)
    with open_fight(encounter) as fight:
        outcome = fight.cast(
            spell,
            target or (),
            who=actor,
            to=place,
            options=options,
            dice=rolled,
            replies=_replies(reply),
            by=by,
            command_id=command_id,
        )
        show(outcome, as_json, rolled)


@app.command()
def move(
    encounter: EncounterArg,
    to: Annotated[str, typer.Argument(help="Square to go to.")],
    via: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN,ROW", help="Square to pass on the way; repeatable. Default: the quietest way."),
    ] = None,
    actor: AsOpt = None,
    dice: DiceOpt = None,
    reply: ReplyOpt = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what it costs and provokes; do nothing.")] = False,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Move to a square, for whoever has the turn.

    Examples:
    combatlog move "Bridge ambush" 4,2
    combatlog move 4,2 --dry-run
    combatlog move 6,2 --via 4,1 --via 5,1
    """
    place, rolled = _square(to, "to"), read_dice(dice)
    passed = [_square(text, "--via") for text in via or ()]
    with open_fight(encounter) as fight:
        if dry_run:
            way = fight.seen_by().way_to_move(place, via=passed, actor=actor)
            say_preview(fight, way)
            return
        outcome = fight.move(
            place, via=passed, who=actor, dice=rolled, replies=_replies(reply), by=by, command_id=command_id
        )
        show(outcome, as_json, rolled)


def say_preview(fight: Fight, way: Declaration) -> Preview:
    """Say what a move would cost and provoke."""
    from cli.render.text import say
    from projections.preview import move_in_words, preview

    names = {combatant.id: combatant.name for combatant in fight.battle.combatants.values()}
    found = preview(fight.seen_by().foresee(way).events, way.actor)
    say(move_in_words(found, names), "cyan")
    return found


def _square(text: str, option: str) -> tuple[int, int]:
    place = read_position(text, option)
    assert place is not None
    return place


def _faces(dice: str | None, words: list[str]) -> list[Face] | None:
    return read_dice(" ".join(words)) if words else read_dice(dice)


def _replies(reply: list[str] | None) -> dict[str, str | None]:
    return {reactor: read_reaction(answer) for reactor, answer in read_pairs(reply or [], "--reply").items()}
