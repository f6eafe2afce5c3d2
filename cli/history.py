"""Commands that tell what happened in a fight: all at once, or step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor, complete_kind
from cli.context import EncounterArg, JsonOpt, as_combatant, open_fight

app = typer.Typer()


@app.command()
def log(
    encounter: EncounterArg,
    first: Annotated[int, typer.Option("--from", min=1, help="First event to show.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Last event to show.")] = None,
    latest: Annotated[int | None, typer.Option("--last", min=1, help="Only so many events, the latest.")] = None,
    actor: Annotated[
        str | None,
        typer.Option(help="Only what this combatant declared.", autocompletion=complete_actor, callback=as_combatant),
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind; repeatable.", autocompletion=complete_kind)
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Show what happened, event by event.

    What was taken back is struck through.

    Example: combatlog log "Bridge ambush" --last 20

    Example: combatlog log "Bridge ambush" --actor snig --kind rolled --kind attack_resolved
    """
    from cli.render.log import print_log
    from cli.render.text import print_json
    from projections.timeline import retracted, select

    with open_fight(encounter) as fight:
        # Whether the latest events stand is decided by events after them, so no others need to be read.
        is_narrowed = last is not None or actor is not None or kind
        events = fight.history(last) if latest is None or is_narrowed else fight.latest(latest)
    chosen = select(events, first=first, actor=actor, kinds=kind or ())[-(latest or 0) :]
    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in chosen])
    else:
        print_log(chosen, retracted(events))


@app.command()
def replay(
    encounter: EncounterArg,
    first: Annotated[int, typer.Option("--from", min=1, help="First event to show.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Last event to show.")] = None,
    number: Annotated[int | None, typer.Option("--round", min=1, help="Start at this round.")] = None,
    actor: Annotated[
        str | None,
        typer.Option(help="Only what this combatant declared.", autocompletion=complete_actor, callback=as_combatant),
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind; repeatable.", autocompletion=complete_kind)
    ] = None,
    undone: Annotated[bool, typer.Option(help="Show what was taken back, struck through, or leave it out.")] = True,
    speed: Annotated[
        float | None, typer.Option(min=0.25, max=32, help="Play on its own, at this many events per second.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print plain lines, as when piped.")] = False,
) -> None:
    """Step through a fight, forwards and backwards.

    Keys step by event, declaration, turn or round. Piped, it prints plain lines.

    Examples:
    combatlog replay "Bridge ambush"
    combatlog replay "Bridge ambush" --round 2 --no-undone
    combatlog replay "Bridge ambush" --plain | less
    """
    import sys

    from projections.replay import Replay
    from rules.engine.why_not import check_frames

    with open_fight(encounter) as fight:
        events = fight.history()
    frames = Replay(events, first=first, last=last, actor=actor, kinds=kind or (), with_undone=undone)
    check_frames(len(frames))
    begin = frames.frame_of_round(number) if number is not None else 0
    if plain or not sys.stdout.isatty():
        from cli.render.replay import print_replay

        print_replay(frames, begin)
    else:
        from cli.render.screen import ReplayScreen

        ReplayScreen(frames, frame=begin, per_second=speed or 2.0, playing=speed is not None).run()
