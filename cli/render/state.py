"""The state of a fight on the terminal: who, where, how; whose turn; what waits."""

from __future__ import annotations

from shlex import quote

from rich.table import Table
from rich.text import Text

from cli.render.map import draw_map
from cli.render.text import console, say
from projections.battle import Battle
from projections.combatant import Combatant, Vital
from projections.economy import Resource
from projections.phrases import place, until_in_words, who, whose
from projections.text import clean, short

_BAR = 6


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


def combatants_table(battle: Battle, width: int | None = None) -> Table:
    """One row each, in initiative order; columns that nobody needs are left out."""
    shown = battle.by_initiative(battle.combatants.values())
    columns: dict[str, list[Text | str]] = {
        "": ["▶" if battle.clock.turn == combatant.id else " " for combatant in shown],
        "who": [_name(combatant) for combatant in shown],
        "side": [clean(combatant.side) for combatant in shown],
        "place": [place(combatant.position) if combatant.position else "" for combatant in shown],
        "health": [_vitals(combatant) for combatant in shown],
        "left": [_economy(combatant) for combatant in shown],
        "conditions": [_conditions(combatant) for combatant in shown],
        "may also": [_grants(combatant) for combatant in shown],
    }
    needed = {title: cells for title, cells in columns.items() if any(str(cell) for cell in cells)}
    table = Table(box=None, pad_edge=False, header_style="dim", width=width)
    for title in needed:
        table.add_column(title, no_wrap=title in ("", "who", "place", "health"))
    for row in zip(*needed.values(), strict=True):
        table.add_row(*row)
    return table


def _conditions(combatant: Combatant) -> str:
    return ", ".join(
        condition.name.replace("_", " ")
        + (f" {condition.level}" if condition.level is not None else "")
        + until_in_words(condition.until)
        for condition in combatant.conditions.values()
    )


def _economy(combatant: Combatant) -> str:
    """What is left, spent or locked. What a combatant has none of otherwise is not worth a word."""
    worth = [(name, pool) for name, pool in combatant.economy.items() if pool.current or pool.spent or pool.locked]
    return ", ".join(_resource(name, pool) for name, pool in worth)


def _name(combatant: Combatant) -> Text:
    style = "bold" if combatant.present else "dim strike"
    text = Text(clean(combatant.name), style=style)
    if combatant.name.lower() != combatant.id:
        text.append(f" ({combatant.id})", style="dim")
    return text


def _vitals(combatant: Combatant) -> Text:
    return Text("  ").join(_vital(name, vital) for name, vital in combatant.pools().items())


def _vital(name: str, vital: Vital) -> Text:
    if not vital.maximum:
        return Text(f"+{vital.current} {name.replace('_', ' ')}")
    full = round(_BAR * min(1.0, vital.current / vital.maximum))
    full = max(full, 1) if vital.current > 0 else 0
    colour = "green" if full > 3 else "yellow" if full > 1 else "red"
    text = Text("█" * full, style=colour)
    text.append("░" * (_BAR - full), style="dim")
    return text.append(f" {vital.current}/{vital.maximum} {name}", style="default")


def _resource(name: str, pool: Resource) -> str:
    of = f" of {pool.maximum}" if pool.maximum is not None and pool.current != pool.maximum else ""
    locked = f" ({pool.locked} locked)" if pool.locked else ""
    times = "×" if name[-1:].isdigit() else ""  # four slots of level 1 are `slot 1 ×4`
    return f"{name.replace('_', ' ')} {times}{pool.current}{of}{locked}"


def _grants(combatant: Combatant) -> str:
    names = [short(grant.action) for grant in combatant.granted.values()]
    return ", ".join(f"{name} ×{names.count(name)}" if names.count(name) > 1 else name for name in dict.fromkeys(names))


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
