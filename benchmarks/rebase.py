"""Correcting: the second of many declarations is taken back and all later ones are resolved again and recorded.

Against a verification of the same fight, which resolves them all once; and at two lengths, to see that it grows with
the length and no faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.referee import Referee
from combatlog.rules.engine.verify import verify
from ledger.store import Ledger

AIM = 0.5
_NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "taken back later", "reason": "benchmark"})


def run_rebase(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger:
        short, _ = _costs(ledger, 250)
        correction, verification = _costs(ledger, 1000)
    what = "correct a fight of 1000 declarations, against verifying it"
    yield Result(what, "corrections", 1 / correction, 1 / verification, AIM)
    yield Result("  four times the declarations, against four times the time", "", 1 / correction, 1 / (4 * short), 0)


def _costs(ledger: Ledger, strikes: int) -> tuple[float, float]:
    """Seconds for a correction and for a verification of a fight with so many strikes; the best of three each."""
    corrections, verifications = [], []
    for _ in range(3):
        referee = Referee(ledger)
        name = open_duel(referee)
        noted = referee.declare(name, _NOTE).events[0].seq
        for _ in range(strikes):
            referee.declare(name, STRIKE)
        start = perf_counter()
        assert verify(ledger, name).findings == []
        verifications.append(perf_counter() - start)
        start = perf_counter()
        _take_back(Referee(ledger), name, noted)
        corrections.append(perf_counter() - start)
    return min(corrections), min(verifications)


def _take_back(referee: Referee, name: str, seq: int) -> None:
    def make(fight: Fight) -> Plan:
        return undo.plan_undo(fight, {seq}, by="gm", reason="benchmark")

    referee.apply(referee.plan(name, make))
