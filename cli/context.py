"""What commands share: the ledger they work on, reading their arguments, and completing them."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from ledger.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from combatlog import Ledger, RecordedFight


class Settings:
    """Set once from the options before the command."""

    database: str | None = None


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    import combatlog

    with combatlog.open(Settings.database) as ledger:
        yield ledger


@contextmanager
def open_fight(reference: str) -> Iterator[RecordedFight]:
    with open_ledger() as ledger:
        yield ledger.fight(reference)


def complete_encounter(incomplete: str) -> list[str]:
    try:
        with open_ledger() as ledger:
            names = [listed.name for listed in ledger.list()]
    except Problem:
        return []
    return [name for name in names if name.startswith(incomplete)]


def complete_actor(ctx: typer.Context, incomplete: str) -> list[str]:
    try:
        with open_fight(ctx.params.get("encounter") or "") as fight:
            names = list(fight.state().combatants)
    except Problem:
        return []
    return [name for name in names if name.startswith(incomplete)]


def complete_action(ctx: typer.Context, incomplete: str) -> list[str]:
    from rules.engine import ruleset as rulesets

    try:
        with open_fight(ctx.params.get("encounter") or "") as fight:
            battle = fight.state()
            actor = battle.combatants.get(ctx.params.get("actor") or "")
            names = rulesets.find(battle.encounter.ruleset).action_refs(actor)
    except Problem:
        return []
    return [name for name in names if name.startswith(incomplete)]


def complete_sheet(ctx: typer.Context, incomplete: str) -> list[str]:
    from rules.content.packs import packs_of
    from rules.engine import ruleset as rulesets

    try:
        with open_fight(ctx.params.get("encounter") or "") as fight:
            battle = fight.state()
            packed = [name for pack in packs_of(battle) for name in pack.sheets]
            names = [*packed, *rulesets.find(battle.encounter.ruleset).sheets()]
    except Problem:
        return []
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


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


def read_reaction(text: str) -> str | None:
    """The name of a reaction; `pass` lets it pass."""
    return None if text == "pass" else text


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
