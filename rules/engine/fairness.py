"""Checking committed dice: the numbers of their rolls at any time, every face once the seed is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from ledger.events import EncounterClosed, Event, Face, FaceOrigin, Rolled
from projections.battle import Battle, fold
from rules.engine.dice import CommittedDice, Die, commitment_to, face_by_event, parse
from rules.engine.dice_settings import COMMITTED, read_setting
from rules.engine.roll_history import RollHistory
from rules.engine.roll_numbering import wrong_numbers


def committed_rolls(events: Sequence[Event], encounter: UUID) -> list[Rolled]:
    """The rolls whose faces must follow from the encounter's own seed, not those of a shared past."""
    rolls = (event for event in events if isinstance(event, Rolled) and event.encounter == encounter)
    return [roll for roll in rolls if roll.dice_source is FaceOrigin.COMMITTED]


def unfair(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Every event that breaks the commitment, and how. Faces can only be checked once the encounter has closed."""
    battle = fold(events)
    if battle.commitment is None:
        return
    yield from wrong_numbers(events, battle.id)
    closings = [event for event in events if isinstance(event, EncounterClosed) and event.encounter == battle.id]
    if not closings:
        return
    closing = closings[0]
    seed = bytes.fromhex(closing.seed) if closing.seed is not None else None
    if commitment_to(seed) != battle.commitment:
        yield closing.seq, _WRONG_SEED if seed else _NO_SEED
    elif seed is not None:
        yield from _wrong_faces(events, battle, seed)


_FOREIGN = {FaceOrigin.RNG, FaceOrigin.SEED}
"""Sources that never roll for somebody whose dice are committed. People may, and then the log says so."""

_NO_SEED = "it has to reveal the seed of the committed dice, but does not"
_WRONG_SEED = "the seed it reveals is not the one that the encounter committed to"


def _wrong_faces(events: Sequence[Event], battle: Battle, seed: bytes) -> Iterator[tuple[int, str]]:
    encounter, setting = battle.id, read_setting(battle.encounter.dice)
    for event in events:
        if not isinstance(event, Rolled) or event.encounter != encounter or event.dice_source not in _FOREIGN:
            continue
        if setting.of(battle.combatants.get(event.roller)) == COMMITTED:
            yield event.seq, f"its faces come from {event.dice_source}, in an encounter with committed dice"
    history = RollHistory(events)
    for roll in committed_rolls(events, encounter):
        computed = _computed(roll, history.correction(roll) or 0, seed)
        carried = [(), *(shown.faces for shown in history.carried(roll))]
        if not any(_follows(roll.faces, computed, taped) for taped in carried):
            expected = ", ".join(map(str, computed))
            yield roll.seq, f"its faces do not follow from the seed; they should be {expected}"


def _follows(faces: Sequence[Face], computed: Sequence[Face], taped: Sequence[Face]) -> bool:
    """Whether each face was computed at its place, or rolled earlier and carried over by a correction."""
    return all(face in (computed[index], *taped[index : index + 1]) for index, face in enumerate(faces))


def _computed(roll: Rolled, correction: int, seed: bytes) -> list[Face]:
    dice = enumerate(_dice(roll))
    if roll.drawn is None:
        return [face_by_event(seed, roll.encounter, correction, roll.seq, index, die) for index, die in dice]
    source = CommittedDice(seed, roll.encounter)
    return [source.face(seed, die, roll.drawn, index) for index, die in dice]


def _dice(roll: Rolled) -> list[Die]:
    """The die of every recorded face: more than the notation says if dice exploded."""
    notation = parse(roll.notation)
    dice: list[Die] = []
    while len(dice) < len(roll.faces) and (needed := notation.needed(roll.faces[: len(dice)])):
        dice += needed
    return dice
