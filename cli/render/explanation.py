"""The causal tree of an event, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from cli.render.text import console, say
from projections.cast import Cast
from projections.explanation import Explanation, Node
from projections.remarks import remarks
from projections.text import clean
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
