"""Commands that guard the record: sealing it, and checking that it has not changed."""

from __future__ import annotations

from pathlib import Path

import typer

from cli.context import open_fight, open_ledger
from cli.options import (
    ENCOUNTER,
    JOBS_BESIDE_SERVER,
    JSON,
    OPTIONAL_ENCOUNTER,
    SEALS,
    TRUST,
    flag,
    jobs_beside_server,
    option,
)
from cli.render.findings import print_findings, print_guards
from cli.render.terminal import opened, print_json, say
from combatlog import Ledger
from combatlog.rules.verification.seals_and_seat_records import read_seals, require_about
from combatlog.rules.verification.verify import VerificationReport
from ledger.errors import Problem
from projections.story.text import counted


def seal(
    encounter: str = ENCOUNTER,
    out: Path | None = option("File to write; default: standard output.", "--output", "--out"),
) -> None:
    """Keep the seal outside the database; it does not match a history that was rewritten.

    Example: combatlog seal "Bridge ambush" --output bridge.seal.json
    """
    with open_fight(encounter) as fight:
        made = fight.seal()
    text = made.model_dump_json(indent=2) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    _write(out, text)
    say(f"Sealed {counted(made.seq, 'event')} in {out}. `combatlog verify --seal {out}` checks them.")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        sentence = f"{path} exists already; an older seal is worth keeping."
        raise Problem("file/exists", sentence, path=str(path)) from error
    except OSError as error:
        raise Problem("file/unwritable", f"{path} cannot be written: {error.strerror}.", path=str(path)) from error


def verify(
    encounter: str | None = OPTIONAL_ENCOUNTER,
    everything: bool = flag("Verify every encounter in the ledger.", "--all"),
    seals: list[Path] | None = SEALS,
    trust: list[str] | None = TRUST,
    shown: Path | None = option("Also check this file, which `combatlog export --as` wrote."),
    jobs: int | None = JOBS_BESIDE_SERVER,
    as_json: bool = JSON,
) -> None:
    """Checks sequence numbers, hashes and seals, and resolves every declaration again. With --all, it also checks the
    protection of the ledger: tables, triggers, functions, rights, names of encounters, seeds of dice, and read models.

    Examples:
    combatlog verify "Bridge ambush"
    combatlog verify --all --jobs 8
    combatlog verify --seal bridge.seal.json
    combatlog verify "Bridge ambush" --shown seen-by-the-players.jsonl
    """
    if (encounter is not None and everything) or not (encounter or everything or seals):
        raise typer.BadParameter("name an encounter, or give --all or --seal.")
    if shown is not None and (encounter is None or seals):
        raise typer.BadParameter("name the encounter that it was shown of, and give no seal.", param_hint="--shown")
    held = read_seals(seals or [], trust or [])
    with open_ledger() as ledger:
        sealed = ledger.sealed(held)
        if encounter is not None:
            require_about(encounter, held, sealed)
        otherwise = dict.fromkeys(map(str, ledger.ids(held) if everything else sealed))
        references = [encounter] if encounter is not None else list(otherwise)
        reports = (
            ledger.verify(references, held, jobs=jobs_beside_server(jobs))
            if shown is None
            else [_against(shown, references[0], ledger)]
        )
        if as_json:
            found, guards = list(reports), ledger.check_guards() if everything else ()
            stand = all(report.stands for report in found)
            of_ledger = {"name": None, "findings": [finding.model_dump() for finding in guards]}
            print_json([*(report.model_dump(mode="json") for report in found), *([of_ledger] if everything else [])])
        else:
            stand = print_findings(reports, len(references))
            guards = ledger.check_guards() if everything else ()
            print_guards(guards)
    if guards or not stand:
        raise typer.Exit(1)


def _against(shown: Path, encounter: str, ledger: Ledger) -> VerificationReport:
    with opened(shown, "r") as file:
        return ledger.fight(encounter).seen_by().verify_shown(file)
