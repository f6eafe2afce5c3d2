"""A ledger under asyncio: the same methods and messages, awaited; streams that need no thread each."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest

import combatlog
from combatlog.aio import AsyncFight, AsyncLedger
from combatlog.messages.commands import Hurt, Note, SetReactions
from ledger.events import Declared, Event
from tests.combatlog.test_threads import HP, Acknowledged, check, open_fights
from tests.service.conftest import BOUNDLESS, listening

STREAMS = 20


@pytest.fixture(params=["local", "remote"])
def opened(database: str, request: pytest.FixtureRequest) -> Callable[[], AsyncIterator[AsyncLedger]]:
    @asynccontextmanager
    async def open_one() -> AsyncIterator[AsyncLedger]:
        if request.param == "local":
            async with combatlog.open_async(database) as ledger:
                yield ledger
            return
        with combatlog.open(database) as host:
            token = host.seats.invite("gm").token
        with listening(replace(BOUNDLESS, database=database)) as url:
            async with combatlog.connect_async(url, token) as ledger:
                yield ledger

    return open_one  # type: ignore[return-value]


async def play(fight: AsyncFight, commands: int) -> Acknowledged:
    given: Acknowledged = {}
    for number in range(commands):
        command, said = uuid4(), Note(f"note {number}") if number % 2 else Hurt(["rurik"], 1)
        given[command] = await fight.send(said, command_id=command)
    return given


async def played_at_once(ledger: AsyncLedger, tasks: int, commands: int) -> None:
    (fight,) = await ledger._call(lambda: open_fights(ledger._inner, 1))
    fight = await ledger.fight(fight.id)
    given: Acknowledged = {}
    for one in await asyncio.gather(*(play(fight, commands) for _ in range(tasks))):
        given |= one
    await ledger._call(check, fight._inner, given)
    assert (await fight.state()).combatants["rurik"].vitals["hp"].current == HP - tasks * ((commands + 1) // 2)


def test_tasks_play_in_one_ledger(opened: Callable[[], AsyncIterator[AsyncLedger]]) -> None:
    async def run() -> None:
        async with opened() as ledger:  # type: ignore[attr-defined]
            await played_at_once(ledger, 4, 6)

    asyncio.run(run())


@pytest.mark.slow
def test_eight_tasks_give_fifty_commands_each(opened: Callable[[], AsyncIterator[AsyncLedger]]) -> None:
    async def run() -> None:
        async with opened() as ledger:  # type: ignore[attr-defined]
            await played_at_once(ledger, 8, 50)

    asyncio.run(run())


def test_a_fight_is_played_corrected_and_asked(opened: Callable[[], AsyncIterator[AsyncLedger]]) -> None:
    async def run() -> None:
        async with opened() as ledger:  # type: ignore[attr-defined]
            fight = await ledger.new("Bridge", dice="table")
            await fight.join("fighter", "Rurik", (1, 1))
            await fight.join("goblin", "Snig", (2, 1), side="foes")
            await fight.start(dice=[20, 10])
            await fight.send(SetReactions("snig", {"*": "never"}))
            declared = (await fight.do("rurik", "dodge")).events[0]
            plan = await fight.plan(combatlog.Undo(declared.seq, reason="a feint"))
            assert (await fight.apply(plan)).events[0].reason == "a feint"
            view = await fight.seen_by("rurik" if await is_local(ledger) else "gm")
            assert await view.who("rur") == "rurik"
            assert (await view.explain(declared.seq)) is not None
            assert fight == await ledger.fight("Bridge")
            assert (await fight.verify()).stands
            with pytest.raises(combatlog.Problem) as refused:
                await fight.do("snig", "dodge")
            assert refused.value.code == "turn/other"
            assert "hit" in dir(fight)
            assert not hasattr(fight, "follow")

    asyncio.run(run())


async def is_local(ledger: AsyncLedger) -> bool:
    return not isinstance(ledger._inner, combatlog.RemoteLedger)


async def read(fight: AsyncFight, until: str) -> list[Event]:
    """What a stream gives up to a note with this text."""
    found: list[Event] = []
    async with aclosing(fight.stream()) as events:  # type: ignore[type-var]
        async for event in events:
            found.append(event)
            if isinstance(event, Declared) and event.options.get("text") == until:
                return found
    return found


def test_streams_see_everything_once_and_share_a_thread(opened: Callable[[], AsyncIterator[AsyncLedger]]) -> None:
    async def run() -> None:
        async with opened() as ledger:  # type: ignore[attr-defined]
            fight = await ledger.new("Bridge")
            await fight.note("before")
            threads = threading.active_count()
            readers = [asyncio.create_task(read(fight, "the end")) for _ in range(STREAMS)]
            for number in range(10):
                await fight.note(f"note {number}")
                await asyncio.sleep(0)
            if await is_local(ledger):
                # The pool of asyncio itself has a few threads, however many streams there are.
                assert threading.active_count() - threads < STREAMS
            await fight.note("the end")
            history = await fight.history()
            for reader in readers:
                seen = await asyncio.wait_for(reader, 30)
                assert [event.seq for event in seen] == [event.seq for event in history][: len(seen)]

    asyncio.run(run())


def test_streams_end_with_the_ledger(database: str) -> None:
    async def run() -> None:
        ledger = combatlog.open_async(database)
        fight = await ledger.new("Bridge")
        reader = asyncio.create_task(read(fight, "never said"))
        await fight.note("read")
        while len(asyncio.all_tasks()) < 2:
            await asyncio.sleep(0)
        await ledger.aclose()
        await asyncio.wait({reader}, timeout=30)
        assert reader.done()
        reader.exception()

    asyncio.run(run())
