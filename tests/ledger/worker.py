"""A process of its own that declares on an encounter, for tests of concurrency and of sudden death.

Prints a line with the command's id for every command that was acknowledged, and a refusal's code otherwise.
"""

from __future__ import annotations

import sys
from uuid import UUID, uuid4

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore


def main(url: str, encounter: str, what: str, count: str) -> None:
    with LedgerStore.open(url) as ledger:
        referee = Referee(ledger)
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(int(count)):
            _declare(referee, encounter, what)


def _declare(referee: Referee, encounter: str, what: str) -> None:
    command = uuid4()
    try:
        if what == "undo and redo":
            _undo_and_redo(referee, encounter, command)
        else:
            referee.declare(encounter, _declaration(referee, encounter, what), command=command)
    except Problem as problem:
        print(f"{problem.code}: {problem.sentence}" if problem.code == "turn/other" else problem.code, flush=True)
    else:
        print(command, flush=True)


def _declaration(referee: Referee, encounter: str, what: str) -> Declaration:
    if what != "end any turn":
        return DECLARATIONS[what]
    return Declaration(actor=referee.battle(encounter).clock.turn or "", action="core:time:end-turn")


def _undo_and_redo(referee: Referee, encounter: str, command: UUID) -> None:
    """Take back the second declaration, so that all later ones are resolved again; then take that back."""

    def undo_second(fight: FightEngine) -> Plan:
        second = undo.declarations(fight)[1].seq
        return undo.plan_undo(fight, {second}, by="gm", reason="worker", command=command)

    referee.apply(referee.plan(encounter, undo_second))
    referee.apply(referee.plan(encounter, lambda fight: undo.plan_redo(fight, by="gm", reason="worker")))


DECLARATIONS = {
    "note": Declaration(
        actor="gm",
        action="core:ruling:rule",
        options={"note": "rain", "reason": "it rains", "set": {"hp": 9}},
        targets=("rurik",),
    ),
    "dash": Declaration(actor="rurik", action="dash"),
    "end rurik's turn": Declaration(actor="rurik", action="core:time:end-turn"),
    "end rurik's turn in round 1": Declaration(actor="rurik", action="core:time:end-turn", round=1),
}

if __name__ == "__main__":
    main(*sys.argv[1:])
