"""Lines of an export."""

from __future__ import annotations

import json

from ledger.errors import Problem
from ledger.exchange.export import read_line

_LINE = {
    "encounter": "97a9ae4e-c04c-52fe-a74e-6094ea08070f",
    "seq": 2,
    "name": "ruled",
    "state": '{"kind":"ruled"}',
    "hash": "ab" * 32,
}
SEEDS = (json.dumps(_LINE).encode(), json.dumps({**_LINE, "seq": 2**40, "state": "é\\ud83d"}).encode(), b"[]", b"{}")


def target(data: bytes) -> None:
    try:
        line = read_line(1, data)
    except Problem as problem:
        assert problem.code == "import/unreadable"
        return
    told = json.loads(data)
    assert (line.seq, line.name, line.state.decode()) == (told["seq"], told["name"], told["state"])
