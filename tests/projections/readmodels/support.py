"""Ledgers to project: fights at random with corrections and forks in the mix, and what the tables hold of them."""

from __future__ import annotations

from random import Random
from typing import Any

import psycopg

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.corrections import amend, undo
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.events import EncounterOpened, Event, Rolled
from ledger.store.ledger import LedgerStore, encounter_id
from projections.battle.timeline import standing
from projections.readmodels.catalogue import TABLES
from tests.randomplay import random_fight, step

Dump = dict[str, list[tuple[Any, ...]]]


def dump(url: str) -> Dump:
    """Every row of every table, in the order of its key."""
    with psycopg.connect(url) as conn:
        return {
            name: conn.execute(
                f"SELECT * FROM combatlog_read.{name} ORDER BY {', '.join(table.key)}"  # type: ignore[call-overload]
            ).fetchall()
            for name, table in TABLES.items()
        }


def renamed(events: list[Event], name: str) -> list[Event]:
    """The same fight under another name."""
    new = [event.model_copy(update={"encounter": encounter_id(name)}) for event in events]
    assert isinstance(new[0], EncounterOpened)
    return [new[0].model_copy(update={"name": name}), *new[1:]]


class History:
    """A fight in the ledger that grows by legal commands, corrections and forks at random."""

    def __init__(self, ledger: LedgerStore, name: str, chance: Random) -> None:
        self.ledger, self.name, self.chance = ledger, name, chance
        self.referee = Referee(ledger)
        ledger.append(renamed(random_fight(chance.randrange(10_000), chance.randrange(2, 25)).events, name))

    def grow(self) -> None:
        """One more thing of any sort; what is refused is left out."""
        what = self.chance.choice([self.play, self.undo, self.redo, self.amend, self.fork])
        try:
            what()
        except Problem:
            self.referee = Referee(self.ledger)

    def play(self) -> None:
        stream = self.ledger.find(self.name)
        fight = FightEngine(stream.events)
        for _ in range(self.chance.randrange(1, 8)):
            step(fight, self.chance)
        if new := fight.events[len(stream.events) :]:
            self.ledger.append(new, stream.head)

    def undo(self) -> None:
        fight = self.referee.fight(self.name)
        later = undo.declarations(fight)[4:]
        if not later:
            return
        one = self.chance.choice(later).seq
        self._correct(lambda fight, remedies: undo.plan_undo(fight, {one}, by="gm", reason="x", remedies=remedies))

    def redo(self) -> None:
        self._correct(lambda fight, remedies: undo.plan_redo(fight, by="gm", reason="x"))

    def amend(self) -> None:
        rolls = [event for event in standing(self.referee.fight(self.name).events) if isinstance(event, Rolled)]
        if not rolls:
            return
        roll = self.chance.choice(rolls)
        faces = {roll.seq: tuple(1 if face != 1 else 2 for face in roll.faces)}
        change = amend.Amendment(faces=faces)
        self._correct(
            lambda fight, remedies: amend.plan_amend(
                fight, roll.declaration, change, by="gm", reason="misread", remedies=remedies
            )
        )

    def fork(self) -> None:
        parent, name = self.name, f"{self.name} or"
        self.referee.fork(parent, None, name, by="gm")
        self.name = self.chance.choice([parent, name])

    def _correct(self, make: Any) -> None:
        """Apply a correction; windows that open anew are passed, what is impossible is dropped."""
        replies: dict[int, list[Reply]] = {}
        for _ in range(50):
            try:
                self.referee.apply(
                    self.referee.plan(self.name, lambda f: make(f, Remedies(Impossible.DROP, replies=replies)))
                )
                return
            except Problem as problem:
                if problem.code != "correction/needs-answer":
                    raise
                seq, reactor = problem.facts["declaration"], problem.facts["who"]
                replies.setdefault(seq, []).append(Reply(reactor=reactor, reaction=None))
