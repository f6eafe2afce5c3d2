"""Commands for people in a hurry: the fight in use, and the short forms of what is declared most."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import typer

from cli import completion
from cli.context import Settings, open_fight
from cli.options import ACTS, BY, DICE, OPTIONAL_ENCOUNTER, REPLY, argument, flag, named_values, option, options
from cli.readers import NUMBER, read_dice, read_position, read_positions
from cli.recording import Fields, records, send
from cli.render.text import say

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog import Declaration, Fight
    from combatlog.messages.commands import Move
    from ledger.events import Face
    from projections.preview import Preview

app = typer.Typer()


@app.command()
def use(encounter: str | None = OPTIONAL_ENCOUNTER, clear: bool = flag("clear", "Forget it again.")) -> None:
    """Choose the fight that commands are about when they name none.

    COMBATLOG_FIGHT does the same for one terminal, and goes first. A fight that is named goes before both.
    `conclude` and `label` always need the name.

    Examples:
    combatlog use "Bridge ambush"
    combatlog use --clear
    """
    from cli.implied import implied_fight, remember

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


@records(
    app,
    "Hit",
    argument("target", "Whom to hit; default: the same as before in this turn.", kind=str | None),
    argument("faces", "Faces rolled: attack and damage, in order.", kind=list[str] | None),
    option("weapon", "Weapon to use; default: the one in hand.", "--with"),
    ACTS,
    DICE,
    REPLY,
    BY,
)
def hit(target: str | None, faces: list[str] | None, dice: list[Face] | None) -> Fields:
    """Make the obvious attack, for whoever has the turn.

    Takes the action for it, if that is still to be taken, and strikes with the weapon in hand.

    Examples:
    combatlog hit "Bridge ambush" snig 15 6
    combatlog hit snig --with longbow
    combatlog hit 9 4
    """
    words = [word for word in (target, *(faces or ())) if word is not None]
    whom = words.pop(0) if words and not re.fullmatch(NUMBER, words[0]) else None
    return {"target": whom, "dice": read_dice(" ".join(words)) if words else dice}


@records(
    app,
    "Cast",
    argument("spell", "Spell, or the beginning of its name."),
    argument("target", "Targets, if it takes any.", kind=list[str] | None, fills="targets"),
    option("to", "Square it is aimed at.", read=read_position),
    named_values("Option of the spell; repeatable.", completion.action_options),
    ACTS,
    DICE,
    REPLY,
    BY,
)
def cast() -> None:
    """Cast a spell, for whoever has the turn.

    Examples:
    combatlog cast "Bridge ambush" bless osric mira
    combatlog cast fireball --to 7,4 --option slot=4
    """


def _move(encounter: str, said: Move, *, dry_run: bool, command_id: UUID | None, as_json: bool) -> None:
    if not dry_run:
        send(encounter, said, command_id=command_id, as_json=as_json)
        return
    with open_fight(encounter) as fight:
        say_preview(fight, fight.seen_by().way_to_move(said.to, via=said.via, actor=said.who))


@records(
    app,
    "Move",
    argument("to", "Square to go to.", read=read_position),
    options(
        "via",
        "Square to pass on the way; repeatable. Default: the quietest way.",
        metavar="COLUMN,ROW",
        read=read_positions,
    ),
    ACTS,
    DICE,
    REPLY,
    flag("dry_run", "Show what it costs and provokes; do nothing."),
    BY,
    carry_out=_move,
)
def move() -> None:
    """Move to a square, for whoever has the turn.

    Examples:
    combatlog move "Bridge ambush" 4,2
    combatlog move 4,2 --dry-run
    combatlog move 6,2 --via 4,1 --via 5,1
    """


def say_preview(fight: Fight, way: Declaration) -> Preview:
    """Say what a move would cost and provoke."""
    from projections.preview import move_in_words, preview

    names = {combatant.id: combatant.name for combatant in fight.battle.combatants.values()}
    found = preview(fight.seen_by().foresee(way).events, way.actor)
    say(move_in_words(found, names), "cyan")
    return found
