"""What commands that correct a fight share: their options, and showing a plan before it is applied."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_impossible, complete_seat
from cli.context import Settings, open_fight, read_pairs, read_reaction

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog import Plan
    from combatlog.messages.corrections import Correction

ReasonOpt = Annotated[str, typer.Option("--reason", help="Why; recorded with the correction.")]
ByOpt = Annotated[str, typer.Option("--by", help="Who makes the correction.")]
DryOpt = Annotated[bool, typer.Option("--dry-run", help="Show the plan and change nothing.")]
YesOpt = Annotated[bool, typer.Option("--yes", "-y", help="Apply the plan without asking.")]
ImpossibleOpt = Annotated[
    str,
    typer.Option(
        "--impossible",
        help="What to do with later declarations that are no longer possible: drop, keep (as a ruling), or stop.",
        autocompletion=complete_impossible,
    ),
]
PlanSeatOpt = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT",
        help="Show the plan as this seat sees it: players, a combatant's name, spectator ...",
        autocompletion=complete_seat,
    ),
]
_MADE_BEFORE = "This correction was made before; nothing new was recorded."


def check_impossible(impossible: str) -> None:
    if impossible not in ("drop", "keep", "stop"):
        sentence = f"{impossible!r} is not one of drop, keep and stop."
        raise typer.BadParameter(sentence, param_hint="--impossible")


def read_replies(texts: list[str]) -> tuple[dict[str, str | None], dict[int, dict[str, str | None]]]:
    """Answers in what is corrected (REACTOR=REACTION), and those in later declarations (SEQ:REACTOR=REACTION)."""
    own = [text for text in texts if ":" not in text.partition("=")[0]]
    answers = {name: read_reaction(answer) for name, answer in read_pairs(own, "--reply").items()}
    return answers, later_replies([text for text in texts if text not in own])


def later_replies(texts: list[str]) -> dict[int, dict[str, str | None]]:
    """SEQ:REACTOR=REACTION, by the declaration that the window opens in."""
    replies: dict[int, dict[str, str | None]] = {}
    for where, answer in read_pairs(texts, "--reply").items():
        number, colon, reactor = where.partition(":")
        if not colon or not re.fullmatch(r"[0-9]{1,9}", number):
            raise typer.BadParameter(f"{where!r} is not SEQ:COMBATANT.", param_hint="--reply")
        replies.setdefault(int(number), {})[reactor] = read_reaction(answer)
    return replies


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
    from cli.render.corrections import end_dry_run, print_asked, print_plan
    from cli.render.text import print_json, say
    from combatlog.consent import asked_about
    from combatlog.documents.corrections import plan_data
    from projections.phrases import counted

    with open_fight(encounter) as fight:

        def show(plan: Plan) -> None:
            shown = fight.seen_by(seat).seen_plan(plan) if seat != "gm" else plan
            print_json(plan_data(shown)) if as_json else print_plan(shown)

        plan = fight.plan(correction, command_id=command_id)
        if not as_json and plan.repeated:
            say(_MADE_BEFORE, "bold green")
            return
        waits_for_dice = plan.needs is not None
        shown_when_done = as_json and yes and waits_for_dice  # JSON is one document
        if dry_run or plan.undecided or not shown_when_done:
            show(plan)
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
            show(plan.complete())
    if not as_json:
        done = _MADE_BEFORE if outcome.repeated else f"Done: {counted(len(outcome.events), 'event')} recorded."
        say(done, "bold green")


def _confirm() -> None:
    """Ask for confirmation. Where there is nobody to ask, a script must not take the plan for the deed."""
    from ledger.errors import Problem

    if Settings.confirm is not None:
        if not Settings.confirm("Apply this plan?"):
            raise typer.Exit(1)
        return
    if not sys.stdin.isatty():
        raise Problem("correction/unconfirmed", "Nothing was changed: the plan has not been confirmed.")
    if not typer.confirm("Apply this plan?", err=True):
        typer.echo("Nothing was changed.", err=True)
        raise typer.Exit(1)
