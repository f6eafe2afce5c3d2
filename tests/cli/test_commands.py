"""The command line: what it prints, what it refuses, and with which exit status."""

from __future__ import annotations

import json
import re
from pathlib import Path

import psycopg
import pytest

from ledger.store.database import URL_VARIABLE
from tests.cases import each
from tests.cli.conftest import Run


def events_in(run: Run) -> int:
    status = json.loads(run("db", "status", "--json").out)
    return int(status["events"])


def test_a_fight_by_hand(bridge: Run) -> None:
    assert bridge("do", "bridge", "snig", "attack").status == 0
    waiting = bridge("do", "bridge", "snig", "strike", "--target", "rurik")
    assert "combatlog react bridge osric protection | pass" in waiting.out
    reacted = bridge("react", "bridge", "osric", "protection", "--dice", "15,8")
    assert "15 and 8, keeps 8 (disadvantage)" in reacted.out
    assert "Snig misses Rurik with a scimitar: 12 against 16" in reacted.out
    ended = bridge("end-turn", "bridge", "snig")
    assert "Rurik's turn begins" in ended.out
    assert bridge("verify", "bridge").status == 0


def test_status_now_and_then(bridge: Run) -> None:
    bridge("do", "bridge", "snig", "disengage")
    bridge("do", "bridge", "snig", "move", "--to", "6,2")
    now = json.loads(bridge("status", "bridge", "--json").out)
    assert now["combatants"]["snig"]["position"] == [6, 2]
    before = json.loads(bridge("status", "bridge", "--at", "7", "--json").out)
    assert before["combatants"]["snig"]["position"] == [4, 2]
    assert "Snig's turn" in bridge("status", "bridge").out


def test_log_can_be_narrowed(bridge: Run) -> None:
    bridge("do", "bridge", "snig", "dash")
    whole = json.loads(bridge("log", "bridge", "--json").out)
    rolls = json.loads(bridge("log", "bridge", "--kind", "rolled", "--json").out)
    snig = json.loads(bridge("log", "bridge", "--actor", "snig", "--json").out)
    assert [event["seq"] for event in whole] == list(range(1, len(whole) + 1))
    assert [roll["faces"] for roll in rolls] == [[11], [6], [17]]
    assert [event["kind"] for event in snig] == ["declared", "resource_changed", "resource_changed"]
    assert "Snig dashes" in bridge("log", "bridge").out
    assert "Snig declares dash" in bridge("log", "bridge", "--all").out
    assert json.loads(bridge("log", "bridge", "--last", "3", "--json").out) == whole[-3:]
    assert json.loads(bridge("log", "bridge", "--last", "1", "--kind", "rolled", "--json").out) == rolls[-1:]


ISO_8601 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def test_moments_are_printed_in_iso_8601_for_programs(bridge: Run) -> None:
    (listed,) = json.loads(bridge("list", "--json").out)["encounters"]
    assert ISO_8601.fullmatch(listed["begun"])


def test_dates_and_times_of_a_query_are_printed_in_iso_8601(bridge: Run) -> None:
    query = "SELECT timestamptz '2026-03-01 12:30:00+00' AS moment, date '2026-03-01' AS day, time '12:30' AS hour"
    (row,) = json.loads(bridge("sql", query, "--json").out)
    assert row == {"moment": "2026-03-01T12:30:00+00:00", "day": "2026-03-01", "hour": "12:30:00"}


def test_an_encounter_goes_by_name_and_by_id(bridge: Run) -> None:
    (listed,) = json.loads(bridge("list", "--json").out)["encounters"]
    assert json.loads(bridge("status", listed["encounter"], "--json").out)["name"] == "bridge"


def test_economy_shows_from_to_and_why(bridge: Run) -> None:
    bridge("do", "bridge", "snig", "dash")
    changes = json.loads(bridge("economy", "bridge", "snig", "--resource", "movement", "--json").out)
    assert [(change["before"], change["after"], change["why"]) for change in changes] == [
        (0, 30, "turn start"),
        (30, 60, "dash"),
    ]


def test_a_ruling_says_what_and_why(bridge: Run) -> None:
    ruled = bridge("rule", "bridge", "rurik", "--set", "hp=9", "--reason", "the bridge gave way")
    assert "The GM rules on Rurik: hp is 9 (the bridge gave way)" in ruled.out
    assert json.loads(bridge("status", "bridge", "--json").out)["combatants"]["rurik"]["vitals"]["hp"]["current"] == 9


def test_leaving_and_closing(bridge: Run) -> None:
    assert bridge("leave", "bridge", "rurik", "--reason", "he fled").status == 0
    assert bridge("conclude", "bridge").status == 0
    assert bridge("do", "bridge", "snig", "dash").code == "encounter/closed"


def test_a_repeated_command_id_does_nothing(bridge: Run) -> None:
    command = ("do", "bridge", "snig", "dash", "--command-id", "11111111-2222-3333-4444-555555555555")
    bridge(*command)
    count = events_in(bridge)
    again = bridge(*command)
    assert again.status == 0
    assert "carried out before" in again.out
    assert events_in(bridge) == count


def test_demo_shows_a_reaction_and_names_the_next_command(run: Run) -> None:
    demo = run("demo")
    assert demo.status == 0
    assert demo.err == ""
    assert "keeps 8 (disadvantage)" in demo.out
    assert "combatlog do 'Demo at the bridge' rurik attack" in demo.out
    again = run("demo")
    assert "Demo at the bridge 2" in again.out


@each(
    ("arguments", "code"),
    [
        (("status", "nowhere"), "ledger/unknown-encounter"),
        (("log", "nowhere"), "ledger/unknown-encounter"),
        (("do", "nowhere", "snig", "dash"), "ledger/unknown-encounter"),
        (("do", "bridge", "nobody", "dash"), "declaration/unknown-combatant"),
        (("do", "bridge", "snig", "fly"), "declaration/unknown-action"),
        (("do", "bridge", "rurik", "dash"), "turn/other"),
        (("do", "bridge", "snig", "strike", "--target", "rurik"), "economy/no-attacks-left"),
        (("do", "bridge", "snig", "move"), "move/no-destination"),
        (("do", "bridge", "snig", "move", "--to", "29,29"), "economy/no-movement-left"),
        (("do", "bridge", "snig", "move", "--to", "400,2"), "move/not-open"),
        (("do", "bridge", "snig", "move", "--to", "3,2"), "move/occupied"),
        (("do", "bridge", "snig", "dash", "--dice", "3"), "dice/too-many"),
        (("react", "bridge", "osric", "protection"), "reaction/no-window"),
        (("new", "bridge"), "ledger/name-taken"),
        (("new", ""), "encounter/name"),
        (("new", "x\x1b[31m"), "encounter/name"),
        (("new", "other", "--ruleset", "chess"), "ruleset/unknown"),
        (("new", "other", "--dice", "loaded"), "dice/source"),
        (("new", "other", "--map", "no-such-file"), "file/unreadable"),
        (("join", "bridge", "dragon"), "sheet/unknown"),
        (("join", "bridge", "goblin", "--as", "Snig"), "join/name-taken"),
        (("join", "bridge", "goblin", "--as", "Grub", "--at", "4,2"), "place/occupied"),
        (("join", "bridge", "goblin", "--as", "Grub", "--at", "99,2"), "place/off-map"),
        (("join", "bridge", "goblin", "--as", "Grub", "--set", "hp=0"), "sheet/invalid"),
        (("join", "bridge", "goblin", "--as", "Grub", "--reaction", "x=perhaps"), "declaration/invalid-option"),
        (("join", "bridge", "no-such-sheet.yaml"), "file/unreadable"),
        (("start", "bridge"), "start/already"),
        (("end-turn", "bridge", "rurik"), "turn/other"),
        (("rule", "bridge", "rurik", "--reason", "so"), "rule/empty"),
        (("rule", "bridge", "rurik", "--set", "mana=3", "--reason", "so"), "rule/unknown-value"),
        (("rule", "bridge", "rurik", "--add", "sleepy", "--reason", "so"), "rule/unknown-condition"),
        (("rule", "bridge", "rurik", "--remove", "dodging", "--reason", "so"), "rule/no-condition"),
        (("economy", "bridge", "snig", "--resource", "mana"), "economy/unknown"),
        (("actions", "bridge", "nobody"), "declaration/unknown-combatant"),
        (("verify", "nowhere"), "ledger/unknown-encounter"),
        (("run", "no-such-file.yaml"), "file/unreadable"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_refusals_are_a_sentence_with_a_hint_and_write_nothing(
    bridge: Run, arguments: tuple[str, ...], code: str
) -> None:
    count = events_in(bridge)
    refused = bridge(*arguments)
    assert refused.status == 1
    assert refused.err.splitlines()[0].endswith(f". [{code}]")
    assert refused.err.count("\n") <= 2
    assert refused.out == ""
    assert events_in(bridge) == count


@each(
    "arguments",
    [
        ("do", "bridge"),
        ("do", "bridge", "snig", "move", "--to", "here"),
        ("do", "bridge", "snig", "dash", "--option", "novalue"),
        ("rule", "bridge", "rurik", "--set", "hp=much", "--reason", "so"),
        ("rule", "bridge", "rurik", "--set", "hp=3"),
        ("verify",),
        ("status", "bridge", "--at", "zero"),
        ("status", "bridge", "--at", "0"),
        ("no-such-command",),
    ],
)
def test_wrong_usage_exits_with_2(bridge: Run, arguments: tuple[str, ...]) -> None:
    count = events_in(bridge)
    assert bridge(*arguments).status == 2
    assert events_in(bridge) == count


FINE_SHEET = """
name: Grub
nature: monster
abilities: {str: 8, dex: 14, con: 10, int: 10, wis: 8, cha: 8}
ac: 15
hp: 7
weapons: [scimitar]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FINE_SHEET.replace("hp: 7\n", ""), "sheet/invalid"),
        (FINE_SHEET.replace("hp: 7", "hp: -7"), "sheet/invalid"),
        (FINE_SHEET.replace("str: 8", "str: 800"), "sheet/invalid"),
        (FINE_SHEET.replace("hp: 7", "hp: many"), "sheet/invalid"),
        (FINE_SHEET.replace("[scimitar]", "[lightsaber]"), "sheet/invalid"),
        (FINE_SHEET + "features: [flight]\n", "sheet/unknown-feature"),
        (FINE_SHEET + "wings: 2\n", "sheet/invalid"),
        ("[1, 2", "file/malformed"),
        ("just words", "sheet/invalid"),
        ("!!python/object/apply:os.system [true]", "file/malformed"),
    ],
    ids=[
        "missing hp",
        "negative hp",
        "absurd str",
        "hp no number",
        "unknown weapon",
        "unknown feature",
        "unknown field",
        "malformed",
        "no mapping",
        "unsafe",
    ],
)
def test_bad_sheets(bridge: Run, tmp_path: Path, text: str, code: str) -> None:
    sheet = tmp_path / "grub.yaml"
    sheet.write_text(FINE_SHEET)
    assert bridge("join", "bridge", str(sheet), "--at", "9,9", "--dice", "5").status == 0
    sheet.write_text(text)
    refused = bridge("join", "bridge", str(sheet), "--as", "Other")
    assert (refused.status, refused.code) == (1, code)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("....\n...\n", "map/ragged"),
        ("....\n..X.\n", "map/unknown-square"),
        ("", "map/empty"),
        ("." * 300, "map/too-large"),
    ],
)
def test_bad_maps(run: Run, tmp_path: Path, rows: str, code: str) -> None:
    drawn = tmp_path / "map.txt"
    drawn.write_text(rows)
    assert run("new", "cave", "--map", str(drawn)).code == code
    assert events_in(run) == 0


SCENARIO = """
encounter: Small
dice: table
combatants:
  - {sheet: fighter, as: Rurik, at: [1, 1]}
script:
  - {do: start, dice: [11], expect: {turn: rurik, rurik.movement: 30}}
"""


def test_a_scenario_file_is_played_and_recorded(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(SCENARIO)
    assert "1 step, all as expected" in run("run", str(file)).out
    assert run("status", "Small").status == 0
    assert run("run", str(file), "--as", "Small again", "--quiet").status == 0
    assert run("run", str(file)).code == "ledger/name-taken"


def test_a_difference_fails_it_readably(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(SCENARIO.replace("rurik.movement: 30", "rurik.movement: 25"))
    ran = run("run", str(file), "--dry")
    assert ran.status == 1
    assert "Step 1 (start) is not as expected" in ran.err
    assert "rurik.movement: expected 25, found 30" in ran.err
    assert json.loads(run("list", "--json").out)["total"] == 0


@pytest.mark.parametrize("refused", ["", ", refused: turn/other"])
def test_an_unexpected_refusal_is_not_called_expected(run: Run, tmp_path: Path, refused: str) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(f"{SCENARIO}  - {{do: strike, actor: rurik, target: rurik{refused}}}\n")
    ran = run("run", str(file), "--dry")
    assert ran.status == 1
    assert "as expected" not in ran.out
    assert "Step 2 (strike) is not as expected" in ran.err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("encounter: [", "file/malformed"),
        ("script: []", "scenario/invalid"),
        ("encounter: x\nscript: [{dance: yes}]", "scenario/invalid"),
        ("encounter: x\nscript: [{do: start, react: shield}]", "scenario/invalid"),
        ("encounter: x\nmap: |\n  ...\n  ..\n", "map/ragged"),
        ("encounter: x\ncombatants: [{sheet: dragon}]", "sheet/unknown"),
    ],
)
def test_bad_scenarios(run: Run, tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    ran = run("run", str(file), "--dry")
    assert (ran.status, ran.code) == (1, code)


def test_a_database_that_is_down(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, "postgresql://nobody@127.0.0.1:1/nothing")
    ran = run("list")
    assert ran.status == 1
    assert ran.code == "database/unreachable"
    assert "combatlog db status" in ran.err


def test_a_database_url_that_is_none(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, "what is this")
    assert run("list").code == "database/url"


def test_a_ledger_of_a_newer_schema(run: Run, cli_database: str) -> None:
    run("list")
    with psycopg.connect(cli_database) as conn:
        conn.execute("INSERT INTO combatlog.schema_version (version) VALUES (99)")
    assert run("list").code == "database/newer-schema"


def test_a_disk_that_is_full(bridge: Run, cli_database: str) -> None:
    """PostgreSQL reports a full disk with SQLSTATE 53100, whatever it was doing."""
    with psycopg.connect(cli_database) as conn:
        conn.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$"
        )
        conn.execute("CREATE TRIGGER full_disk BEFORE INSERT ON combatlog.ledger_events EXECUTE FUNCTION full_disk()")
    count = events_in(bridge)
    assert bridge("do", "bridge", "snig", "dash").code == "database/full"
    assert events_in(bridge) == count


def test_names_are_shown_harmlessly(bridge: Run) -> None:
    name = "[bold]O'B\x1b[31m\u202e\N{DRAGON}\nx"
    joined = bridge("join", "bridge", "goblin", "--as", name, "--at", "9,9", "--dice", "5")
    assert joined.status == 0
    for command in ("log", "status"):
        shown = bridge(command, "bridge").out
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "[bold]O'B" in shown


def test_every_command_has_help_with_an_example(run: Run) -> None:
    listed = run("--help").out
    for command in ("new", "join", "start", "do", "react", "end-turn", "rule", "status", "log", "run", "verify"):
        assert command in listed
        assert "combatlog" in run(command, "--help").out


def test_examples_stand_one_below_the_other(run: Run) -> None:
    lines = run("pack", "archetypes", "--help").out.splitlines()
    first = lines.index("  Examples:") + 1
    assert lines[first : first + 2] == ["    combatlog pack archetypes", "    combatlog pack archetypes area"]


def test_encounters_are_listed_in_pages(run: Run) -> None:
    for name in ("one", "two", "three"):
        run("new", name)
    ran = run("list", "--limit", "2")
    assert ran.out.index("three") < ran.out.index("two")
    assert "one " not in ran.out
    assert "2 of 3 encounters, newest first." in ran.out
    page = json.loads(run("list", "--limit", "2", "--json").out)
    assert ([entry["name"] for entry in page["encounters"]], page["total"]) == (["three", "two"], 3)
    assert f"combatlog list --after {page['next']}" in ran.out
    last = json.loads(run("list", "--after", page["next"], "--json").out)
    assert ([entry["name"] for entry in last["encounters"]], last["next"]) == (["one"], None)
    assert len(json.loads(run("list", "--limit", "1", "--all", "--json").out)["encounters"]) == 3
    assert "encounters, newest" not in run("list").out
    assert run("list", "--after", "nowhere").code == "ledger/unknown-encounter"
