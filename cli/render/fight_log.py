"""Print the log of a fight as a story or as events, a replay, and the explanation of an event."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text
from rich.tree import Tree

from cli.render.terminal import console, say
from ledger.events import Commanded, Declared, Event
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.battle.timeline import successor, taken_back
from projections.review.explanation import Explanation, ExplanationNode, remarks
from projections.review.replay import Replay
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import who
from projections.story.telling import StoryLine
from projections.story.text import clean
from projections.views.state import CombatantOutline

TakenBack = Mapping[int, int]
"""The declarations and corrections that do not stand, each with the correction that took it back."""

_STYLES = {
    "rolled": "cyan",
    "reaction_window_opened": "magenta",
    "reaction_chosen": "magenta",
    "reaction_used": "magenta",
    "reaction_lapsed": "magenta",
    "reaction_declined": "magenta",
    "attack_resolved": "bold yellow",
    "damaged": "red",
    "healed": "green",
    "ruled": "bold magenta",
    "chain_modified": "blue",
    "resource_changed": "dim",
    "action_granted": "dim",
    "action_removed": "dim",
    "round_started": "bold",
    "turn_started": "bold",
}
_NOBODY = CombatantNames()
_NUMBER = 5
"""Columns for the number of an event."""
_NARROWEST = 20
"""Lines are not wrapped to fewer columns than this."""


def event_text(event: Event, gone: TakenBack | None = None, cast: CombatantNames = _NOBODY) -> Text:
    """What happened, without its number."""
    is_root = isinstance(event, Commanded)
    text = Text("" if is_root else "  ")
    by = (gone or {}).get(event.declaration)
    style = "bold" if is_root else _STYLES.get(event.kind, "")
    text.append(in_words(event, cast), style=f"{style} strike dim" if by is not None else style)
    if isinstance(event, Declared) and event.by not in (event.actor, "system"):
        text.append(f"  (declared by {clean(who(event.by))})", style="dim")
    return text.append_text(mark(by))


def story_text(line: StoryLine, gone: TakenBack | None = None) -> Text:
    """A line of the story, without its number."""
    by = (gone or {}).get(line.declaration or 0)
    style = "bold underline" if line.round else "bold" if line.turn else ""
    text = Text("" if line.round else "  " if line.turn else "    ")
    text.append(line.text, style=f"{style} strike dim" if by is not None else style)
    return text.append_text(mark(by))


def story_text_within(line: StoryLine, gone: TakenBack | None, width: int) -> Text:
    """A line of the story cut to a width. The mark that it was taken back is never cut off."""
    by = (gone or {}).get(line.declaration or 0)
    said, marked = numbered(line.seq, story_text(line, gone)), mark(by)
    if said.cell_len <= width:
        return said
    said = said[: len(said) - len(marked)]
    said.truncate(max(0, width - marked.cell_len), overflow="ellipsis")
    return said.append_text(marked)


def mark(by: int | None) -> Text:
    """Says in words that an event was taken back, since not every output can strike it through."""
    return Text("") if by is None else Text(f" (taken back by {by})", style="red")


def numbered(seq: int | None, text: Text) -> Text:
    return Text().append(f"{seq if seq is not None else '':>{_NUMBER}}  ", style="dim").append_text(text)


def print_log(events: Iterable[Event], gone: TakenBack | None = None, cast: CombatantNames = _NOBODY) -> None:
    for event in events:
        print_entry(event.seq, event_text(event, gone, cast))


def print_story(lines: Sequence[StoryLine], gone: TakenBack | None = None) -> None:
    for each in lines:
        if each.round and each is not lines[0]:
            console().print()
        print_entry(each.seq, story_text(each, gone))


def print_entry(seq: int | None, text: Text) -> None:
    """Print a line with its number. In a pipe it stays one line, unless the width is given."""
    is_wrapped = console().is_terminal or bool(os.environ.get("COLUMNS"))
    for line in wrapped(seq, text, console().width) if is_wrapped else [numbered(seq, text)]:
        console().print(line)


def wrapped(seq: int | None, text: Text, width: int) -> list[Text]:
    """A numbered line, wrapped; continuation lines are indented past the number."""
    indent = len(text.plain) - len(text.plain.lstrip())
    room = max(_NARROWEST, width - _NUMBER - 2 - indent)
    parts = text[indent:].wrap(console(), room)
    for part in parts:
        part.rstrip()
    begun = (numbered(seq if place == 0 else None, Text(" " * indent)) for place in range(len(parts)))
    return [line.append_text(part) for line, part in zip(begun, parts, strict=True)]


def print_moved(seq: int, now: int | None) -> None:
    """Say where an event is now that a correction took back."""
    again = (
        f"Event {seq} was recorded again: it is event {now} now." if now is not None else "It was not recorded again."
    )
    console().print(again, style="red")


def note_taken_back(events: Sequence[Event], at: int) -> str | None:
    """A warning for a fork after an event that was corrected later."""
    gone = taken_back(events)
    by = gone.get(events[at - 1].declaration)
    if by is None:
        return None
    now = successor(events, gone, at)
    again = f"; it is event {now} now" if now is not None else ""
    return f"Event {at} was taken back by {by} later on{again}. The fork goes on from before that correction."


def print_story_of(replay: Replay, begin: int = 0) -> None:
    for line in replay.story[replay.line_of(begin) :]:
        print_entry(line.seq, story_text(line, replay.taken_back))
        if line.turn and line.seq is not None:
            _print_health(replay.state_after(line.seq))


def print_events_of(replay: Replay, begin: int = 0) -> None:
    for event in replay.frames[begin:]:
        print_entry(event.seq, event_text(event, replay.taken_back, replay.cast))
        if event.kind == "turn_started":
            _print_health(replay.state_after(event.seq))


def _print_health(battle: Battle) -> None:
    """The health of all combatants on one line, at the beginning of a turn."""
    everybody = battle.by_initiative(battle.present())
    entries = [f"{clean(combatant.name)} {health}" for combatant in everybody if (health := _health(combatant))]
    print_entry(None, Text(f"    {' · '.join(entries)}", style="dim"))


def _health(combatant: Combatant) -> str:
    """In numbers, or in words if the numbers are hidden."""
    if isinstance(combatant, CombatantOutline) and combatant.health is not None and not combatant.vitals:
        return combatant.health.value
    return " ".join(f"{vital.current} {name}" for name, vital in combatant.pools().items())


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


def _grow(tree: Tree, node: ExplanationNode, explanation: Explanation) -> None:
    for line in remarks(node):
        tree.add(Text(clean(line), style="italic cyan"))
    for child in node.effects:
        _grow(tree.add(_label(child, explanation)), child, explanation)


def _label(node: ExplanationNode, explanation: Explanation) -> Text:
    event = node.event
    style = "bold reverse" if event.seq == explanation.seq else "bold" if event.seq in explanation.path else ""
    return Text(f"{event.seq} ", style="dim").append(explanation.words[event.seq], style=style)
