"""Print the state of a fight. It shows all combatants in a table, the current turn, and the open reaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from shlex import quote

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from cli.render.terminal import console, say
from cli.render.text_map import draw_map
from cli.render.text_tables import indented
from combatlog.rules.engine.naming import full_name
from combatlog.rules.engine.status import PriceData, asked_data
from combatlog.rules.engine.summary import CombatantSummary, summaries
from projections.battle.clock_and_map import Clock
from projections.battle.combatant import Combatant, Condition, Vital
from projections.battle.fold import Battle
from projections.story.phrases import name_of, place, until_in_words, who
from projections.story.text import clean, short
from projections.views.redacted_events import ApparentHealth
from projections.views.state import CombatantOutline


def print_state(battle: Battle) -> None:
    opened, clock = battle.encounter, battle.clock
    _print_wrapped(f"{battle.name} — {opened.ruleset}, {when(battle)}", "bold")
    if battle.combatants:
        console().print(Roster(battle))
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


def print_window(battle: Battle) -> None:
    waiting = battle.window.waiting if battle.window else None
    if waiting is None or battle.window is None:
        return
    if battle.window.is_for_dice:
        whose = f"{_name(battle, waiting.reactor)}'s"
        _print_wrapped(f"The roll waits for a link of {whose} player, who gives it with:", "bold magenta")
        say(f"  combatlog dice link {_shell(battle.name)}", "magenta")
        return
    options = " | ".join([*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"])
    to = f" to {_name(battle, battle.window.subject)}" if battle.window.subject != waiting.reactor else ""
    _print_wrapped(f"{_name(battle, waiting.reactor)} may react{to}. Answer with:", "bold magenta")
    say(f"  combatlog react {_shell(battle.name)} {waiting.reactor} {options}", "magenta")
    for line in _costs(battle):
        _print_wrapped(f"  {line}", "dim")


def _costs(battle: Battle) -> Iterator[str]:
    """What each choice costs, and how long there is to choose."""
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


def _shell(name: str) -> str:
    """A name as it is typed in a shell."""
    return quote(clean(name))


_GAP = 2
_INDENT = 4
_MARK = 2
_SHORTEST_NAME = 16
_SHORTEST_LEFT = len("reaction used")
_WHO, _HEALTH, _LEFT, _SIDE, _PLACE = "who", "health", "left", "side", "place"
_CONDITIONS, _RESOURCES = "conditions", "also has"
_BELOW = (_LEFT, _CONDITIONS, _RESOURCES)
"""Columns that move to a line below if there is no room."""

Widths = dict[str, int]
"""The columns, by title."""


@dataclass(frozen=True, slots=True)
class _Row:
    mark: str
    cells: dict[str, Text]
    """By the title of their column."""
    notes: Text


@dataclass(frozen=True, slots=True)
class Roster:
    """The combatants in initiative order; those who have fallen or left are only named."""

    battle: Battle
    width: int | None = None
    """By default, as wide as there is room."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        battle, width = self.battle, self.width or options.max_width
        seen = summaries(battle)
        everybody = battle.by_initiative(battle.combatants.values())
        here = [combatant for combatant in everybody if combatant.present]
        yield from _table(battle, [one for one in here if not seen[one.id].fallen], seen, width)
        yield from _named_only("Fallen", [one for one in here if seen[one.id].fallen], width)
        yield from _named_only("Left the fight", [one for one in everybody if not one.present], width)


def _named_only(title: str, combatants: Sequence[Combatant], width: int) -> list[RenderableType]:
    names = ", ".join(clean(full_name(combatant)) for combatant in combatants)
    return [indented(Text(f"{title}: {names}", "dim"), 0, width)] if combatants else []


def _table(
    battle: Battle, shown: Sequence[Combatant], seen: dict[str, CombatantSummary], width: int
) -> Iterator[RenderableType]:
    if not shown:
        return
    health = common_pool(shown)
    for bar in (BAR, 0):  # if the columns that are always shown are too wide, the bars are dropped
        rows = [_row(battle, one, seen[one.id], vitals(one, bar, with_unit=health is None)) for one in shown]
        widths = _always_shown(rows, shown, seen, width)
        if _total(widths) <= width:
            break
    widths |= _as_far_as_there_is_room(rows, widths, width - _total(widths))
    titles = {title: Text(title, "dim") for title in widths} | {_HEALTH: Text(name_of(health or _HEALTH), "dim")}
    yield _line(" ", titles, widths)
    for row in rows:
        yield _line(row.mark, {title: _fitting(row, title, widths) for title in widths}, widths)
        if below := _below(row, widths):
            yield indented(Text("; ").join(below), _INDENT, width)


def _always_shown(
    rows: Sequence[_Row], shown: Sequence[Combatant], seen: dict[str, CombatantSummary], width: int
) -> Widths:
    """Name, health and figures; and sides, if there is no map with a legend of them."""
    figures = dict.fromkeys(title for one in shown for title in seen[one.id].figures)
    sides = () if any(one.position for one in shown) else (_SIDE,)
    widths = {title: _natural(rows, title) for title in (_WHO, _HEALTH, *figures, *sides)}
    return widths | {_WHO: min(widths[_WHO], max(_SHORTEST_NAME, width // 3))}


def _as_far_as_there_is_room(rows: Sequence[_Row], known: Widths, room: int) -> Widths:
    widths: Widths = {}
    for title in (_LEFT, _SIDE, _PLACE, _CONDITIONS, _RESOURCES):
        if title in known or not any(row.cells[title] for row in rows):
            continue
        natural = _natural(rows, title)
        wanted = min(natural, max(_SHORTEST_LEFT, room - _GAP)) if title == _LEFT else natural
        if wanted + _GAP <= room:
            widths[title] = wanted
            room -= wanted + _GAP
    return widths


def _natural(rows: Sequence[_Row], title: str) -> int:
    return max(len(title), *(row.cells.get(title, Text()).cell_len for row in rows))


def _total(widths: Widths) -> int:
    return _MARK + sum(widths.values()) + _GAP * (len(widths) - 1)


# Rows


def _row(battle: Battle, combatant: Combatant, glance: CombatantSummary, health: Text) -> _Row:
    cells = {
        _WHO: Text(clean(full_name(combatant)), "bold"),
        _HEALTH: health,
        **{title: Text(clean(value)) for title, value in glance.figures.items()},
        _LEFT: _listed(glance.left),
        _SIDE: Text(clean(combatant.side)),
        _PLACE: Text(place(combatant.position) if combatant.position else ""),
        _CONDITIONS: _listed((_condition(held, battle.clock) for held in combatant.conditions.values()), "yellow"),
        _RESOURCES: _listed(glance.resources, "dim"),
    }
    mark = "▶" if battle.clock.turn == combatant.id else " "
    return _Row(mark, cells, _listed([*extra_vitals(combatant), *glance.notes], "bold"))


def _condition(condition: Condition, clock: Clock) -> str:
    level = f" {condition.level}" if condition.level is not None else ""
    until = clock.dated(condition.until) if condition.until is not None else None
    return f"{name_of(condition.name)}{level}{until_in_words(until)}"


def _listed(parts: Iterable[str], style: str = "") -> Text:
    return Text(", ".join(map(clean, parts)), style)


def _fitting(row: _Row, title: str, widths: Widths) -> Text:
    """The cell, unless it is too wide for its column and goes below."""
    cell = row.cells.get(title, Text())
    return cell if title not in _BELOW or cell.cell_len <= widths[title] else Text()


def _below(row: _Row, widths: Widths) -> list[Text]:
    without_room = [title for title in _BELOW if row.cells[title].cell_len > widths.get(title, 0)]
    texts = [Text("left: ") + row.cells[title] if title == _LEFT else row.cells[title] for title in without_room]
    return [text for text in (row.notes, *texts) if text]


def _line(mark: str, cells: dict[str, Text], widths: Widths) -> Table:
    """Each cell has a column before it, for the mark and for the gaps; a long name is wrapped below itself."""
    table = Table.grid()
    row = []
    for before, (title, width) in zip((_MARK, *[_GAP] * len(widths)), widths.items(), strict=False):
        table.add_column(width=before)
        table.add_column(width=width, overflow="fold")
        row += [Text(mark if title == _WHO else "", "bold"), cells[title]]
    table.add_row(*row)
    return table


BAR = 6
"""How wide a bar is."""


def common_pool(combatants: Sequence[Combatant]) -> str | None:
    """The pool that titles the health column, if it is the only one with a maximum that any combatant has."""
    if any(isinstance(combatant, CombatantOutline) for combatant in combatants):
        return None
    names = {name for combatant in combatants for name in _bounded(combatant)}
    return names.pop() if len(names) == 1 else None


def vitals(combatant: Combatant, bar: int, *, with_unit: bool) -> Text:
    if isinstance(combatant, CombatantOutline):
        return Text(combatant.health.value, _LOOKS[combatant.health]) if combatant.health is not None else Text()
    pools = _bounded(combatant).items()
    return Text(" ").join(_vital(vital, name_of(name) if with_unit else "", bar) for name, vital in pools)


_LOOKS = {
    ApparentHealth.UNHURT: "green",
    ApparentHealth.HURT: "green",
    ApparentHealth.BLOODIED: "yellow",
    ApparentHealth.NEARLY_DOWN: "red",
    ApparentHealth.DOWN: "dim",
}


def extra_vitals(combatant: Combatant) -> list[str]:
    """Pools without a maximum that are not empty, such as temporary hit points."""
    return [f"{vital.current} {name_of(name)}" for name, vital in combatant.pools().items() if not vital.maximum]


def _bounded(combatant: Combatant) -> dict[str, Vital]:
    return {name: vital for name, vital in combatant.vitals.items() if vital.maximum}


def _vital(vital: Vital, unit: str, bar: int) -> Text:
    maximum = vital.maximum or 0
    numbers = Text(f"{vital.current}/{maximum} {unit}".rstrip())
    return Text(" ").join((_bar(vital.current, maximum, bar), numbers)) if bar else numbers


def _bar(current: int, maximum: int, width: int) -> Text:
    full = round(width * min(1.0, current / maximum))
    full = max(full, 1) if current > 0 else 0
    colour = "green" if 2 * full > width else "yellow" if full > 1 else "red"
    return Text("█" * full, style=colour).append("░" * (width - full), style="dim")
