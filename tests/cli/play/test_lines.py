"""What lines mean: names, verbs, actions, commands, and what is said to those that mean nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

import combatlog
from cli.context import CommandSettings, Implied
from cli.play.player_input import read
from cli.play.shell import Shell
from cli.play.shell_help import completions
from cli.play.shell_seat import ShellSeat
from ledger.events import AttackResolved, Declared, Rolled


class Typed:
    """Lines that somebody types, and what they are asked."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.left = list(lines)
        self.asked: list[str] = []

    def line(self, title: Callable[[], str], default: str = "") -> str:
        return self.answer(title())

    def answer(self, question: str) -> str:
        self.asked.append(question)
        if not self.left:
            raise EOFError
        return self.left.pop(0)

    def interrupt(self, do: Callable[[], None]) -> None:
        """Nobody types while others do something."""


Play = Callable[..., tuple[list[str], str]]


@pytest.fixture
def play(open_ledger: combatlog.Ledger, capsys: pytest.CaptureFixture[str]) -> Iterator[Play]:
    """Types lines in a shell; returns the questions it asked, and what it showed."""

    def play(fight: combatlog.RecordedFight, *lines: str, own: Sequence[str] = ()) -> tuple[list[str], str]:
        typed = Typed(lines)
        shell = Shell(ShellSeat(fight, fight.state(), own), typed)
        CommandSettings.ledger, CommandSettings.fight, CommandSettings.raises = open_ledger, fight, True
        CommandSettings.implied = Implied(fight.state().name, "the shell")
        CommandSettings.confirm = shell.declaring.confirm
        shell.run()
        return typed.asked, " ".join(capsys.readouterr().out.split())

    yield play
    CommandSettings.ledger = CommandSettings.fight = CommandSettings.implied = CommandSettings.confirm = None
    CommandSettings.raises = False


def declared(fight: combatlog.RecordedFight) -> Declared:
    return [event for event in fight.events() if isinstance(event, Declared)][-1]


@pytest.mark.parametrize("line", ["dodge", "DODGE", "dod", "snig dodge", "Snig dod"])
def test_an_action_by_its_name(bridge: combatlog.RecordedFight, play: Play, line: str) -> None:
    play(bridge, line)
    assert (declared(bridge).actor, declared(bridge).action) == ("snig", "dnd5e:ability:dodge")


@pytest.mark.parametrize(
    "line", ["melee attack rurik 2", "melee_attack rur 2", "hit the rurik with scimitar 2", "hi rur 2"]
)
def test_an_attack_in_many_ways(bridge: combatlog.RecordedFight, play: Play, line: str) -> None:
    play(bridge, line, "pass")
    assert (declared(bridge).targets, declared(bridge).action) == (("rurik",), "dnd5e:action:melee_attack")
    assert [event.roll for event in bridge.events() if isinstance(event, AttackResolved)] == [2]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hti rurik", "Did you mean hit?"),
        ("xyzzy", "'xyzzy' means nothing here. [play/not-understood]"),
        ("d", "'d' could be dash"),
        ("hit rurk", "Did you mean rurik?"),
        ("hit rurik with spear", "There is no weapon 'spear' here"),
        ("cast bless", "Snig has no spells."),
        ("move there", "Name a square"),
        ("undo --bogus", "No such option: --bogus"),
        ("rule rurik --set hp=x --reason why", "hp=x is not a number."),
        ('"', "means nothing here"),
        ("strike rurik", "[economy/no-attacks-left]"),
        ("start", "The fight has already started"),
    ],
)
def test_what_is_not_understood_or_allowed_is_said(
    bridge: combatlog.RecordedFight, play: Play, line: str, says: str
) -> None:
    before = len(bridge.events())
    _, shown = play(bridge, line)
    assert says in shown
    assert len(bridge.events()) == before


def test_enter_ends_the_turn_after_one_confirmation(bridge: combatlog.RecordedFight, play: Play) -> None:
    asked, _ = play(bridge, "", "n", "", "")
    question = "End Snig's turn? (action, bonus action, 30 ft, reaction left) [Y/n] "
    assert asked == ["Snig> ", question, "Snig> ", question, "Rurik> "]
    assert bridge.state().clock.turn == "rurik"


def test_reactions_are_asked_and_enter_lets_them_pass(bridge: combatlog.RecordedFight, play: Play) -> None:
    asked, shown = play(bridge, "hit rurik 15 4", "")
    assert asked[1] == "Osric: protection or pass? "
    assert "19 against AC 16, hit" in shown
    assert [event.faces for event in bridge.events() if isinstance(event, Rolled)][-2:] == [(15,), (4,)]


def test_dice_typed_before_a_reaction_that_changes_them_are_put_aside(
    bridge: combatlog.RecordedFight, play: Play
) -> None:
    asked, shown = play(bridge, "hit rurik 15 4", "protection", "15 8")
    assert "It takes other dice now; 15, 4 is put aside." in shown
    assert asked[2] == "Snig: 2d20+4 with disadvantage, attack on Rurik with a scimitar: "
    assert "12 against AC 16, miss" in shown


def test_a_wrong_face_is_asked_for_again(bridge: combatlog.RecordedFight, play: Play) -> None:
    asked, shown = play(bridge, "hit rurik", "pass", "25", "?", "15", "4")
    assert asked[2:7] == 3 * ["Snig: d20+4, attack on Rurik with a scimitar: "] + [
        "Snig: d6+2, damage to Rurik: ",
        "Snig> ",
    ]
    assert "25 is not a face of d20" in shown
    assert "Snig: 2d6+2, damage to Rurik, if it hits critically" in shown


def test_whoever_cancels_leaves_no_trace(bridge: combatlog.RecordedFight, play: Play) -> None:
    bridge.do("snig", "melee_attack", target="rurik", replies={"osric": None}, dice=[2])
    bridge.end_turn("snig")
    before = len(bridge.events())
    _, shown = play(bridge, "hit snig", "cancel")
    assert "Nothing was recorded." in shown
    assert len(bridge.events()) == before


def test_ordinary_commands_need_no_name_of_the_fight(bridge: combatlog.RecordedFight, play: Play) -> None:
    _, shown = play(bridge, "rule rurik --set hp=9 --reason test", "status", "log --last 1", "why 10")
    assert "hp is 9 (test)" in shown
    assert "9/12" in shown
    assert "In Bridge" not in shown


def test_undo_redo_and_why_not(bridge: combatlog.RecordedFight, play: Play) -> None:
    _, shown = play(bridge, "hit rurik 15 4", "pass", "why", "why not dodging", "undo", "y", "redo", "y")
    assert "Snig hits Rurik with a scimitar: 19 against 16" in shown
    assert "Nobody was dodging at that moment." in shown
    assert "stands again" in shown
    assert bridge.state().combatants["rurik"].vitals["hp"].current == 6


def test_amending_what_was_said_last(bridge: combatlog.RecordedFight, play: Play) -> None:
    _, shown = play(bridge, "hit rurik 15 4", "pass", "amend --add disadvantage --source fog --dice 3", "y")
    assert "Done:" in shown
    assert bridge.state().combatants["rurik"].vitals["hp"].current == 12


def test_initiative_is_asked_for_everyone_by_name(open_ledger: combatlog.Ledger, play: Play) -> None:
    fight = open_ledger.new("Duel", dice="table")
    fight.join("fighter", "Rurik", (3, 2))
    fight.join("goblin", "Snig", (4, 2), side="foes")
    asked, _ = play(fight, "start", "11", "7")
    assert asked[:4] == ["(not started)> ", "Rurik: d20+2, initiative: ", "Snig: d20+2, initiative: ", "Rurik> "]


def test_only_those_who_roll_for_themselves_are_asked(open_ledger: combatlog.Ledger, play: Play) -> None:
    fight = open_ledger.new("Duel", dice="heroes=table,foes=seed:1")
    fight.join("fighter", "Rurik", (3, 2))
    fight.join("goblin", "Snig", (4, 2), side="foes")
    asked, _ = play(fight, "start", "20", "hit snig 2", "end", "hit rurik")
    assert asked == ["(not started)> ", "Rurik: d20+2, initiative: ", "Rurik> ", "Rurik> ", "Snig> ", "Snig> "]


def test_a_roll_that_nobody_could_foresee_is_asked_for(open_ledger: combatlog.Ledger, play: Play) -> None:
    """Whether Ysolde has to keep her concentration depends on what Snig rolls by himself."""
    fight = open_ledger.new("Duel", dice="heroes=table,foes=random")
    quick = {"str": 14, "dex": 30, "con": 14, "int": 10, "wis": 18, "cha": 12}  # she acts first, whatever he rolls
    fight.join("cleric", "Ysolde", (3, 2), overrides={"ac": 1, "hp": 200, "abilities": quick})
    fight.join("goblin", "Snig", (4, 2), side="foes")
    fight.start(dice=[20])
    fight.cast("bless", ["ysolde"])
    fight.end_turn("ysolde")
    asked: list[str] = []
    for _ in range(20):  # a natural 1 misses
        asked += play(fight, "hit ysolde", "10", "3", "end", "end")[0]
        if any(event.hit for event in fight.events() if isinstance(event, AttackResolved)):
            break
    assert any("concentration save" in question for question in asked)
    assert any(event.faces == (10,) for event in fight.events() if isinstance(event, Rolled))


def test_a_weapon_is_asked_for_once(open_ledger: combatlog.Ledger, play: Play) -> None:
    fight = open_ledger.new("Duel", dice="table")
    fight.join("barbarian", "Karn", (3, 2), overrides={"weapons": ["mace", "longsword"]})
    fight.join("ogre", "Grum", (4, 2), side="foes")
    fight.start(dice=[20, 1])
    asked, _ = play(fight, "hit grum 2", "long", "hit 3")
    assert asked == ["Karn> ", "Which? [1] ", "Karn> ", "Karn> "]
    weapons = [event.weapon for event in fight.events() if isinstance(event, AttackResolved)]
    assert weapons == ["longsword", "longsword"]


def test_a_chosen_path(bridge: combatlog.RecordedFight, play: Play) -> None:
    asked, shown = play(bridge, "move 6,2 via 5,1 6,1", "n", "move 5,1", "", "pass", "pass")
    assert "To 6,2: 15 movement, 15 left. Provokes opportunity attack from Rurik and Osric." in shown
    assert asked[1] == "Move there? [Y/n] "
    assert (declared(bridge).destination, declared(bridge).options) == ((5, 1), {})


def test_help_and_an_action_of_that_name(bridge: combatlog.RecordedFight, play: Play) -> None:
    _, shown = play(bridge, "?", "help", "? strike")
    assert shown.count("hit snig 15 6") == 2
    assert "Snig can" in shown
    play(bridge, "end", "help osric snig")
    assert declared(bridge).action == "dnd5e:ability:help"


def test_other_rules(open_ledger: combatlog.Ledger, play: Play) -> None:
    skirmish = open_ledger.new("Depot", "skirmish", dice="seed:1")
    for sheet, name, at, side in (
        ("rebel-player", "Rebels", None, "rebels"),
        ("imperial-player", "Empire", None, "empire"),
        ("scout", "Scout", (1, 1), "rebels"),
        ("trooper", "Trooper", (3, 1), "empire"),
    ):
        skirmish.join(sheet, name, at, side=side)
    skirmish.start()
    figure = skirmish.backend.in_memory().ruleset.to_act(skirmish.battle)[0].id
    asked, _ = play(skirmish, f"activate {figure}", "move 2,2", "end")
    assert asked[0] == "(round 1)> "
    actions = [event.action for event in skirmish.events() if isinstance(event, Declared)]
    assert actions[-3:] == ["skirmish:action:activate", "skirmish:action:move", "core:time:end-turn"]
    duel = open_ledger.new("Courtyard", "action_points", dice="random")
    duel.join("hedge_mage", "Ilse", (1, 1))
    duel.join("guard", "Bors", (2, 1), side="foes")
    duel.start()
    while duel.state().clock.turn != "ilse":
        duel.end_turn(duel.state().clock.turn or "")
    play(duel, "cast fireb bors", "pass", "pass")
    assert declared(duel).options == {"spell": "firebolt"}


def test_completion(bridge: combatlog.RecordedFight, play: Play) -> None:
    shell = Shell(ShellSeat(bridge, bridge.state()), Typed([]))
    assert list(completions(shell.verbs, "hi")) == [("hit", -2)]  # in plain sight, there is nowhere to hide
    assert list(completions(shell.verbs, "hit r")) == [("rurik", -1)]
    assert list(completions(shell.verbs, "hit rurik with s")) == [("scimitar", -1), ("shortbow", -1)]


def test_a_number_after_a_name_may_be_a_die(open_ledger: combatlog.Ledger) -> None:
    fight = open_ledger.new("Nest")
    fight.join("goblin", count=2, at=(3, 2), side="foes")
    asked: list[str] = []

    def first(question: str, options: Sequence[str]) -> str:
        asked.append(question)
        return options[0]

    def second(question: str, options: Sequence[str]) -> str:
        return options[1]

    def never(question: str, options: Sequence[str]) -> Any:
        raise AssertionError(question)

    battle = fight.battle
    said = read(["goblin", "2", "15"], battle, first)
    assert (said.names, said.faces) == (["goblin-2"], [15])
    assert asked == ["Do you mean Goblin 2, or Goblin and a die that shows 2?"]
    said = read(["goblin", "2", "15"], battle, second)
    assert (said.names, said.faces) == (["goblin"], [2, 15])
    said = read(["goblin-2", "15", "4,2", "slot=2"], battle, never)
    assert (said.names, said.faces, said.place, said.options) == (["goblin-2"], [15], (4, 2), {"slot": 2})
