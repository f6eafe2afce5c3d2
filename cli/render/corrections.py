"""Plans, comparisons and the audit trail on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from cli.render.log import print_log
from cli.render.text import console, say
from projections.difference_words import say_difference
from projections.text import and_list, clean
from projections.words import in_words
from rules.engine.corrections.compare import changed_fields
from rules.engine.corrections.plan import Entry, EventChange, Plan, Verdict

if TYPE_CHECKING:
    from projections.audit import Audited
    from projections.comparison import Comparison
    from projections.difference import Difference

_STYLES = {
    Verdict.TAKEN_BACK: "red",
    Verdict.AMENDED: "bold yellow",
    Verdict.KEPT: "green",
    Verdict.CHANGED: "yellow",
    Verdict.IMPOSSIBLE: "bold red",
    Verdict.UPHELD: "magenta",
    Verdict.INSERTED: "cyan",
    Verdict.RESTORED: "green",
}


def print_plan(plan: Plan) -> None:
    say("The plan", "bold")
    for entry in plan.entries:
        _print_entry(entry)
    if plan.dice_added:
        say(f"  {plan.dice_added} faces that were never rolled are added; all others stay as they were rolled.", "cyan")
    print_differences(plan.state_changes(), "before", "after")


def _print_entry(entry: Entry) -> None:
    line = Text(f"  {entry.declared.seq:>5}  ", style="dim")
    line.append(f"{entry.verdict.value}: ", style=_STYLES[entry.verdict])
    line.append(in_words(entry.declared))
    console().print(line)
    if entry.why:
        say(f"           {clean(entry.why)}", "dim")
    for change in entry.changes:
        say(f"           {_change(change)}", "yellow")


def _change(change: EventChange) -> str:
    if change.recorded is None and change.now is not None:
        return f"+ {in_words(change.now)}"
    if change.now is None and change.recorded is not None:
        return f"- {in_words(change.recorded)}"
    assert change.recorded is not None
    fields = [f"{name} {_plain(old)} → {_plain(new)}" for name, (old, new) in changed_fields(change).items()]
    return f"~ {in_words(change.recorded)}: {clean(and_list(fields))}"


def _plain(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ",".join(_plain(item) for item in value)
    return str(getattr(value, "value", value))


def print_differences(changes: Sequence[Difference], first: str, second: str) -> None:
    if not changes:
        say("The state is the same.", "green")
        return
    say(f"From {clean(first)} to {clean(second)}:", "dim")
    for change in changes:
        say(f"  {say_difference(change)}.")


def plan_as_data(plan: Plan) -> dict[str, Any]:
    return {
        "correction": plan.correction.model_dump(mode="json", exclude_none=True),
        "declarations": [
            {
                "seq": entry.declared.seq,
                "action": entry.declared.action,
                "actor": entry.declared.actor,
                "verdict": entry.verdict.value,
                "why": entry.why,
                "replaced_by": entry.replaced_by,
                "changes": [
                    {
                        "recorded": change.recorded.model_dump(mode="json") if change.recorded else None,
                        "now": change.now.model_dump(mode="json") if change.now else None,
                    }
                    for change in entry.changes
                ],
            }
            for entry in plan.entries
        ],
        "state": [change.as_data() for change in plan.state_changes()],
        "dice_added": plan.dice_added,
    }


def print_comparison(comparison: Comparison, first: str, second: str) -> None:
    say(f"They have {comparison.common} events in common.", "bold")
    for name, events in ((first, comparison.only_first), (second, comparison.only_second)):
        if events:
            say(f"Only in {clean(name)}:", "bold")
            print_log(events)
    print_differences(comparison.state, first, second)


def print_audit(trail: Sequence[Audited]) -> None:
    if not trail:
        say("Nothing was ever corrected here.", "dim")
    for entry in trail:
        correction = entry.correction
        when = correction.recorded_at.strftime("%Y-%m-%d %H:%M")
        say(f"{correction.seq:>5}  {in_words(correction)}", "bold")
        say(f"       {when}, by {clean(correction.by)}", "dim")
        if entry.put_in_place:
            say(f"       put in place: {and_list([str(seq) for seq in entry.put_in_place])}", "dim")
        if entry.taken_back_by:
            say(f"       itself taken back at {entry.taken_back_by}", "dim")
        print_differences(entry.changes, "before", "after")
