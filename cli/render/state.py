"""The state of a fight on the terminal: who, where, how; whose turn; what waits."""

from __future__ import annotations

from shlex import quote

from rich.console import Group

from cli.render.map import draw_map
from cli.render.roster import roster
from cli.render.text import console, say
from projections.battle import Battle
from projections.phrases import who, whose
from projections.text import clean, short


def print_state(battle: Battle) -> None:
    opened, clock = battle.encounter, battle.clock
    say(f"{clean(battle.name)} — {opened.ruleset}, {_when(battle)}", "bold")
    if battle.combatants:
        console().print(combatants_table(battle))
    for text in draw_map(battle):
        console().print(text)
    print_window(battle)
    for seq, question in battle.questions.items():
        effect = f"{clean(question.effect)} ({short(question.source)})"
        say(f"Event {seq} is waiting for a ruling: {effect}", "bold magenta")
        say(f"  combatlog rule {_shell(battle.name)} --answers {seq} --note RULING --reason WHY", "magenta")
    say(f"After event {battle.seq} · dice: {clean(opened.dice)}" + (" · closed" if clock.closed else ""), "dim")


def _when(battle: Battle) -> str:
    clock = battle.clock
    if clock.closed:
        return f"over after round {clock.round}"
    if not clock.started:
        return "not started yet"
    return f"round {clock.round}" + (f", {whose(clock.turn)} turn" if clock.turn else "")


def combatants_table(battle: Battle, width: int | None = None) -> Group:
    """Everybody in initiative order, for a screen of this width; by default the terminal's."""
    return roster(battle, width or console().width)


def print_window(battle: Battle) -> None:
    waiting = battle.window.waiting if battle.window else None
    if waiting is None or battle.window is None:
        return
    options = " | ".join([*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"])
    to = f" to {who(battle.window.subject)}" if battle.window.subject != waiting.reactor else ""
    say(f"{who(waiting.reactor)} may react{to}. Answer with:", "bold magenta")
    say(f"  combatlog react {_shell(battle.name)} {waiting.reactor} {options}", "magenta")


def _shell(name: str) -> str:
    """A name as it is typed in a shell."""
    return quote(clean(name))
