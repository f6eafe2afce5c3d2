"""Write one fight of a log as events.

Each line of the log is a declaration, followed by the events that the line reports. The declaration names the line, so
every event can be traced to its source. Its command id is derived from a key of the line, so a line that was imported
before is recognised and not written again. Chats do not name fights or participants: a session of play is one fight,
and each speaker joins it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID, uuid5

from combatlog.importers.logs.log_formats import LONGEST_NOTE, name, storable
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.dice.dice_sources import RECORDED
from combatlog.rules.engine.naming import combatant_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import find
from ledger.events import CombatantJoined, Controller, Data, Declared, EncounterOpened, Event, Gauge, NoteAbout, Noted
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.appending import BlobArray, EventBatch, TextArray
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle, fold

E = TypeVar("E", bound=Event)

RULESET = "recorded"
"""The ruleset of fights recorded by other tools."""

SAID, UNREAD, STATE, END, JOINS = (f"recorded:source:{kind}" for kind in ("said", "unread", "state", "end", "joins"))
"""The actions of log lines that no combatant declared."""


class LogLine(NamedTuple):
    """A line of the source, or the equivalent in its format."""

    number: int
    key: str
    """Identifies the line in its fight, in this and in every longer version of the log."""
    at: datetime | None = None
    by: str = "system"
    id: str | None = None
    """The id of the line in the source."""


class LogBeginning(NamedTuple):
    """The values that a fight is opened with."""

    encounter: UUID
    name: str
    options: Data
    at: datetime


class FightWriter:
    def __init__(self, beginning: LogBeginning, known: Sequence[Event], head: bytes = GENESIS) -> None:
        """`known` are the fight's events in the ledger, and `head` is the hash of the last one."""
        self.beginning = beginning
        self.battle: Battle = fold(known)
        self._head = head
        self._seq = known[-1].seq if known else 0
        self._written = [event for event in known if isinstance(event, Declared)]
        self._known = {event.command for event in self._written}
        self._ahead = set(self._known)
        """Lines that were imported before and have not been read again yet."""
        self.at = max((event.recorded_at for event in known), default=beginning.at)
        self._declared = 0
        self._cause: int | None = None
        self._said: dict[str, Any] = {}
        """A declaration that is recorded together with its first consequence."""
        self._line = LogLine(0, "")
        self.batch = self._empty_batch()
        self.memory: dict[str, Any] = {}
        """Notes of the format's reader about this fight."""
        if not known:
            self._open()

    def _open(self) -> None:
        began = self.beginning
        self._declared = 1
        self.record(
            EncounterOpened,
            name=began.name,
            ruleset=RULESET,
            ruleset_version=find(RULESET).version,
            dice=RECORDED,
            options=began.options,
            command=self._command("opened"),
        )

    # Declarations

    def begins(
        self,
        line: LogLine,
        action: str,
        actor: str = GM,
        *,
        targets: Sequence[str] = (),
        weapon: str | None = None,
        only_with_consequences: bool = False,
    ) -> bool:
        """Begin a line of the log. False: it was imported before, and nothing of it must be recorded.

        With `only_with_consequences`, it is not recorded unless it has consequences.
        """
        command = self._command(line.key)
        self._said = {}
        if command in self._known:
            self._ahead.discard(command)
            return False
        if only_with_consequences and self._ahead:
            return False  # it had no consequences when it was imported before
        self._ahead.clear()
        self._line = line
        self.at = line.at or self.at
        source = {"line": line.number} | ({"id": line.id} if line.id else {})
        self._said = {
            "actor": actor,
            "action": action,
            "targets": tuple(dict.fromkeys(targets)),
            "weapon": weapon,
            "options": source,
            "command": command,
            "by": line.by,
        }
        if not only_with_consequences:
            self._declare()
        return True

    def is_caught_up(self) -> None:
        """Expect no known lines again, because they were imported a moment ago."""
        self._ahead.clear()

    def _declare(self) -> None:
        said, self._said = self._said, {}
        self._known.add(said["command"])
        self._declared = self._seq + 1
        self._cause = None
        self.record(Declared, **said)
        self._cause = self._declared

    def _command(self, key: str) -> UUID:
        return uuid5(self.beginning.encounter, key)

    # Recording

    def record(self, cls: type[E], *, by: str = "system", cause: Event | None = None, **payload: Any) -> E:
        """Record a consequence of the line, or of another event."""
        if self._said:
            self._declare()
        clock, encounter = self.battle.clock, self.beginning.encounter
        event: E = cls.__pydantic_validator__.validate_python(
            {
                "encounter": encounter,
                "seq": self._seq + 1,
                "recorded_at": self.at,
                "declaration": self._declared,
                "cause": cause.seq if cause is not None else self._cause,
                "round": clock.round,
                "turn": clock.turn,
                "by": by,
                **payload,
            }
        )
        self.battle.apply(event)
        self._seq += 1
        topic, state = encode(event)
        self._head = chained_hash(self._head, encounter, self._seq, topic, state)
        self.batch.names.append(topic)
        self.batch.states.append(state)
        self.batch.hashes.append(self._head)
        return event

    def take_batch(self) -> EventBatch:
        """The events recorded since the last call."""
        taken, self.batch = self.batch, self._empty_batch()
        return taken

    def _empty_batch(self) -> EventBatch:
        return EventBatch(self.beginning.encounter, self._seq + 1, TextArray(), BlobArray(), BlobArray())

    # For all formats

    def note(self, about: NoteAbout, text: str, who: str | None = None) -> None:
        kept = storable(text[:LONGEST_NOTE])
        self.record(Noted, about=about, text=kept, cut=len(text) > LONGEST_NOTE, who=who, by=self._line.by)

    def join(
        self,
        called: str,
        *,
        side: str = "",
        controller: Controller = Controller.GM,
        sheet: Data | None = None,
        vitals: dict[str, Gauge] | None = None,
    ) -> Combatant:
        """Add a combatant. Its sheet holds what the source says about it."""
        free = self._free_id(called)
        self.record(
            CombatantJoined,
            combatant=free,
            name=called,
            side=side,
            controller=controller,
            sheet=sheet or {},
            vitals=vitals or {},
            resources={},
        )
        return self.battle.combatants[free]

    def _free_id(self, called: str) -> str:
        try:
            wanted = combatant_id(called)
        except Refusal:
            wanted = "unnamed"
        taken = {*self.battle.combatants, GM}
        return next(one for one in _numbered(wanted) if one not in taken)

    def named(self, called: object) -> Combatant | None:
        """The combatant with exactly this name; the last one to join if there are several."""
        wanted = name(called)
        found = (one for one in reversed(self.battle.combatants.values()) if one.name == wanted)
        return next(found, None) if wanted else None


def _numbered(wanted: str) -> Iterator[str]:
    yield wanted
    number = 2
    while True:
        yield f"{wanted}-{number}"
        number += 1


def speaker(scribe: FightWriter, who: str | None) -> str:
    """The id of a speaker, or `gm` if they have not joined."""
    known = scribe.named(who)
    return known.id if known is not None else "gm"


def joined(scribe: FightWriter, line: LogLine, who: str | None) -> str:
    """The id of a participant, who joins with their first line."""
    if who is None:
        return "gm"
    known = scribe.named(who)
    if known is None and scribe.begins(line._replace(key=f"{line.key}:{who} joins"), JOINS):
        known = scribe.join(who)
    return known.id if known is not None else "gm"


BREAK = timedelta(hours=6)
"""A longer silence ends a session."""


class PlaySessions:
    """Names the session of each message, in order. A message without a time belongs to the session before it."""

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._began: datetime | None = None

    def of(self, at: datetime | None) -> str:
        if at is not None:
            if self._began is None or self._last is None or at - self._last > BREAK:
                self._began = at
            self._last = max(at, self._last or at)
        return f"{self._began:%Y-%m-%d %H:%M}" if self._began is not None else "undated"
