"""Commands that change a fight: each is one declaration, or the answer to a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import complete_action, complete_sheet
from cli.context import (
    ActorArg,
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    PackOpt,
    open_referee,
    read_dice,
    read_numbers,
    read_pairs,
    read_position,
    read_values,
)

if TYPE_CHECKING:
    from uuid import UUID

    from rules.engine.referee import Outcome
    from rules.engine.ruleset import Ruleset

app = typer.Typer()


def show(outcome: Outcome, as_json: bool) -> None:
    """What a command led to: events, and the window that waits."""
    from cli.render.log import print_log
    from cli.render.state import print_window
    from cli.render.text import print_json, say

    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in outcome.events])
        return
    if outcome.repeated:
        say("This command was carried out before; nothing was recorded.", "dim")
    print_log(outcome.events)
    print_window(outcome.battle)


def declare(
    encounter: str,
    actor: str,
    action: str,
    *,
    options: dict[str, Any] | None = None,
    targets: tuple[str, ...] = (),
    dice: str | None = None,
    by: str | None = None,
    command: UUID | None = None,
    as_json: bool = False,
) -> None:
    """A declaration that takes no more than this."""
    from rules.engine.fight import Declaration

    declaration = Declaration(actor=actor, action=action, targets=targets, options=options or {}, by=by)
    with open_referee() as referee:
        show(referee.declare(encounter, declaration, dice=read_dice(dice), command=command), as_json)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="A name for the encounter; it must not be taken.")],
    ruleset: Annotated[str, typer.Option(help="The rules to play by.")] = "dnd5e",
    dice: Annotated[
        str, typer.Option(help="Where faces come from: random, committed, seed:N, or table (given with --dice).")
    ] = "random",
    map_file: Annotated[
        Path | None, typer.Option("--map", help="A text file: . floor, # wall, ~ difficult; one line a row.")
    ] = None,
    library: Annotated[
        Path | None, typer.Option(help="A JSON file with abilities of your own, for rulesets that have a library.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="An optional rule, NAME=VALUE.")] = None,
    pack: PackOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Open an encounter. Packs that it is opened with are recorded with it: `join` finds their sheets by name.

    Examples:
    combatlog new "Bridge ambush" --dice table --map bridge.txt
    combatlog new "Frozen hall" --pack ./frost
    """
    from rules.content.files import read_text
    from rules.content.pack_checks import read_packs
    from rules.content.packs import opened_with
    from rules.engine import ruleset as rulesets
    from rules.engine.fight import Opening

    rows = tuple(read_text(map_file).rstrip("\n").split("\n")) if map_file else None
    options = read_values(option or [], "--option")
    rules = rulesets.find(ruleset)
    if library is not None:
        options["library"] = _read_library(rules, library)
    options = opened_with(options, read_packs(pack or (), rules))
    opening = Opening(name=name, ruleset=ruleset, dice=dice, map=rows, options=options)
    with open_referee() as referee:
        show(referee.open(opening, command=command_id), as_json)


def _read_library(rules: Ruleset, file: Path) -> dict[str, Any]:
    from rules.content.files import read_text
    from rules.engine.refusal import Refusal

    if rules.library is None:
        raise Refusal("library/none", f"{rules.name} has no ability library.", ruleset=rules.name)
    return rules.library.encounter_option(read_text(file))


@app.command()
def join(
    encounter: EncounterArg,
    sheet: Annotated[
        str,
        typer.Argument(
            help="A sheet by name, shipped or of a pack, or a YAML or JSON file.", autocompletion=complete_sheet
        ),
    ],
    name: Annotated[str | None, typer.Option("--as", help="What the combatant is called.")] = None,
    side: Annotated[str, typer.Option(help="Whom it fights with.")] = "heroes",
    at: Annotated[str | None, typer.Option(help="Where it stands: COLUMN,ROW.")] = None,
    controller: Annotated[str | None, typer.Option(help="Who answers for it: player or gm.")] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="A field of the sheet that differs, NAME=VALUE.")
    ] = None,
    reaction: Annotated[
        list[str] | None,
        typer.Option("--reaction", help="A setting, NAME=ask|always|never|'when useful'; * for all."),
    ] = None,
    pack: PackOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Add a combatant.

    Examples:
    combatlog join "Bridge ambush" goblin --as Snig --side foes --at 5,1
    combatlog join "Frozen hall" young_frost_dragon --side foes --at 9,3 --pack ./frost
    """
    from rules.content.enlisting import enlist
    from rules.content.pack_checks import packs_to_join
    from rules.content.packs import packs_of
    from rules.engine.fight import Declaration

    enlistment = {
        "name": name,
        "side": side,
        "position": read_position(at, "--at"),
        "controller": controller,
        "overrides": read_values(overrides or [], "--set"),
        "policies": read_pairs(reaction or [], "--reaction"),
    }
    with open_referee() as referee:
        fight = referee.fight(encounter)
        more = {key: value for key, value in enlistment.items() if value}
        packs = [*packs_of(fight.battle), *packs_to_join(pack or (), fight.ruleset)]
        options = enlist(fight.ruleset, sheet, more, packs)
        declaration = Declaration(actor="gm", action="core:time:join", options=options)
        show(referee.declare(encounter, declaration, command=command_id), as_json)


@app.command()
def start(
    encounter: EncounterArg, dice: DiceOpt = None, command_id: CommandOpt = None, as_json: JsonOpt = False
) -> None:
    """Start the fight: initiative, the first round, the first turn.

    Example: combatlog start "Bridge ambush" --dice 12,7,15
    """
    declare(encounter, "gm", "core:time:start", dice=dice, command=command_id, as_json=as_json)


@app.command()
def do(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[str, typer.Argument(help="What it does.", autocompletion=complete_action)],
    target: Annotated[list[str] | None, typer.Option("--target", "-t", help="At whom; several times if so.")] = None,
    to: Annotated[str | None, typer.Option(help="Where to: COLUMN,ROW.")] = None,
    weapon: Annotated[str | None, typer.Option("--with", help="With which weapon.")] = None,
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Whatever else the action takes, NAME=VALUE.")
    ] = None,
    reply: Annotated[
        list[str] | None,
        typer.Option("--reply", help="An answer known beforehand, REACTOR=REACTION or REACTOR=pass."),
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Declare an action.

    Examples:
    combatlog do "Bridge ambush" snig move --to 2,1
    combatlog do "Bridge ambush" snig strike --target rurik --dice 15
    """
    from rules.engine.fight import Declaration, Reply

    declaration = Declaration(
        actor=actor,
        action=action,
        targets=tuple(target or ()),
        destination=read_position(to, "--to"),
        weapon=weapon,
        options=read_values(option or [], "--option"),
        by=by,
    )
    replies = [
        Reply(reactor=reactor, reaction=_reaction(answer))
        for reactor, answer in read_pairs(reply or [], "--reply").items()
    ]
    with open_referee() as referee:
        outcome = referee.declare(encounter, declaration, dice=read_dice(dice), replies=replies, command=command_id)
        show(outcome, as_json)


@app.command()
def react(
    encounter: EncounterArg,
    reactor: ActorArg,
    reaction: Annotated[str, typer.Argument(help="The reaction, or `pass`.")],
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Whatever else the reaction takes, NAME=VALUE.")
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Answer the open window; what waited for the answer goes on.

    Example: combatlog react "Bridge ambush" osric protection --dice 15,8
    """
    from rules.engine.fight import Reply

    options = read_values(option or [], "--option")
    reply = Reply(reactor=reactor, reaction=_reaction(reaction), options=options, by=by)
    with open_referee() as referee:
        show(referee.react(encounter, reply, dice=read_dice(dice), command=command_id), as_json)


def _reaction(text: str) -> str | None:
    return None if text == "pass" else text


@app.command("end-turn")
def end_turn(
    encounter: EncounterArg,
    actor: Annotated[str, typer.Argument(help="Whose turn ends, to be sure; the GM ends any.")] = "gm",
    dice: DiceOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """End the current turn; the next one begins.

    Example: combatlog end-turn "Bridge ambush" snig
    """
    declare(encounter, actor, "core:time:end-turn", dice=dice, command=command_id, as_json=as_json)


@app.command()
def leave(
    encounter: EncounterArg,
    actor: ActorArg,
    why: Annotated[str, typer.Option(help="Why it leaves.")] = "left the fight",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take a combatant out of the fight.

    Example: combatlog leave "Bridge ambush" snig --why "fled into the reeds"
    """
    declare(encounter, actor, "core:time:leave", options={"why": why}, command=command_id, as_json=as_json)


@app.command()
def close(
    encounter: EncounterArg,
    why: Annotated[str, typer.Option(help="How it ended.")] = "the fight is over",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Close an encounter; nothing more is declared in it.

    Example: combatlog close "Bridge ambush" --why "the goblins fled"
    """
    declare(encounter, "gm", "core:time:close", options={"why": why}, command=command_id, as_json=as_json)


@app.command()
def rule(
    encounter: EncounterArg,
    reason: Annotated[str, typer.Option(help="Why; it is recorded with the ruling.")],
    subject: Annotated[str | None, typer.Argument(help="The combatant it is about.")] = None,
    values: Annotated[list[str] | None, typer.Option("--set", help="A value, NAME=NUMBER: hp=12, action=1.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="A condition that holds from now on.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="A condition that ends.")] = None,
    to: Annotated[str | None, typer.Option(help="Where it stands now: COLUMN,ROW.")] = None,
    note: Annotated[str | None, typer.Option(help="Anything else, in words.")] = None,
    answers: Annotated[int | None, typer.Option(min=1, help="The event that asked for a person's resolution.")] = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Overrule: set a value, a condition or a place. Possible at any moment, also while a window waits.

    Example: combatlog rule "Bridge ambush" rurik --set hp=9 --reason "the bridge gave way under him"
    """
    ruling = {
        "reason": reason,
        "set": read_numbers(values or [], "--set"),
        "add": add or [],
        "remove": remove or [],
        "to": read_position(to, "--to"),
        "note": note,
        "answers": answers,
    }
    declare(
        encounter,
        "gm",
        "core:ruling:rule",
        targets=(subject,) if subject else (),
        options={key: value for key, value in ruling.items() if value},
        command=command_id,
        as_json=as_json,
    )
