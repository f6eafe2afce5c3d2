"""Every kind of event can be put into words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.registry import KINDS, decode, stored_name
from projections.words import WORDS, in_words

SAMPLES = Path(__file__).parent.parent / "samples"


def test_every_kind_has_words() -> None:
    assert set(WORDS) == set(KINDS.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_every_kind_reads_well(kind: str) -> None:
    version = KINDS[kind].class_version
    event = decode(stored_name(kind, version), (SAMPLES / f"{kind}.{version}.json").read_bytes())
    sentence = in_words(event)
    assert sentence.isprintable()
    assert "None" not in sentence
    assert len(sentence) > 10
