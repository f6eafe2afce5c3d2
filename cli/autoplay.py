"""Commands that play automatically: a side of a fight, many simulated fights, or a scenario."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import NoReturn

import typer

from cli.context import open_fight, open_ledger
from cli.options import ENCOUNTER, JSON, PACK, argument, flag, option, options
from cli.render.fight_log import print_log
from cli.render.fight_state import print_state, print_window
from cli.render.report import fighting_bar, print_played, print_summary
from cli.render.terminal import console, present, print_json, say
from combatlog import Ledger
from combatlog.rules.autoplay.player import AutoPlayed
from combatlog.rules.autoplay.simulate import Record, SimulationPlan, SimulationResult, run_all, summarize
from combatlog.rules.content.pack_files import read_packs
from combatlog.rules.content.scenario import PlayedStep as Step
from combatlog.rules.content.scenario import check_entrants, opening_of, play, play_in_memory, read_scenario
from combatlog.rules.engine import ruleset as rulesets
from ledger.store.encounters import PRACTICE
from projections.battle.fold import Battle
from projections.story.phrases import whose
from projections.story.text import clean, counted


def auto(
    encounter: str = ENCOUNTER,
    turns: int | None = option("Play this many turns; default: 1.", min=1),
    rounds: int | None = option("Play this many rounds.", min=1),
    to_end: bool = flag("Play until one side has won, then conclude the fight."),
    side: list[str] | None = options("Play only this side; repeatable."),
    quiet: bool = flag("Print only each choice, and why.", "--quiet", "-q"),
    as_json: bool = JSON,
) -> None:
    """Each step is recorded as it is played. The side must not roll at the table: open the encounter with --dice
    random, committed or seed:N, or with table dice for the other side only, as in --dice heroes=table,foes=random.

    Examples:
    combatlog auto "Bridge ambush" --side foes
    combatlog auto "Bridge ambush" --to-end --quiet
    """
    if sum((turns is not None, rounds is not None, to_end)) > 1:
        raise typer.BadParameter("give only one of --turns, --rounds and --to-end.")
    steps: list[AutoPlayed] = []
    with open_fight(encounter) as fight:
        for step in fight.auto(side or (), turns=turns, rounds=rounds, to_end=to_end):
            steps.append(step)
            if not as_json:
                print_played(step, quiet=quiet)
        present(as_json, lambda: [step.to_json() for step in steps], lambda: _say_who_is_next(fight.battle))


def _say_who_is_next(battle: Battle) -> None:
    if battle.clock.closed:
        return
    print_window(battle)
    if battle.window is None and battle.clock.turn is not None:
        say(f"It is {whose(battle.clock.turn)} turn.", "dim")


def simulate(
    scenario: Path = argument("Scenario file; its combatants fight, its script is ignored."),
    runs: int = option("Number of fights.", default=1000, min=1, max=1_000_000),
    seed: int = option("Seed; the same seed gives the same fights.", default=7),
    jobs: int | None = option("Number of processes; default: one per core.", min=1, max=256),
    record: bool = flag("Record the fights in the ledger."),
    pack: list[Path] | None = PACK,
    as_json: bool = JSON,
) -> None:
    """If it is interrupted (^C or SIGTERM), it sums up the finished fights.

    Example: combatlog simulate ambush.yaml --runs 1000 --seed 7
    """
    read = read_scenario(scenario)
    packs = read_packs(pack or (), rulesets.find(read.ruleset))
    plan = SimulationPlan(read, runs, seed, packs=packs, record=_record() if record else None)
    results: list[SimulationResult] = []
    stopped = 0
    try:
        with interrupted_by_sigterm():
            for result in fighting_bar(run_all(plan, jobs), runs, quiet=as_json):
                results.append(result)
    except KeyboardInterrupt as interrupt:
        stopped = TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
        kept = " Fights that were finished are recorded; another --seed records others." if record else ""
        typer.echo(f"Interrupted after {len(results)} of {runs} fights.{kept}", err=True)
    if results:
        summary = summarize(results)
        present(as_json, lambda: summary.model_dump(mode="json"), lambda: print_summary(summary))
    raise typer.Exit(stopped)


def _record() -> Record:
    """Where the processes record. It starts the database, so that they find it running."""
    with open_ledger() as ledger:
        return ledger.whole_fights()


INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""Exit statuses, as shells define them."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, treated like ^C."""


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def run(
    file: Path = argument("Scenario file (YAML); docs/scenarios.md describes the format."),
    name: str | None = option("Record it under this name.", "--as"),
    dry: bool = flag("Play in memory only; record nothing."),
    quiet: bool = flag("Print only whether everything was as expected.", "--quiet", "-q"),
    pack: list[Path] | None = PACK,
    as_json: bool = JSON,
) -> None:
    """Example: combatlog run ambush.yaml --as "Ambush, second try" """
    scenario = read_scenario(file)
    packs = read_packs(pack or (), rulesets.find(scenario.ruleset))
    shown = (lambda step: None) if quiet or as_json else _show_step
    if dry:
        played = play_in_memory(scenario, shown, packs)[1]
    else:
        check_entrants(scenario, packs)
        with open_ledger() as ledger:
            played = play(scenario, ledger.begin(opening_of(scenario, name, packs)), shown, packs)
    if as_json:
        print_json([step.to_json() for step in played])
    _conclude(played, quiet=as_json)


def _show_step(played: Step) -> None:
    if played.step.note:
        say(f"\n{clean(played.step.note)}", "italic green")
    print_log(played.events)
    if played.refusal and not played.differences:
        say(f"       refused, as expected: {clean(played.refusal.sentence)}", "yellow")


def _conclude(played: list[Step], *, quiet: bool) -> None:
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


def demo() -> None:
    """Example: combatlog demo"""
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
