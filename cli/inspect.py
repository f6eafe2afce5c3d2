"""Commands that look at fights and change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_action
from cli.context import ActorArg, EncounterArg, JsonOpt, open_ledger, open_referee

app = typer.Typer()

AtOpt = Annotated[int | None, typer.Option("--at", min=1, help="The state after this event; default: now.")]


@app.command()
def status(encounter: EncounterArg, at: AtOpt = None, as_json: JsonOpt = False) -> None:
    """Show the state of a fight, now or after any event.

    Example: combatlog status "Bridge ambush" --at 40
    """
    from cli.render.state import print_state
    from cli.render.text import print_json
    from projections.reading import read_battle
    from projections.snapshot import describe

    with open_ledger() as ledger:
        battle = read_battle(ledger, encounter, at=at)
    if as_json:
        print_json(describe(battle))
    else:
        print_state(battle)


@app.command()
def log(
    encounter: EncounterArg,
    first: Annotated[int, typer.Option("--from", min=1, help="From this event on.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Up to this event.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only declarations of this combatant.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only events of this kind; several times if so.")] = None,
    as_json: JsonOpt = False,
) -> None:
    """Show what happened, event by event; retracted events are struck through.

    Example: combatlog log "Bridge ambush" --actor snig --kind rolled --kind attack_resolved
    """
    from cli.render.log import print_log
    from cli.render.text import print_json
    from projections.timeline import retracted, select

    with open_ledger() as ledger:
        events = ledger.find(encounter, upto=last).events
    chosen = select(events, first=first, actor=actor, kinds=kind or ())
    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in chosen])
    else:
        print_log(chosen, retracted(events))


@app.command("list")
def list_encounters(as_json: JsonOpt = False) -> None:
    """List the encounters in the ledger, oldest first."""
    from rich.table import Table

    from cli.render.text import console, print_json, say
    from projections.text import clean

    with open_ledger() as ledger:
        listed = ledger.list_encounters()
    if as_json:
        print_json([entry._asdict() for entry in listed])
        return
    if not listed:
        say("The ledger is empty. `combatlog demo` plays a short fight, `combatlog new NAME` opens one.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("name", "ruleset", "opened", "events", "id"):
        table.add_column(title, overflow="fold", no_wrap=title != "name")
    for entry in listed:
        when = entry.begun.strftime("%Y-%m-%d %H:%M")
        name = f"{clean(entry.name)} (fork)" if entry.parent else clean(entry.name)
        table.add_row(name, entry.ruleset, when, str(entry.events), str(entry.encounter))
    console().print(table)


@app.command()
def actions(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[
        str | None,
        typer.Argument(help="Show only this action, with its options.", autocompletion=complete_action),
    ] = None,
    options: Annotated[bool, typer.Option("--options", help="Show the options of each action.")] = False,
    as_json: JsonOpt = False,
) -> None:
    """Show what a combatant can do now, and why not the rest.

    Examples:
    combatlog actions "Bridge ambush" rurik
    combatlog actions "Bridge ambush" rurik --options
    combatlog actions "Bridge ambush" rurik strike
    """
    from cli.render.menu import menu_data, narrowed, print_menu
    from cli.render.reference import print_entries
    from cli.render.text import print_json
    from rules.content.action_reference import EntryKind, entries_called, reference
    from rules.engine.menu import menu_of

    with open_referee() as referee:
        fight = referee.fight(encounter)
        sections = menu_of(fight, actor)
    entries = [
        entry
        for entry in reference(fight.ruleset, fight.battle.combatants[actor])
        if entry.kind in (EntryKind.ACTION, EntryKind.REACTION)
    ]
    if action is not None:
        entries = entries_called(entries, action)
        sections = narrowed(sections, entries[0].name)
    takes = {entry.name: entry for entry in reversed(entries)} if options or action else None
    if as_json:
        print_json(menu_data(sections, takes))
    elif action is not None and not sections:
        print_entries(entries)
    else:
        print_menu(sections, takes)


@app.command()
def advise(encounter: EncounterArg, actor: ActorArg, as_json: JsonOpt = False) -> None:
    """Say which choice fits a combatant's situation, why, and what each would leave.

    Example: combatlog advise "Duel at dawn" mira
    """
    from cli.render.menu import print_advice
    from cli.render.text import print_json
    from rules.engine.menu import advice_for

    with open_referee() as referee:
        advice = advice_for(referee.fight(encounter), actor)
    if as_json:
        print_json([entry.model_dump() for entry in advice])
    else:
        print_advice(advice)


@app.command()
def economy(
    encounter: EncounterArg,
    actor: ActorArg,
    resource: Annotated[list[str] | None, typer.Option(help="Only this resource; several times if so.")] = None,
    as_json: JsonOpt = False,
) -> None:
    """Show the history of a combatant's resources: from, to, by which event, why.

    Example: combatlog economy "Bridge ambush" rurik --resource reaction
    """
    from cli.render.menu import print_economy
    from cli.render.text import print_json
    from rules.engine.menu import history_of

    with open_referee() as referee:
        changes = history_of(referee.fight(encounter), actor, resource or ())
    if as_json:
        print_json([change.model_dump(mode="json", exclude_none=True) for change in changes])
    else:
        print_economy(changes)


@app.command()
def explain(
    encounter: EncounterArg,
    seq: Annotated[int, typer.Argument(min=1, help="The event to explain.")],
    why_not: Annotated[
        str | None, typer.Option("--why-not", help="A reaction or modifier that did not come: what kept it out?")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Say why an event is what it is: who declared what, every modifier, every die, and what it changed.

    Examples:
    combatlog explain "Bridge ambush" 45
    combatlog explain "Bridge ambush" 45 --why-not protection
    """
    from cli.render import explanation as rendering
    from cli.render.text import print_json, say
    from projections.explanation import explain as explained
    from projections.text import clean
    from rules.engine.why_not import check_event
    from rules.engine.why_not import why_not as reasons

    with open_ledger() as ledger:
        events = ledger.find(encounter).events
    if why_not is not None:
        sentences = reasons(events, seq, why_not)
        if as_json:
            print_json(sentences)
        for sentence in [] if as_json else sentences:
            say(clean(sentence))
        return
    check_event(events, seq)
    explanation = explained(events, seq)
    if as_json:
        print_json(rendering.as_data(explanation))
    else:
        rendering.print_explanation(explanation)


@app.command()
def replay(
    encounter: EncounterArg,
    first: Annotated[int, typer.Option("--from", min=1, help="From this event on.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Up to this event.")] = None,
    number: Annotated[int | None, typer.Option("--round", min=1, help="Begin where this round does.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only declarations of this combatant.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only events of this kind; several times if so.")] = None,
    undone: Annotated[bool, typer.Option(help="Show what was taken back, struck through.")] = True,
    speed: Annotated[float | None, typer.Option(min=0.25, max=32, help="Play by itself, events a second.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, as when piped.")] = False,
) -> None:
    """Step through a fight: forwards, backwards, by declaration, turn or round; plain lines when piped.

    Examples:
    combatlog replay "Bridge ambush"
    combatlog replay "Bridge ambush" --round 2 --no-undone
    combatlog replay "Bridge ambush" --plain | less
    """
    import sys

    from projections.replay import Replay
    from rules.engine.why_not import check_frames

    with open_ledger() as ledger:
        events = ledger.find(encounter).events
    frames = Replay(events, first=first, last=last, actor=actor, kinds=kind or (), with_undone=undone)
    check_frames(len(frames))
    begin = frames.frame_of_round(number) if number is not None else 0
    if plain or not sys.stdout.isatty():
        from cli.render.replay import print_replay

        print_replay(frames, begin)
    else:
        from cli.render.screen import ReplayScreen

        ReplayScreen(frames, frame=begin, per_second=speed or 2.0, playing=speed is not None).run()
