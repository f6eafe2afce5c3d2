"""Declarations that every ruleset has: joining, starting, ending a turn, leaving, closing, a ruling.

They are declarations like any other, so whatever a person did can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ledger.events import CombatantJoined, CombatantLeft, Data, Declared, EncounterClosed
from rules.content.files import read_yaml
from rules.content.packs import Pack, find_sheet, in_full
from rules.engine.kept_as_ruling import uphold
from rules.engine.refusal import Refusal
from rules.engine.ruleset import Enlistment, Ruleset
from rules.engine.rulings import rule
from rules.engine.table import Table

Resolver = Callable[[Table, Ruleset, Declared], None]


def join(table: Table, rules: Ruleset, declared: Declared) -> None:
    enlistment = read_enlistment(declared.options)
    recruit = rules.recruit(enlistment)
    name = enlistment.name or recruit.name
    combatant = combatant_id(name)
    if combatant in table.battle.combatants or combatant == "gm":
        raise Refusal("join/name-taken", f"There already is a {combatant!r} in this fight; join under another name.")
    if enlistment.position is not None:
        rules.place(table.battle, enlistment.position)
    table.record(
        CombatantJoined,
        combatant=combatant,
        name=name,
        side=enlistment.side,
        controller=enlistment.controller or recruit.controller,
        position=enlistment.position,
        sheet=recruit.sheet,
        vitals=recruit.vitals,
        resources=recruit.resources,
        policies=enlistment.policies,
    )


def enlist(rules: Ruleset, sheet: str | Path | Data, packs: Sequence[Pack] = (), **more: Any) -> Data:
    """The options of a `join`: a sheet by name, from a file or as data, in full, and how this combatant differs.

    Files, data and what differs may name what is in the packs.
    """
    given = {key: value for key, value in more.items() if value}
    if "overrides" in given:
        given["overrides"] = in_full(rules, packs, given["overrides"])
    return {"sheet": _in_full(rules, packs, sheet), **given}


def _in_full(rules: Ruleset, packs: Sequence[Pack], sheet: str | Path | Data) -> Data:
    if isinstance(sheet, str):
        return find_sheet(rules, packs, sheet)
    data = read_yaml(sheet) if isinstance(sheet, Path) else sheet
    if not isinstance(data, dict):
        raise Refusal("sheet/invalid", f"{sheet} is not a sheet: it has no fields.")
    return in_full(rules, packs, data)


def read_enlistment(options: dict[str, object]) -> Enlistment:
    try:
        return Enlistment.model_validate(options)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise Refusal("join/invalid", f"The combatant's {field} is not right: {first['msg'].lower()}.") from error


def combatant_id(name: str) -> str:
    """What a combatant is called on the command line: `Osric the Bold` is `osric-the-bold`."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not slug:
        raise Refusal("join/name", f"{name!r} has no letters or digits to make a name of; use another.")
    return slug


def start(table: Table, rules: Ruleset, declared: Declared) -> None:
    if table.battle.clock.started:
        raise Refusal("start/already", f"The fight has started; it is round {table.battle.clock.round}.")
    if not table.battle.present():
        raise Refusal("start/nobody", "Nobody has joined yet; `combatlog join` adds combatants.")
    rules.start(table)


def end_turn(table: Table, rules: Ruleset, declared: Declared) -> None:
    turn = table.battle.clock.turn
    if turn is None:
        raise Refusal("turn/none", "Nobody's turn it is; `combatlog start` begins the fight.")
    if declared.actor not in (turn, "gm"):
        raise Refusal("turn/other", f"It is {turn}'s turn, not {declared.actor}'s.")
    rules.end_turn(table, table.battle.combatants[turn])


def leave(table: Table, rules: Ruleset, declared: Declared) -> None:
    combatant = table.combatant(declared.actor)
    if table.battle.clock.turn == combatant.id:
        raise Refusal("leave/own-turn", f"End {combatant.id}'s turn first; it can leave after that.")
    why = str(declared.options.get("why") or "left the fight")
    table.record(CombatantLeft, combatant=combatant.id, why=why)


def close(table: Table, rules: Ruleset, declared: Declared) -> None:
    why = str(declared.options.get("why") or "the fight is over")
    table.record(EncounterClosed, why=why, seed=table.revealed_seed)


CORE: dict[str, Resolver] = {
    "core:time:join": join,
    "core:time:start": start,
    "core:time:end-turn": end_turn,
    "core:time:leave": leave,
    "core:time:close": close,
    "core:ruling:rule": rule,
    "core:ruling:uphold": uphold,
}


def core_ref(action: str) -> str:
    """The ref of an action that every ruleset has, by its name; any other action is left to the ruleset."""
    return next((ref for ref in CORE if ref.endswith(f":{action}")), action)
