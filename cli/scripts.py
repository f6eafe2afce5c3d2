"""Commands that play scenario files, the demo among them."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import open_ledger
from cli.options import JsonOpt, PackOpt
from cli.render.text import console, print_json, say
from projections.text import clean

if TYPE_CHECKING:
    from combatlog import Ledger
    from rules.content.scenario import Played

app = typer.Typer()


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="Scenario file (YAML); docs/scenarios.md describes the format.")],
    name: Annotated[str | None, typer.Option("--as", help="Record it under this name.")] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Play in memory only; record nothing.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only whether everything came out as expected.")
    ] = False,
    pack: PackOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play a scenario file and check what it expects.

    Example: combatlog run ambush.yaml --as "Ambush, second try"
    """
    from rules.content.pack_checks import read_packs
    from rules.content.scenario import check_entrants, opening_of, play, play_in_memory, read_scenario
    from rules.engine import ruleset as rulesets

    scenario = read_scenario(file)
    packs = read_packs(pack or (), rulesets.find(scenario.ruleset))
    shown = _ignore if quiet or as_json else _show_step
    if dry:
        played = play_in_memory(scenario, shown, packs)[1]
    else:
        check_entrants(scenario, packs)
        with open_ledger() as ledger:
            played = play(scenario, ledger.begin(opening_of(scenario, name, packs)), shown, packs)
    if as_json:
        print_json([step.to_json() for step in played])
    _conclude(played, quiet=as_json)


def _ignore(played: Played) -> None:
    """Nothing is shown."""


def _show_step(played: Played) -> None:
    from cli.render.log import print_log

    if played.step.note:
        say(f"\n{clean(played.step.note)}", "italic green")
    print_log(played.events)
    if played.refusal and not played.differences:
        say(f"       refused, as expected: {clean(played.refusal.sentence)}", "yellow")


def _conclude(played: list[Played], *, quiet: bool) -> None:
    from projections.phrases import counted

    failed = played[-1] if played and played[-1].differences else None
    if failed is None:
        if not quiet:
            say(f"\n{counted(len(played), 'step')}, all as expected.", "bold green")
        return
    what = failed.step.do or f"react {failed.step.react}"
    console(stderr=True).print(f"Step {failed.number} ({clean(what)}) is not as expected:", style="bold red")
    for difference in failed.differences:
        console(stderr=True).print(f"  {clean(difference)}", style="red")
    raise typer.Exit(1)


@app.command()
def demo() -> None:
    """Play a short scripted fight, and say what to type next.

    Example: combatlog demo
    """
    from cli.render.state import print_state
    from ledger.labels import PRACTICE
    from rules.content.scenario import opening_of, play, read_scenario

    with as_file(files("cli") / "scenarios" / "demo.yaml") as path:
        scenario = read_scenario(path)
    with open_ledger() as ledger:
        name = _free_name(ledger, scenario.encounter)
        say("Two heroes hold a bridge against two goblins. The dice were rolled at a table.\n", "bold")
        fight = ledger.begin(opening_of(scenario, name).model_copy(update={"labels": (PRACTICE,)}))
        _conclude(play(scenario, fight, _show_step), quiet=True)
        say("\nThe state, folded from the events:\n", "italic green")
        print_state(fight.state())
    _what_next(name)


def _free_name(ledger: Ledger, name: str) -> str:
    number = 2
    wanted = name
    while ledger.has(wanted):
        wanted = f"{name} {number}"
        number += 1
    return wanted


def _what_next(name: str) -> None:
    say("\nIt is Rurik's turn, and everything is on record. Your move:\n", "bold")
    for command, why in (
        (f"combatlog actions '{name}' rurik", "what Rurik can do now, and why not the rest"),
        (f"combatlog do '{name}' rurik attack", "spend his action to attack"),
        (f"combatlog do '{name}' rurik strike --target snig --dice 14,5", "and strike, with the dice you rolled"),
        (f"combatlog log '{name}' --kind rolled", "every die, including those that did not count"),
        (f"combatlog status '{name}' --at 32", "the fight as it was after event 32"),
        (f"combatlog undo '{name}' --dry-run", "what taking back the last declaration would change"),
        (f"combatlog verify '{name}'", "resolve everything again and compare"),
    ):
        say(f"  {command}")
        say(f"      {why}", "dim")
