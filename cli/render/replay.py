"""A replay as plain lines: the log, with everybody's health where a turn ends."""

from __future__ import annotations

from cli.render.log import line
from cli.render.text import console, say
from projections.battle import Battle
from projections.replay import Replay
from projections.text import clean


def print_replay(replay: Replay, begin: int = 0) -> None:
    for place in range(begin, len(replay)):
        event = replay.frames[place]
        console().print(line(event, retracted=event.declaration in replay.retracted))
        if event.kind == "turn_ended":
            say(f"       {_health(replay.state(place))}", "dim")


def _health(battle: Battle) -> str:
    return " · ".join(
        f"{clean(combatant.name)} " + " ".join(f"{vital.current} {name}" for name, vital in combatant.pools().items())
        for combatant in battle.by_initiative(battle.present())
    )
