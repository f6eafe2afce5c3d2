"""Every command that reads a fight shows a seat what it may see, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from cli.app import app
from tests.cli.conftest import Run
from tests.cli.test_secrets import from_the_dark
from tests.rules.veils_ruleset import by_every_ruleset

SEATS = ("players", "rurik", "spectator")
OWN = ("rurik",)
"""Seats that may ask about Rurik himself."""

READING = {
    "status": ("status", "Bridge"),
    "status --at": ("status", "Bridge", "--at", "4"),
    "status --json": ("status", "Bridge", "--json"),
    "log": ("log", "Bridge"),
    "log --all": ("log", "Bridge", "--all"),
    "log --json": ("log", "Bridge", "--json"),
    "log --actor": ("log", "Bridge", "--actor", "grak"),
    "log --actor, misspelled": ("log", "Bridge", "--actor", "grakk"),
    "replay": ("replay", "Bridge", "--plain"),
    "replay --all": ("replay", "Bridge", "--plain", "--all"),
    "replay --actor": ("replay", "Bridge", "--plain", "--actor", "gra"),
    "report": ("report", "Bridge"),
    "report --json": ("report", "Bridge", "--json"),
    "report as HTML": ("report", "Bridge", "--format", "html"),
    "report as Markdown": ("report", "Bridge", "--format", "md"),
    "explain": ("explain", "Bridge", "12"),
    "explain --json": ("explain", "Bridge", "12", "--json"),
    "explain --why-not": ("explain", "Bridge", "12", "--why-not", "grak"),
    "explain, beyond the end": ("explain", "Bridge", "400"),
    "actions": ("actions", "Bridge", "rurik"),
    "actions --json": ("actions", "Bridge", "rurik", "--json"),
    "actions of somebody unseen": ("actions", "Bridge", "grak"),
    "actions of somebody misspelled": ("actions", "Bridge", "grakk"),
    "advise": ("advise", "Bridge", "rurik"),
    "advise, somebody unseen": ("advise", "Bridge", "grak"),
    "economy": ("economy", "Bridge", "rurik"),
    "economy of somebody unseen": ("economy", "Bridge", "grak"),
    "aim": ("aim", "Bridge", "grak", "fireball", "8,2"),
    "diff": ("diff", "Bridge", "--at", "3"),
    "diff --json": ("diff", "Bridge", "--at", "3", "--json"),
    "corrections": ("corrections", "Bridge"),
    "corrections --json": ("corrections", "Bridge", "--json"),
    "undo": ("undo", "Bridge", "--turn", "--dry-run"),
    "undo --json": ("undo", "Bridge", "--turn", "--dry-run", "--json"),
    "export": ("export", "Bridge"),
    "export as Markdown": ("export", "Bridge", "--format", "markdown"),
    "export as CSV": ("export", "Bridge", "--format", "csv", "--output", "tables"),
}

FOR_THE_GM = {
    "list": "it is about every fight",
    "difficulty": "it weighs everybody, hidden or not",
    "reference": "what the rules take is no secret",
    "fork": "it records",
    "stats": "it is about what everybody did",
    "reactions": "it records",
    "seal": "a hash of everything",
    "seat": "it gives seats",
    "verify": "it checks everything",
}
"""Commands with a fight that have no seat, and why."""
RECORD = {"auto", "conclude", "conceal", "do", "end-turn", "heal", "hurt", "hit", "cast", "move", "initiative", "join"}
RECORD |= {"label", "leave", "note", "play", "react", "reveal", "roll", "rule", "start", "use", "rest"} | {
    "agree",
    "overrule",
    "time-up",
}


@by_every_ruleset
@pytest.mark.parametrize("seat", ["players"])  # other seats: tests/projections/views/test_twins.py
def test_no_command_tells_a_seat_of_somebody_unseen(run: Run, seat: str, ruleset: str, tmp_path: Path) -> None:
    from_the_dark(run, ruleset)
    run("rule", "Bridge", "grak", "--set", "hp=41", "--reason", "grak is tougher")
    run("note", "Bridge", "grak waits", "--secret")
    for arguments in READING.values():
        asked = tuple(word.replace("tables", str(tmp_path / "tables")) for word in arguments)
        ran = run(*asked, "--as", seat)
        told = (ran.out + ran.err).lower()
        for said in asked:  # what was asked may be repeated, in quotation marks
            told = told.replace(f"'{said}'", "").replace(f'"{said}"', "")
        told = told.replace('"name": "grak"', "").replace("grakk", "")
        assert ran.status in (0, 1, 2), (arguments, ran)
        assert "grak" not in told, (arguments, ran)
        assert "traceback" not in told, (arguments, ran)


def test_every_command_that_reads_a_fight_has_a_seat() -> None:
    group = typer.main.get_command(app)
    names = {"encounter", "encounters"}
    about_a_fight = {
        name: {option for param in command.params for option in param.opts}
        for name, command in group.commands.items()  # type: ignore[attr-defined]
        if any(param.name in names for param in command.params)
    }
    without = {name for name, options in about_a_fight.items() if "--as" not in options}
    assert without <= {*FOR_THE_GM, *RECORD}


@pytest.mark.parametrize("arguments", [("actions",), ("advise",), ("economy",)])
def test_players_ask_about_their_own(run: Run, arguments: tuple[str, ...]) -> None:
    from_the_dark(run)
    run("end-turn", "Bridge", "grak")
    assert run(*arguments, "Bridge", "rurik", "--as", "rurik").status == 0
    assert run(*arguments, "Bridge", "snig", "--as", "rurik").code == "seat/not-yours"
    assert run(*arguments, "Bridge", "grak", "--as", "rurik").code == "declaration/unknown-combatant"


def test_a_player_is_not_told_the_chance_to_hit(run: Run) -> None:
    from_the_dark(run)
    run("end-turn", "Bridge", "grak")
    run("do", "Bridge", "rurik", "attack")
    assert "snig 55%" in run("actions", "Bridge", "rurik").out  # +5 against 15: with a 10 or more
    told = run("actions", "Bridge", "rurik", "--as", "players").out
    assert "in reach: snig" in told
    assert "snig 5" not in told


def test_what_a_seat_sees_is_numbered_without_gaps(run: Run) -> None:
    from_the_dark(run)
    for seat in SEATS:
        events = json.loads(run("log", "Bridge", "--as", seat, "--json").out)
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert all(event["declaration"] <= event["seq"] for event in events)


def test_players_read_notes_that_are_not_secret(run: Run) -> None:
    from_the_dark(run)
    run("note", "Bridge", "The bridge creaks.")
    run("note", "Bridge", "They will fall.", "--secret")
    assert run("log", "Bridge", "--as", "players").out.endswith("The GM notes: “The bridge creaks.”\n")
    assert run("log", "Bridge").out.endswith("The GM notes in secret: “They will fall.”\n")


def test_a_secret_roll_is_for_the_gm_alone(run: Run) -> None:
    from_the_dark(run)
    before = run("log", "Bridge", "--all", "--as", "rurik").out
    run("roll", "Bridge", "1d20", "--for", "perception", "--of", "rurik", "--secret", "--dice", "12")
    assert run("log", "Bridge", "--all", "--as", "rurik").out == before
    run("roll", "Bridge", "1d100", "--for", "wild magic", "--dice", "77")
    assert "77" in run("log", "Bridge", "--all", "--as", "rurik").out
    assert "Rurik rolls 1d20 for perception in secret: 12" in run("log", "Bridge").out


def test_a_secret_ruling_shows_only_in_what_it_changes(run: Run) -> None:
    from_the_dark(run)
    run("rule", "Bridge", "rurik", "--set", "hp=2", "--reason", "poison", "--secret")
    told = run("log", "Bridge", "--all", "--as", "players").out
    assert "ruling" not in told
    assert "2/12 hp" in run("status", "Bridge", "--as", "players").out


def test_a_fight_may_show_more(run: Run) -> None:
    run("new", "Open", "--dice", "table", "--show", "hit_points", "--show", "initiative")
    run("join", "Open", "fighter", "--as", "Rurik", "--at", "3,2")
    run("join", "Open", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2")
    run("start", "Open", "--dice", "5,4")
    state = json.loads(run("status", "Open", "--as", "players", "--json").out)
    assert state["combatants"]["snig"]["vitals"]["hp"] == {"current": 7, "maximum": 7}
    assert [entry["value"] for entry in state["initiative"]] == [7, 6]
    assert run("new", "Other", "--show", "everything").code == "declaration/invalid-option"


def test_no_ledger_imports_what_a_seat_saw(run: Run, tmp_path: Path) -> None:
    from_the_dark(run)
    file = tmp_path / "seen.jsonl"
    run("export", "Bridge", "--as", "players", "--output", str(file))
    assert run("import", str(file)).status == 1
