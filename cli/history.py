"""Commands that tell what happened in a fight: all at once, step by step or live; and why."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING

import typer

from cli.context import open_fight
from cli.options import DECLARED_BY, ENCOUNTER, FIRST, JSON, LAST, REPLICA, SEAT, argument, flag, option, options
from cli.render.fight_log import (
    event_text,
    note_taken_back,
    print_entry,
    print_events_of,
    print_explanation,
    print_log,
    print_moved,
    print_story,
    print_story_of,
)
from cli.render.terminal import console, present, print_json, say
from projections.battle.timeline import logged, successor, taken_back
from projections.review.explanation import check_event, no_event
from projections.review.replay import Selection
from projections.story.names import CombatantNames
from projections.story.telling import tell
from projections.story.text import clean

if TYPE_CHECKING:
    from combatlog.follow import Watching
    from combatlog.view import View
    from ledger.events import Event


def log(
    encounter: str = ENCOUNTER,
    seq: int | None = argument("Show every event of the declaration that this event belongs to.", None, min=1),
    first: int = FIRST,
    last: int | None = LAST,
    latest: int | None = option("Show only this many of the latest lines, or events.", "--last", min=1),
    actor: str | None = DECLARED_BY,
    kind: list[str] | None = options("Only events of this kind, as with --all; repeatable.", complete="event_kinds"),
    everything: bool = flag("Show every event, not one line per declaration.", "--all"),
    standing: bool = flag("Only what counts after corrections, in the order of the fight."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Events that a correction took back are marked with its number. In JSON, which has every event, that is the field
    taken_back_by; events that stand do not have it.

    Examples:
    combatlog log "Bridge ambush"
    combatlog log "Bridge ambush" 34
    combatlog log "Bridge ambush" --all --last 20
    combatlog log "Bridge ambush" --as players
    combatlog log "Bridge ambush" --actor snig --kind rolled --kind attack_resolved
    """
    wanted = Selection(first, last, actor, kind or (), latest, standing)
    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        if not view.sees_all:
            _show_seen(view, wanted, seq, in_full=everything or bool(kind), as_json=as_json)
            return
        introduced = fight.backend.introductions()
        cast = CombatantNames.of(introduced)
        wanted.check(cast, introduced[-1].seq)
        if seq is not None:
            _show_declaration(fight.history(), seq, cast, as_json=as_json)
        elif everything or kind or as_json:
            events = fight.backend.latest(latest) if latest and wanted.is_a_tail else fight.history()
            _show_events(events, wanted, cast, as_json=as_json)
        else:
            events = view.latest_declarations(latest) if latest and wanted.is_a_tail else fight.history()
            _show_story(events, wanted, cast)


def _show_seen(seen: View, wanted: Selection, seq: int | None, *, in_full: bool, as_json: bool) -> None:
    """Show the log from a seat that does not see everything. An event that it does not see does not exist for it."""
    events, cast = seen.seen, seen.cast
    if seq is not None:
        declaration = next((event.declaration for event in events if event.seq == seq), None)
        events = [event for event in events if event.declaration == declaration]
        if not events:
            raise no_event(seq, seen.seen[-1].seq)
    else:
        wanted.check(cast, events[-1].seq)
    if in_full or as_json or seq is not None:
        _show_events(events, wanted, cast, as_json=as_json)
    else:
        _show_story(events, wanted, cast)


def _show_events(events: Sequence[Event], wanted: Selection, cast: CombatantNames, *, as_json: bool) -> None:
    chosen = wanted.events(events)
    present(as_json, lambda: logged(chosen, taken_back(events)), lambda: print_log(chosen, taken_back(events), cast))
    _say_if_empty(chosen)


def _show_story(events: Sequence[Event], wanted: Selection, cast: CombatantNames) -> None:
    chosen = wanted.declarations(events)
    print_story(tell(events, chosen, cast), taken_back(events))
    _say_if_empty(chosen)


def _show_declaration(events: Sequence[Event], seq: int, cast: CombatantNames, *, as_json: bool) -> None:
    check_event(events, seq)
    gone = taken_back(events)
    group = [event for event in events if event.declaration == events[seq - 1].declaration]
    if as_json:
        print_json(logged(group, gone))
        return
    print_log(group, gone, cast)
    if group[0].seq in gone:
        print_moved(seq, successor(events, gone, seq))


def _say_if_empty(chosen: Sequence[object]) -> None:
    if not chosen:
        console(stderr=True).print("Nothing in this fight matches.", style="dim")


def replay(
    encounter: str = ENCOUNTER,
    first: int = FIRST,
    last: int | None = LAST,
    number: int | None = option("Start at this round.", "--round", min=1),
    actor: str | None = DECLARED_BY,
    kind: list[str] | None = options("Only events of this kind; repeatable.", complete="event_kinds"),
    undone: bool = option("Show what was taken back, marked; or omit it.", "--undone/--no-undone", default=True),
    everything: bool = flag("Print every event, not one line per declaration; with --plain.", "--all"),
    speed: float | None = option("Play on its own, at this many events per second.", min=0.25, max=32),
    plain: bool = flag("Print plain lines, as when piped."),
    seat: str = SEAT,
    replica: str | None = REPLICA,
) -> None:
    """Keys step by event, declaration, turn or round; others search, explain and fork. ? lists them. In a pipe, it
    prints plain lines.

    Examples:
    combatlog replay "Bridge ambush"
    combatlog replay "Bridge ambush" --round 2 --no-undone
    combatlog replay "Bridge ambush" --plain | less
    combatlog replay "Bridge ambush" --as players
    """
    from combatlog.rules.engine.menu import check_frames

    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        frames, sees_all = view.replay(first, last, actor=actor, kinds=kind or (), undone=undone), view.sees_all
    check_frames(len(frames))
    begin = frames.frame_of_round(number) if number is not None else 0
    if plain or not sys.stdout.isatty():
        (print_events_of if everything or kind else print_story_of)(frames, begin)
    else:
        from cli.render.full_screens import ReplayScreen

        fork = partial(_fork, encounter) if sees_all else None
        screen = ReplayScreen(frames, frame=begin, per_second=speed or 2.0, playing=speed is not None, fork=fork)
        screen.run()


def _fork(encounter: str, name: str, at: int) -> str:
    """Make a fork from the replay screen, and say what to do with it."""
    with open_fight(encounter) as fight:
        fight.fork(name, at)
        note = note_taken_back(fight.history(), at)
    said = f"{name} goes on after event {at}. See it with: combatlog status {quote(name)}"
    return f"{said}\n{note}" if note else said


def watch(
    encounter: str = ENCOUNTER,
    seat: str = SEAT,
    plain: bool = flag("Print plain lines as they come, as when piped."),
    first: int | None = option("With --plain, begin with this event; default: only what is new.", "--from", min=1),
    replica: str | None = REPLICA,
) -> None:
    """Shows initiative, health, conditions, the map and the latest lines of the story. With --as players, it shows only
    what players may see. If the connection to the database is lost, it reconnects. q or ^C quits.

    Examples:
    combatlog watch "Bridge ambush" --as players
    combatlog watch "Bridge ambush" --as spectator --plain --from 1 | tee bridge.txt
    """
    with open_fight(encounter) as fight:
        watching = fight.seen_by(seat).watch()
        if plain or not sys.stdout.isatty():
            known = 0 if first is not None else fight.backend.latest(1)[0].seq
            _print_lines(watching, known, first or 1)
        else:
            from cli.render.full_screens import WatchScreen

            WatchScreen(watching, watching.onlooker.seat.words).run()


def _print_lines(watching: Watching, known: int, first: int) -> None:
    """Print events recorded after `known`, beginning with the event that the seat knows by the number `first`."""
    onlooker = watching.onlooker
    try:
        for event in watching.events():
            seen = onlooker.see(event) if event is not None else None
            if event is None:
                problem = watching.problem
                typer.echo(f"{problem} Trying again ..." if problem else "Connected again.", err=True)
            elif seen is not None and event.seq > known and seen.seq >= first:
                print_entry(seen.seq, event_text(seen, cast=onlooker.cast))
    except KeyboardInterrupt:
        return
    finally:
        watching.stop()


def explain(
    encounter: str = ENCOUNTER,
    seq: int = argument("Number of the event to explain.", min=1),
    why_not: str | None = option("Reaction or modifier that did not apply: say why."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog explain "Bridge ambush" 45
    combatlog explain "Bridge ambush" 45 --why-not protection
    """
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
