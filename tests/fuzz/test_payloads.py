"""Event payloads as somebody could have written them into the database, and what declarations may carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Problem
from ledger.events import Event
from ledger.registry import KINDS, decode, encode
from tests.effort import examples

SAMPLES = {path.stem.removesuffix(".1"): json.loads(path.read_bytes()) for path in Path("tests/samples").glob("*.json")}
"""By the name under which such an event is stored: every version of every kind."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@examples(500)
@given(name=st.sampled_from(sorted(SAMPLES)), data=st.data())
def test_a_payload_with_a_strange_field_is_an_event_or_a_problem(name: str, data: st.DataObject) -> None:
    payload = dict(SAMPLES[name])
    payload[data.draw(st.sampled_from(sorted(payload)))] = data.draw(JSON)
    try:
        event = decode(name, json.dumps(payload).encode())
    except Problem as problem:
        assert problem.code == "ledger/unreadable-event"
    else:
        assert isinstance(event, Event)


@examples(300)
@given(name=st.sampled_from(sorted(KINDS)) | st.text(max_size=20), state=st.binary(max_size=200))
def test_any_bytes_are_an_event_or_a_problem(name: str, state: bytes) -> None:
    try:
        decode(name, state)
    except Problem as problem:
        assert problem.code in {"ledger/unreadable-event", "ledger/unknown-kind"}


WORDS = st.text(max_size=30) | st.sampled_from(["rurik", "gm", "strike", "dash", "core:time:start", "x" * 3000])


@examples(400)
@given(
    actor=WORDS,
    action=WORDS,
    targets=st.lists(WORDS, max_size=3),
    weapon=st.none() | WORDS,
    destination=st.none() | st.tuples(st.integers(), st.integers()),
    options=st.dictionaries(st.text(max_size=8), JSON, max_size=4),
)
def test_any_declaration_is_recorded_readably_or_refused_without_a_trace(**said: Any) -> None:
    fight = FightEngine.open(Opening(name="fuzz", dice="seed:1"))
    try:
        fight.declare(Declaration(**said))
    except Problem:
        assert len(fight.events) == 1
    for event in fight.events:
        assert decode(*encode(event)) == event


@examples(100)
@given(reactor=WORDS, reaction=st.none() | WORDS, options=st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_any_reply_without_a_window_is_refused(**said: Any) -> None:
    fight = FightEngine.open(Opening(name="fuzz", dice="seed:1"))
    with pytest.raises(Problem):
        fight.answer(Reply(**said))
    assert len(fight.events) == 1


@examples(100)
@given(name=st.text(max_size=120), options=st.dictionaries(st.text(max_size=8), JSON, max_size=4), dice=WORDS)
def test_any_opening_is_recorded_readably_or_refused(name: str, options: dict[str, Any], dice: str) -> None:
    try:
        fight = FightEngine.open(Opening(name=name, options=options, dice=dice))
    except Problem as problem:
        assert problem.sentence
    else:
        assert decode(*encode(fight.events[0])) == fight.events[0]
