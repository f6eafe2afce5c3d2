"""Commands that open a fight and play it: declarations, and answers to offered reactions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import typer

import combatlog
from cli.context import open_fight, open_ledger
from cli.options import (
    ACTS,
    NUMBER,
    argument,
    flag,
    named_values,
    option,
    options,
    read_dice,
    read_pairs,
    read_position,
    read_positions,
    read_reaction,
    read_values,
)
from cli.render.terminal import say
from cli.send_message import Fields, records, send, show, takes
from combatlog import Declaration, Fight
from combatlog.messages.commands import Cast, Conclude, Declare, EndTurn, Hit, Leave, Move, React, Start, TimeUp
from ledger.events import Face
from projections.story.rolls_needed import Preview, move_in_words, preview


@records(
    Hit,
    "weapon dice reply by",
    target=argument(),
    faces=argument("Faces rolled: attack and damage, in order.", kind=list[str] | None),
    actor=ACTS,
)
def hit(target: str | None, faces: list[str] | None, dice: list[Face] | None) -> Fields:
    """Takes the attack action if it has not been taken yet, and strikes with the weapon in hand.

    Examples:
    combatlog hit "Bridge ambush" snig 15 6
    combatlog hit snig --with longbow
    combatlog hit 9 4
    """
    words = [word for word in (target, *(faces or ())) if word is not None]
    whom = words.pop(0) if words and not re.fullmatch(NUMBER, words[0]) else None
    return {"target": whom, "dice": read_dice(" ".join(words)) if words else dice}


@records(
    Cast,
    "dice reply by",
    spell=argument(),
    target=argument(fills="targets"),
    to=option("Square it is aimed at.", read=read_position),
    option=named_values("Option of the spell; repeatable."),
    actor=ACTS,
)
def cast() -> None:
    """Examples:
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
    Move,
    "dice reply by",
    to=argument("Square to go to.", kind=str, read=read_position),
    via=options(
        "Square to pass on the way; repeatable. Default: the way that provokes least.",
        metavar="COLUMN,ROW",
        read=read_positions,
    ),
    actor=ACTS,
    dry_run=flag("Show what it costs and provokes; do nothing."),
    carry_out=_move,
)
def move() -> None:
    """Examples:
    combatlog move "Bridge ambush" 4,2
    combatlog move 4,2 --dry-run
    combatlog move 6,2 --via 4,1 --via 5,1
    """


def say_preview(fight: Fight, way: Declaration) -> Preview:
    """Say what a move would cost and provoke."""
    names = {combatant.id: combatant.name for combatant in fight.battle.combatants.values()}
    found = preview(fight.seen_by().foresee(way).events, way.actor)
    say(move_in_words(found, names), "cyan")
    return found


@takes(
    "pack command_id as_json",
    name=argument("Name for the encounter; must be new."),
    ruleset=option("Rules to play by.", kind=str, default="dnd5e"),
    dice=option(
        "Where dice come from: random, committed, shared, seed:N, or table (rolled by hand, given with --dice). "
        "For each side or combatant: heroes=table,foes=random.",
        kind=str,
        default="random",
        metavar="SOURCE",
    ),
    map_file=option("Text file with the map, a line per row: . floor, # wall, ~ difficult.", "--map", kind=Path | None),
    library=option("JSON file with your own abilities, for rules with an ability library.", kind=Path | None),
    option=named_values("Optional rule; repeatable. `combatlog reference encounter` lists them.", "optional_rules"),
    practice=flag("Exclude it from statistics across fights."),
    shown=options(
        "What players see of others: hit_points, armour_class, dice, initiative, sheets or reasons; repeatable.",
        "--show",
        metavar="WHAT",
        complete="shown_to_players",
    ),
)
def new(
    name: str,
    ruleset: str,
    library: Path | None,
    option: dict[str, Any] | None,
    shown: list[str] | None,
    practice: bool,
    as_json: bool,
    map_file: Path | None,
    pack: list[Path] | None,
    **how: Any,
) -> None:
    """Packs are recorded with the encounter, so `combatlog join` finds their sheets by name.

    Examples:
    combatlog new "Bridge ambush" --dice table --map bridge.txt
    combatlog new "Mill" --dice heroes=table,foes=random
    combatlog new "Duel" --dice shared
    combatlog new "Frozen hall" --pack ./frost
    combatlog new "Open table" --show hit_points --show dice
    """
    from cli.content import library_of
    from cli.render.content import print_left_out
    from combatlog.rules.content.files import read_text

    chosen = option or {}
    if library is not None:
        own = read_text(library)
        chosen["library"] = library_of(ruleset).encounter_option(own)
    if shown:
        chosen["players_see"] = shown
    labels = ["practice"] if practice else []
    with open_ledger() as ledger:
        fight = ledger.new(name, ruleset, map=map_file, options=chosen, packs=pack or (), labels=labels, **how)
        show(fight.outcome, as_json)
    if library is not None and not as_json:
        print_left_out(library_of(ruleset).check(own))


_STAYS = {
    "name": "--as",
    "count": "--count",
    "controller": "--controller",
    "overrides": "--set",
    "reactions": "--reaction",
    "packs": "--pack",
}
"""Options that do not apply to a combatant of an earlier fight."""


@takes(
    "encounter pack dice command_id as_json",
    sheet=argument(
        "Name of a sheet that ships with the rules or is in a pack, or a YAML or JSON file. With --from: combatants.",
        kind=list[str],
        metavar="SHEET",
    ),
    earlier=option(
        "Earlier fight that they come from, in the state they had at its end.",
        "--from",
        metavar="ENCOUNTER",
        is_eager=True,
    ),
    name=option("Name; default: the sheet's, with a number if it is taken.", "--as"),
    count=option("How many join: Goblin, Goblin 2 ...", kind=int, default=1, min=1, max=50),
    side=option("Side it fights on; default: heroes, or its earlier side with --from."),
    at=option("Square it stands on; if several join, the others stand around it.", read=read_position),
    controller=option("Who controls it: player or gm."),
    hidden=flag("Join unrevealed: players do not see it until `combatlog reveal`."),
    overrides=options("Change a field of the sheet; repeatable.", "--set", read=read_values),
    reaction=options(
        "When it uses a reaction: ask, always, never or 'when useful'. * is any other reaction. Repeatable.",
        metavar="NAME=WHEN",
        read=read_pairs,
        complete="policies",
    ),
    initiative=option("Its initiative, if the fight has started; default: rolled.", kind=int | None),
)
def join(
    encounter: str,
    sheet: list[str],
    earlier: str | None,
    reaction: dict[str, str] | None,
    pack: list[Path] | None,
    as_json: bool,
    **said: Any,
) -> None:
    """A combatant that joins after the start rolls initiative at once, if the rules say so.

    With --from, combatants of an earlier fight join with the same name and sheet, their remaining hit points, slots and
    uses, and their lasting conditions.

    Examples:
    combatlog join "Bridge ambush" goblin --as Snig --side foes --at 5,1
    combatlog join "Bridge ambush" goblin --count 4 --side foes --at 7,2
    combatlog join "Frozen hall" young_frost_dragon --side foes --at 9,3 --pack ./frost
    combatlog join "Mill" --from "Bridge ambush" rurik osric --at 2,3
    """
    differing = {**said, "reactions": reaction, "packs": pack}
    if earlier is not None:
        _refuse_with_from(differing)
        joining = {name: value for name, value in said.items() if name not in _STAYS}
        with open_fight(encounter) as fight:
            outcome = combatlog.carry_over(fight.ledger.fight(earlier), fight, *sheet, **joining)
            show(outcome, as_json, said["dice"])
        return
    if len(sheet) > 1:
        raise typer.BadParameter("give one sheet; only --from takes several combatants.")
    is_file = Path(sheet[0]).suffix in (".yaml", ".yml", ".json")
    with open_fight(encounter) as fight:
        show(fight.join(Path(sheet[0]) if is_file else sheet[0], **{**differing, "packs": pack or ()}), as_json)


def _refuse_with_from(differing: dict[str, Any]) -> None:
    """A carried-over combatant keeps its sheet."""
    said = [option for name, option in _STAYS.items() if differing[name] not in (None, 1)]
    if said:
        raise typer.BadParameter(f"a combatant that joins with --from keeps its sheet; omit {said[0]}.")


@records(Start, "dice")
def start() -> None:
    """Example: combatlog start "Bridge ambush" --dice 12,7,15"""


@records(Declare, "actor action target to weapon option dice reply by")
def do() -> None:
    """Examples:
    combatlog do "Bridge ambush" snig move --to 5,2
    combatlog do "Bridge ambush" snig strike --target rurik --dice 15,4
    combatlog do "Bridge ambush" mira magic_missile --target snig --option slot=2
    """


@records(
    React,
    "dice by",
    reactor=argument("Combatant that is asked.", fills="who", complete="reactors"),
    reaction=argument("Reaction, or `pass`.", kind=str, read=read_reaction),
    option=named_values("Option of the reaction; repeatable.", "reaction_options"),
)
def react() -> None:
    """Examples:
    combatlog react "Bridge ambush" osric protection --dice 15,8
    combatlog react "Bridge ambush" osric pass
    """


@records(
    EndTurn,
    "dice",
    actor=argument(
        "Combatant whose turn ends. It must be named, so that two people do not end two turns.",
        default="gm",
        kind=str,
        fills="who",
        complete="whose_turn",
        show_default=False,
    ),
    round_=option(None, "--round", fills="round"),
)
def end_turn() -> None:
    """Examples:
    combatlog end-turn "Bridge ambush" snig
    combatlog end-turn "Bridge ambush" snig --round 3
    """


@records(TimeUp, "dice")
def time_up() -> None:
    """Only in fights that were opened with --option reaction_time=SECONDS. A combatant that did not answer lets the
    reaction pass; with --option time_up="when useful", it uses the reaction if that is useful. Every other command does
    this by itself; this one is for giving the dice that were rolled at the table.

    Examples:
    combatlog time-up "Bridge ambush"
    combatlog time-up "Bridge ambush" --dice 15,8
    """


def _leave(encounter: str, said: Leave, *, command_id: UUID | None, as_json: bool) -> None:
    """Some faces may belong to the reaction that the combatant let pass, so none are reported as not needed."""
    with open_fight(encounter) as fight:
        show(fight.send(said, command_id=command_id), as_json)


@records(Leave, "actor reason dice", carry_out=_leave)
def leave() -> None:
    """If it is the combatant's turn, the turn ends. If the fight waits for its reaction, the reaction passes.

    Example: combatlog leave "Bridge ambush" snig --reason "fled into the reeds"
    """


@records(Conclude, "reason")
def conclude() -> None:
    """Example: combatlog conclude "Bridge ambush" --reason "the goblins fled" """
