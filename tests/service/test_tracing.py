"""Traces for OpenTelemetry, as a collector receives them on a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.service.conftest import FIGHT, set_up
from tests.service.processes import running

pytestmark = pytest.mark.slow

TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"


class Collector:
    def __init__(self) -> None:
        self.received: list[bytes] = []
        outer = self

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.received.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def spans(self) -> list[Span]:
        requests = map(ExportTraceServiceRequest.FromString, self.received)
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    thread = Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def test_a_request_and_its_questions_to_the_database_are_one_trace(database: str, collector: Collector) -> None:
    tokens = set_up(database)
    headers = {"Authorization": f"Bearer {tokens['gm']}", "traceparent": f"00-{TRACE}-{CALLER}-01"}
    note = {"note": "it rains", "reason": "mood"}
    with running(database, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as service:
        answer = httpx.post(f"{service.url}/v1/encounters/{FIGHT}/rulings", json=note, headers=headers, timeout=60)
        assert answer.status_code == 200
        httpx.get(f"{service.url}/join", params={"token": tokens["gm"]}, timeout=60)
    ours = [span for span in collector.spans if span.trace_id.hex() == TRACE]
    (request,) = [span for span in ours if span.kind == Span.SPAN_KIND_SERVER]
    assert request.name == "POST /v1/encounters/{encounter}/rulings"
    assert request.parent_span_id.hex() == CALLER
    told = {one.key: one.value for one in request.attributes}
    assert told["http.response.status_code"].int_value == 200
    asked = [span for span in ours if span.kind == Span.SPAN_KIND_CLIENT]
    assert {span.parent_span_id for span in asked} <= {span.span_id for span in ours}
    assert any("append_events" in str(span.attributes) for span in asked)
    assert not any(token.encode() in body for body in collector.received for token in tokens.values())


def test_nothing_is_traced_unless_somebody_asks_for_it(database: str, collector: Collector) -> None:
    tokens = set_up(database)
    with running(database, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SDK_DISABLED="true") as service:
        httpx.get(f"{service.url}/healthz", headers={"Authorization": f"Bearer {tokens['gm']}"}, timeout=60)
    assert collector.received == []
