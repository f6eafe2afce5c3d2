"""The state of a fight on the terminal: who, where, how; whose turn; what waits."""

from __future__ import annotations

from datetime import datetime
from shlex import quote
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.map import draw_map
from cli.render.roster import Roster
from cli.render.table import indented
from cli.render.text import console, say
from projections.battle import Battle
from projections.phrases import who
from projections.text import clean, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.engine.status import PriceData


def print_state(battle: Battle) -> None:
    opened, clock = battle.encounter, battle.clock
    _print_wrapped(f"{battle.name} — {opened.ruleset}, {when(battle)}", "bold")
    if battle.combatants:
        console().print(combatants_table(battle))
    for text in draw_map(battle):
        console().print(text)
    print_window(battle)
    for seq, question in battle.questions.items():
        effect = f"{question.effect} ({short(question.source)})"
        _print_wrapped(f"Event {seq} is waiting for a ruling: {effect}", "bold magenta")
        say(f"  combatlog rule {_shell(battle.name)} --answers {seq} --note RULING --reason WHY", "magenta")
    say(f"After event {battle.seq} · dice: {clean(opened.dice)}" + (" · closed" if clock.closed else ""), "dim")


def when(battle: Battle) -> str:
    clock = battle.clock
    if clock.closed:
        return f"over after round {clock.round}"
    if not clock.started:
        return "not started yet"
    return f"round {clock.round}" + (f", {_name(battle, clock.turn)}'s turn" if clock.turn else "")


def _name(battle: Battle, combatant: str) -> str:
    known = battle.combatants.get(combatant)
    return known.name if known is not None else who(combatant)


def _print_wrapped(text: str, style: str) -> None:
    console().print(indented(Text(clean(text), style), 0, console().width))


def combatants_table(battle: Battle, width: int | None = None) -> Roster:
    """Everybody in initiative order, for this width; by default as wide as there is room where it is shown."""
    return Roster(battle, width)


def print_window(battle: Battle) -> None:
    waiting = battle.window.waiting if battle.window else None
    if waiting is None or battle.window is None:
        return
    if battle.window.is_for_dice:
        _print_question(battle, waiting.reactor)
        return
    options = " | ".join([*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"])
    to = f" to {_name(battle, battle.window.subject)}" if battle.window.subject != waiting.reactor else ""
    _print_wrapped(f"{_name(battle, waiting.reactor)} may react{to}. Answer with:", "bold magenta")
    say(f"  combatlog react {_shell(battle.name)} {waiting.reactor} {options}", "magenta")
    for line in _costs(battle):
        _print_wrapped(f"  {line}", "dim")


def _costs(battle: Battle) -> Iterator[str]:
    """What each choice costs, and how long there is to choose."""
    from rules.engine.status import asked_data

    asked = asked_data(battle)
    if asked is None:
        return
    for choice in asked["choices"]:
        ways = [_way(price) for price in choice["prices"]]
        if any(price["costs"] for price in choice["prices"]):
            yield f"{choice['reaction'].rsplit(':', 1)[1]} costs {'; or '.join(ways)}"
    if asked["until"] is not None:
        yield f"The time to answer ends at {datetime.fromisoformat(asked['until']).astimezone():%H:%M:%S}."


def _way(price: PriceData) -> str:
    said = " ".join(f"-o {name}={value}" for name, value in price["options"].items())
    costs = ", ".join(cost["words"] for cost in price["costs"]) or "nothing"
    return f"{costs} with {said}" if said else costs


def _print_question(battle: Battle, party: str) -> None:
    _print_wrapped(f"The roll waits for a link of {_name(battle, party)}'s player, who gives it with:", "bold magenta")
    say(f"  combatlog dice link {_shell(battle.name)}", "magenta")


def _shell(name: str) -> str:
    """A name as it is typed in a shell."""
    return quote(clean(name))
