"""Traces for OpenTelemetry, if its own environment variables ask for them: FastAPI has a span for each request, and
inside it is one for each question to the database."""

from __future__ import annotations

import os
from collections.abc import Callable, MutableMapping
from importlib.util import find_spec
from typing import Any

from ledger.errors import Problem

JOIN = "/join"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PACKAGES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp", "opentelemetry.instrumentation.psycopg")


def is_wanted() -> bool:
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(map(os.environ.get, _ENDPOINTS))


def has_token_in_address(scope: MutableMapping[str, Any]) -> bool:
    """Such a request is not traced: spans have the whole query, and whoever reads them would have the seat."""
    return b"token" in scope.get("query_string", b"") or scope["path"] == JOIN


def trace() -> Callable[[], None]:
    """Send traces of this process where the environment says. Returns what sends the last ones and ends it."""
    from opentelemetry import trace as telemetry
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", "combatlog")
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    telemetry.set_tracer_provider(provider)
    PsycopgInstrumentor().instrument(tracer_provider=provider)
    return provider.shutdown


def require_packages() -> None:
    """Refuse to start rather than leave out what somebody asked for."""
    if missing := [name for name in _PACKAGES if not _is_installed(name)]:
        raise Problem(
            "serve/no-telemetry",
            "The environment asks for traces, but OpenTelemetry is not installed with this combatlog.",
            needed=missing,
        )


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # not even the package that it is part of
        return False
