"""Commands that choose: a side plays itself, and many fights play themselves."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from cli.completion import complete_side
from cli.context import open_fight, open_ledger
from cli.options import EncounterArg, JsonOpt, PackOpt
from cli.render.text import present, say

if TYPE_CHECKING:
    from projections.battle import Battle
    from rules.autoplay.auto import Played
    from rules.autoplay.simulate import Record, Result

app = typer.Typer()


@app.command()
def auto(
    encounter: EncounterArg,
    turns: Annotated[int | None, typer.Option(min=1, help="Play this many turns; default: 1.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Play this many rounds.")] = None,
    to_end: Annotated[
        bool, typer.Option("--to-end", help="Play until one side has won, then close the fight.")
    ] = False,
    side: Annotated[
        list[str] | None, typer.Option(help="Play only this side; repeatable.", autocompletion=complete_side)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what was chosen, and why.")] = False,
    as_json: JsonOpt = False,
) -> None:
    """Play a side automatically, with the reason for each choice.

    Each step is recorded as it is played. The side has to roll its own dice: open the encounter with --dice random,
    committed or seed:N, or let only the others roll at the table, as in --dice heroes=table,foes=random.

    Examples:
    combatlog auto "Bridge ambush" --side foes
    combatlog auto "Bridge ambush" --to-end --quiet
    """
    from cli.render.autoplay import print_played

    if sum((turns is not None, rounds is not None, to_end)) > 1:
        raise typer.BadParameter("say one of --turns, --rounds and --to-end.")
    steps: list[Played] = []
    with open_fight(encounter) as fight:
        for step in fight.auto(side or (), turns=turns, rounds=rounds, to_end=to_end):
            steps.append(step)
            if not as_json:
                print_played(step, quiet=quiet)
        present(as_json, lambda: [step.to_json() for step in steps], lambda: _say_who_is_next(fight.battle))


def _say_who_is_next(battle: Battle) -> None:
    from cli.render.state import print_window
    from projections.phrases import whose

    if battle.clock.closed:
        return
    print_window(battle)
    if battle.window is None and battle.clock.turn is not None:
        say(f"It is {whose(battle.clock.turn)} turn.", "dim")


@app.command()
def simulate(
    scenario: Annotated[Path, typer.Argument(help="Scenario file; its combatants fight, its script is ignored.")],
    runs: Annotated[int, typer.Option(min=1, max=1_000_000, help="Number of fights.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed; the same seed gives the same fights.")] = 7,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Number of processes; default: one per core.")
    ] = None,
    record: Annotated[bool, typer.Option("--record", help="Record the fights in the ledger.")] = False,
    pack: PackOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play a fight many times and sum up who wins.

    If it is interrupted (^C, or SIGTERM), it sums up the fights that it has finished.

    Example: combatlog simulate ambush.yaml --runs 1000 --seed 7
    """
    from cli.render.autoplay import print_summary, progress
    from rules.autoplay.simulate import Plan, run_all
    from rules.autoplay.summary import summarize
    from rules.content.pack_checks import read_packs
    from rules.content.scenario import read_scenario
    from rules.engine import ruleset as rulesets

    read = read_scenario(scenario)
    packs = read_packs(pack or (), rulesets.find(read.ruleset))
    plan = Plan(read, runs, seed, packs=packs, record=_record() if record else None)
    results: list[Result] = []
    stopped = 0
    try:
        with interrupted_by_sigterm():
            for result in progress(run_all(plan, jobs), runs, quiet=as_json):
                results.append(result)
    except KeyboardInterrupt as interrupt:
        stopped = TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
        _say_interrupted(len(results), runs, record)
    if results:
        summary = summarize(results)
        present(as_json, lambda: summary.model_dump(mode="json"), lambda: print_summary(summary))
    raise typer.Exit(stopped)


def _say_interrupted(done: int, runs: int, record: bool) -> None:
    kept = " Fights that were finished are recorded; another --seed records others." if record else ""
    typer.echo(f"Interrupted after {done} of {runs} fights.{kept}", err=True)


def _record() -> Record:
    """A database is started here, so that the processes find it running."""
    with open_ledger() as ledger:
        return ledger.whole_fights()


INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""Exit statuses, as shells have them."""


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
