"""What an event can hold: most are seen to be harmless without looking at every value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from combatlog.rules.content.limits import MAX_STORED_NUMBER, check_stored, is_plainly_storable
from combatlog.rules.engine.refusal import Refusal
from tests.cases import each

_NUMBERS = st.integers() | st.floats() | st.sampled_from([MAX_STORED_NUMBER + 1, -MAX_STORED_NUMBER - 1, 1e13, -1e12])
_TEXTS = st.text() | st.sampled_from(["\0", "NaN", ": 9999999999999", "ab1e5", "\\u0000"])
_PAYLOADS = st.dictionaries(
    _TEXTS,
    st.recursive(
        st.none() | st.booleans() | _NUMBERS | _TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)


@given(_PAYLOADS, st.booleans(), st.booleans())
def test_what_looks_harmless_is(payload: dict[str, object], escaped: bool, spaced: bool) -> None:
    state = json.dumps(payload, ensure_ascii=escaped, separators=(" , ", " : ") if spaced else (",", ":"))
    if "\\ud" not in state and is_plainly_storable(state.encode("utf-8", "replace")):
        check_stored(from_json(state.encode("utf-8", "replace")))


@each(
    "state",
    [
        b'{"a":1099511627777}',
        b'{"a":[-1099511627777]}',
        b'{"a":[0, 1e13]}',
        b'{"a":1.5E99}',
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":"\\u0000"}',
        b'{"\\u0000":1}',
    ],
)
def test_what_cannot_be_stored_is_refused(state: bytes) -> None:
    assert not is_plainly_storable(state)
    with pytest.raises(Refusal):
        check_stored(from_json(state))


def test_an_ordinary_event_is_seen_to_be_harmless() -> None:
    encounter = "12345678-1234-1e34-9234-123456789012"
    state = {"encounter": encounter, "recorded_at": "2026-01-01T00:00:00.123456Z", "total": MAX_STORED_NUMBER // 10}
    assert is_plainly_storable(json.dumps(state).encode())
