"""Players at the command line with --server: they see what --as shows beside the ledger, and act for their own."""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.service_login import LOCAL_ONLY
from tests.cli.conftest import Ran, Run
from tests.service.conftest import BOUNDLESS, FIGHT, listening, set_up

READING: tuple[tuple[str, ...], ...] = (
    ("status", FIGHT),
    ("status", FIGHT, "--json"),
    ("status", FIGHT, "--at", "6"),
    ("log", FIGHT),
    ("log", FIGHT, "--all"),
    ("log", FIGHT, "--json"),
    ("log", FIGHT, "--actor", "rurik"),
    ("explain", FIGHT, "9"),
    ("explain", FIGHT, "9", "--json"),
    ("explain", FIGHT, "999"),
    ("explain", FIGHT, "9", "--why-not", "protection"),
    ("actions", FIGHT, "rurik"),
    ("actions", FIGHT, "rurik", "--json"),
    ("economy", FIGHT, "rurik"),
    ("report", FIGHT),
    ("report", FIGHT, "--json"),
    ("corrections", FIGHT),
    ("corrections", FIGHT, "--json"),
    ("diff", FIGHT, "--at", "6"),
    ("replay", FIGHT, "--plain"),
    ("export", FIGHT),
    ("export", FIGHT, "--format", "markdown"),
    ("actions", FIGHT, "grimjaw"),
    ("log", FIGHT, "--actor", "grimjaw"),
)
"""What rurik's player may ask. Grimjaw is there, and nobody has seen him."""

Away = Callable[..., Ran]


@pytest.fixture
def tokens(cli_database: str) -> dict[str, str]:
    return set_up(cli_database)


@pytest.fixture
def url(cli_database: str, tokens: dict[str, str]) -> Iterator[str]:
    with listening(replace(BOUNDLESS, database=cli_database)) as address:
        yield address


@pytest.fixture
def away(run: Run, url: str, tokens: dict[str, str]) -> Away:
    return lambda seat, *line: run("--server", url, "--token", tokens[seat], *line)


@pytest.mark.slow
def test_a_player_sees_what_the_seat_sees(run: Run, away: Away) -> None:
    assert run("do", FIGHT, "snig", "attack").status == 0
    assert (
        run("do", FIGHT, "snig", "strike", "--target", "rurik", "--reply", "osric=pass", "--dice", "15,4").status == 0
    )
    assert run("undo", FIGHT, "--yes", "--reason", "a feint").status == 0
    there = {shlex.join(line): away("rurik", *line) for line in READING}
    here = {shlex.join(line): run(*line, "--as", "player:rurik") for line in READING}
    assert there == here


def test_a_player_acts_for_its_own_and_nobody_else(run: Run, away: Away) -> None:
    assert away("rurik", "do", FIGHT, "snig", "dash").code == "seat/not-yours"
    assert away("rurik", "do", FIGHT, "grimjaw", "dash").code == "declaration/unknown-combatant"
    assert away("rurik", "do", FIGHT, "rurik", "dash").code == "turn/other"
    assert away("spectator", "do", FIGHT, "rurik", "dash").code == "seat/not-allowed"
    for line in (
        ("undo", FIGHT, "--yes"),
        ("rule", FIGHT, "rurik", "--set", "hp=1", "--reason", "x"),
        ("conclude", FIGHT),
    ):
        assert away("rurik", *line).code == "seat/not-allowed"
    assert away("host", "do", FIGHT, "snig", "attack").status == 0
    asked = away("host", "do", FIGHT, "snig", "strike", "--target", "rurik")
    assert "combatlog react bridge osric protection | pass" in asked.out
    assert away("rurik", "react", FIGHT, "osric", "pass").code == "seat/not-yours"
    assert "Osric may react to Snig" in away("osric", "status", FIGHT).out
    assert away("osric", "react", FIGHT, "osric", "pass", "--dice", "15,4").status == 0
    assert away("host", "end-turn", FIGHT, "snig").status == 0
    hit = away("rurik", "hit", FIGHT, "snig", "15", "6")
    assert hit.status == 0
    assert "Rurik hits Snig" in hit.out
    assert "against" not in re.findall(r"Rurik hits Snig.*", hit.out)[0]  # the armour class is not a player's to know
    assert away("rurik", "move", FIGHT, "1,0").status == 0
    assert away("rurik", "end-turn", FIGHT, "rurik").status == 0
    assert run("status", FIGHT).out.splitlines()[0].startswith("bridge — dnd5e, round 1, Osric's turn")


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["rurik", "spectator"])
def test_what_takes_everybodys_sheets_or_a_gm_is_refused_for_that_reason(away: Away, seat: str) -> None:
    assert away(seat, "difficulty", FIGHT).code == "seat/not-allowed"
    assert away(seat, "webhook", FIGHT, "--add", "https://example.org/hook").code == "seat/not-allowed"
    assert "This takes a seat at all fights." in away(seat, "demo").err


def test_another_seat_than_ones_own(away: Away) -> None:
    refused = away("rurik", "status", FIGHT, "--as", "spectator")
    assert refused.code == "server/other-seat"
    assert "Omit --as." in refused.err


def test_what_only_the_machine_of_the_ledger_can_do(away: Away, tmp_path: Path) -> None:
    lines = (
        ("serve",),
        ("sql", "SELECT 1"),
        ("db", "status"),
        ("db", "backup", str(tmp_path / "backup")),
        ("projections", "status"),
        ("lake", "write", str(tmp_path / "lake")),
    )
    for line in lines:
        refused = away("host", *line)
        assert refused.code == "server/local-only", line
        why = LOCAL_ONLY.get(line[0]) or LOCAL_ONLY[" ".join(line[:2])]
        assert why in " ".join(refused.err.split())
    assert {one for line in lines for one in (line[0], " ".join(line[:2]))} >= LOCAL_ONLY.keys()


def test_a_lake_at_hand_needs_no_service(run: Run, away: Away, tmp_path: Path) -> None:
    folder = str(tmp_path / "lake")
    assert run("lake", "write", folder).status == 0
    asked = ("sql", "SELECT count(*) FROM events", "--lake", folder)
    assert away("rurik", *asked) == run(*asked)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["option", "file", "link", "variable", "link in a variable"])
def test_where_the_token_comes_from(
    run: Run, url: str, tokens: dict[str, str], way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, file = tokens["rurik"], tmp_path / "token"
    file.write_text(f"{token}\n")
    file.chmod(0o600)
    link = f"{url}/join?token={token}"
    given: dict[str, tuple[str, ...]] = {
        "option": ("--server", url, "--token", token),
        "file": ("--server", url, "--token-file", str(file)),
        "link": ("--server", link),
        "variable": ("--server", url),
        "link in a variable": (),
    }
    if way == "variable":
        monkeypatch.setenv("COMBATLOG_TOKEN", token)
    if way == "link in a variable":
        monkeypatch.setenv("COMBATLOG_SERVER", link)
    shown = run(*given[way], "status", FIGHT)
    assert (shown.status, "unhurt" in shown.out) == (0, True)


def test_a_token_that_is_kept(
    run: Run, url: str, tokens: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path))
    assert run("--server", url, "status", FIGHT).code == "server/no-token"
    kept = run("login", f"{url}/join?token={tokens['rurik']}")
    assert kept.out.startswith("Your seat: Rurik, player of rurik, until ")
    assert tokens["rurik"] not in kept.out
    file = tmp_path / "logins.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run("--server", url, "status", FIGHT).status == 0
    file.chmod(0o644)
    assert run("--server", url, "status", FIGHT).code == "login/readable"
    file.chmod(0o600)
    assert run("logout", url).status == 0
    assert run("logout", url).code == "login/none"
    assert run("--server", url, "status", FIGHT).code == "server/no-token"
    assert run("login", f"{url}/join?token=nonsense").code == "seat/no-token"


def test_wrong_usage(run: Run, tmp_path: Path) -> None:
    assert run("--server", "http://127.0.0.1:1", "--database", "postgresql:///x", "list").status == 2
    assert run("--token", "x", "list").status == 2
    assert run("--server", "bridge", "list").code == "server/address"
    assert run("--server", "http://127.0.0.1:1", "--token-file", str(tmp_path / "none"), "list").code == "file/unusable"


def test_names_are_offered_from_the_service(
    run: Run, url: str, tokens: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered(server: str, line: str) -> list[str]:
        words = ["combatlog", "--server", server, "--token", tokens["rurik"], *line.split(" ")]
        monkeypatch.setenv("_COMBATLOG_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        found = run().out.split()
        monkeypatch.delenv("_COMBATLOG_COMPLETE")
        return found

    assert offered(url, "status br") == ["bridge"]
    assert offered("http://127.0.0.1:1", "status br") == []
    assert offered("nonsense", "status br") == []


def test_a_correction_that_players_have_to_agree_to(run: Run, away: Away, url: str) -> None:
    run("new", "Mill", "--dice", "table", "--option", "consent=table")
    run("join", "Mill", "fighter", "--as", "Rurik", "--at", "3,2")
    run("join", "Mill", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2")
    run("start", "Mill", "--dice", "5,20")
    run("do", "Mill", "snig", "attack")
    run("do", "Mill", "snig", "strike", "--target", "rurik", "--dice", "19,3")
    token = re.findall(r"token  (\S+)", run("seat", "Mill", "--player", "rurik").out)[0]

    def rurik(*line: str) -> Ran:
        return run("--server", url, "--token", token, *line)

    assert rurik("agree", "Mill", "rurik").code == "consent/nothing"
    asked = away("host", "undo", "Mill", "--reason", "a misunderstanding", "--yes")
    assert "Proposed: rurik has to agree first." in asked.out
    assert away("host", "proposal", "Mill") == run("proposal", "Mill")
    assert rurik("proposal", "Mill") == run("proposal", "Mill", "--as", "rurik")
    assert "rurik has not answered yet." in rurik("proposal", "Mill").out
    assert rurik("overrule", "Mill", "--reason", "no").code == "seat/not-allowed"
    assert rurik("agree", "Mill", "rurik").status == 0
    assert "Nothing is proposed." in rurik("proposal", "Mill").out
    assert "12/12" in run("status", "Mill").out
    assert away("host", "redo", "Mill", "--yes").status == 0
    assert away("host", "overrule", "Mill", "--reason", "the rules are clear").status == 0
    assert "7/12" in run("status", "Mill").out
