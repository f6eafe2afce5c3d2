"""Commands that correct a fight, and those that compare fights and list their corrections."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from cli.completion import (
    complete_actor,
    complete_amended_weapon,
    complete_chain,
    complete_damage_type,
    complete_encounter,
    complete_modifier,
)
from cli.context import (
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    SeatOpt,
    open_fight,
    open_ledger,
    read_dice,
    read_pairs,
    read_position,
    read_values,
)
from cli.option_completion import complete_amended_option, complete_reply
from cli.planning import (
    ByOpt,
    DryOpt,
    ImpossibleOpt,
    PlanSeatOpt,
    ReasonOpt,
    YesOpt,
    check_impossible,
    correct,
    later_replies,
    read_replies,
)

app = typer.Typer()

ReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Answer to a reaction that was not offered before, SEQ:COMBATANT=REACTION or =pass; repeatable.",
        autocompletion=complete_reply,
    ),
]


@app.command()
def undo(
    encounter: EncounterArg,
    seq: Annotated[
        int | None, typer.Argument(help="Number of the declaration, or of any event of it; default: the last one.")
    ] = None,
    turn: Annotated[bool, typer.Option("--turn", help="Take back everything in this turn.")] = False,
    whole_round: Annotated[bool, typer.Option("--round", help="Take back everything in this round.")] = False,
    to: Annotated[
        int | None, typer.Option("--to", min=1, help="Take back everything declared after this event.")
    ] = None,
    reason: ReasonOpt = "taken back",
    by: ByOpt = "gm",
    impossible: ImpossibleOpt = "stop",
    reply: ReplyOpt = None,
    dice: DiceOpt = None,
    dry_run: DryOpt = False,
    yes: YesOpt = False,
    command_id: CommandOpt = None,
    seat: PlanSeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Take back a declaration, showing the plan first.

    Later declarations are resolved again with the dice that were rolled for them.

    Examples:
    combatlog undo "Bridge ambush"
    combatlog undo "Bridge ambush" 34 --reason "Protection was forgotten" --dry-run
    """
    from combatlog.messages.corrections import Undo
    from combatlog.messages.message import message

    if sum((seq is not None, turn, whole_round, to is not None)) > 1:
        raise typer.BadParameter("give only one of SEQ, --turn, --round and --to.")
    check_impossible(impossible)
    replies, faces = later_replies(reply or []), read_dice(dice)

    said = message(
        Undo,
        seq=seq,
        turn=turn,
        round=whole_round,
        back_to=to,
        reason=reason,
        impossible=impossible,
        later_replies=replies,
        dice=faces,
        by=by,
    )
    correct(encounter, said, dry_run=dry_run, yes=yes, command_id=command_id, seat=seat, as_json=as_json)


@app.command()
def redo(
    encounter: EncounterArg,
    reason: ReasonOpt = "it was right after all",
    by: ByOpt = "gm",
    dry_run: DryOpt = False,
    yes: YesOpt = False,
    command_id: CommandOpt = None,
    seat: PlanSeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Take back the last correction.

    Only possible while nothing has been declared since.

    Example: combatlog redo "Bridge ambush" --yes
    """
    from combatlog.messages.corrections import Redo
    from combatlog.messages.message import message

    said = message(Redo, reason=reason, by=by)
    correct(encounter, said, dry_run=dry_run, yes=yes, command_id=command_id, seat=seat, as_json=as_json)


@app.command()
def amend(
    encounter: EncounterArg,
    seq: Annotated[int, typer.Argument(help="Number of the declaration, or of any event of it.")],
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            help="Correct the target; repeatable.",
            autocompletion=complete_actor,
        ),
    ] = None,
    to: Annotated[str | None, typer.Option(help="Correct the destination.")] = None,
    weapon: Annotated[
        str | None,
        typer.Option(
            "--with", help="Correct the weapon, or add a bonus die: 1d4.", autocompletion=complete_amended_weapon
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="Correct an option; repeatable.", autocompletion=complete_amended_option),
    ] = None,
    add: Annotated[str | None, typer.Option(help="Add a forgotten modifier: advantage, disadvantage, +2, 1d4.")] = None,
    source: Annotated[str, typer.Option(help="With --add: what the modifier comes from.")] = "forgotten modifier",
    owner: Annotated[
        str | None,
        typer.Option(
            help="Whose modifier or resistance it is; default: the actor's, and the target's.",
            autocompletion=complete_actor,
        ),
    ] = None,
    chain: Annotated[
        str, typer.Option(help="With --add: what it modifies, such as attack or damage.", autocompletion=complete_chain)
    ] = "attack",
    of: Annotated[
        str | None,
        typer.Option(
            help="With --add: whose save or check it modifies, if several made one.", autocompletion=complete_actor
        ),
    ] = None,
    resist: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE",
            help="Add a forgotten resistance to a type of damage, or to all; repeatable.",
            autocompletion=complete_damage_type,
        ),
    ] = None,
    vulnerable: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE", help="Add a forgotten vulnerability; repeatable.", autocompletion=complete_damage_type
        ),
    ] = None,
    immune: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="Add a forgotten immunity; repeatable.", autocompletion=complete_damage_type),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(help="Drop a modifier, by its source; repeatable.", autocompletion=complete_modifier),
    ] = None,
    face: Annotated[
        list[str] | None, typer.Option(help="Correct the faces of a roll, for example 44=15,9; repeatable.")
    ] = None,
    reason: ReasonOpt = "amended",
    by: ByOpt = "gm",
    impossible: ImpossibleOpt = "stop",
    reply: Annotated[
        list[str] | None,
        typer.Option(
            "--reply",
            help="Correct an answer, COMBATANT=REACTION or =pass; in a later declaration SEQ:COMBATANT=... Repeatable.",
            autocompletion=complete_reply,
        ),
    ] = None,
    dice: DiceOpt = None,
    dry_run: DryOpt = False,
    yes: YesOpt = False,
    command_id: CommandOpt = None,
    seat: PlanSeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Correct a target, a forgotten modifier or a misread die.

    Shows the plan first. Later declarations are resolved again with the dice that were rolled for them.

    Examples:
    combatlog amend "Bridge ambush" 34 --reply osric=protection --reason "Protection was forgotten"
    combatlog amend "Bridge ambush" 34 --add disadvantage --source Protection --owner osric
    combatlog amend "Bridge ambush" 34 --resist fire --reason "the ring resists fire"
    combatlog amend "Bridge ambush" 34 --with 1d4 --source Bless --owner mira
    combatlog amend "Bridge ambush" 34 --face 44=15,9 --reason "the die showed a 9"
    """
    from combatlog import Forgotten
    from combatlog.messages.corrections import Amend
    from combatlog.messages.message import message
    from rules.engine.corrections.forgotten import are_dice

    check_impossible(impossible)
    right, later = read_replies(reply or [])
    place, options, added = read_position(to, "--to"), read_values(option or [], "--option"), read_dice(dice)
    faces = {int(roll): read_dice(shown) or [] for roll, shown in _numbered(face or []).items()}
    if weapon is not None and are_dice(weapon):
        add, weapon = add or weapon, None
    forgotten = [Forgotten(what=add, source=source, owner=owner, chain=chain, of=of)] if add else []

    said = message(
        Amend,
        seq=seq,
        targets=target,
        to=place,
        weapon=weapon,
        options=options,
        add=forgotten,
        drop=drop,
        resist=resist,
        vulnerable=vulnerable,
        immune=immune,
        whose=owner if resist or vulnerable or immune else None,
        faces=faces,
        replies=right,
        reason=reason,
        impossible=impossible,
        later_replies=later,
        dice=added,
        by=by,
    )
    correct(encounter, said, dry_run=dry_run, yes=yes, command_id=command_id, seat=seat, as_json=as_json)


def _numbered(texts: list[str]) -> dict[str, str]:
    pairs = read_pairs(texts, "--face")
    for roll in pairs:
        if not re.fullmatch(r"[0-9]{1,9}", roll):
            raise typer.BadParameter(f"{roll!r} is not the number of an event; write SEQ=FACES.", param_hint="--face")
    return pairs


@app.command()
def fork(
    encounter: EncounterArg,
    name: Annotated[str, typer.Option("--as", help="Name for the fork; must be new.")],
    at: Annotated[int | None, typer.Option("--at", min=1, help="Last event to share; default: the last one.")] = None,
    by: ByOpt = "gm",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Open a new encounter that shares the past of another.

    For what-ifs, and for rulings under appeal.

    Example: combatlog fork "Bridge ambush" --at 33 --as "What if Snig had fled"
    """
    from cli.declare import show
    from cli.render.log import note_taken_back
    from cli.render.text import console

    with open_fight(encounter) as fight:
        show(fight.fork(name, at, by=by, command_id=command_id).outcome, as_json)
        if at is not None and (note := note_taken_back(fight.history(), at)):
            console(stderr=True).print(note, style="red")


@app.command()
def diff(
    encounter: EncounterArg,
    other: Annotated[
        str | None,
        typer.Argument(help="Encounter to compare with; default: the same.", autocompletion=complete_encounter),
    ] = None,
    at: Annotated[int | None, typer.Option("--at", min=1, help="Take the first as it was after this event.")] = None,
    other_at: Annotated[
        int | None, typer.Option("--and", min=1, help="Take the second as it was after this event.")
    ] = None,
    seat: SeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Compare two encounters, or two moments of one.

    Examples:
    combatlog diff "Bridge ambush" "What if Snig had fled"
    combatlog diff "Bridge ambush" --at 33 --and 45
    """
    from cli.render.corrections import print_comparison
    from cli.render.text import print_json
    from combatlog.documents.corrections import comparison_data

    if other is None and at is None and other_at is None:
        raise typer.BadParameter("name another encounter, or two moments with --at and --and.")
    with open_ledger() as ledger:
        fight = ledger.fight(encounter)
        second = ledger.fight(other) if other else fight
        comparison = fight.seen_by(seat, at).diff(second.seen_by(seat, other_at))
    if as_json:
        print_json(comparison_data(comparison))
        return
    names = (f"“{encounter}”", f"“{other}”") if other else (_moment(at), _moment(other_at))
    print_comparison(comparison, *names)


def _moment(at: int | None) -> str:
    return "the fight now" if at is None else f"the fight after event {at}"


@app.command()
def corrections(encounter: EncounterArg, seat: SeatOpt = "gm", as_json: JsonOpt = False) -> None:
    """List corrections: who made them, when, why, and what changed.

    Example: combatlog corrections "Bridge ambush"
    """
    from cli.render.corrections import print_audit
    from cli.render.text import print_json
    from combatlog.documents.corrections import correction_data

    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        trail, cast = view.corrections(), view.cast
    if as_json:
        print_json([correction_data(entry) for entry in trail])
    else:
        print_audit(trail, cast)
