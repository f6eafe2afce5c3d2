"""What commands share: the ledger they work on, and reading their arguments."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from cli.completion import complete_actor, complete_encounter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import Ledger
    from rules.engine.referee import Referee


class Settings:
    """Set once from the options before the command."""

    database: str | None = None


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    from ledger.database import locate
    from ledger.store import Ledger

    with Ledger.open(locate(Settings.database)) as ledger:
        yield ledger


@contextmanager
def open_referee() -> Iterator[Referee]:
    from rules.engine.referee import Referee

    with open_ledger() as ledger:
        yield Referee(ledger)


EncounterArg = Annotated[str, typer.Argument(help="The encounter's name or id.", autocompletion=complete_encounter)]
ActorArg = Annotated[str, typer.Argument(help="A combatant's name in the fight.", autocompletion=complete_actor)]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
DiceOpt = Annotated[
    str | None,
    typer.Option("--dice", help="The faces rolled at the table, in order, for example 15,8."),
]
PackOpt = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack",
        help="A folder with sheets, weapons, spells ... of your own, several times if so; `pack check` looks it over.",
    ),
]
ByOpt = Annotated[str | None, typer.Option("--by", help="Who says so, if not the one who acts.")]
CommandOpt = Annotated[
    UUID | None,
    typer.Option("--command-id", help="An id for this command: repeated with the same id it does nothing."),
]


NUMBER = r"[+-]?[0-9]{1,9}"
"""Longer ones are no faces, places or points of anything; Python itself refuses those of thousands of digits."""


def read_dice(text: str | None) -> list[int | str] | None:
    """`15,8` or `15 8`. Faces without numbers are kept as they are."""
    if text is None:
        return None
    faces = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    return [int(face) if re.fullmatch(NUMBER, face) else face for face in faces]


def read_position(text: str | None, option: str) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a place; write COLUMN,ROW, for example 4,7.", param_hint=option)
    return int(found[1]), int(found[2])


def read_pairs(texts: list[str], option: str) -> dict[str, str]:
    """`name=value`, several times."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE.", param_hint=option)
        pairs[name.strip()] = value.strip()
    return pairs


def read_numbers(texts: list[str], option: str) -> dict[str, int]:
    pairs = read_pairs(texts, option)
    for name, value in pairs.items():
        if not re.fullmatch(NUMBER, value):
            raise typer.BadParameter(f"{name}={value} is not a number.", param_hint=option)
    return {name: int(value) for name, value in pairs.items()}


def read_values(texts: list[str], option: str) -> dict[str, Any]:
    """`name=value` with values as YAML would read them: numbers, true and false, lists in brackets."""
    from rules.content.files import read_yaml_text

    return {name: read_yaml_text(value, f"{option} {name}") for name, value in read_pairs(texts, option).items()}
