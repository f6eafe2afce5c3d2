"""Delivering webhooks: what a seat sees of a fight, in order and at least once, by one process at a time.

Where each webhook has got to is in the database, so any process goes on where another one stopped.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag
from threading import Semaphore, Thread
from time import time
from typing import TYPE_CHECKING

from combatlog.service.addresses import NotPermitted, destination, networks
from combatlog.service.sending import NotDelivered, send, trusting
from combatlog.webhooks import Webhook, sign
from ledger import webhooks as stored
from ledger.webhooks import Claimed

if TYPE_CHECKING:
    import combatlog
    from combatlog.service.hall import Hall

_log = logging.getLogger("combatlog.service")
MOST_EVENTS = 100
"""Events of one delivery."""
PAUSE = 0.5
"""Seconds between looks at whether there is something to deliver."""
WITHIN = 5.0
"""Seconds that a receiver may take."""
CLAIM = 60.0
"""Seconds after which somebody else may deliver, if whoever claimed it is gone."""
LONGEST_WAIT = 3600.0
AT_ONCE = 8
"""Deliveries that are on their way at the same time."""
FAILING_AT_ONCE = 4
"""As many of them as may go to receivers that failed before; the rest is kept for those that work."""
_ANY = 2**30


class Messenger:
    """Looks for webhooks that have not been told everything, and has them told, each by a thread of its own."""

    def __init__(self, hall: Hall, ledger: combatlog.Ledger, lost: tuple[type[Exception], ...]) -> None:
        self._hall, self._ledger, self._lost = hall, ledger, lost
        self._allowed = networks(hall.settings.webhook_networks)
        self._trust = trusting(hall.settings.webhook_authority)
        self._stopping = Flag()
        self._pool = ThreadPoolExecutor(AT_ONCE, "webhook")
        self._places, self._places_of_failing = Semaphore(AT_ONCE), Semaphore(FAILING_AT_ONCE)
        self._thread = Thread(target=self._look, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Deliveries that are under way may end; what was not delivered is delivered by whoever comes next."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=WITHIN)
        self._pool.shutdown(cancel_futures=True)

    def _look(self) -> None:
        while not self._stopping.is_set():
            try:
                if self._claim():
                    continue
            except self._lost as error:
                _log.warning("webhooks could not be looked at", extra={"reason": str(error)})
            self._stopping.wait(PAUSE)

    def _claim(self) -> bool:
        """Have one told that is due, if there is one and there is room for it."""
        if not self._places.acquire(timeout=PAUSE):
            return False
        takes_failing = self._places_of_failing.acquire(blocking=False)
        try:
            claimed = stored.claim_webhook(self._ledger.store.recorder, CLAIM, _ANY if takes_failing else 0)
        except BaseException:
            self._leave(takes_failing)
            raise
        if claimed is None:
            self._leave(takes_failing)
            return False
        if takes_failing and not claimed.webhook.failures:
            self._places_of_failing.release()
            takes_failing = False
        self._pool.submit(self._tell, claimed, takes_failing)
        return True

    def _leave(self, takes_failing: bool) -> None:
        self._places.release()
        if takes_failing:
            self._places_of_failing.release()

    def _tell(self, claimed: Claimed, is_failing: bool) -> None:
        try:
            self._deliver(claimed)
        except self._lost as error:
            _log.warning("a webhook could not be delivered", extra={"reason": str(error)})
        finally:
            self._leave(is_failing)

    def _deliver(self, claimed: Claimed) -> None:
        one, recorder = claimed.webhook, self._ledger.store.recorder
        body, delivered, considered = self._news(Webhook(one))
        try:
            if delivered > one.delivered:
                self._send(claimed, body, delivered)
        except (NotPermitted, NotDelivered, OSError) as error:
            wait = min(self._hall.settings.webhook_backoff * 2 ** min(one.failures, 30), LONGEST_WAIT)
            stored.mark_failed(recorder, claimed, str(error), wait)
        else:
            stored.mark_delivered(recorder, claimed, delivered, considered)

    def _news(self, webhook: Webhook) -> tuple[bytes, int, int]:
        """What the seat has seen since: the body, its last number, and how far in the ledger that is."""
        one = webhook.stored
        desk = self._hall.desk(one.encounter)
        with desk.lock:
            table = desk.tables.at(one.encounter)
            table.catch_up(desk.ledger.store)
            watch = table.watch(webhook.seat, 0)
            start = watch.place_after(one.delivered)
            events = watch.encoded[start : start + MOST_EVENTS]
            delivered = start + len(events)
            is_all = delivered == len(watch.encoded)
            considered = table.seq if is_all else watch.onlooker.recorded(delivered)
        head = b'{"webhook":"%b","encounter":"%b","seq":%d,"events":[' % (
            str(one.id).encode(),
            str(one.encounter).encode(),
            delivered,
        )
        return head + b",".join(events) + b"]}", delivered, considered

    def _send(self, claimed: Claimed, body: bytes, delivered: int) -> None:
        one = claimed.webhook
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "combatlog",
            "X-Combatlog-Delivery": f"{one.id}:{delivered}",
            "X-Combatlog-Signature": sign(one.secret, int(time()), body),
        }
        send(destination(one.url, self._allowed), self._trust, body, headers, WITHIN)
