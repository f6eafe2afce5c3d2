"""Checking committed dice: the numbers of their rolls at any time, every face once the seed is public.

Shared dice are checked link by link, and the host's links against its seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from combatlog.rules.engine.dice import CommittedDice, commitment_to, face_by_event
from combatlog.rules.engine.dice_settings import COMMITTED, is_shared, read_setting
from combatlog.rules.engine.roll_history import RollHistory
from combatlog.rules.engine.roll_numbering import wrong_numbers
from combatlog.rules.engine.rolled_dice import dice_of, follows
from combatlog.rules.engine.shared_fairness import links_not_of_seed, wrong_links
from ledger.events import EncounterClosed, Event, Face, FaceOrigin, Rolled
from projections.battle import Battle, fold


def committed_rolls(events: Sequence[Event], encounter: UUID) -> list[Rolled]:
    """The rolls whose faces must follow from the encounter's own seed, not those of a shared past."""
    rolls = (event for event in events if isinstance(event, Rolled) and event.encounter == encounter)
    return [roll for roll in rolls if roll.dice_source is FaceOrigin.COMMITTED]


def unfair(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Every event that breaks a commitment, and how. Whatever follows from the seed can only be checked once the
    encounter has closed: all faces of committed dice, and the host's links of shared dice."""
    battle = fold(events)
    shared = is_shared(battle.encounter.dice)
    if battle.commitment is None:
        if shared:
            yield 1, "it has shared dice, and the host commits to nothing"
        return
    yield from wrong_links(events, battle.id) if shared else wrong_numbers(events, battle.id)
    closings = [event for event in events if isinstance(event, EncounterClosed) and event.encounter == battle.id]
    if not closings:
        return
    closing = closings[0]
    seed = bytes.fromhex(closing.seed) if closing.seed is not None else None
    if commitment_to(seed) != battle.commitment:
        yield closing.seq, _WRONG_SEED if seed else _NO_SEED
    elif seed is not None and shared:
        yield from links_not_of_seed(events, battle.id, seed)
    elif seed is not None:
        yield from _wrong_faces(events, battle, seed)


_FOREIGN = {FaceOrigin.RNG, FaceOrigin.SEED}
"""Sources that never roll for somebody whose dice are committed. People may, and then the log says so."""

_NO_SEED = "it has to reveal the seed of the dice, but does not"
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
        if not any(follows(roll.faces, computed, taped) for taped in carried):
            expected = ", ".join(map(str, computed))
            yield roll.seq, f"its faces do not follow from the seed; they should be {expected}"


def _computed(roll: Rolled, correction: int, seed: bytes) -> list[Face]:
    dice = enumerate(dice_of(roll))
    if roll.drawn is None:
        return [face_by_event(seed, roll.encounter, correction, roll.seq, index, die) for index, die in dice]
    source = CommittedDice(seed, roll.encounter)
    return [source.face(seed, die, roll.drawn, index) for index, die in dice]
