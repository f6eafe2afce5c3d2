"""`verify --all` also checks what guards the ledger, and notices each of these changes to a database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Identifier

import combatlog
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.integrity_checks import INSTALLED, check_guards, describe
from ledger.store.ledger import LedgerStore, encounter_id
from projections.readmodels.catalogue import TABLES
from projections.readmodels.inspection import check_read_models
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import catch_up
from tests.attacks.bridge import NOTE, attack, begin
from tests.cli.conftest import Run
from tests.clusters import servers


def owner_does(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(statement.encode())


@pytest.mark.parametrize("server", servers("embedded", "tcp_server", oldest=True, cluster=False), indirect=True)
def test_a_fresh_ledger_is_as_installed_on_every_server(ledger: LedgerStore, database: str) -> None:
    with psycopg.connect(database) as conn:
        assert describe(conn) == json.loads(INSTALLED.read_text("utf-8"))
    assert list(check_guards(ledger)) == []


def test_a_ledger_that_was_played_in_has_no_findings(ledger: LedgerStore, referee: Referee, run: Run) -> None:
    attack(referee, begin(referee))
    referee.open(Opening(name="fair", dice="committed"))
    referee.fork("fair", 1, "fork of fair", by="gm")
    assert run("stats", "hits").status == 0
    referee.declare("fair", NOTE)
    verified = run("verify", "--all", "--json")
    assert verified.status == 0
    assert json.loads(verified.out)[-1] == {"name": None, "findings": []}


GUARDS = {
    "a trigger is disabled": (
        "ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only",
        "The trigger append_only on ledger_events was changed.",
    ),
    "a trigger is not for replicas": (
        "ALTER TABLE combatlog.dice_seeds ENABLE TRIGGER append_only",
        "The trigger append_only on dice_seeds was changed.",
    ),
    "a trigger is gone": (
        "DROP TRIGGER announced ON combatlog.ledger_events",
        "The trigger announced on ledger_events is missing.",
    ),
    "another trigger": (
        "CREATE TRIGGER more BEFORE INSERT ON combatlog.ledger_events EXECUTE FUNCTION combatlog.announce_writer()",
        "The trigger more on ledger_events is not part of the ledger.",
    ),
    "a function with other source": (
        "CREATE OR REPLACE FUNCTION combatlog.refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RETURN NULL; END'",
        "The function refuse_change() was changed.",
    ),
    "a function with another search path": (
        "ALTER FUNCTION combatlog.settled() SET search_path = public",
        "The function settled() was changed.",
    ),
    "a function with its caller's rights": (
        "ALTER FUNCTION combatlog.settled() SECURITY INVOKER",
        "The function settled() was changed.",
    ),
    "a function with the same name": (
        "CREATE FUNCTION combatlog.settled(integer) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';"
        "REVOKE ALL ON FUNCTION combatlog.settled(integer) FROM PUBLIC",
        "The function settled(integer) is not part of the ledger.",
    ),
    "a rule": (
        "CREATE RULE swallow AS ON INSERT TO combatlog.dice_seeds DO INSTEAD NOTHING",
        "The rule swallow on dice_seeds is not part of the ledger.",
    ),
    "row security": (
        "ALTER TABLE combatlog.ledger_events ENABLE ROW LEVEL SECURITY",
        "The table ledger_events was changed.",
    ),
    "a policy": (
        "CREATE POLICY hide ON combatlog.ledger_events USING (false)",
        "The policy hide on ledger_events is not part of the ledger.",
    ),
    "an unlogged table": (
        "ALTER TABLE combatlog.dice_seeds SET UNLOGGED",
        "The table dice_seeds was changed.",
    ),
    "a table that inherits": (
        "CREATE TABLE public.child () INHERITS (combatlog.ledger_events)",
        "The table public.child that inherits from combatlog.ledger_events is not part of the ledger.",
    ),
    "another column": (
        "ALTER TABLE combatlog.ledger_events ADD COLUMN secret text",
        "The column secret of ledger_events is not part of the ledger.",
    ),
    "a column of another type": (
        "ALTER TABLE combatlog.schema_version ALTER COLUMN version TYPE bigint",
        "The column version of schema_version was changed.",
    ),
    "a constraint is gone": (
        "ALTER TABLE combatlog.dice_seeds DROP CONSTRAINT dice_seeds_seed_check",
        "The constraint dice_seeds_seed_check of dice_seeds is missing.",
    ),
    "an index is gone": (
        "DROP INDEX combatlog.ledger_events_beginning_idx",
        "The unique index ledger_events_beginning_idx is missing.",
    ),
    "numbers from a cache": (
        "ALTER SEQUENCE combatlog.ledger_events_notification_id_seq CACHE 50",
        "The sequence ledger_events_notification_id_seq was changed.",
    ),
    "everybody may insert": (
        "GRANT INSERT ON combatlog.ledger_events TO PUBLIC",
        "The right of everybody to INSERT on ledger_events is not part of the ledger.",
    ),
    "everybody may read a column": (
        "GRANT SELECT (seed) ON combatlog.dice_seeds TO PUBLIC",
        "The right of everybody to SELECT on seed of dice_seeds is not part of the ledger.",
    ),
    "auditors may append": (
        "GRANT EXECUTE ON FUNCTION combatlog.append_events TO combatlog_auditor",
        "The right of combatlog_auditor to EXECUTE on append_events is not part of the ledger.",
    ),
    "another owner": (
        "ALTER FUNCTION combatlog.append_events OWNER TO pg_read_all_data",
        "The function append_events belongs to another owner.",
    ),
    "a version": (
        "DELETE FROM combatlog.schema_version WHERE version = 2",
        "The list of installed schema versions is wrong.",
    ),
    "a sequence that lags": (
        "ALTER SEQUENCE combatlog.ledger_events_notification_id_seq RESTART",
        "The sequence of event numbers is behind the events, so events after it are missing from statistics. "
        "The next command that records something corrects it.",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "problem"), GUARDS.values(), ids=GUARDS)
def test_every_change_to_the_guards_is_found(
    ledger: LedgerStore, referee: Referee, database: str, statement: str, problem: str
) -> None:
    begin(referee)
    owner_does(database, statement)
    assert [finding.problem for finding in check_guards(ledger)] == [problem]


def test_a_view_in_place_of_the_table_is_found(ledger: LedgerStore, referee: Referee, database: str) -> None:
    begin(referee)
    owner_does(
        database,
        "ALTER TABLE combatlog.ledger_events SET SCHEMA public;"
        "CREATE VIEW combatlog.ledger_events AS SELECT * FROM public.ledger_events;"
        "GRANT SELECT ON combatlog.ledger_events TO combatlog_writer",
    )
    problems = [finding.problem for finding in check_guards(ledger)]
    assert "The table ledger_events was changed." in problems
    assert "The trigger append_only on ledger_events is missing." in problems


def test_an_index_that_somebody_added_is_theirs(ledger: LedgerStore, database: str) -> None:
    owner_does(database, "CREATE INDEX mine ON combatlog.ledger_events (topic)")
    assert list(check_guards(ledger)) == []


def test_two_encounters_with_one_name_are_found(ledger: LedgerStore, referee: Referee, database: str) -> None:
    referee.open(Opening(name="bridge"))
    referee.open(Opening(name="other"))
    for name in ("bridge", "unheard of"):
        plant_opening(ledger, database, name)
    problems = [finding.problem for finding in check_guards(ledger)]
    assert problems == [
        "2 encounters are named 'bridge'.",
        "The encounter named 'unheard of' has an id that does not follow from its name.",
    ]


def plant_opening(ledger: LedgerStore, database: str, name: str) -> None:
    """An encounter under an id that no name gives."""
    encounter = encounter_id(f"somewhere else than {name}")
    opened = ledger.find("other").events[0].model_copy(update={"encounter": encounter, "name": name})
    topic, state = encode(opened)
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(
            "SELECT combatlog.append_events(%s, 1, ARRAY[%s], ARRAY[%b]::bytea[], ARRAY[%b]::bytea[])",
            (encounter, topic, state, chained_hash(GENESIS, encounter, 1, topic, state)),
        )


CHANGE_SEED = (
    "ALTER TABLE combatlog.dice_seeds DISABLE TRIGGER append_only;"
    "UPDATE combatlog.dice_seeds SET seed = sha256('loaded dice');"
    "ALTER TABLE combatlog.dice_seeds ENABLE ALWAYS TRIGGER append_only"
)


def test_a_seed_that_is_not_the_committed_one_is_found(ledger: LedgerStore, referee: Referee, database: str) -> None:
    referee.open(Opening(name="fair", dice="committed"))
    owner_does(database, CHANGE_SEED)
    (finding,) = check_guards(ledger)
    assert finding.problem == "The seed of the encounter named 'fair' is not the one that it committed to."


def test_nobody_plays_on_with_a_seed_that_is_not_the_committed_one(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    referee.open(Opening(name="fair", dice="committed"))
    referee.fork("fair", 1, "fork of fair", by="gm")
    owner_does(database, CHANGE_SEED)
    for name in ("fair", "fork of fair"):
        with pytest.raises(Problem) as caught:
            Referee(ledger).declare(name, Declaration(actor="gm", action="core:time:start"))
        assert caught.value.code == "dice/wrong-seed"


EDITED = {
    "a row was changed": ("UPDATE combatlog_read.attacks SET hit = NOT hit", 1),
    "a row was added": (
        "INSERT INTO combatlog_read.positions SELECT encounter, 'nobody', 1, 1 FROM combatlog_read.encounters",
        1,
    ),
    "a row was deleted": ("DELETE FROM combatlog_read.combatants WHERE combatant = 'osric'", 1),
    "a table was emptied": ("TRUNCATE combatlog_read.declarations", 1),
    "a column was dropped": ("ALTER TABLE combatlog_read.attacks DROP COLUMN attacker", 1),
    "nothing": ("SELECT 1", 0),
}


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "count"), EDITED.values(), ids=EDITED)
def test_edited_read_models_are_found(
    ledger: LedgerStore, referee: Referee, database: str, statement: str, count: int
) -> None:
    name = begin(referee)
    referee.fork(name, 3, "what if", by="gm")
    referee.declare(name, Declaration(actor="snig", action="attack"))
    referee.declare(name, Declaration(actor="snig", action="strike", targets=("osric",)), dice=[2])
    catch_up(ledger)
    referee.declare(name, Declaration(actor="snig", action="core:time:end-turn"))
    owner_does(database, statement)
    assert len(list(check_read_models(ledger))) == count
    with combatlog.open(database) as opened:
        assert len(opened.check_guards()) == count


def test_the_command_says_what_is_wrong_and_exits_with_1(
    run: Run, ledger: LedgerStore, referee: Referee, database: str
) -> None:
    name = begin(referee)
    owner_does(database, "ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
    ran = run("verify", "--all")
    assert ran.status == 1
    assert "The trigger append_only on ledger_events was changed." in ran.out
    assert run("verify", name).status == 0


@pytest.fixture
def auditor(ledger: LedgerStore, database: str) -> Iterator[str]:
    """The URL of somebody who may only read."""
    name = f"auditor_{uuid4().hex[:12]}"
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN PASSWORD 'look'").format(Identifier(name)))
        conn.execute(SQL("GRANT combatlog_auditor TO {}").format(Identifier(name)))
        yield make_conninfo(database, user=name, password="look")
        conn.execute(SQL("DROP ROLE {}").format(Identifier(name)))


def test_an_auditor_can_check_the_guards_without_the_seeds(
    ledger: LedgerStore, referee: Referee, database: str, auditor: str
) -> None:
    begin(referee)
    referee.open(Opening(name="fair", dice="committed"))
    with LedgerStore.open(auditor) as audited:
        assert list(check_guards(audited)) == []
        assert list(check_read_models(audited)) == []


def test_a_rebuild_during_the_check_is_not_taken_for_an_edit(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    """The check is held up when it has its snapshot, until other tables are in the place of those it began with."""
    begin(referee)
    catch_up(ledger)
    last = SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(Identifier("combatlog_read", list(TABLES)[-1]))
    with ThreadPoolExecutor() as pool, psycopg.connect(database) as holding:
        holding.execute(last)
        checked = pool.submit(lambda: list(check_read_models(ledger)))
        while not _is_waited_for(holding):
            assert not checked.done()
        rebuild(database)
        holding.rollback()
        assert checked.result() == []


def _is_waited_for(conn: psycopg.Connection[TupleRow]) -> bool:
    query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    return conn.execute(query).fetchone() != (0,)
