"""Print what a correction would do, how two fights differ, and the list of corrections."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from cli.render.fight_log import print_log
from cli.render.problem_hints import Facts, hint_for
from cli.render.terminal import console, say
from combatlog.rules.engine.corrections.consent import ProposalView
from combatlog.rules.engine.corrections.plan import (
    DiceNeeded,
    EventChange,
    Plan,
    PlanEntry,
    PlanVerdict,
    changed_fields,
)
from ledger.events import Declared
from projections.review.audit import Audited
from projections.review.difference import Comparison, Difference
from projections.story.difference_words import say_difference
from projections.story.event_words import in_words
from projections.story.names import CombatantNames, Names
from projections.story.phrases import capitalized, name_of
from projections.story.text import and_list, clean, counted

_STYLES = {
    PlanVerdict.TAKEN_BACK: "red",
    PlanVerdict.AMENDED: "bold yellow",
    PlanVerdict.KEPT: "green",
    PlanVerdict.CHANGED: "yellow",
    PlanVerdict.IMPOSSIBLE: "bold red",
    PlanVerdict.UPHELD: "magenta",
    PlanVerdict.NEW_TURN: "cyan",
    PlanVerdict.INSERTED: "bold yellow",
    PlanVerdict.RESTORED: "green",
    PlanVerdict.NEEDS_DICE: "bold cyan",
    PlanVerdict.OPEN: "cyan",
    PlanVerdict.PROPOSED: "bold cyan",
}


def print_plan(plan: Plan) -> None:
    cast = CombatantNames(plan.names)
    say("The plan:", "bold")
    for entry in plan.entries:
        _print_entry(entry, cast)
    if plan.of(PlanVerdict.IMPOSSIBLE) and plan.undecided is not None:
        say(
            "  The rest of the plan shows what happens if the declarations that are no longer possible are dropped.",
            "dim",
        )
    if plan.needs is not None:
        say(f"  {_needed_dice(plan.needs)}", "cyan")
        return
    if plan.dice_added:
        new = "1 new die was" if plan.dice_added == 1 else f"{plan.dice_added} new dice were"
        say(f"  {new} rolled; all others stay as they were rolled.", "cyan")
    print_differences(plan.state_changes(), "What changes:", "The state stays the same.", names=cast.names)


def print_proposal(proposal: ProposalView) -> None:
    """Who has to agree, and who has."""
    for who in proposal.asked:
        answer = {True: "agrees", False: "does not agree", None: "has not answered yet"}[proposal.answers.get(who)]
        say(f"  {who} {answer}.", {True: "green", False: "red", None: "yellow"}[proposal.answers.get(who)])


def print_asked(asked: Sequence[str]) -> None:
    """Say that a correction is only proposed, and who has to agree."""
    say(f"Proposed: {and_list(list(asked))} {'has' if len(asked) == 1 else 'have'} to agree first.", "bold yellow")


def end_dry_run(plan: Plan) -> None:
    """The end of a dry run: nothing was recorded, and what has to be decided before the plan can be applied."""
    say("This was only the plan; nothing was recorded.", "dim")
    if plan.undecided is not None:
        say(f"It cannot be applied yet. {hint_for(plan.undecided.code, Facts(plan.undecided.facts))}", "cyan")


def _needed_dice(needs: DiceNeeded) -> str:
    """The dice are committed, so their faces are not shown before the plan is applied."""
    dice, are = and_list([f"a {die}" for die in needs.dice]), "is" if len(needs.dice) == 1 else "are"
    return (
        f"The {needs.purpose} roll needs {dice}, which {are} rolled when the plan is applied. "
        "The consequences are only known then."
    )


def _print_entry(entry: PlanEntry, cast: CombatantNames) -> None:
    line = Text(f"  {entry.declared.seq:>5}  ", style="dim")
    line.append(f"{entry.verdict.value}: ", style=_STYLES[entry.verdict])
    line.append(in_words(entry.declared, cast))
    console().print(line)
    if entry.why:
        say(f"           {clean(entry.why)}", "dim")
    for change in entry.changes:
        for words in _change(change, cast):
            say(f"           {words}", "yellow")


def _change(change: EventChange, cast: CombatantNames) -> list[str]:
    """How an event changes: what it was, and what it is now."""
    was, now = (in_words(event, cast) if event else None for event in (change.recorded, change.now))
    if was is None or now is None:
        return [f"new: {now}" if was is None else f"gone: {was}"]
    if was == now and isinstance(change.now, Declared):
        return []  # the amendment shows in the events that follow
    if was == now:
        return [f"{was} (the {and_list([name_of(name) for name in changed_fields(change)])} changed)"]
    return [f"was: {was}", f"now: {now}"]


def print_differences(
    changes: Sequence[Difference], title: str, none: str, indent: str = "", names: Names | None = None
) -> None:
    if not changes:
        say(f"{indent}{none}", "green")
        return
    say(f"{indent}{title}", "bold")
    for change in changes:
        say(f"{indent}  {say_difference(change, names)}.")


def print_comparison(comparison: Comparison, first: str, second: str) -> None:
    cast = CombatantNames(comparison.names)
    say(
        f"The first {counted(comparison.common, 'event')} {'is' if comparison.common == 1 else 'are'} the same.", "bold"
    )
    for name, events in ((first, comparison.only_first), (second, comparison.only_second)):
        if events:
            say(f"Only in {clean(name)}:", "bold")
            print_log(events, cast=cast)
    title = clean(capitalized(f"{second}, compared with {first}:"))
    print_differences(comparison.state, title, "The state is the same.", names=cast.names)


def print_audit(trail: Sequence[Audited], cast: CombatantNames) -> None:
    if not trail:
        say("Nothing has been corrected.", "dim")
    for entry in trail:
        correction = entry.correction
        when = correction.recorded_at.strftime("%Y-%m-%d %H:%M")
        say(f"{correction.seq:>5}  {in_words(correction, cast)}", "bold")
        say(f"       {when} UTC", "dim")
        if entry.put_in_place:
            declarations = "declaration" if len(entry.put_in_place) == 1 else "declarations"
            numbers = and_list([str(seq) for seq in entry.put_in_place])
            say(f"       It put {declarations} {numbers} in place.", "dim")
        if entry.taken_back_by:
            say(f"       It was itself taken back by correction {entry.taken_back_by}.", "dim")
        print_differences(entry.changes, "It changed the state:", "The state stayed the same.", " " * 7, cast.names)
