"""Webhooks: what a seat sees is delivered in order, signed, at least once, to permitted addresses only."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from queue import Queue
from socket import socket
from threading import Lock, Thread
from typing import Any

import pytest
import trustme

import combatlog
from combatlog.service.webhook_delivery import NotPermitted, destination, is_permitted, networks, trusting
from combatlog.webhooks import sign
from tests.cases import each
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN
from tests.service.conftest import BOUNDLESS, FIGHT, Service, listening, set_up

Make = Callable[..., Service]
HERE = {"webhook_networks": ("127.0.0.0/8",), "webhook_backoff": 0.01}
PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")


@dataclass
class Receiver:
    """A real server that keeps what it is sent, and answers with these statuses first."""

    server: ThreadingHTTPServer
    statuses: list[int] = field(default_factory=list)
    taken: Queue[dict[str, Any]] = field(default_factory=Queue)
    attempts: list[tuple[int, str, bytes]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    """What it sends along."""
    at_once: int = 0
    most_at_once: int = 0
    lock: Lock = field(default_factory=Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def numbers(self, count: int) -> list[int]:
        """The numbers of the next events that it takes."""
        found: list[int] = []
        while len(found) < count:
            found += [event["seq"] for event in self.taken.get(timeout=60)["events"]]
        return found


@contextmanager
def receiving(*statuses: int, **headers: str) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with receiver.lock:
                receiver.at_once += 1
                receiver.most_at_once = max(receiver.most_at_once, receiver.at_once)
                status = receiver.statuses.pop(0) if receiver.statuses else 204
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.attempts.append((status, self.headers["X-Combatlog-Signature"], body))
            if 200 <= status < 300:
                receiver.taken.put(json.loads(body))
            with receiver.lock:
                receiver.at_once -= 1
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Quietly."""

    receiver = Receiver(ThreadingHTTPServer(("127.0.0.1", 0), Handler), list(statuses), headers=headers)
    thread = Thread(target=receiver.server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        thread.join()
        receiver.server.server_close()


def register(service: Service, url: str, **more: Any) -> str:
    """Its secret."""
    made = service.post("gm", "webhooks", {"url": url, **more})
    assert made.status_code == 201, made.text
    secret: str = made.json()["secret"]
    return secret


def note(service: Service, text: str) -> None:
    assert service.post("gm", "notes", {"text": text}).status_code == 200


def is_genuine() -> Callable[[str, str, bytes], bool]:
    """The lines of docs/http.md."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    return found["is_genuine"]  # type: ignore[no-any-return]


def test_what_a_spectator_sees_comes_in_order_and_signed(make_service: Make) -> None:
    service = make_service(**HERE)
    with receiving() as receiver:
        secret = register(service, receiver.url, from_start=True)
        for number in range(3):
            note(service, f"note {number}")
        service.post("gm", "hurt", {"who": ["grimjaw"], "amount": 1})
        seen = service.get("spectator", "events").json()["events"]
        assert receiver.numbers(len(seen)) == [event["seq"] for event in seen]
        delivered = [event for _, _, body in receiver.attempts for event in json.loads(body)["events"]]
        assert delivered == seen
        assert "grimjaw" not in str(delivered).lower()
        check = is_genuine()
        assert all(check(secret, signature, body) for _, signature, body in receiver.attempts)
        _, signature, body = receiver.attempts[0]
        assert not check(secret, signature, body + b" ")
        assert not check("another", signature, body)
        assert not check(secret, sign(secret, 1, body), body)  # long ago


@pytest.mark.slow
@pytest.mark.parametrize("opening", [{"ruleset": name} for name in WAYS_TO_BE_UNSEEN], ids=WAYS_TO_BE_UNSEEN)
def test_nothing_is_delivered_because_something_happened_unseen(make_service: Make) -> None:
    """The GM is told of every secret, so somebody has looked whether there is anything for the spectator as well."""
    service = make_service(**HERE)
    with receiving() as for_spectators, receiving() as for_the_gm:
        register(service, for_spectators.url)
        register(service, for_the_gm.url, role="gm")
        for number in range(3):
            secret = service.post("gm", "notes", {"text": f"secret {number}", "secret": True}).json()["events"]
            assert for_the_gm.numbers(len(secret)) == [event["seq"] for event in secret]
        struck = service.post("gm", "hurt", {"who": ["grimjaw"], "amount": 1}).json()["events"]
        assert for_the_gm.numbers(len(struck)) == [event["seq"] for event in struck]
        note(service, "The ground shakes.")
        last = service.get("spectator", "events").json()["last"]
        assert for_spectators.numbers(1) == [last]
        assert len(for_spectators.attempts) == 1


@pytest.mark.slow
def test_it_is_tried_again_until_it_is_taken(make_service: Make) -> None:
    service = make_service(**HERE)
    with receiving(500, 503, 404) as receiver:
        register(service, receiver.url)
        before = service.get("spectator", "events").json()["last"]
        note(service, "is anybody there?")
        assert receiver.numbers(1)[0] == before + 1
        assert [status for status, _, _ in receiver.attempts] == [500, 503, 404, 204]
        assert len({body for _, _, body in receiver.attempts}) == 1
    (state,) = service.get("gm", "webhooks").json()
    assert "secret" not in state


@pytest.mark.slow
def test_it_goes_on_after_a_restart_where_it_stopped(database: str) -> None:
    tokens = set_up(database)
    settings = replace(BOUNDLESS, database=database, **HERE)  # type: ignore[arg-type]
    with receiving(204, *[500] * 10_000) as receiver:
        with listening(settings) as url:
            first = Service(url, tokens)
            register(first, receiver.url)
            before = first.get("spectator", "events").json()["last"]
            note(first, "one")
            (one,) = set(receiver.numbers(1)) & {before + 1}
            note(first, "two")
            while len(receiver.attempts) < 3:
                assert first.get("gm", "state").status_code == 200
            [client.close() for client in first.clients]
        with combatlog.open(database) as ledger:
            ledger.fight(FIGHT).note("while nobody served")
            expected = [event.seq for event in ledger.fight(FIGHT).seen_by("spectator").seen if event.seq > one]
        receiver.statuses.clear()
        told = [event for status, _, body in receiver.attempts if status == 204 for event in json.loads(body)["events"]]
        expected = [seq for seq in expected if seq not in [event["seq"] for event in told]]
        with listening(settings) as url:
            assert receiver.numbers(len(expected)) == expected


@pytest.mark.slow
def test_of_several_processes_one_delivers_at_a_time(make_service: Make) -> None:
    services = [make_service(**HERE) for _ in range(3)]
    with receiving() as receiver:
        register(services[0], receiver.url)
        before = services[0].get("spectator", "events").json()["last"]
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda number: note(services[number % 3], str(number)), range(12)))
        last = services[0].get("spectator", "events").json()["last"]
        assert receiver.numbers(last - before) == list(range(before + 1, last + 1))
        assert receiver.most_at_once == 1


@pytest.mark.slow
def test_a_receiver_that_never_answers_holds_up_nobody(make_service: Make) -> None:
    service = make_service(**HERE)
    with socket() as silent, receiving() as receiver:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)
        register(service, f"http://127.0.0.1:{silent.getsockname()[1]}/")
        register(service, receiver.url)
        before = service.get("spectator", "events").json()["last"]
        for number in range(3):
            note(service, str(number))
            assert receiver.numbers(1)[0] > before + number


@pytest.mark.slow
def test_redirects_are_not_followed(make_service: Make) -> None:
    service = make_service(**HERE)
    with receiving() as elsewhere, receiving(302, 307, Location=elsewhere.url) as receiver:
        register(service, receiver.url)
        note(service, "where to?")
        assert receiver.numbers(1)
        assert [status for status, _, _ in receiver.attempts] == [302, 307, 204]
        assert elsewhere.attempts == []


def test_nothing_is_sent_to_addresses_that_are_not_public(make_service: Make) -> None:
    service = make_service(webhook_backoff=0.01)
    with receiving() as receiver:
        register(service, receiver.url)
        note(service, "hello?")
        while not (state := service.get("gm", "webhooks").json()[0])["failures"]:
            assert state["problem"] is None
        assert state["problem"] == "the address is not a public one"
        assert receiver.attempts == []


@pytest.mark.slow
def test_what_is_removed_is_told_nothing_more(make_service: Make) -> None:
    service = make_service(**HERE)
    with receiving() as receiver, receiving() as other:
        register(service, receiver.url)
        register(service, other.url)
        (first, _) = service.get("gm", "webhooks").json()
        assert service.client("gm").delete(service.at(f"webhooks/{first['webhook']}")).status_code == 200
        assert service.client("gm").delete(service.at(f"webhooks/{first['webhook']}")).status_code == 404
        note(service, "bye")
        assert other.numbers(1)
        assert receiver.attempts == []


@pytest.fixture
def authority(tmp_path: Path) -> tuple[trustme.CA, str]:
    """One of ones own, and the file with its certificate."""
    made, file = trustme.CA(), tmp_path / "authority.pem"
    made.cert_pem.write_to_path(file)
    return made, str(file)


def encrypt(receiver: Receiver, certificate: trustme.LeafCert) -> str:
    """The address of the receiver, over TLS from now on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)
    return receiver.url.replace("http:", "https:")


def test_it_is_delivered_over_tls(make_service: Make, authority: tuple[trustme.CA, str]) -> None:
    made, file = authority
    service = make_service(**HERE, webhook_authority=file)
    with receiving() as receiver:
        secret = register(service, encrypt(receiver, made.issue_cert("127.0.0.1")))
        note(service, "it rains")
        assert receiver.numbers(1)
        assert is_genuine()(secret, *receiver.attempts[0][1:])


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["another name", "another authority", "no authority"])
def test_a_wrong_certificate_is_refused_and_tried_again(
    make_service: Make, authority: tuple[trustme.CA, str], wrong: str
) -> None:
    made, file = authority
    service = make_service(**HERE, webhook_authority=None if wrong == "no authority" else file)
    issuer = trustme.CA() if wrong == "another authority" else made
    with receiving() as receiver:
        name = "example.org" if wrong == "another name" else "127.0.0.1"
        register(service, encrypt(receiver, issuer.issue_cert(name)))
        note(service, "it rains")
        while (told := service.get("gm", "webhooks").json()[0])["failures"] < 2:
            continue
        assert told["problem"] == "the receiver did not answer: SSLCertVerificationError"
        assert receiver.attempts == []


def test_an_authority_has_to_be_a_certificate(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("nonsense")
    for name in ("text", "none"):
        with pytest.raises(combatlog.Problem) as refused:
            trusting(str(tmp_path / name))
        assert refused.value.code == "serve/authority"


@pytest.mark.slow
@each("url", ["ftp://x/", "https://", "https://a:b@c/", "nonsense", "https://x y/", "https://x:0/"])
def test_an_address_has_to_be_one(service: Service, url: str) -> None:
    refused = service.post("gm", "webhooks", {"url": url})
    assert (refused.status_code, refused.json()["code"]) == (422, "webhook/url")


@each(
    ("address", "permitted"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("::ffff:93.184.216.34", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("fec0::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:169.254.169.254", False),
        ("64:ff9b::7f00:1", False),  # 127.0.0.1 behind NAT64
        ("2002:7f00:1::", False),  # 127.0.0.1 behind 6to4
    ],
)
def test_which_addresses_are_permitted(address: str, permitted: bool) -> None:
    assert is_permitted(ip_address(address), ()) is permitted


def test_a_network_of_ones_own_can_be_permitted() -> None:
    own = networks(["10.1.0.0/16", "fd00::/8"])
    assert is_permitted(ip_address("10.1.2.3"), own)
    assert is_permitted(ip_address("::ffff:10.1.2.3"), own)
    assert is_permitted(ip_address("fd00::1"), own)
    assert not is_permitted(ip_address("10.2.0.1"), own)


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    asked: list[str] = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["93.184.216.34"]

    found = destination("https://example.org/hook?x=1", (), look_up)
    assert (found.address, found.port, found.host, found.path) == ("93.184.216.34", 443, "example.org", "/hook?x=1")
    assert asked == ["example.org"]


@pytest.mark.parametrize(
    ("url", "addresses"),
    [
        ("https://example.org/", ["93.184.216.34", "127.0.0.1"]),  # one of several
        ("https://example.org/", []),
        ("http://example.org/", ["93.184.216.34"]),  # not encrypted
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(url: str, addresses: list[str]) -> None:
    with pytest.raises(NotPermitted):
        destination(url, (), lambda host, port: addresses)
