"""Answers as they look, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from combatlog.answers import LedgerVerification
from combatlog.rules.engine.corrections.plan import PlanData
from combatlog.rules.engine.status import StatusData
from combatlog.rules.engine.verify import Report
from combatlog.seats import HeldSeat
from combatlog.service.results import EventPage, Health, InvitedData, Readiness, RecordedData
from combatlog.webhooks import NewWebhook, Webhook
from ledger.listing import Page
from projections.links import SharedDice

_BRIDGE = "ea2930ea-a62d-52b4-af66-58200bf01a75"
_AT = "2026-07-01T12:00:00+00:00"
_ENDED = {
    "kind": "turn_ended",
    "encounter": _BRIDGE,
    "seq": 23,
    "recorded_at": _AT,
    "declaration": 22,
    "cause": 22,
    "round": 1,
    "turn": "snig",
    "by": "system",
    "combatant": "snig",
}
_SEAT = {
    "seat": "383b2749-4f87-441a-9f42-633f615fd145",
    "encounter": _BRIDGE,
    "role": "player",
    "combatants": ["rurik"],
    "name": "Anna",
    "delay": 0,
    "created_at": _AT,
    "expires_at": "2026-07-31T12:00:00+00:00",
    "revoked_at": None,
}
_WEBHOOK = {
    "webhook": "094bac36-6dce-4670-9825-61c51a8ecc77",
    "encounter": _BRIDGE,
    "url": "https://example.org/hook",
    "role": "spectator",
    "combatants": [],
    "by": "gm",
    "created_at": _AT,
    "delivered": 14,
    "failures": 0,
    "problem": None,
    "due_at": None,
}
_RURIK = {
    "name": "Rurik",
    "side": "heroes",
    "controller": "player",
    "present": True,
    "position": [3, 2],
    "vitals": {"hp": {"current": 19, "maximum": 28}},
    "economy": {"action": {"current": 1, "maximum": 1, "spent": 0, "locked": 0}},
    "conditions": {},
    "granted": [],
    "piles": {},
    "health": "hurt",
}
_STATE = {
    "encounter": _BRIDGE,
    "name": "Bridge ambush",
    "ruleset": "dnd5e",
    "dice": "random",
    "seq": 24,
    "round": 1,
    "turn": "rurik",
    "closed": False,
    "initiative": [{"combatant": "rurik", "value": 12}],
    "combatants": {"rurik": _RURIK},
    "questions": {},
    "window": None,
    "order": ["rurik"],
    "asked": None,
    "labels": [],
    "glances": {},
}
_UNDONE = {"kind": "undone", "encounter": _BRIDGE, "seq": 24, "retracts": [22], "places": [], "reason": "corrected"}
_DECLARED = {"kind": "declared", "encounter": _BRIDGE, "seq": 22, "actor": "snig", "action": "core:time:end-turn"}
_PLAN = {
    "correction": _UNDONE,
    "declarations": [
        {
            "seq": 22,
            "action": "core:time:end-turn",
            "actor": "snig",
            "verdict": "taken back",
            "why": None,
            "replaced_by": None,
            "changes": [],
            "declared": _DECLARED,
        }
    ],
    "state": [{"aspect": "turn", "who": None, "name": None, "before": "rurik", "after": "snig"}],
    "names": {"rurik": "Rurik", "snig": "Snig"},
    "words": ["It is Snig's turn instead of Rurik's."],
    "dice_added": 0,
    "undecided": None,
    "needs": None,
    "repeated": False,
    "asked": [],
}
_LISTED = {
    "name": "Bridge ambush",
    "encounter": _BRIDGE,
    "ruleset": "dnd5e",
    "begun": _AT,
    "events": 24,
    "parent": None,
    "problem": None,
    "labels": [],
    "state": "under way",
    "round": 1,
}

EXAMPLES: dict[Any, dict[str, Any]] = {
    RecordedData: {
        "encounter": _BRIDGE,
        "seq": 23,
        "events": [_ENDED],
        "repeated": False,
        "window": None,
        "asked": None,
    },
    StatusData: _STATE,
    EventPage: {"last": 24, "next": 23, "events": [_ENDED]},
    PlanData: _PLAN,
    Page: {"encounters": [_LISTED], "total": 1, "next": None, "archived": 0},
    SharedDice: {"encounter": _BRIDGE, "dice": "table", "commitment": None, "parties": {}, "waiting": None},
    HeldSeat: _SEAT,
    InvitedData: {**_SEAT, "token": "TOKEN", "link": "https://combat.example.org/join?token=TOKEN"},
    Webhook: _WEBHOOK,
    NewWebhook: {**_WEBHOOK, "secret": "SECRET"},
    Report: {"name": "Bridge ambush", "events": 24, "declarations": 6, "findings": []},
    LedgerVerification: {"encounters": [_BRIDGE], "findings": []},
    Health: {"status": "alive"},
    Readiness: {"status": "ready", "database": True, "follower": True, "streams": 4},
}
"""By the type of the answer."""
