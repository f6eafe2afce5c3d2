"""The state of a fight on screens of any width: everybody is there, nothing is dropped, nothing sticks out."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from cli.render.fight_state import Roster
from cli.render.text_map import draw_map
from combatlog.rules.engine.status import status_of
from combatlog.testing import Drill
from projections.battle.fold import Battle

WIDE = ("龍王アリア", "Ze\u0301phyrine d'Île-aux-Moines", "Øyvind Ragnarsson the Far Too Long-Winded of Bergen")


def roster(battle: Battle, width: int) -> list[str]:
    printed = StringIO()
    Console(file=printed, width=width, no_color=True).print(Roster(battle, width))
    return [line.rstrip() for line in printed.getvalue().splitlines()]


def crowd() -> Drill:
    """Thirteen combatants, some with wide, combining or many characters in their names."""
    drill = Drill()
    for number, name in enumerate(WIDE):
        drill.join("cleric", f"{name} a{number}", (number, 0))
    for number in range(10):
        drill.join("goblin", f"Goblin {number + 1}", (number, 1), side="foes")
    drill.start(dice=[20, 19, 18, *[9] * 10])
    return drill


def test_the_fallen_and_the_departed_are_named_and_take_no_row() -> None:
    drill = crowd()
    drill.rule("goblin-3", set={"hp": 0}, add=["dead"], reason="a trap")
    drill.leave("goblin-4")
    shown = roster(drill.battle, 80)
    assert shown[-2:] == ["Fallen: Goblin 3", "Left the fight: Goblin 4"]
    assert len([line for line in shown if "Goblin" in line]) == 8 + 2


def test_the_armour_class_is_the_one_that_attacks_have_to_beat_now() -> None:
    drill = crowd()
    drill.rule("goblin-1", add=["shielded"], reason="a friendly wizard")
    shown = roster(drill.battle, 80)
    assert next(line for line in shown if "Goblin 1 " in line).split()[-2:] == ["20", "reaction"]  # 15 and Shield's 5
    assert next(line for line in shown if "Goblin 2" in line).split()[-2:] == ["15", "reaction"]


def test_death_saves_are_counted() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[1, 20])
    drill.rule("rurik", set={"hp": 0}, add=["unconscious", "dying"], reason="a trap")
    drill.end_turn("snig", dice=[7])
    assert "    death saves: 0 successes, 1 failure; second wind 1" in roster(drill.battle, 80)


def test_in_its_own_turn_a_combatant_has_more_left() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1), overrides={"multiattack": 3})
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    assert "  action, bonus action, 30 ft, reaction  " in roster(drill.battle, 120)[1]
    drill.do("rurik", "attack")
    assert "  3 × strike, bonus action, 30 ft, reaction  " in roster(drill.battle, 120)[1]
    assert roster(drill.battle, 60)[2].strip() == "left: 3 × strike, bonus action, 30 ft, reaction; second"


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_nothing_sticks_out_and_nothing_is_dropped(width: int) -> None:
    drill = crowd()
    drill.rule("goblin-2", set={"temp_hp": 4}, add=["poisoned", "restrained"], reason="a trap")
    shown = roster(drill.battle, width) + [line.plain for line in draw_map(drill.battle, width)]
    assert max(map(cell_len, shown)) <= width
    told = " ".join(" ".join(line.split()) for line in shown)
    for fact in ("poisoned, restrained", "4 temp hp", "foes", "Goblin 10", "1st×4", "(9,1)"):
        assert fact in told, fact


@pytest.mark.parametrize("width", [60, 80])
def test_columns_stay_in_line_whatever_the_letters(width: int) -> None:
    shown = roster(crowd().battle, width)
    rows = [line for line in shown if "█" in line]
    assert len(rows) == 13
    assert len({cell_len(line[: line.index("█")]) for line in rows}) == 1


def test_a_map_that_is_too_wide_is_drawn_around_those_on_it() -> None:
    drill = Drill(map="\n".join(["." * 150] * 5))
    drill.join("fighter", "Rurik", (2, 1))
    drill.join("goblin", "Snig", (141, 3), side="foes")
    lines = [line.plain for line in draw_map(drill.battle, 60)]
    assert lines[0] == "              1      13        14"
    assert lines[1] == "    012345678901234┊901234567890123456789"
    assert lines[3] == "  1 ··R············┊·····················"
    assert lines[5] == "  3 ···············┊············S········"
    assert lines[-2:] == ["heroes: R Rurik (2,1)", "foes: S Snig (141,3)"]


def test_a_map_that_is_too_high_is_drawn_around_those_on_it() -> None:
    drill = Drill(map="\n".join(["." * 10] * 100))
    drill.join("fighter", "Rurik", (2, 1))
    drill.join("goblin", "Snig", (4, 90), side="foes")
    lines = [line.plain for line in draw_map(drill.battle, 60)]
    assert len(lines) < 45
    assert "    ┈┈┈┈┈┈┈┈┈┈" in lines
    assert " 90 ····S·····" in lines


def test_everybody_has_a_letter_as_wide_as_a_square() -> None:
    lines = draw_map(crowd().battle, 60)
    rows = [line.plain for line in lines if line.plain[:4].strip().isdigit()]
    assert {cell_len(row) for row in rows} == {cell_len(rows[0])}
    assert len({char for row in rows for char in row[4:] if char.isalpha()}) == 13


def test_a_fight_whose_ruleset_is_not_installed_can_be_looked_at() -> None:
    drill = crowd()
    opened = drill.battle.encounter
    drill.battle.opened = opened.model_copy(update={"ruleset": "long_gone"})
    shown = roster(drill.battle, 60)
    assert "slot 1 4" in " ".join(shown)


def test_programs_see_what_the_screen_shows() -> None:
    """Scale mail and a shield are 18 for a cleric; leather and a shield are 15 for a goblin."""
    drill = crowd()
    data = status_of(drill.battle)
    assert {name: glance["figures"] for name, glance in data["glances"].items() if name.startswith("goblin-1")} == {
        "goblin-1": {"AC": "15"},
        "goblin-10": {"AC": "15"},
    }
    first = next(iter(data["combatants"]))
    assert data["glances"][first]["figures"] == {"AC": "18"}
    assert data["glances"][first]["left"] == ["action", "bonus action", "30 ft", "reaction"]
    assert set(data["glances"]) == set(data["combatants"])
    drill.label("practice")
    assert status_of(drill.battle)["labels"] == ["practice"]
