"""What one ledger exports another takes in: byte for byte, once, and all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from random import Random

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.importing import ImportedEvents, import_events
from combatlog.rules.verification.verify import verify
from ledger.errors import Conflict, Problem
from ledger.exchange.export import export_lines
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.ledger import LedgerStore
from tests.projections.readmodels.support import History

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "Käse | 'x'", "reason": "rain"})


def import_lines(ledger: LedgerStore, lines: Iterable[str]) -> ImportedEvents:
    return import_events(ledger, BytesIO("\n".join(lines).encode()))


@pytest.fixture
def other(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_database(embedded)) as ledger:
        yield ledger


@pytest.fixture
def lines(ledger: LedgerStore) -> list[str]:
    """A ledger with corrections, a fork, and a fork of that fork within the past it shares."""
    history = History(ledger, "fight", Random(3))
    for _ in range(12):
        history.grow()
    referee = Referee(ledger)
    referee.open(Opening(name="past"))
    for _ in range(3):
        referee.declare("past", NOTE)
    referee.fork("past", 5, "fork", by="gm")
    referee.declare("fork", NOTE)
    referee.fork("fork", 3, "fork of the fork", by="gm")
    return list(export_lines(ledger, names(ledger)))


def names(ledger: LedgerStore) -> list[str]:
    return [listed.name for listed in ledger.list_encounters()]


def test_everything_arrives_as_it_was(ledger: LedgerStore, other: LedgerStore, lines: list[str]) -> None:
    done = import_lines(other, lines)
    assert (done.events, done.known) == (len(lines), 0)
    assert names(other) == names(ledger)
    for name in names(ledger):
        assert other.find(name) == ledger.find(name)
        assert verify(other, name).findings == []


def test_a_second_import_does_nothing(other: LedgerStore, lines: list[str]) -> None:
    import_lines(other, lines)
    again = import_lines(other, lines)
    assert (again.events, again.known) == (0, len(lines))


def test_one_fork_brings_the_past_that_it_shares(ledger: LedgerStore, other: LedgerStore, lines: list[str]) -> None:
    import_lines(other, export_lines(ledger, ["fork of the fork"]))
    assert other.find("fork of the fork") == ledger.find("fork of the fork")
    assert import_lines(other, lines).known > 0
    assert other.find("past") == ledger.find("past")


def test_what_was_played_on_since_is_added(ledger: LedgerStore, other: LedgerStore, lines: list[str]) -> None:
    import_lines(other, lines)
    Referee(ledger).declare("past", NOTE)
    assert import_lines(other, export_lines(ledger, ["past"])).events == 2
    assert other.find("past") == ledger.find("past")


def opening_line(fight: str) -> str:
    """The export of an encounter that was only opened."""
    (event,) = FightEngine.open(Opening(name=fight)).events
    name, state = encode(event)
    hashed = chained_hash(GENESIS, event.encounter, event.seq, name, state)
    place = {"encounter": str(event.encounter), "seq": event.seq, "name": name}
    return json.dumps({**place, "state": state.decode(), "hash": hashed.hex()})


@pytest.mark.slow
def test_thousands_of_encounters_fit_into_the_servers_table_of_locks(ledger: LedgerStore) -> None:
    """By default, it has room for some fifteen thousand locks."""
    assert import_lines(ledger, (opening_line(f"fight {number}") for number in range(9000))).events == 9000
    followed = ledger.recorder.select_notifications(1, 10_000)
    assert [found.id for found in followed] == list(range(1, 9001))


def changed(line: str, **fields: object) -> str:
    return json.dumps({**json.loads(line), **fields})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda line: changed(line, state=json.loads(line)["state"].replace("gm", "me")), "import/damaged"),
        (lambda line: changed(line, hash="00" * 32), "import/damaged"),
        (lambda line: changed(line, seq=99), "import/damaged"),
        (lambda line: line[:-9], "import/unreadable"),
        (lambda line: "[]", "import/unreadable"),
        (lambda line: changed(line, name="unheard_of"), "ledger/unknown-kind"),
        (lambda line: "", "import/damaged"),
    ],
)
def test_what_was_tampered_with_is_refused_whole(
    other: LedgerStore, lines: list[str], spoil: Callable[[str], str], code: str
) -> None:
    lines[3] = spoil(lines[3])
    with pytest.raises(Problem) as caught:
        import_lines(other, lines)
    assert caught.value.code == code
    assert names(other) == []


def test_a_fight_that_went_another_way_here_is_refused_whole(ledger: LedgerStore, other: LedgerStore) -> None:
    for one in (ledger, other):
        Referee(one).open(Opening(name="bridge"))
    Referee(ledger).open(Opening(name="another"))
    with pytest.raises(Problem) as caught:
        import_lines(other, export_lines(ledger, ["another", "bridge"]))
    assert caught.value.code == "import/differs"
    assert names(other) == ["bridge"]


class Watched(BytesIO):
    """A file, or a pipe, that does something before one of its lines is read."""

    def __init__(self, lines: list[str], line: int, before: Callable[[], object], *, is_pipe: bool = False) -> None:
        super().__init__("".join(f"{line}\n" for line in lines).encode())
        self._until_line = line
        self._before = before
        self._is_pipe = is_pipe

    def seekable(self) -> bool:
        return not self._is_pipe

    def readline(self, size: int | None = -1, /) -> bytes:
        self._until_line -= 1
        if self._until_line == 0:
            self._before()
        return super().readline(size)


@pytest.fixture
def fights(ledger: LedgerStore) -> list[str]:
    """Three fights of two events each."""
    for name in "abc":
        Referee(ledger).open(Opening(name=name))
        Referee(ledger).declare(name, NOTE)
    return list(export_lines(ledger, "abc"))


def test_a_file_is_recorded_while_it_is_read(other: LedgerStore, fights: list[str]) -> None:
    writers: list[object] = []
    import_events(other, Watched(fights, 6, lambda: writers.append(other.recorder.select_oldest_writer())))
    assert None not in writers
    assert names(other) == ["a", "b", "c"]


def test_nobody_waits_for_a_slow_pipe(other: LedgerStore, fights: list[str]) -> None:
    writers: list[object] = []
    pipe = Watched(fights, 6, lambda: writers.append(other.recorder.select_oldest_writer()), is_pipe=True)
    assert import_events(other, pipe).events == len(fights)
    assert writers == [None]


def test_what_was_recorded_before_a_bad_line_is_taken_back(other: LedgerStore, fights: list[str]) -> None:
    with pytest.raises(Problem):
        import_lines(other, [*fights, "nonsense"])
    assert names(other) == []
    assert import_lines(other, fights).events == len(fights)


@pytest.mark.slow
def test_somebody_else_was_faster_with_what_was_read_first(
    embedded: str, make_database: Callable[[str], str], fights: list[str]
) -> None:
    """The server refuses the first fight, and whatever is asked of it in the same transaction after that."""
    url = make_database(embedded)
    with LedgerStore.open(url) as other, LedgerStore.open(url) as faster:
        file = Watched(fights, 3, lambda: import_lines(faster, fights[:2]))
        with pytest.raises(Conflict):
            import_events(other, file)
        assert names(other) == ["a"]


def test_an_unknown_encounter_cannot_be_exported(ledger: LedgerStore) -> None:
    with pytest.raises(Problem) as caught:
        list(export_lines(ledger, ["nowhere"]))
    assert caught.value.code == "ledger/unknown-encounter"
