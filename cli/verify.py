"""Commands that guard the record: sealing it, and checking that it has not changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_encounter
from cli.context import EncounterArg, JsonOpt, open_ledger

if TYPE_CHECKING:
    from ledger.seal import Seal
    from ledger.store import Ledger

app = typer.Typer()


@app.command()
def seal(
    encounter: EncounterArg,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")] = None,
) -> None:
    """Sign an encounter as it is now.

    Keep the seal outside the database: a history that was rewritten does not match it.

    Example: combatlog seal "Bridge ambush" --out bridge.seal.json
    """
    from cli.render.text import say
    from projections.phrases import counted
    from rules.engine.sealing import seal_encounter

    with open_ledger() as ledger:
        made = seal_encounter(ledger, encounter)
    text = made.model_dump_json(indent=2) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    _write(out, text)
    say(f"Sealed {counted(made.seq, 'event')} in {out}. `combatlog verify --seal {out}` checks them.")


def _write(path: Path, text: str) -> None:
    from ledger.errors import Problem

    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Problem("file/unwritable", f"{path} cannot be written: {error.strerror}.", path=str(path)) from error


@app.command()
def verify(
    encounter: Annotated[
        str | None, typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Verify every encounter in the ledger.")] = False,
    seals: Annotated[list[Path] | None, typer.Option("--seal", help="Seal to check against; repeatable.")] = None,
    trust: Annotated[
        list[str] | None, typer.Option("--trust", help="Public key to accept seals from; repeatable.")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Check that fights are as they were recorded.

    Checks sequence numbers, hashes and seals, and resolves every declaration again.

    Examples:
    combatlog verify "Bridge ambush"
    combatlog verify --all
    combatlog verify --seal bridge.seal.json
    """
    from cli.render.findings import print_findings
    from cli.render.text import print_json
    from rules.engine.sealing import read_seals
    from rules.engine.verify import verify_encounters

    if (encounter is not None and everything) or not (encounter or everything or seals):
        raise typer.BadParameter("name an encounter, or give --all or --seal.")
    held = read_seals(seals or [], trust or [], encounter)
    with open_ledger() as ledger:
        references = _references(ledger, encounter, everything, held)
        reports = verify_encounters(ledger, references, held)
        if as_json:
            found = list(reports)
            print_json([report.model_dump(mode="json") for report in found])
        else:
            found = print_findings(reports, len(references))
    if any(report.findings for report in found):
        raise typer.Exit(1)


def _references(ledger: Ledger, encounter: str | None, everything: bool, seals: list[Seal]) -> list[str]:
    """What to verify. A sealed encounter belongs to all of them even where no event of it is left."""
    if encounter is not None:
        return [encounter]
    known = ledger.recorder.select_encounters() if everything else []
    return list(dict.fromkeys(map(str, [*known, *(seal.encounter for seal in seals)])))
