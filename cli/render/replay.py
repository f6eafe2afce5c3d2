"""A replay as plain lines: the story or every event, with everybody's health where a turn begins."""

from __future__ import annotations

from rich.text import Text

from cli.render.log import event_text, print_entry, story_text
from projections.battle import Battle
from projections.combatant import Combatant
from projections.replay import Replay
from projections.text import clean
from projections.views.state import Outline


def print_story_of(replay: Replay, begin: int = 0) -> None:
    for line in replay.story[replay.line_of(begin) :]:
        print_entry(line.seq, story_text(line, replay.taken_back))
        if line.turn and line.seq is not None:
            _print_health(replay.state_after(line.seq))


def print_events_of(replay: Replay, begin: int = 0) -> None:
    for event in replay.frames[begin:]:
        print_entry(event.seq, event_text(event, replay.taken_back, replay.cast))
        if event.kind == "turn_started":
            _print_health(replay.state_after(event.seq))


def _print_health(battle: Battle) -> None:
    """Everybody's, side by side, as a turn begins."""
    everybody = battle.by_initiative(battle.present())
    entries = [f"{clean(combatant.name)} {health}" for combatant in everybody if (health := _health(combatant))]
    print_entry(None, Text(f"    {' · '.join(entries)}", style="dim"))


def _health(combatant: Combatant) -> str:
    """In numbers, or how it looks if that is all that is seen."""
    if isinstance(combatant, Outline) and combatant.health is not None and not combatant.vitals:
        return combatant.health.value
    return " ".join(f"{vital.current} {name}" for name, vital in combatant.pools().items())
