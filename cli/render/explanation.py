"""The causal tree of an event, in words."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from cli.render.text import console, say
from projections.explanation import Explanation, Node
from projections.remarks import remarks
from projections.text import clean


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
    return Text(f"{event.seq} ", style="dim").append(explanation.words[event.seq], style=style)
