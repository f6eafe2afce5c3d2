"""The events of a document: each with its sentence, and whatever explains it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from combatlog.web.document.drawing import drawn
from combatlog.web.document.tables import Texts
from ledger.events import ChainModified, Damaged, Data, Declared, Event, ReactionWindowOpened, Rolled, RollMode
from projections.cast import Cast
from projections.consent import ABOUT_CONSENT
from projections.explanation import Node, grown
from projections.phrases import change_in_words, face, name_of
from projections.remarks import ORIGINS, how_rolled, reason_of, remarks
from projections.text import short
from projections.words import in_words


def event_rows(events: Sequence[Event], cast: Cast, taken_back: Mapping[int, int], texts: Texts) -> list[list[Any]]:
    """`[seq, kind, declaration, cause, round, turn, by, sentence, more]`; `more` is left out if there is none."""
    rows = _Rows(cast, texts, taken_back)
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    nodes = {seq: node for group in groups.values() for seq, node in grown(group).items()}
    return [rows.of(nodes[event.seq], groups[event.declaration]) for event in events]


class _Rows:
    def __init__(self, cast: Cast, texts: Texts, taken_back: Mapping[int, int]) -> None:
        self.cast, self.texts, self.taken_back = cast, texts, taken_back

    def of(self, node: Node, group: Sequence[Event]) -> list[Any]:
        event, text = node.event, self.texts.of
        row: list[Any] = [event.seq, text(event.kind), event.declaration, event.cause or 0, event.round]
        row += [event.turn or 0, text(event.by), text(in_words(event, self.cast))]
        more = self._more(node, group)
        return [*row, more] if more else row

    def _more(self, node: Node, group: Sequence[Event]) -> Data:
        event = node.event
        found = {
            "gone": self.taken_back.get(event.declaration),
            "actor": event.actor if isinstance(event, Declared) else None,
            "consent": 1 if isinstance(event, Declared) and event.action in ABOUT_CONSENT else None,
            "draw": drawn(event, group, self.texts),
            "dice": self._dice(event) if isinstance(event, Rolled) else None,
            "change": self._change(event) if isinstance(event, ChainModified) else None,
            "counted": [modifier.seq for modifier in node.counted],
            "remarks": [self.texts.of(line) for line in _remarks(node)],
        }
        return {name: value for name, value in found.items() if value not in (None, [])}

    def _dice(self, event: Rolled) -> list[Any]:
        """Notation, purpose, faces, which of them count, what is added, the total, and where the faces came from."""
        named = any(not isinstance(value, int) for value in event.faces)
        faces = [self.texts.of(name_of(str(value))) if named else value for value in event.faces]
        added = sum(modifier.amount for modifier in event.modifiers)
        origin = self.texts.of(ORIGINS[event.dice_source])
        text = self.texts.of
        return [
            text(event.notation),
            text(name_of(event.purpose)),
            faces,
            _kept(event),
            added,
            event.total,
            origin,
            int(named),
        ]

    def _change(self, event: ChainModified) -> list[int]:
        """Chain, stage, what it changes, its source, whose it is, and why."""
        owner = self.cast.name(event.owner)
        said = (name_of(event.chain), name_of(event.stage), change_in_words(event.change), short(event.source), owner)
        return [self.texts.of(part) for part in (*said, reason_of(event))]


def _kept(event: Rolled) -> list[int]:
    """For each face, whether it counts. Of equal faces, the first ones do."""
    left, kept = Counter(event.kept), []
    for value in event.faces:
        kept.append(int(left[value] > 0))
        left[value] -= 1
    return kept


def _remarks(node: Node) -> list[str]:
    """What the dice and modifiers, which a page shows as such, do not say."""
    event = node.event
    if isinstance(event, Rolled):
        unknown = [] if event.faces else [f"{face(event.total)} in all, the faces are not known"]
        is_plain = event.mode is RollMode.NORMAL and not node.because
        return unknown if is_plain else [*unknown, how_rolled(event, node.because)]
    return remarks(node) if isinstance(event, ReactionWindowOpened | Damaged) else []
