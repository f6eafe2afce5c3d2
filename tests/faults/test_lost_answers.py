"""The connection breaks between the commit and its answer: what was sent is recorded once, and the tool says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Unanswered
from ledger.events import Declared, Undone
from ledger.store.ledger import LedgerStore
from tests.faults.proxy import CuttingProxy, Fate
from tests.faults.scene import ENCOUNTER, open_fight
from tests.faults.worker import NOTE

COMMAND = UUID(int=7)
APPENDING = b"ruled"


@pytest.fixture
def direct(tcp_server: str, make_database: Callable[[str], str]) -> str:
    return make_database(tcp_server)


@pytest.fixture
def proxy(direct: str) -> Iterator[CuttingProxy]:
    server = conninfo_to_dict(direct)
    proxy = CuttingProxy(str(server["host"]), int(str(server["port"])))
    yield proxy
    proxy.close()


@pytest.fixture
def ledger(direct: str, proxy: CuttingProxy) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_conninfo(direct, port=proxy.port, sslmode="disable", gssencmode="disable")) as ledger:
        open_fight(ledger)
        yield ledger


def declared_with(url: str, command: UUID) -> int:
    """How often the command is on record, asked without the proxy."""
    with LedgerStore.open(url) as ledger:
        assert verify(ledger, ENCOUNTER).findings == []
        events = ledger.find(ENCOUNTER).events
        return sum(isinstance(event, Declared) and event.command == command for event in events)


@pytest.mark.parametrize("fate", Fate)
def test_a_command_that_was_not_answered_is_recorded_once(
    ledger: LedgerStore, proxy: CuttingProxy, direct: str, fate: Fate
) -> None:
    """Whether the server has done it, never gets it, or gets it when the client has long sent it again."""
    referee = Referee(ledger)
    referee.fight(ENCOUNTER)
    proxy.cut, proxy.fate = APPENDING, fate
    outcome = referee.declare(ENCOUNTER, NOTE, command=COMMAND)
    assert [event.kind for event in outcome.events][:2] == ["declared", "ruled"]
    if fate is Fate.LATE:
        assert b"23505" in proxy.deliver_late()
    assert declared_with(direct, COMMAND) == 1
    assert referee.declare(ENCOUNTER, NOTE, command=COMMAND).repeated
    assert not referee.declare(ENCOUNTER, NOTE).repeated
    assert declared_with(direct, COMMAND) == 1


def test_another_writer_in_between_is_not_taken_for_the_lost_command(
    ledger: LedgerStore, proxy: CuttingProxy, direct: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = Referee(ledger)
    referee.fight(ENCOUNTER)
    proxy.cut, proxy.fate = APPENDING, Fate.LOST
    send_again = LedgerStore._send_again

    def others_first(*arguments: Any) -> None:
        with LedgerStore.open(direct) as other:
            Referee(other).declare(ENCOUNTER, NOTE, command=UUID(int=8))
        send_again(*arguments)

    monkeypatch.setattr(LedgerStore, "_send_again", others_first)
    assert not referee.declare(ENCOUNTER, NOTE, command=COMMAND).repeated
    assert (declared_with(direct, UUID(int=8)), declared_with(direct, COMMAND)) == (1, 1)


@pytest.mark.slow
def test_when_nobody_can_be_asked_the_tool_says_that_it_does_not_know(
    ledger: LedgerStore, proxy: CuttingProxy, direct: str
) -> None:
    referee = Referee(ledger)
    referee.fight(ENCOUNTER)
    proxy.cut = APPENDING
    proxy.close()
    with pytest.raises(Unanswered) as caught:
        referee.declare(ENCOUNTER, NOTE, command=COMMAND)
    assert proxy.cuts == 1
    assert caught.value.code == "database/no-answer"
    with LedgerStore.open(direct) as again:
        assert Referee(again).declare(ENCOUNTER, NOTE, command=COMMAND).repeated
    assert declared_with(direct, COMMAND) == 1


def test_a_correction_whose_answer_is_lost_is_applied_once(
    ledger: LedgerStore, proxy: CuttingProxy, direct: str
) -> None:
    referee = Referee(ledger)
    referee.declare(ENCOUNTER, NOTE)
    proposal = referee.plan(
        ENCOUNTER, lambda fight: undo.plan_undo(fight, undo.last(fight), by="gm", reason="x", command=COMMAND)
    )
    proxy.cut = b"undone"
    assert len(referee.apply(proposal).events) == 1
    with LedgerStore.open(direct) as again:
        undone = [event for event in again.find(ENCOUNTER).events if isinstance(event, Undone)]
    assert [event.command for event in undone] == [COMMAND]


@pytest.mark.parametrize("dice", ["random", "committed"])
def test_an_encounter_whose_opening_was_not_answered_is_open(
    ledger: LedgerStore, proxy: CuttingProxy, direct: str, dice: str
) -> None:
    proxy.cut = b"encounter_opened"
    assert len(Referee(ledger).open(Opening(name="second", dice=dice), command=COMMAND).events) == 1
    assert proxy.cuts == 1
    with LedgerStore.open(direct) as again:
        assert len(again.find("second").events) == 1
