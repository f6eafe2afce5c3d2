"""The calls of the service: what the OpenAPI document says about each, and the routes that there are."""

from __future__ import annotations

from typing import Any

from fastapi.routing import iter_route_contexts

from combatlog.service.app import create
from combatlog.service.settings import Settings

APP = create(Settings())
DOCUMENT: dict[str, Any] = APP.openapi()
OPERATIONS: dict[str, dict[str, Any]] = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
"""By method and path: `GET /v1/seat`."""
ROUTES: dict[str, Any] = {
    f"{method} {route.path}": route for route in iter_route_contexts(APP.routes) for method in route.methods or ()
}
"""The same, and those that the document does not mention."""
BODIES = {
    call: operation
    for call, operation in OPERATIONS.items()
    if "application/json" in operation.get("requestBody", {}).get("content", {})
}


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: Any = DOCUMENT
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return dict(found)


def taken(operation: dict[str, Any]) -> set[str]:
    """The headers that a request may have."""
    return {one["name"] for one in map(resolved, operation.get("parameters", ())) if one["in"] == "header"}


def examples_of(operation: dict[str, Any]) -> list[Any]:
    """Of the body; of each kind, if it can be one of several."""
    schema = resolved(operation["requestBody"]["content"]["application/json"]["schema"])
    kinds = [resolved(one) for one in schema["oneOf"]] if "oneOf" in schema else [schema]
    return [example for kind in kinds for example in kind["examples"]]
