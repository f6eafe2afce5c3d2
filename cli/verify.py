"""Commands that guard a record: sealing it, and checking that it is still what it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import EncounterArg, JsonOpt, open_fight, open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

app = typer.Typer()


@app.command()
def seal(
    encounter: EncounterArg,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write; default: standard output.")] = None,
) -> None:
    """Sign what an encounter is now. Keep the seal outside the database: a rewritten history cannot agree with it.

    Example: combatlog seal "Bridge ambush" --out bridge.seal.json
    """
    from cli.render.text import say

    with open_fight(encounter) as fight:
        made = fight.seal()
    text = made.model_dump_json(indent=2) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    _write(out, text)
    say(f"Sealed {made.seq} events in {out}; `combatlog verify --seal {out}` checks them against it.")


def _write(path: Path, text: str) -> None:
    from ledger.errors import Problem

    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Problem("file/unwritable", f"{path} cannot be written: {error.strerror}.") from error


@app.command()
def verify(
    encounter: Annotated[str | None, typer.Argument(help="The encounter's name or id.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every encounter in the ledger.")] = False,
    seals: Annotated[
        list[Path] | None, typer.Option("--seal", help="A seal to hold it against; several times if so.")
    ] = None,
    trust: Annotated[list[str] | None, typer.Option("--trust", help="A public key to accept seals of.")] = None,
    as_json: JsonOpt = False,
) -> None:
    """Check that a fight is as it was recorded: numbers, hashes, seals, and every declaration resolved again.

    Examples:
    combatlog verify "Bridge ambush"
    combatlog verify --all
    combatlog verify --seal bridge.seal.json
    """
    from cli.render.findings import print_findings
    from cli.render.text import print_json
    from rules.engine.sealing import read_seals

    if (encounter is not None and everything) or not (encounter or everything or seals):
        raise typer.BadParameter("name an encounter, or say --all, or give a --seal.")
    held = read_seals(seals or [], trust or [], encounter)
    with open_ledger() as ledger:
        references = _references(encounter, ledger.ids(held) if everything else [seal.encounter for seal in held])
        reports = ledger.verify(references, held)
        if as_json:
            found = list(reports)
            print_json([report.model_dump(mode="json") for report in found])
        else:
            found = print_findings(reports, len(references))
    if any(report.findings for report in found):
        raise typer.Exit(1)


def _references(encounter: str | None, otherwise: Iterable[UUID]) -> list[str]:
    return [encounter] if encounter is not None else list(dict.fromkeys(map(str, otherwise)))
