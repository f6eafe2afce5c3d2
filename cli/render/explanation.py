"""The causal tree of an event, in words."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from rich.tree import Tree

from cli.render.text import console, say
from ledger.events import ChainModified, ChangeOp, Damaged, ReactionWindowOpened, Rolled, RollMode
from projections.explanation import Explanation, Node
from projections.phrases import change_in_words, signed
from projections.text import and_list, clean, short
from projections.words import in_words


def print_explanation(explanation: Explanation) -> None:
    if explanation.retracted:
        say("This was taken back and no longer counts.", "red")
    tree = Tree(_label(explanation.tree, explanation))
    _grow(tree, explanation.tree, explanation)
    console().print(tree, soft_wrap=False)


def _grow(tree: Tree, node: Node, explanation: Explanation) -> None:
    for line in remarks(node):
        tree.add(Text(clean(line), style="italic cyan"))
    for child in node.effects:
        _grow(tree.add(_label(child, explanation)), child, explanation)


def _label(node: Node, explanation: Explanation) -> Text:
    event = node.event
    style = "bold reverse" if event.seq == explanation.seq else "bold" if event.seq in explanation.path else ""
    return Text(f"{event.seq} ", style="dim").append(in_words(event), style=style)


def remarks(node: Node) -> list[str]:
    """What there is to say beyond the event itself."""
    event = node.event
    if isinstance(event, Rolled):
        return _roll_remarks(event, node)
    if isinstance(event, ReactionWindowOpened):
        return [f"{declined.reactor} could have reacted and did not" for declined in node.passed]
    if isinstance(event, Damaged):
        return [f"{part.amount} {part.damage_type or event.pool} from {short(part.source)}" for part in event.parts]
    return []


def _roll_remarks(event: Rolled, node: Node) -> list[str]:
    lines = []
    if event.mode is not RollMode.NORMAL or node.because:
        lines.append(_how_rolled(event, node.because))
    lines += [f"{event.dice_source.value} dice, {event.notation}: every face {and_list([str(f) for f in event.faces])}"]
    added = [m for m in node.counted if m.change.op in (ChangeOp.BONUS, ChangeOp.DICE)]
    lines += [f"{_stage(modifier)}: {change_in_words(modifier.change)}, {modifier.reason}" for modifier in added]
    total = " ".join([and_list([str(face) for face in event.kept]), *(signed(m.amount) for m in event.modifiers)])
    lines.append(f"{total} = {event.total}")
    return lines


def _how_rolled(event: Rolled, because: list[ChainModified]) -> str:
    sources = and_list([f"{m.change.op.value} from {short(m.source)} by {m.owner}" for m in because])
    if event.mode is RollMode.NORMAL:
        return f"one die, because {sources} cancel each other"
    faces, kept = (and_list([str(face) for face in found]) for found in (event.faces, event.kept))
    return f"rolled {faces}, took {kept}: {sources}"


def _stage(modifier: ChainModified) -> str:
    return f"{modifier.chain}, {modifier.stage}"


def as_data(explanation: Explanation) -> dict[str, Any]:
    return {
        "seq": explanation.seq,
        "path": explanation.path,
        "retracted": explanation.retracted,
        "tree": _node_data(explanation.tree),
    }


def _node_data(node: Node) -> dict[str, Any]:
    return {
        "event": node.event.model_dump(mode="json", exclude_none=True),
        "words": in_words(node.event),
        "remarks": remarks(node),
        "effects": [_node_data(child) for child in node.effects],
    }
