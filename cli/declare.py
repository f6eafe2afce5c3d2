"""Commands that change a fight: each is one declaration, or the answer to an offered reaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.abilities import library_of
from cli.completion import (
    complete_action,
    complete_actor,
    complete_condition,
    complete_controller,
    complete_encounter,
    complete_reaction,
    complete_reactor,
    complete_ruleset,
    complete_sheet,
    complete_shown,
    complete_side,
    complete_turn,
    complete_weapon,
)
from cli.context import (
    ActorArg,
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    PackOpt,
    SecretOpt,
    Settings,
    open_fight,
    open_ledger,
    read_dice,
    read_numbers,
    read_pairs,
    read_position,
    read_reaction,
    read_values,
)
from cli.option_completion import (
    complete_encounter_option,
    complete_option,
    complete_policy,
    complete_reaction_option,
    complete_reply,
    complete_value,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog import Outcome
    from ledger.events import Face

app = typer.Typer()

EarlierOpt = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="ENCOUNTER",
        help="Earlier fight that they come from, with what is left to them.",
        autocompletion=complete_encounter,
        is_eager=True,
    ),
]


def show(outcome: Outcome | None, as_json: bool, dice: Sequence[Face] | None = None) -> None:
    """Show what a command led to: its events, faces it had no use for, and the reaction that is waited for."""
    assert outcome is not None
    from cli.render.log import print_log
    from cli.render.state import print_window
    from cli.render.text import print_json, say

    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in outcome.events])
        return
    if outcome.repeated:
        say("This command was carried out before; nothing new was recorded.", "dim")
    print_log(outcome.events)
    if left := outcome.left_over(dice):
        say(f"Not needed after all: {', '.join(map(str, left))}.", "dim")
    if outcome.window is not None and Settings.fight is None:  # a shell asks in its own way
        print_window(outcome.state)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name for the encounter; must be new.")],
    ruleset: Annotated[str, typer.Option(help="Rules to play by.", autocompletion=complete_ruleset)] = "dnd5e",
    dice: Annotated[
        str,
        typer.Option(
            metavar="SOURCE",
            help="Where dice come from: random, committed, shared, seed:N, or table (people give them with --dice). "
            "For each side or combatant: heroes=table,foes=random.",
        ),
    ] = "random",
    map_file: Annotated[
        Path | None, typer.Option("--map", help="Text file with the map, a line per row: . floor, # wall, ~ difficult.")
    ] = None,
    library: Annotated[
        Path | None, typer.Option(help="JSON file with your own abilities, for rules with an ability library.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help="Optional rule; repeatable. `combatlog reference encounter` lists them.",
            autocompletion=complete_encounter_option,
        ),
    ] = None,
    pack: PackOpt = None,
    practice: Annotated[bool, typer.Option("--practice", help="Leave it out of statistics across fights.")] = False,
    shown: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            metavar="WHAT",
            help="Let players see this of others: hit_points, armour_class, dice, initiative, sheets or reasons. "
            "Repeatable.",
            autocompletion=complete_shown,
        ),
    ] = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Open an encounter.

    Its packs are recorded with it, so `combatlog join` finds their sheets by name.

    Examples:
    combatlog new "Bridge ambush" --dice table --map bridge.txt
    combatlog new "Mill" --dice heroes=table,foes=random
    combatlog new "Duel" --dice shared
    combatlog new "Frozen hall" --pack ./frost
    combatlog new "Open table" --show hit_points --show dice
    """
    from cli.render.abilities import print_left_out
    from rules.content.files import read_text

    options = read_values(option or [], "--option")
    if library is not None:
        own = read_text(library)
        options["library"] = library_of(ruleset).encounter_option(own)
    if shown:
        options["players_see"] = shown
    with open_ledger() as ledger:
        fight = ledger.new(
            name,
            ruleset,
            dice=dice,
            map=map_file,
            options=options,
            packs=pack or (),
            labels=["practice"] if practice else [],
            command_id=command_id,
        )
        show(fight.outcome, as_json)
    if library is not None and not as_json:
        print_left_out(library_of(ruleset).check(own))


@app.command()
def join(
    encounter: EncounterArg,
    sheet: Annotated[
        list[str],
        typer.Argument(
            metavar="SHEET",
            help="Name of a sheet that ships with the rules or is in a pack, or a YAML or JSON file. With --from: "
            "combatants.",
            autocompletion=complete_sheet,
        ),
    ],
    earlier: EarlierOpt = None,
    name: Annotated[
        str | None, typer.Option("--as", help="Name; default: the sheet's, with a number if it is taken.")
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, max=50, help="How many join: Goblin, Goblin 2 ...")] = 1,
    side: Annotated[
        str | None,
        typer.Option(
            help="Side it fights on; default: heroes, or with --from the same as there.", autocompletion=complete_side
        ),
    ] = None,
    at: Annotated[str | None, typer.Option(help="Square it stands on; if several join, the others around it.")] = None,
    controller: Annotated[
        str | None, typer.Option(help="Who controls it: player or gm.", autocompletion=complete_controller)
    ] = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Join unrevealed: players do not see it until `combatlog reveal`.")
    ] = False,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Change a field of the sheet; repeatable.")
    ] = None,
    reaction: Annotated[
        list[str] | None,
        typer.Option(
            "--reaction",
            metavar="NAME=WHEN",
            help="When it uses a reaction: ask, always, never or 'when useful'. * names all others. Repeatable.",
            autocompletion=complete_policy,
        ),
    ] = None,
    pack: PackOpt = None,
    initiative: Annotated[
        int | None, typer.Option(help="Its initiative, if the fight has started; default: rolled.")
    ] = None,
    dice: DiceOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Add a combatant, or several of a kind.

    Whoever joins a fight that has started rolls initiative at once, if the rules say so.

    With --from, combatants of an earlier fight join as they stand there: the same name and sheet, hit points, slots and
    uses that are left, and conditions that last.

    Examples:
    combatlog join "Bridge ambush" goblin --as Snig --side foes --at 5,1
    combatlog join "Bridge ambush" goblin --count 4 --side foes --at 7,2
    combatlog join "Frozen hall" young_frost_dragon --side foes --at 9,3 --pack ./frost
    combatlog join "Mill" --from "Bridge ambush" rurik osric --at 2,3
    """
    place = read_position(at, "--at")
    if earlier is not None:
        from combatlog import carry_over

        _refuse_with_from(name, count, controller, overrides, reaction, pack)
        faces = read_dice(dice)
        with open_fight(encounter) as fight:
            outcome = carry_over(
                fight.ledger.fight(earlier),
                fight,
                *sheet,
                at=place,
                side=side,
                hidden=hidden,
                initiative=initiative,
                dice=faces,
                command_id=command_id,
            )
            show(outcome, as_json, faces)
        return
    if len(sheet) > 1:
        raise typer.BadParameter("one sheet at a time joins; --from takes several combatants.")
    is_file = Path(sheet[0]).suffix in (".yaml", ".yml", ".json")
    differing = read_values(overrides or [], "--set")
    settings = read_pairs(reaction or [], "--reaction")
    with open_fight(encounter) as fight:
        outcome = fight.join(
            Path(sheet[0]) if is_file else sheet[0],
            name,
            place,
            count=count,
            side=side or "heroes",
            controller=controller,
            hidden=hidden,
            reactions=settings,
            overrides=differing,
            packs=pack or (),
            initiative=initiative,
            dice=read_dice(dice),
            command_id=command_id,
        )
        show(outcome, as_json)


def _refuse_with_from(
    name: str | None,
    count: int,
    controller: str | None,
    overrides: list[str] | None,
    reaction: list[str] | None,
    pack: list[Path] | None,
) -> None:
    """Whoever comes along stays who it was."""
    differing = {"--as": name, "--count": count > 1, "--controller": controller, "--set": overrides}
    said = [option for option, value in {**differing, "--reaction": reaction, "--pack": pack}.items() if value]
    if said:
        raise typer.BadParameter(f"whoever comes along with --from stays as it was; omit {said[0]}.")


@app.command()
def start(
    encounter: EncounterArg, dice: DiceOpt = None, command_id: CommandOpt = None, as_json: JsonOpt = False
) -> None:
    """Start the fight: initiative, the first round, the first turn.

    Example: combatlog start "Bridge ambush" --dice 12,7,15
    """
    faces = read_dice(dice)
    with open_fight(encounter) as fight:
        show(fight.start(dice=faces, command_id=command_id), as_json, faces)


@app.command()
def do(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[
        str, typer.Argument(help="Action; `combatlog actions` lists them.", autocompletion=complete_action)
    ],
    target: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", help="Target; repeatable.", autocompletion=complete_actor),
    ] = None,
    to: Annotated[str | None, typer.Option(help="Destination.")] = None,
    weapon: Annotated[str | None, typer.Option("--with", help="Weapon to use.", autocompletion=complete_weapon)] = None,
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help="Option of the action; repeatable. `combatlog actions ... ACTION` lists them.",
            autocompletion=complete_option,
        ),
    ] = None,
    reply: Annotated[
        list[str] | None,
        typer.Option(
            "--reply",
            help="Answer known in advance, COMBATANT=REACTION or COMBATANT=pass; repeatable.",
            autocompletion=complete_reply,
        ),
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Declare an action.

    Examples:
    combatlog do "Bridge ambush" snig move --to 5,2
    combatlog do "Bridge ambush" snig strike --target rurik --dice 15,4
    combatlog do "Bridge ambush" mira magic_missile --target snig --option slot=2
    """
    place = read_position(to, "--to")
    options = read_values(option or [], "--option")
    faces = read_dice(dice)
    replies = {reactor: read_reaction(answer) for reactor, answer in read_pairs(reply or [], "--reply").items()}
    with open_fight(encounter) as fight:
        outcome = fight.do(
            actor,
            action,
            target=target or (),
            to=place,
            weapon=weapon,
            options=options,
            dice=faces,
            replies=replies,
            by=by,
            command_id=command_id,
        )
        show(outcome, as_json, faces)


@app.command()
def react(
    encounter: EncounterArg,
    reactor: Annotated[str, typer.Argument(help="Combatant who is asked.", autocompletion=complete_reactor)],
    reaction: Annotated[str, typer.Argument(help="Reaction, or `pass`.", autocompletion=complete_reaction)],
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help="Option of the reaction; repeatable.",
            autocompletion=complete_reaction_option,
        ),
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Use an offered reaction, or pass; the fight goes on.

    Examples:
    combatlog react "Bridge ambush" osric protection --dice 15,8
    combatlog react "Bridge ambush" osric pass
    """
    options, faces = read_values(option or [], "--option"), read_dice(dice)
    with open_fight(encounter) as fight:
        outcome = fight.react(
            reactor, read_reaction(reaction), options=options, dice=faces, by=by, command_id=command_id
        )
        show(outcome, as_json, faces)


@app.command("end-turn")
def end_turn(
    encounter: EncounterArg,
    actor: Annotated[
        str,
        typer.Argument(
            help="Whose turn ends. It has to be named, so that two people cannot end two turns.",
            autocompletion=complete_turn,
            show_default=False,
        ),
    ] = "gm",
    round_: Annotated[
        int | None, typer.Option("--round", min=1, help="Round of the turn that is meant; refused in another one.")
    ] = None,
    dice: DiceOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """End a combatant's turn; the next one begins.

    Examples:
    combatlog end-turn "Bridge ambush" snig
    combatlog end-turn "Bridge ambush" snig --round 3
    """
    faces = read_dice(dice)
    with open_fight(encounter) as fight:
        show(fight.end_turn(actor, round=round_, dice=faces, command_id=command_id), as_json, faces)


@app.command()
def leave(
    encounter: EncounterArg,
    actor: ActorArg,
    reason: Annotated[str | None, typer.Option(help="Why it leaves; default: left the fight.")] = None,
    dice: DiceOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take a combatant out of the fight.

    If it has the turn, that ends. If it is waited for, it lets the reaction pass.

    Example: combatlog leave "Bridge ambush" snig --reason "fled into the reeds"
    """
    with open_fight(encounter) as fight:
        show(fight.leave(actor, reason=reason, dice=read_dice(dice), command_id=command_id), as_json)


@app.command()
def conclude(
    encounter: EncounterArg,
    reason: Annotated[str | None, typer.Option(help="How it ended; default: the fight is over.")] = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Conclude an encounter; nothing more can be declared in it.

    Example: combatlog conclude "Bridge ambush" --reason "the goblins fled"
    """
    with open_fight(encounter) as fight:
        show(fight.conclude(reason=reason, command_id=command_id), as_json)


@app.command()
def rule(
    encounter: EncounterArg,
    reason: Annotated[str, typer.Option(help="Why; recorded with the ruling.")],
    subject: Annotated[str | None, typer.Argument(help="Combatant it is about.", autocompletion=complete_actor)] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Set a value, such as hp=12 or action=1; repeatable.", autocompletion=complete_value
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="CONDITION", help="Apply a condition; repeatable.", autocompletion=complete_condition),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="End a condition; repeatable.", autocompletion=complete_condition)
    ] = None,
    to: Annotated[str | None, typer.Option(help="Put it on another square.")] = None,
    side: Annotated[
        str | None, typer.Option(help="Let it fight for another side.", autocompletion=complete_side)
    ] = None,
    terrain: Annotated[
        list[str] | None,
        typer.Option(metavar="SQUARE=LETTER", help="Change a square, such as 4,2=/ (an open door); repeatable."),
    ] = None,
    note: Annotated[str | None, typer.Option(help="Rule anything else, in words.")] = None,
    answers: Annotated[int | None, typer.Option(min=1, help="Number of the event that waits for a ruling.")] = None,
    secret: SecretOpt = False,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Overrule the rules: change a combatant or the map.

    A ruling is possible at any moment, even while a reaction is being waited for.

    Example: combatlog rule "Bridge ambush" rurik --set hp=9 --reason "the bridge gave way under him"
    """
    numbers = read_numbers(values or [], "--set")
    place = read_position(to, "--to")
    with open_fight(encounter) as fight:
        outcome = fight.rule(
            subject,
            reason=reason,
            set=numbers,
            add=add or [],
            remove=remove or [],
            to=place,
            side=side,
            terrain=read_pairs(terrain or [], "--terrain"),
            note=note,
            answers=answers,
            secret=secret,
            command_id=command_id,
        )
        show(outcome, as_json)
