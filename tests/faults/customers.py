"""Clients of a service that may go away at any moment: they repeat each command, by key, until it is acknowledged."""

from __future__ import annotations

from collections import Counter
from threading import Condition, Event, Thread
from uuid import UUID, uuid4

import httpx

import combatlog
from combatlog.messages.commands import Rule

NOTE = {"subject": "rurik", "set": {"hp": 9}, "note": "rain", "reason": "it rains"}
_PAUSE = 0.05
"""Seconds before somebody who got no answer asks again."""


class Customers:
    """Some people, each at a fight of its own, who say something all the time."""

    def __init__(self, url: str, token: str, fights: list[str]) -> None:
        self.acknowledged: list[UUID] = []
        self.refused: list[str] = []
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"}
        self._news = Condition()
        self._enough = Event()
        self._threads = [Thread(target=self._play, args=[fight]) for fight in fights]
        for thread in self._threads:
            thread.start()

    def wait_for(self, more: int) -> None:
        """Until so many more commands were acknowledged."""
        with self._news:
            wanted = len(self.acknowledged) + more
            assert self._news.wait_for(lambda: len(self.acknowledged) >= wanted or self.refused, 120)
        assert self.refused == []

    def leave(self) -> list[UUID]:
        """What was acknowledged, once everybody has got the last answer."""
        self._enough.set()
        for thread in self._threads:
            thread.join(timeout=120)
            assert not thread.is_alive()
        assert self.refused == []
        return self.acknowledged

    def _play(self, fight: str) -> None:
        with httpx.Client(headers=self._headers, timeout=60) as client:
            while not self._enough.is_set():
                key = uuid4()
                answer = self._insist(client, f"{self._url}/v1/encounters/{fight}/rulings", key)
                with self._news:
                    if answer.status_code == 200:
                        self.acknowledged.append(Rule(**NOTE).command(key))
                    else:
                        self.refused.append(answer.text)
                    self._news.notify_all()

    def _insist(self, client: httpx.Client, path: str, key: UUID) -> httpx.Response:
        while True:
            try:
                answer = client.post(path, json=NOTE, headers={"Idempotency-Key": str(key)})
            except httpx.TransportError:
                self._enough.wait(_PAUSE)
                continue
            if answer.status_code not in (429, 503):
                return answer
            self._enough.wait(_PAUSE)


def open_fights(database: str, count: int) -> tuple[str, list[str]]:
    """The token of a GM, and the names of some fights with Rurik in them."""
    with combatlog.open(database) as ledger:
        names = [f"storm {number}" for number in range(count)]
        for name in names:
            ledger.new(name, dice="seed:1").join("fighter", "Rurik", (1, 1))
        return ledger.seats.invite("gm").token, names


def check_once(database: str, fights: list[str], acknowledged: list[UUID]) -> None:
    """Everything that was acknowledged is there once; nothing is there twice or half."""
    with combatlog.open(database) as ledger:
        recorded: Counter[object] = Counter()
        for name in fights:
            fight = ledger.fight(name)
            recorded.update(event.command for event in fight.history() if event.kind == "declared")  # type: ignore[attr-defined]
            assert fight.verify().findings == []
        assert [command for command in acknowledged if recorded[command] != 1] == []
        assert [command for command, times in recorded.items() if times > 1] == []
