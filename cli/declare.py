"""Commands that open a fight, and those with which it is played: declarations, and answers to offered reactions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.abilities import library_of
from cli.completion import (
    complete_controller,
    complete_encounter,
    complete_reaction,
    complete_reactor,
    complete_ruleset,
    complete_sheet,
    complete_shown,
    complete_side,
    complete_turn,
)
from cli.context import open_fight, open_ledger
from cli.option_completion import complete_encounter_option, complete_policy, complete_reaction_option
from cli.options import (
    ActionArg,
    ActorArg,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    Fills,
    JsonOpt,
    OptionOpt,
    PackOpt,
    TargetOpt,
    ToOpt,
    WeaponOpt,
)
from cli.readers import read_dice, read_pairs, read_position, read_reaction, read_values
from cli.recording import records, show

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog.messages.commands import Leave

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
    place = read_position(at, "--at") if at is not None else None
    if earlier is not None:
        _refuse_with_from(name, count, controller, overrides, reaction, pack)
        faces = read_dice(dice)
        with open_fight(encounter) as fight:
            outcome = fight.join_from(
                fight.ledger.fight(earlier),
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


@records(app, "Start", "dice")
def start() -> None:
    """Start the fight: initiative, the first round, the first turn.

    Example: combatlog start "Bridge ambush" --dice 12,7,15
    """


@records(app, "Declare", "dice", "reply", "by")
def do(
    actor: ActorArg,
    action: ActionArg,
    target: TargetOpt = None,
    to: ToOpt = None,
    weapon: WeaponOpt = None,
    option: OptionOpt = None,
) -> None:
    """Declare an action.

    Examples:
    combatlog do "Bridge ambush" snig move --to 5,2
    combatlog do "Bridge ambush" snig strike --target rurik --dice 15,4
    combatlog do "Bridge ambush" mira magic_missile --target snig --option slot=2
    """


@records(app, "React", "dice", "by")
def react(
    reactor: Annotated[
        str, typer.Argument(help="Combatant who is asked.", autocompletion=complete_reactor), Fills("who")
    ],
    reaction: Annotated[
        str, typer.Argument(help="Reaction, or `pass`.", autocompletion=complete_reaction), Fills(read=read_reaction)
    ],
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help="Option of the reaction; repeatable.",
            autocompletion=complete_reaction_option,
        ),
        Fills("options", read_values, "--option"),
    ] = None,
) -> None:
    """Use an offered reaction, or pass; the fight goes on.

    Examples:
    combatlog react "Bridge ambush" osric protection --dice 15,8
    combatlog react "Bridge ambush" osric pass
    """


@records(app, "EndTurn", "dice")
def end_turn(
    actor: Annotated[
        str,
        typer.Argument(
            help="Whose turn ends. It has to be named, so that two people cannot end two turns.",
            autocompletion=complete_turn,
            show_default=False,
        ),
        Fills("who"),
    ] = "gm",
    round_: Annotated[
        int | None,
        typer.Option("--round", min=1, help="Round of the turn that is meant; refused in another one."),
        Fills("round"),
    ] = None,
) -> None:
    """End a combatant's turn; the next one begins.

    Examples:
    combatlog end-turn "Bridge ambush" snig
    combatlog end-turn "Bridge ambush" snig --round 3
    """


@records(app, "TimeUp", "dice")
def time_up() -> None:
    """Go on without whoever did not answer in time.

    Only in fights that were opened with --option reaction_time=SECONDS. Whoever may react and does not answer lets it
    pass, or does what is useful if the fight has --option time_up="when useful". Every other command does this by
    itself; only where dice are rolled at the table they have to be given here.

    Examples:
    combatlog time-up "Bridge ambush"
    combatlog time-up "Bridge ambush" --dice 15,8
    """


def _leave(encounter: str, said: Leave, *, command_id: UUID | None, as_json: bool) -> None:
    """Some faces may be for what the combatant let pass first, so none are called left over."""
    with open_fight(encounter) as fight:
        show(fight.send(said, command_id=command_id), as_json)


@records(app, "Leave", "dice", carry_out=_leave)
def leave(actor: ActorArg, reason: Annotated[str | None, typer.Option(help="Why it leaves.")] = None) -> None:
    """Take a combatant out of the fight.

    If it has the turn, that ends. If it is waited for, it lets the reaction pass.

    Example: combatlog leave "Bridge ambush" snig --reason "fled into the reeds"
    """


@records(app, "Conclude")
def conclude(reason: Annotated[str | None, typer.Option(help="How it ended.")] = None) -> None:
    """Conclude an encounter; nothing more can be declared in it.

    Example: combatlog conclude "Bridge ambush" --reason "the goblins fled"
    """
