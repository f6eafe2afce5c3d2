"""The causal tree of an event, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from cli.render.text import console, say
from ledger.events import (
    ChainModified,
    ChangeOp,
    Damaged,
    FaceOrigin,
    ReactionWindowOpened,
    Rolled,
    RollMode,
)
from projections.cast import Cast
from projections.explanation import Explanation, Node
from projections.phrases import change_in_words, face, signed, who, whose
from projections.text import and_list, clean, short
from projections.words import in_words

if TYPE_CHECKING:
    from cli.documents.shapes import ExplainedEvent, ExplanationData


def print_explanation(explanation: Explanation) -> None:
    if explanation.taken_back_by is not None:
        say(f"This was taken back by {explanation.taken_back_by} and no longer counts.{_again(explanation)}", "red")
    console().print(explanation_tree(explanation), soft_wrap=False)


def _again(explanation: Explanation) -> str:
    now = explanation.successor
    return "" if now is None else f" It was recorded again and is event {now} now."


def explanation_tree(explanation: Explanation) -> Tree:
    tree = Tree(_label(explanation.tree, explanation))
    _grow(tree, explanation.tree, explanation)
    return tree


def _grow(tree: Tree, node: Node, explanation: Explanation) -> None:
    for line in remarks(node):
        tree.add(Text(clean(line), style="italic cyan"))
    for child in node.effects:
        _grow(tree.add(_label(child, explanation)), child, explanation)


def _label(node: Node, explanation: Explanation) -> Text:
    event = node.event
    style = "bold reverse" if event.seq == explanation.seq else "bold" if event.seq in explanation.path else ""
    return Text(f"{event.seq} ", style="dim").append(in_words(event, explanation.cast), style=style)


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


_ORIGINS = {
    FaceOrigin.RNG: "random",
    FaceOrigin.SEED: "from the seed",
    FaceOrigin.TABLE: "rolled at the table",
    FaceOrigin.COMMITTED: "committed",
    FaceOrigin.RECORDED: "rolled elsewhere",
}


def _roll_remarks(event: Rolled, node: Node) -> list[str]:
    came_up = _faces(event.faces) if event.faces else f"{face(event.total)} in all, the faces are not known"
    lines = [f"{event.notation}, {_ORIGINS[event.dice_source]}: {came_up}"]
    if event.mode is not RollMode.NORMAL or node.because:
        lines.append(_how_rolled(event, node.because))
    added = [m for m in node.counted if m.change.op in (ChangeOp.BONUS, ChangeOp.DICE)]
    lines += [f"{modifier.stage}: {change_in_words(modifier.change)}, {modifier.reason}" for modifier in added]
    if event.kept and all(isinstance(kept, int) for kept in event.kept):
        terms = [" + ".join(map(face, event.kept)), *(signed(modifier.amount) for modifier in event.modifiers)]
        lines.append(f"{' '.join(terms)} = {face(event.total)}")
    return lines


def _faces(faces: Iterable[int | str]) -> str:
    return and_list([face(value) for value in faces])


def _how_rolled(event: Rolled, because: list[ChainModified]) -> str:
    sources = and_list([f"{m.change.op.value} from {whose(m.owner)} {short(m.source)}" for m in because])
    if event.mode is RollMode.NORMAL:
        return f"one die, because {sources} cancel each other out"
    return f"kept {_faces(event.kept)}: {sources or event.mode.value}"


def as_data(explanation: Explanation) -> ExplanationData:
    return {
        "seq": explanation.seq,
        "path": list(explanation.path),
        "retracted": explanation.taken_back_by is not None,
        "taken_back_by": explanation.taken_back_by,
        "successor": explanation.successor,
        "tree": _node_data(explanation.tree, explanation.cast),
    }


def _node_data(node: Node, cast: Cast) -> ExplainedEvent:
    return {
        "event": node.event.model_dump(mode="json", exclude_none=True),
        "words": in_words(node.event, cast),
        "remarks": remarks(node),
        "effects": [_node_data(child, cast) for child in node.effects],
    }
