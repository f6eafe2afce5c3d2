"""Every version of every kind that was ever written still loads."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import pytest

from ledger import events, registry
from ledger.errors import Problem
from ledger.events import Data, Ruled
from ledger.registry import KINDS, UPCASTS, decode, decode_old, encode, stored_name
from tests.cases import each
from tools.vocabulary import all_models, enums_in

SAMPLES = Path(__file__).parent.parent / "samples"


@each("sample", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_sample_of_every_version_loads(sample: Path) -> None:
    kind, _, version = sample.stem.partition(".")
    assert decode(stored_name(kind, int(version)), sample.read_bytes().strip()).kind == kind


def test_every_kind_and_every_part_of_one_is_public() -> None:
    parts = {part.__name__ for part in (*all_models(), *enums_in(all_models()))}
    assert parts - {"Event"} <= set(events.__all__)
    assert all(hasattr(events, name) for name in events.__all__)


@each("kind", KINDS)
def test_every_version_of_every_kind_has_a_sample(kind: str) -> None:
    for version in range(1, KINDS[kind].class_version + 1):
        assert (SAMPLES / f"{kind}.{version}.json").exists()


@each("kind", KINDS)
def test_the_current_sample_is_written_as_it_was_read(kind: str) -> None:
    """The stored form does not drift: fields are neither renamed nor dropped without a new version."""
    text = (SAMPLES / f"{kind}.{KINDS[kind].class_version}.json").read_bytes().strip()
    name = stored_name(kind, KINDS[kind].class_version)
    assert encode(decode(name, text)) == (name, text)


def test_every_old_version_has_an_upcast() -> None:
    for kind, cls in KINDS.items():
        for version in range(1, cls.class_version):
            assert (kind, version) in UPCASTS


class RuledTwo(Ruled):
    """How `ruled` would look after a change of shape."""

    class_version: ClassVar[int] = 3
    kind: Literal["ruled"] = "ruled"  # type: ignore[mutable-override]
    page: int


def test_an_old_version_is_upcast_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def rename(payload: Data) -> Data:
        return {**payload, "rule_page": 72}

    def drop_prefix(payload: Data) -> Data:
        return {("page" if key == "rule_page" else key): value for key, value in payload.items()}

    monkeypatch.setitem(registry.UPCASTS, ("ruled", 1), rename)
    monkeypatch.setitem(registry.UPCASTS, ("ruled", 2), drop_prefix)
    event = decode_old(RuledTwo, "ruled", 1, (SAMPLES / "ruled.1.json").read_bytes())
    assert isinstance(event, RuledTwo)
    assert event.page == 72


@pytest.mark.parametrize(
    ("name", "state", "code"),
    [
        ("teleported", b"{}", "ledger/unknown-kind"),
        ("ruled.99", b"{}", "ledger/unknown-kind"),
        ("ruled", b"{}", "ledger/unreadable-event"),
        ("ruled", b"\xff\x00", "ledger/unreadable-event"),
        ("ruled", b"[" * 100_000, "ledger/unreadable-event"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(name: str, state: bytes, code: str) -> None:
    with pytest.raises(Problem) as caught:
        decode(name, state)
    assert caught.value.code == code


def test_events_of_a_kind_share_the_set_of_their_fields() -> None:
    """It would take a third of the memory of a long fight. A copy has its own."""
    state = (SAMPLES / "undone.2.json").read_bytes().strip()
    one, other = decode("undone.2", state), decode("undone.2", state)
    assert one == other
    assert one.__pydantic_fields_set__ is other.__pydantic_fields_set__
    assert one.model_copy(update={"cause": 7}).__pydantic_fields_set__ is not one.__pydantic_fields_set__
