"""What a seat was shown, as lines of JSON that it can keep: first what it is, then each event with its proof.

A proof is a hash that tells nothing, and binds whoever shows it: SHA-256 over the salt of the event and its hash in the
ledger. The salt of an event is HMAC-SHA-256 of its seq (eight bytes, the highest first) with the fight's salt, which
the opening event carries and players do not see. Whoever gets the whole log later can compute every proof.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256

from ledger.events import Data, Event
from projections.views.onlooker import Onlooker
from projections.views.secrets import SALT

VERSION = 1
"""Of these lines. Raised whenever what is shown of the same event changes."""


def proof_of(salt: str, seq: int, hash: bytes) -> str:
    """The proof of an event, by its seq and hash in the ledger."""
    own = hmac.digest(bytes.fromhex(salt), seq.to_bytes(8, "big"), "sha256")
    return sha256(own + hash).hexdigest()


def salt_of(seen: Onlooker) -> str | None:
    """The salt of the fight; None: it was opened before there were any."""
    opened = seen.whole.opened
    return opened.options.get(SALT) if opened is not None else None


def as_shown(event: Event) -> Data:
    """An event as it is shown."""
    return event.model_dump(mode="json", exclude_none=True)


def shown_lines(seen: Onlooker, hashes: Mapping[int, bytes] | None = None) -> Iterator[str]:
    """`hashes` are those of the events in the ledger, by their seqs there."""
    battle = seen.battle
    about = {"shown": VERSION, "encounter": str(battle.id), "name": battle.name, "seat": seen.seat.words}
    yield json.dumps(about, ensure_ascii=False)
    salt = salt_of(seen) if hashes is not None else None
    for event in seen.seen:
        seq = seen.recorded(event.seq)
        proof = {"proof": proof_of(salt, seq, hashes[seq])} if salt is not None and hashes is not None else {}
        yield json.dumps({"event": as_shown(event), **proof}, ensure_ascii=False)
