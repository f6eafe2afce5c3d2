"""Commands that look at fights and change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import (
    complete_action,
    complete_encounter,
    complete_resource,
    complete_why_not,
)
from cli.context import open_fight, open_ledger
from cli.options import ActorArg, EncounterArg, JsonOpt, SeatOpt
from cli.render.text import present, print_json, say
from projections.text import clean

app = typer.Typer()

AtOpt = Annotated[int | None, typer.Option("--at", min=1, help="Show the state after this event; default: now.")]


@app.command()
def status(encounter: EncounterArg, at: AtOpt = None, seat: SeatOpt = "gm", as_json: JsonOpt = False) -> None:
    """Show the state of a fight, now or after any event.

    Examples:
    combatlog status "Bridge ambush" --at 40
    combatlog status "Bridge ambush" --as players
    """
    from cli.render.state import print_state
    from rules.engine.status import status_of

    with open_fight(encounter) as fight:
        battle = fight.seen_by(seat, at).battle
    present(as_json, lambda: status_of(battle), lambda: print_state(battle))


@app.command("list")
def list_encounters(
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many to show.")] = 50,
    after: Annotated[
        str | None,
        typer.Option("--after", help="Go on after this encounter, by name or id.", autocompletion=complete_encounter),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all of them.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Show archived ones as well.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Show ids however narrow the terminal is.")] = False,
    as_json: JsonOpt = False,
) -> None:
    """List the encounters in the ledger, newest first.

    Examples:
    combatlog list
    combatlog list --after "Bridge ambush" --limit 200
    """
    from cli.render.listing import print_page
    from projections.progress import with_progress

    with open_ledger() as ledger:
        page = ledger.list(None if everything else limit, after, archived=archived)
        progress = ledger.progress(page)
    if as_json:
        print_json(with_progress(page, progress).to_json())
    elif not page.total:
        say("The ledger is empty. `combatlog demo` plays a short fight; `combatlog new NAME` opens one.")
    else:
        print_page(page, progress, ids=ids)


@app.command()
def actions(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[
        str | None,
        typer.Argument(help="Show only this action, with its options.", autocompletion=complete_action),
    ] = None,
    options: Annotated[bool, typer.Option("--options", help="Show the options of each action.")] = False,
    seat: SeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Show what a combatant can do now, and why not the rest.

    Examples:
    combatlog actions "Bridge ambush" rurik
    combatlog actions "Bridge ambush" rurik --options
    combatlog actions "Bridge ambush" rurik strike
    """
    from cli.render.menu import narrowed, print_menu
    from cli.render.reference import print_entries
    from rules.content.action_reference import EntryKind, entries_called

    with open_fight(encounter) as fight:
        sections = fight.seen_by(seat).actions(actor)
        known = fight.seen_by(seat).reference(actor)
    entries = [entry for entry in known if entry.kind in (EntryKind.ACTION, EntryKind.REACTION)]
    if action is not None:
        entries = entries_called(entries, action)
        sections = narrowed(sections, entries[0].name)
    by_name = {entry.name: entry for entry in reversed(entries)}
    if as_json:
        print_json([section.to_json() for section in sections])
    elif action is not None and not sections:
        print_entries(entries)
    else:
        print_menu(sections, by_name, in_full=options or action is not None)


@app.command()
def advise(encounter: EncounterArg, actor: ActorArg, seat: SeatOpt = "gm", as_json: JsonOpt = False) -> None:
    """Recommend what a combatant should do now, and why.

    From the seat of a player, opponents are taken to be ordinary: the advice tells nothing about them.

    Examples:
    combatlog advise "Duel at dawn" mira
    combatlog advise "Bridge ambush" rurik --as rurik
    """
    from cli.render.menu import print_advice

    with open_fight(encounter) as fight:
        advice = fight.seen_by(seat).advise(actor)
    present(as_json, lambda: [entry.to_json() for entry in advice], lambda: print_advice(advice))


@app.command()
def economy(
    encounter: EncounterArg,
    actor: ActorArg,
    resource: Annotated[
        list[str] | None, typer.Option(help="Only this resource; repeatable.", autocompletion=complete_resource)
    ] = None,
    seat: SeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Show every change of a combatant's resources, and why.

    Example: combatlog economy "Bridge ambush" rurik --resource reaction
    """
    from cli.render.menu import print_economy

    with open_fight(encounter) as fight:
        changes = fight.seen_by(seat).economy(actor, resource or ())
    present(
        as_json,
        lambda: [change.to_json() for change in changes],
        lambda: print_economy(changes),
    )


@app.command()
def explain(
    encounter: EncounterArg,
    seq: Annotated[int, typer.Argument(min=1, help="Number of the event to explain.")],
    why_not: Annotated[
        str | None,
        typer.Option(
            "--why-not",
            help="Reaction or modifier that did not count: say what kept it out.",
            autocompletion=complete_why_not,
        ),
    ] = None,
    seat: SeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Explain an event, with every modifier and every die.

    Examples:
    combatlog explain "Bridge ambush" 45
    combatlog explain "Bridge ambush" 45 --why-not protection
    """
    from cli.render.explanation import print_explanation

    with open_fight(encounter) as fight:
        if why_not is not None:
            sentences = fight.seen_by(seat).why_not(seq, why_not)
            if as_json:
                print_json(sentences)
            for sentence in [] if as_json else sentences:
                say(clean(sentence))
            return
        explanation = fight.seen_by(seat).explain(seq)
    present(as_json, explanation.to_json, lambda: print_explanation(explanation))
