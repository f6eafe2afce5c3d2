"""Checking committed dice: once the seed is public, anybody can compute every face again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from ledger.events import Declared, EncounterClosed, Event, Face, FaceOrigin, Rolled
from projections.battle import fold
from rules.engine.dice import CommittedDice, Die, commitment_to, parse


def committed_rolls(events: Sequence[Event], encounter: UUID) -> list[Rolled]:
    """The rolls whose faces must follow from the encounter's own seed, not those of a shared past."""
    rolls = (event for event in events if isinstance(event, Rolled) and event.encounter == encounter)
    return [roll for roll in rolls if roll.dice_source is FaceOrigin.COMMITTED]


def unfair(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Every event that breaks the commitment, and how. Nobody can tell before the encounter closes."""
    battle = fold(events)
    closings = [event for event in events if isinstance(event, EncounterClosed) and event.encounter == battle.id]
    if battle.commitment is None or not closings:
        return
    closing = closings[0]
    seed = bytes.fromhex(closing.seed) if closing.seed is not None else None
    if commitment_to(seed) != battle.commitment:
        yield closing.seq, _WRONG_SEED if seed else _NO_SEED
    elif seed is not None:
        yield from _wrong_faces(events, battle.id, seed)


_FOREIGN = {FaceOrigin.RNG, FaceOrigin.SEED}
"""Sources that never roll in an encounter with committed dice. People may, and then the log says so."""

_NO_SEED = "it has to reveal the seed of the committed dice, but does not"
_WRONG_SEED = "the seed it reveals is not the one that the encounter committed to"


def _wrong_faces(events: Sequence[Event], encounter: UUID, seed: bytes) -> Iterator[tuple[int, str]]:
    for event in events:
        if isinstance(event, Rolled) and event.encounter == encounter and event.dice_source in _FOREIGN:
            yield event.seq, f"its faces come from {event.dice_source}, in an encounter with committed dice"
    for roll in committed_rolls(events, encounter):
        computed = _computed(events, roll, seed)
        carried = _carried_over(events, roll)
        if not any(_follows(roll.faces, computed, taped) for taped in carried):
            expected = ", ".join(map(str, computed))
            yield roll.seq, f"its faces do not follow from the seed; they should be {expected}"


def _follows(faces: Sequence[Face], computed: Sequence[Face], taped: Sequence[Face]) -> bool:
    """Whether each face was computed at its place, or rolled earlier and carried over by a correction."""
    return all(face in (computed[index], *taped[index : index + 1]) for index, face in enumerate(faces))


def _computed(events: Sequence[Event], roll: Rolled, seed: bytes) -> list[Face]:
    dice = CommittedDice(seed, roll.encounter, events[roll.declaration - 1].cause or 0)
    return [dice.face(seed, die, roll.seq, index) for index, die in enumerate(_dice(roll))]


def _dice(roll: Rolled) -> list[Die]:
    """The die of every recorded face: more than the notation says if dice exploded."""
    notation = parse(roll.notation)
    dice: list[Die] = []
    while len(dice) < len(roll.faces) and (needed := notation.needed(roll.faces[: len(dice)])):
        dice += needed
    return dice


def _carried_over(events: Sequence[Event], roll: Rolled) -> list[tuple[Face, ...]]:
    """The faces that the same declaration had before it was resolved again, and an empty entry for new ones."""
    declared = events[roll.declaration - 1]
    if declared.cause is None or not isinstance(declared, Declared):
        return [()]
    before = {e.seq for e in events[: declared.cause] if isinstance(e, Declared) and e.command == declared.command}
    rolls = [e for e in events[: declared.cause] if isinstance(e, Rolled) and e.declaration in before]
    return [(), *(e.faces for e in rolls if (e.purpose, e.roller) == (roll.purpose, roll.roller))]
