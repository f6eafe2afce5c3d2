"""What an explanation says about an event beyond its sentence: dice, modifiers, and who let a reaction pass."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.events import (
    ChainModified,
    ChangeOp,
    Damaged,
    FaceOrigin,
    ReactionWindowOpened,
    Rolled,
    RollMode,
)
from projections.explanation import Node
from projections.phrases import change_in_words, face, signed, who, whose
from projections.text import and_list, short


def remarks(node: Node) -> list[str]:
    """What there is to say beyond the event itself."""
    event = node.event
    if isinstance(event, Rolled):
        return _roll_remarks(event, node)
    if isinstance(event, ReactionWindowOpened):
        return [f"{who(declined.reactor)} could have reacted and did not" for declined in node.passed]
    if isinstance(event, Damaged):
        return [f"{part.amount} {part.damage_type or event.pool} from {short(part.source)}" for part in event.parts]
    return []


ORIGINS = {
    FaceOrigin.RNG: "random",
    FaceOrigin.SEED: "from the seed",
    FaceOrigin.TABLE: "rolled at the table",
    FaceOrigin.COMMITTED: "committed",
    FaceOrigin.RECORDED: "rolled elsewhere",
}


def _roll_remarks(event: Rolled, node: Node) -> list[str]:
    came_up = _faces(event.faces) if event.faces else f"{face(event.total)} in all, the faces are not known"
    lines = [f"{event.notation}, {ORIGINS[event.dice_source]}: {came_up}"]
    if event.mode is not RollMode.NORMAL or node.because:
        lines.append(how_rolled(event, node.because))
    added = [m for m in node.counted if m.change.op in (ChangeOp.BONUS, ChangeOp.DICE)]
    lines += [f"{modifier.stage}: {change_in_words(modifier.change)}, {reason_of(modifier)}" for modifier in added]
    if event.kept and all(isinstance(kept, int) for kept in event.kept):
        terms = [" + ".join(map(face, event.kept)), *(signed(modifier.amount) for modifier in event.modifiers)]
        lines.append(f"{' '.join(terms)} = {face(event.total)}")
    return lines


def _faces(faces: Iterable[int | str]) -> str:
    return and_list([face(value) for value in faces])


def how_rolled(event: Rolled, because: list[ChainModified]) -> str:
    sources = and_list([f"{m.change.op.value} from {whose(m.owner)} {short(m.source)}" for m in because])
    if event.mode is RollMode.NORMAL:
        return f"one die, because {sources} cancel each other out"
    return f"kept {_faces(event.kept)}: {sources or event.mode.value}"


def reason_of(modifier: ChainModified) -> str:
    """The reason that was given; what the modifier comes from, where reasons are not seen."""
    return modifier.reason or short(modifier.source)
