"""Library files: loaded entry by entry, or refused in a sentence; what is loaded can be fought with."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.skirmish import RULESET
from combatlog.rules.skirmish.library import ABOUT, AbilityType, shipped_library
from combatlog.rules.skirmish.library_checks import parse_library
from combatlog.rules.skirmish.pieces import PROPERTIES
from combatlog.rules.skirmish.vocabulary import Timing
from ledger.errors import Problem
from ledger.registry import decode, encode
from tests.effort import examples
from tests.fuzz.exports import ODD_VALUES

SHIPPED = json.dumps(shipped_library()).encode()

VALUES = st.recursive(
    st.sampled_from(ODD_VALUES) | st.integers(-2, 5) | st.booleans() | st.text(max_size=12) | st.sampled_from(Timing),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
SURGES = st.from_regex(
    r"[+-]?[0-9]{0,12} ?(damage|pierce|stun|bleed|x)( [0-9]{0,3})?(, (hide|recover 2))?", fullmatch=True
)
NAMES = st.text(max_size=20) | SURGES | st.sampled_from(sorted(shipped_library()["abilities"]))
FIELDS = st.dictionaries(st.sampled_from([*ABOUT[1:], *sorted(PROPERTIES), "unheardOf"]), VALUES, max_size=4)
ENTRIES = st.builds(lambda kind, fields: {"type": kind, **fields}, st.sampled_from(AbilityType) | VALUES, FIELDS)


@examples(100, soak=5_000)
@given(
    abilities=st.dictionaries(NAMES, ENTRIES, max_size=4), more=st.dictionaries(st.text(max_size=6), VALUES, max_size=1)
)
def test_any_library_is_loaded_or_refused(abilities: dict[str, Any], more: dict[str, Any]) -> None:
    use(json.dumps({"abilities": abilities, **more}))


@examples(33, soak=1_700)  # each checks a whole library
@given(seed=st.integers(0, 2**64))
def test_the_shipped_library_with_bytes_changed_is_loaded_or_refused(seed: int) -> None:
    chance = Random(seed)
    content = bytearray(SHIPPED)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(content))
        content[at : at + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
    use(content.decode("utf-8", "replace"))


def use(text: str) -> None:
    """As the commands do: check it, list it, show each entry, open a fight with it."""
    report = RULESET.library.check(text)
    try:
        own = parse_library(text)
    except Problem as problem:
        assert report.problems
        assert len(problem.sentence) < 20_000
        return
    assert not report.problems
    assert {entry.id for entry in report.entries} == set(own["abilities"])
    assert len(RULESET.library.entries(text)) >= len(own["abilities"])
    for name in own["abilities"]:
        assert RULESET.library.entry(name, text)
    open_fight(own)


def open_fight(own: dict[str, Any]) -> None:
    try:
        fight = FightEngine.open(Opening(name="fuzz", ruleset="skirmish", options={"library": own}))
    except Problem as problem:
        assert problem.code == "library/invalid"
    else:
        assert decode(*encode(fight.events[0])) == fight.events[0]
