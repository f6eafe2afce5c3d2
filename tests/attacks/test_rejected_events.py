"""What is not an event, or is not in its place, is refused in the database, whoever sends it past our own checks."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest

from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Conflict, Problem
from ledger.registry import GENESIS, chained_hash
from ledger.store.appending import BlobArray, EventBatch, TextArray
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import NOTE, play

BRIDGE = encounter_id("bridge")


class Sent(NamedTuple):
    """An event as somebody sends it who knows the format; the next one of the bridge unless it says otherwise."""

    topic: str = "ruled"
    encounter: UUID = BRIDGE
    seq: int = 4
    content: dict[str, Any] | None = None
    state: bytes | None = None
    head: bytes | None = None

    def batch(self, head: bytes) -> EventBatch:
        place = {"encounter": str(self.encounter), "seq": self.seq}
        state = json.dumps({**place, **(self.content or {})}).encode() if self.state is None else self.state
        hashed = chained_hash(self.head or head, self.encounter, self.seq, self.topic, state)
        return EventBatch(self.encounter, self.seq, TextArray([self.topic]), BlobArray([state]), BlobArray([hashed]))


def head_of(ledger: LedgerStore, encounter: UUID = BRIDGE, seq: int = 3) -> bytes:
    return ledger.recorder.select_rows(encounter, after=seq - 1, upto=seq)[0].hash


REFUSED = {
    "a kind with a space": Sent("no kind"),
    "an empty kind": Sent(""),
    "a kind in capitals": Sent("Ruled"),
    "a kind with two versions": Sent("ruled.2.3"),
    "a kind that is too long": Sent("k" * 101),
    "not UTF-8": Sent(state=b"\xff\xfe"),
    "not JSON": Sent(state=b"{"),
    "no content": Sent(state=b""),
    "an array": Sent(state=b"[]"),
    "NUL in a text": Sent(content={"reason": "a\0b"}),
    "half a surrogate pair": Sent(state=b'{"seq": 4, "reason": "\\ud800"}'),
    "nested too deeply": Sent(state=b"[" * 100_000 + b"]" * 100_000),
    "the number of another event": Sent(content={"seq": 5}),
    "the number as a text": Sent(content={"seq": "4"}),
    "another encounter's content": Sent(content={"encounter": str(uuid4())}),
    "a hash of nothing before it": Sent(head=GENESIS),
    "a gap": Sent(seq=5),
    "a large gap": Sent(seq=2**62),
    "an encounter without a beginning": Sent(encounter=uuid4(), seq=1, head=GENESIS),
    "a beginning that is not the first": Sent("encounter_opened", encounter=uuid4(), seq=2, head=GENESIS),
    "a fork of nothing": Sent("forked", encounter=uuid4(), content={"parent": str(uuid4()), "at": 3}),
    "a fork from elsewhere": Sent("forked", encounter=uuid4(), content={"parent": str(BRIDGE), "at": 2}),
    "a fork beyond the end": Sent("forked", encounter=uuid4(), seq=5, content={"parent": str(BRIDGE), "at": 4}),
    "a fork of no encounter": Sent("forked", encounter=uuid4(), content={"parent": "bridge", "at": 3}),
    "a fork at no number": Sent("forked", encounter=uuid4(), content={"parent": str(BRIDGE)}),
    "a fork that does not follow its parent": Sent(
        "forked", encounter=uuid4(), content={"parent": str(BRIDGE), "at": 3}, head=GENESIS
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_what_is_not_an_event_is_refused(ledger: LedgerStore, referee: Referee, sent: Sent) -> None:
    play(referee, "bridge")
    with pytest.raises(Problem) as caught:
        ledger.recorder.insert_batch(sent.batch(head_of(ledger)), None)
    assert (caught.value.code, caught.value.facts["seq"]) == ("ledger/not-an-event", sent.seq)
    assert ledger.facts()["events"] == 3


ACCEPTED = {
    "a new kind": Sent("bewitched"),
    "a later version": Sent("ruled.12"),
    "a fork": Sent("forked", encounter=uuid4(), content={"parent": str(BRIDGE), "at": 3}),
    "an encounter": Sent("encounter_opened", encounter=uuid4(), seq=1, head=GENESIS),
}


@pytest.mark.parametrize("sent", ACCEPTED.values(), ids=ACCEPTED)
def test_what_a_later_version_may_write_is_accepted(ledger: LedgerStore, referee: Referee, sent: Sent) -> None:
    play(referee, "bridge")
    ledger.recorder.insert_batch(sent.batch(head_of(ledger)), None)
    assert ledger.facts()["events"] == 4


def test_the_sentence_says_which_event_and_why(ledger: LedgerStore, referee: Referee) -> None:
    play(referee, "bridge")
    good, head = Sent("ruled").batch(head_of(ledger)), head_of(ledger)
    bad = Sent("ruled", seq=5).batch(head)
    both = EventBatch(
        BRIDGE, 4, TextArray([*good.names, *bad.names]), BlobArray([*good.states, *bad.states]), BlobArray()
    )
    both.hashes.extend([*good.hashes, *bad.hashes])
    with pytest.raises(Problem) as caught:
        ledger.recorder.insert_batch(both, None)
    assert caught.value.sentence == (
        "Event 5 cannot be recorded: its hash does not match its content and the event before it. Nothing was recorded."
    )
    assert ledger.facts()["events"] == 3


@pytest.mark.parametrize("missing", ["names", "states", "hashes"])
def test_columns_of_different_lengths_are_refused(ledger: LedgerStore, referee: Referee, missing: str) -> None:
    play(referee, "bridge")
    batch = Sent().batch(head_of(ledger))
    for name in {"names", "states", "hashes"} - {missing}:
        getattr(batch, name).append(getattr(batch, name)[0])
    with pytest.raises(Problem) as caught:
        ledger.recorder.insert_batch(batch, None)
    assert (caught.value.code, caught.value.facts["seq"]) == ("ledger/not-an-event", 5)
    assert ledger.facts()["events"] == 3


def test_whoever_comes_second_is_told_of_a_conflict_and_not_of_a_wrong_hash(
    ledger: LedgerStore, referee: Referee
) -> None:
    play(referee, "bridge")
    stale = Sent(seq=3).batch(head_of(ledger, seq=2))
    with pytest.raises(Conflict):
        ledger.recorder.insert_batch(stale, None)
    with pytest.raises(Conflict):
        ledger.recorder.insert_batch(Sent(seq=2).batch(GENESIS), None)


def test_a_fork_of_a_fork_finds_the_event_it_shares_where_it_was_played(ledger: LedgerStore, referee: Referee) -> None:
    play(referee, "bridge")
    referee.fork("bridge", 3, "what if", by="gm")
    referee.declare("what if", NOTE)
    early = Sent("forked", uuid4(), 3, {"parent": str(encounter_id("what if")), "at": 2}, head=head_of(ledger, seq=2))
    ledger.recorder.insert_batch(early.batch(GENESIS), None)
    own = head_of(ledger, encounter_id("what if"), 5)
    late = Sent("forked", uuid4(), 6, {"parent": str(encounter_id("what if")), "at": 5}, head=own)
    ledger.recorder.insert_batch(late.batch(GENESIS), None)


def test_a_fork_does_not_share_what_its_parent_does_not(ledger: LedgerStore, referee: Referee) -> None:
    """The bridge goes on to event 5; the fork of it ends with event 4 and has never had that one."""
    play(referee, "bridge")
    referee.fork("bridge", 3, "what if", by="gm")
    referee.declare("bridge", NOTE)
    beyond = Sent("forked", uuid4(), 6, {"parent": str(encounter_id("what if")), "at": 5}, head=head_of(ledger, seq=5))
    with pytest.raises(Problem) as caught:
        ledger.recorder.insert_batch(beyond.batch(GENESIS), None)
    assert caught.value.code == "ledger/not-an-event"


SWALLOWING: dict[str, str] = {
    "a rule": "CREATE RULE swallow AS ON INSERT TO combatlog.ledger_events DO INSTEAD NOTHING",
    "a trigger": "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
    "CREATE TRIGGER swallow BEFORE INSERT ON combatlog.ledger_events FOR EACH ROW EXECUTE FUNCTION swallow()",
    "a trigger that takes one": "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS"
    " 'BEGIN IF NEW.originator_version = 4 THEN RETURN NULL; END IF; RETURN NEW; END';"
    "CREATE TRIGGER swallow BEFORE INSERT ON combatlog.ledger_events FOR EACH ROW EXECUTE FUNCTION swallow()",
    "a function": "CREATE OR REPLACE FUNCTION combatlog.append_events("
    "encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[]) RETURNS void LANGUAGE sql AS ''",
    "a trigger that takes one, and no refusals": "CREATE OR REPLACE FUNCTION combatlog.refuse_events(encounter uuid,"
    " first bigint, head bytea, topics text[], states bytea[], hashes bytea[]) RETURNS void LANGUAGE sql AS '';"
    "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS"
    " 'BEGIN IF NEW.originator_version = 4 THEN RETURN NULL; END IF; RETURN NEW; END';"
    "CREATE TRIGGER swallow BEFORE INSERT ON combatlog.ledger_events FOR EACH ROW EXECUTE FUNCTION swallow()",
    "a view": "ALTER TABLE combatlog.ledger_events RENAME TO old_events;"
    "CREATE VIEW combatlog.ledger_events AS SELECT * FROM combatlog.old_events;"
    "GRANT SELECT ON combatlog.ledger_events TO combatlog_writer;"
    "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';"
    "CREATE TRIGGER swallow INSTEAD OF INSERT ON combatlog.ledger_events FOR EACH ROW EXECUTE FUNCTION swallow()",
}


@pytest.mark.parametrize("statement", SWALLOWING.values(), ids=SWALLOWING)
def test_what_was_not_recorded_is_never_acknowledged(
    ledger: LedgerStore, referee: Referee, database: str, statement: str
) -> None:
    play(referee, "bridge")
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(statement.encode())
    with pytest.raises(Problem) as caught:
        referee.declare("bridge", NOTE)
    assert caught.value.code == "ledger/not-recorded"
    assert ledger.facts()["events"] == 3


@pytest.mark.parametrize("restart", ["RESTART", "RESTART WITH 3"])
def test_a_sequence_that_lags_behind_the_data_catches_up(
    referee: Referee, database: str, restart: str, ledger: LedgerStore
) -> None:
    """As after a restore of the data alone: the rows are there, and the sequence begins again."""
    play(referee, "bridge", "other")
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(f"ALTER SEQUENCE combatlog.ledger_events_notification_id_seq {restart}".encode())
    referee.declare("bridge", NOTE)
    assert ledger.facts()["events"] == 8
    assert ledger.recorder.max_notification_id() == ledger.recorder.settled() >= 8


def test_whoever_may_not_move_the_sequence_is_told_what_to_do(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    play(referee, "bridge")
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("ALTER SEQUENCE combatlog.ledger_events_notification_id_seq RESTART")
        conn.execute("REVOKE EXECUTE ON FUNCTION combatlog.catch_up_sequence() FROM combatlog_writer")
    with pytest.raises(Problem, match="has to set it to the highest notification_id") as caught:
        referee.declare("bridge", NOTE)
    assert caught.value.code == "ledger/lagging-sequence"
