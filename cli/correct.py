"""Commands that correct a fight or propose corrections to the table, compare fights, and list corrections."""

from __future__ import annotations

import sys
from uuid import UUID

import typer

import combatlog
from cli.context import CommandSettings, open_fight, open_ledger
from cli.options import (
    COMMAND,
    CORRECTOR,
    DICE,
    ENCOUNTER,
    JSON,
    REQUIRED,
    SEAT,
    argument,
    flag,
    named_values,
    option,
    options,
    read_all_answers,
    read_faces_of_rolls,
    read_later_answers,
    read_position,
    read_value,
    replies,
)
from cli.render.correction_plans import (
    end_dry_run,
    print_asked,
    print_audit,
    print_comparison,
    print_plan,
    print_proposal,
)
from cli.render.fight_log import note_taken_back
from cli.render.terminal import console, present, print_json, say
from cli.send_message import Fields, records, show
from combatlog import Plan
from combatlog.handlers.consent import asked_about, carry_out
from combatlog.messages.corrections import Amend, Correction, Insert, Redo, Undo
from combatlog.messages.message import Message
from combatlog.messages.requests import Consent, Overrule
from combatlog.rules.engine.corrections.amend import are_dice
from combatlog.rules.engine.corrections.consent import ProposalView
from combatlog.rules.engine.corrections.rebase import Impossible
from ledger.errors import Problem
from projections.story.text import counted

_MADE_BEFORE = "This correction was made before; nothing new was recorded."

CORRECTION = {"reason": option(), "by": CORRECTOR}
"""The options of every correction."""
REBASING = {
    **CORRECTION,
    "impossible": option(
        "What to do with later declarations that are no longer possible; keep makes them rulings.",
        kind=Impossible,
        default=Impossible.STOP,
        read=read_value,
    ),
    "dice": DICE,
}
"""The options of a correction after which later declarations are resolved again."""


def correct(
    encounter: str,
    correction: Correction,
    *,
    dry_run: bool,
    yes: bool,
    command_id: UUID | None,
    seat: str,
    as_json: bool,
) -> None:
    """Show the plan as the seat sees it, and apply it if it is confirmed."""
    with open_fight(encounter) as fight:

        def show_plan(plan: Plan) -> None:
            shown = fight.seen_by(seat).seen_plan(plan) if seat != "gm" else plan
            print_json(shown.to_json()) if as_json else print_plan(shown)

        plan = fight.plan(correction, command_id=command_id)
        if not as_json and plan.repeated:
            say(_MADE_BEFORE, "bold green")
            return
        waits_for_dice = plan.needs is not None
        shown_when_done = as_json and yes and waits_for_dice  # JSON is one document
        if dry_run or plan.undecided or not shown_when_done:
            show_plan(plan)
        if dry_run:
            end_dry_run(plan) if not as_json else None
            return
        plan.require_decided()
        if not yes:
            _confirm()
        if asked := asked_about(plan):
            fight.propose(correction)
            print_asked(asked) if not as_json else None
            return
        outcome = fight.apply(plan)
        if waits_for_dice:
            show_plan(plan.complete())
    if not as_json:
        done = _MADE_BEFORE if outcome.repeated else f"Done: {counted(len(outcome.events), 'event')} recorded."
        say(done, "bold green")


def _confirm() -> None:
    """Ask for confirmation. Without a terminal, nothing is changed, and a script gets an error."""
    if CommandSettings.confirm is not None:
        if not CommandSettings.confirm("Apply this plan?"):
            raise typer.Exit(1)
        return
    if not sys.stdin.isatty():
        raise Problem("correction/unconfirmed", "Nothing was changed: the plan has not been confirmed.")
    if not typer.confirm("Apply this plan?", err=True):
        typer.echo("Nothing was changed.", err=True)
        raise typer.Exit(1)


@records(
    Undo,
    seq=argument("Number of the declaration, or of any event of it; default: the last one.", kind=int | None),
    turn=flag("Take back everything in this turn."),
    whole_round=flag("Take back everything in this round.", "--round", fills="round"),
    to=option("Take back everything declared after this event.", fills="back_to"),
    reply=replies(
        "Answer to a reaction that was not offered before, SEQ:COMBATANT=REACTION or =pass; repeatable.",
        fills="later_replies",
        read=read_later_answers,
    ),
    **REBASING,
    carry_out=correct,
)
def undo(seq: int | None, turn: bool, whole_round: bool, to: int | None) -> None:
    """Later declarations are resolved again with the dice that were rolled for them.

    Examples:
    combatlog undo "Bridge ambush"
    combatlog undo "Bridge ambush" 34 --reason "Protection was forgotten" --dry-run
    """
    if sum((seq is not None, turn, whole_round, to is not None)) > 1:
        raise typer.BadParameter("give only one of SEQ, --turn, --round and --to.")


@records(Redo, **CORRECTION, carry_out=correct)
def redo() -> None:
    """Only possible if nothing has been declared since.

    Example: combatlog redo "Bridge ambush" --yes
    """


@records(
    Amend,
    "drop",
    seq=argument(),
    target=options(None, "--target", "-t", fills="targets"),
    to=option(read=read_position),
    weapon=option("Correct the weapon, or add a bonus die: 1d4.", "--with", complete="amended_weapons"),
    option=named_values("Correct an option; repeatable.", "amended_options"),
    add=option("Add a forgotten modifier: advantage, disadvantage, +2, 1d4.", kind=str | None),
    source=option("With --add: what the modifier comes from.", default="forgotten modifier"),
    owner=option("Whose modifier or resistance it is; default: the actor's, and the target's."),
    chain=option("With --add: what it modifies, such as attack or damage.", default="attack"),
    of=option("With --add: whose save or check it modifies, if several made one."),
    resist=option(metavar="TYPE"),
    vulnerable=option(metavar="TYPE"),
    immune=option(metavar="TYPE"),
    face=options(
        "Correct the faces of a roll, for example 44=15,9; repeatable.", fills="faces", read=read_faces_of_rolls
    ),
    reply=replies(
        "Correct an answer, COMBATANT=REACTION or =pass; in a later declaration SEQ:COMBATANT=... Repeatable.",
        fills=None,
        read=read_all_answers,
    ),
    **REBASING,
    carry_out=correct,
)
def amend(
    weapon: str | None,
    add: str | None,
    source: str,
    owner: str | None,
    chain: str,
    of: str | None,
    resist: list[str] | None,
    vulnerable: list[str] | None,
    immune: list[str] | None,
) -> Fields:
    """Shows the plan first. Later declarations are resolved again with the dice that were rolled for them.

    Examples:
    combatlog amend "Bridge ambush" 34 --reply osric=protection --reason "Protection was forgotten"
    combatlog amend "Bridge ambush" 34 --add disadvantage --source Protection --owner osric
    combatlog amend "Bridge ambush" 34 --resist fire --reason "the ring resists fire"
    combatlog amend "Bridge ambush" 34 --with 1d4 --source Bless --owner mira
    combatlog amend "Bridge ambush" 34 --face 44=15,9 --reason "the die showed a 9"
    """
    if weapon is not None and are_dice(weapon):
        add, weapon = add or weapon, None
    return {
        "weapon": weapon,
        "add": [combatlog.Forgotten(what=add, source=source, owner=owner, chain=chain, of=of)] if add else None,
        "resist": resist,
        "vulnerable": vulnerable,
        "immune": immune,
        "whose": owner if resist or vulnerable or immune else None,
    }


@records(
    Insert,
    "actor action before after target to weapon option",
    reply=replies(
        "Answer to a reaction, COMBATANT=REACTION or =pass; SEQ:COMBATANT=REACTION in a later declaration. Repeatable.",
        fills=None,
        read=read_all_answers,
    ),
    **REBASING,
    carry_out=correct,
)
def insert(before: int | None, after: int | None) -> None:
    """Shows the plan first. Later declarations are resolved again with the dice that were rolled for them. Rulings and
    joins are declared by gm: `gm rule`, `gm join`.

    Examples:
    combatlog insert "Bridge ambush" --before 34 osric dodge --reason "he said so"
    combatlog insert "Bridge ambush" --after 33 mira bless --target rurik --target osric --dry-run
    combatlog insert "Bridge ambush" --after 20 gm rule --target snig -o set="{hp: 5}" -o reason="the trap hurt him"
    """
    if (before is None) == (after is None):
        raise typer.BadParameter("give one of --before and --after.")


def fork(
    encounter: str = ENCOUNTER,
    name: str = option("Name for the fork; must be new.", "--as", default=REQUIRED),
    at: int | None = option("Last event to share; default: the last one.", min=1),
    by: str = CORRECTOR,
    command_id: UUID | None = COMMAND,
    as_json: bool = JSON,
) -> None:
    """For what-ifs, and for disputed rulings.

    Example: combatlog fork "Bridge ambush" --at 33 --as "What if Snig had fled"
    """
    with open_fight(encounter) as fight:
        show(fight.fork(name, at, by=by, command_id=command_id).outcome, as_json)
        if at is not None and (note := note_taken_back(fight.history(), at)):
            console(stderr=True).print(note, style="red")


def diff(
    encounter: str = ENCOUNTER,
    other: str | None = argument("Encounter to compare with; default: the same.", None),
    at: int | None = option("Take the first as it was after this event.", min=1),
    other_at: int | None = option("Take the second as it was after this event.", "--and", min=1),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog diff "Bridge ambush" "What if Snig had fled"
    combatlog diff "Bridge ambush" --at 33 --and 45
    """
    if other is None and at is None and other_at is None:
        raise typer.BadParameter("name another encounter, or two moments with --at and --and.")
    with open_ledger() as ledger:
        fight = ledger.fight(encounter)
        second = ledger.fight(other) if other else fight
        comparison = fight.seen_by(seat, at).diff(second.seen_by(seat, other_at))
    moments = ("the fight now" if one is None else f"the fight after event {one}" for one in (at, other_at))
    names = (f"“{encounter}”", f"“{other}”") if other else moments
    present(as_json, comparison.to_json, lambda: print_comparison(comparison, *names))


def corrections(encounter: str = ENCOUNTER, seat: str = SEAT, as_json: bool = JSON) -> None:
    """Example: combatlog corrections "Bridge ambush" """
    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        trail, cast = view.corrections(), view.cast
    present(as_json, lambda: [entry.to_json() for entry in trail], lambda: print_audit(trail, cast))


def proposal(encounter: str = ENCOUNTER, seat: str = SEAT, as_json: bool = JSON) -> None:
    """Only in fights that were opened with --option consent=table. There, `undo`, `redo`, `amend` and `insert` propose
    a change instead of making it.

    Examples:
    combatlog proposal "Bridge ambush"
    combatlog proposal "Bridge ambush" --as rurik
    """
    with open_fight(encounter) as fight:
        found = fight.seen_by(seat).proposal()
    if as_json:
        print_json((found or ProposalView(None)).to_json())
    elif found is None or found.plan is None:
        say("Nothing is proposed.", "dim")
    else:
        print_plan(found.plan)
        print_proposal(found)


def _answer(encounter: str, said: Message, *, command_id: UUID | None, as_json: bool) -> None:
    """Send the answer. If everyone agrees but the correction could not be made, report why."""
    with open_fight(encounter) as fight:
        show(fight.send(said, command_id=command_id), as_json)
        proposal = fight.seen_by().proposal()
        if proposal is not None and proposal.is_open and proposal.agreed:
            carry_out(fight.backend)


@records(Consent, "actor reason by", no=flag("Do not agree; then nothing is changed."), carry_out=_answer)
def agree(no: bool) -> Fields:
    """The correction is made once everyone who was asked agrees. If the fight has moved on and the correction would now
    change something else, it is proposed again.

    Examples:
    combatlog agree "Bridge ambush" rurik
    combatlog agree "Bridge ambush" mira --no --reason "it was a fair hit"
    """
    return {"agree": not no}


@records(Overrule, reason=option("Why."), by=option("Who overrules.", kind=str, default="gm"), carry_out=_answer)
def overrule() -> None:
    """Example: combatlog overrule "Bridge ambush" --reason "the rules are clear" """
