"""Names of combatants: ids in any script, names wherever ids do, numbers for those of a kind."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest

import combatlog
from combatlog import Amend, Undo
from combatlog.rules.engine.naming import combatant_id, older_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.events import CombatantJoined, Declared
from ledger.exchange.export import export_lines
from tests.cases import each

IDS = [
    ("Rurik", "rurik"),
    ("Osric the Bold", "osric-the-bold"),
    ("Sister  Ilse!", "sister-ilse"),
    ("Ægir", "ægir"),
    ("ÆGIR", "ægir"),
    ("A\u0308rmel", "ärmel"),  # an A and a mark that goes with it
    ("\u212bke", "åke"),  # the sign for the unit
    ("Кирилл", "кирилл"),
    ("李 小龍", "李-小龍"),
    ("राम", "राम"),  # a vowel sign is not a letter, but part of the word
    ("Straße", "strasse"),
    ("\uff32\uff55\uff52\uff49\uff4b", "rurik"),  # full width
    ("Evil\u202eName", "evil-name"),  # no mark that changes the direction of writing
    ("a\x1b[31mb", "a-31mb"),
    ("a\u0000b", "a-b"),
]


@each(("name", "key"), IDS)
def test_the_id_of_a_name(name: str, key: str) -> None:
    assert combatant_id(name) == key


@pytest.mark.parametrize("name", ["", " ", "!?", "\u202e\u200f", "\u0301", "\N{DRAGON}"])
def test_a_name_without_letters_and_digits_has_no_id(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        combatant_id(name)
    assert refused.value.code == "join/name"


@pytest.mark.parametrize("name", ["Rurik", "Osric the Bold", "Goblin 2", "  x--Y  ", "R2-D2"])
def test_plain_names_have_the_ids_that_they_always_had(name: str) -> None:
    assert combatant_id(name) == older_id(name)


@pytest.fixture
def abbey() -> Drill:
    """Order: Sister Ilse, Brother Ulf, Snig."""
    drill = Drill()
    drill.join("cleric", "Sister Ilse", (1, 1))
    drill.join("fighter", "Brother Ulf", (2, 1))
    drill.join("goblin", "Snig", (2, 2), side="foes")
    drill.start(dice=[20, 10, 1])
    return drill


@pytest.mark.parametrize("typed", ["sister-ilse", "Sister Ilse", "SISTER ILSE", "sister", "sis", "ilse", "Sister_Ilse"])
def test_a_combatant_goes_by_its_id_its_name_or_the_beginning_of_it(abbey: Drill, typed: str) -> None:
    assert abbey.seen_by().who(typed) == "sister-ilse"
    abbey.do(typed, "dodge")
    assert abbey["sister-ilse.conditions"] == ["dodging"]


def test_what_is_recorded_are_ids(abbey: Drill) -> None:
    abbey.do("Ilse", "help", target=["Ulf", "sni"])
    declared = all_of(abbey.history(), Declared)[-1]
    assert (declared.actor, declared.targets) == ("sister-ilse", ("brother-ulf", "snig"))


def test_names_in_questions_rulings_answers_and_amendments(abbey: Drill) -> None:
    assert abbey.seen_by().actions("Ulf") == abbey.seen_by().actions("brother-ulf")
    assert abbey.seen_by().economy("Ulf") == abbey.seen_by().economy("brother-ulf")
    assert abbey.events(actor="Ilse") == abbey.events(actor="sister-ilse")
    abbey.rule("Ulf", set={"hp": 3}, reason="a test")
    assert abbey["brother-ulf.hp"] == 3
    ruled = abbey.history()[-1].declaration
    abbey.apply(abbey.plan(Amend(ruled, targets="Ilse", options={"set": {"hp": 2}})))
    assert abbey["sister-ilse.hp"] == 2
    abbey.leave("Ulf")
    assert not abbey.battle.combatants["brother-ulf"].present
    abbey.end_turn("Ilse")
    assert abbey["turn"] == "snig"


def test_names_of_those_who_react() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Sir Osric", (1, 2))
    drill.start(dice=[20, 10, 1])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.react("Osric", "protection", dice=[15, 8])
    assert drill["waiting"] is None
    drill.apply(drill.plan(Undo()))
    drill.do("snig", "strike", target="rurik", dice=[2], replies={"SIR OSRIC": None})
    assert drill["waiting"] is None


def test_a_beginning_that_fits_several_is_refused(abbey: Drill) -> None:
    abbey.join("fighter", "Sister Anna", initiative=1)
    refused = abbey.refusal("sister", "dodge")
    assert refused.code == "combatant/ambiguous"
    assert refused.sentence == "'sister' could be sister-ilse or sister-anna; type more of the name."
    assert refused.facts["available"] == ["sister-ilse", "sister-anna"]
    abbey.leave("Anna")
    assert abbey.seen_by().who("sister") == "sister-ilse"  # those who are still there go first
    assert abbey.seen_by().who("Anna") == "sister-anna"


def test_a_whole_name_is_not_the_beginning_of_another() -> None:
    drill = Drill()
    drill.join("goblin", count=2)
    assert drill.seen_by().who("Goblin") == "goblin"
    assert drill.seen_by().who("goblin 2") == "goblin-2"


def test_nobody_of_that_name(abbey: Drill) -> None:
    refused = abbey.refusal("ilsa", "dodge")
    assert (refused.code, refused.facts["suggestions"]) == ("declaration/unknown-combatant", ["sister-ilse"])


def test_a_second_goblin_is_goblin_2() -> None:
    drill = Drill()
    for _ in range(3):
        drill.join("goblin")
    drill.join("goblin", count=2)
    names = {key: combatant.name for key, combatant in drill.battle.combatants.items()}
    assert names == {
        "goblin": "Goblin",
        "goblin-2": "Goblin 2",
        "goblin-3": "Goblin 3",
        "goblin-4": "Goblin 4",
        "goblin-5": "Goblin 5",
    }


def test_a_name_that_somebody_asks_for_is_not_changed() -> None:
    drill = Drill()
    drill.join("goblin", "Snig")
    with pytest.raises(Refusal) as refused:
        drill.join("goblin", "SNIG")
    assert refused.value.code == "join/name-taken"
    drill.join("goblin", "Snig", count=2)
    assert list(drill.battle.combatants) == ["snig", "snig-2", "snig-3"]


def test_several_join_in_one_declaration_around_a_square() -> None:
    """A corner: a wall to the right of the named square, Rurik below it."""
    drill = Drill(map="..#\n...\n...")
    drill.join("fighter", "Rurik", (1, 1))
    joined = all_of(drill.join("goblin", at=(1, 0), count=3).events, CombatantJoined)
    assert [(one.combatant, one.position) for one in joined] == [
        ("goblin", (1, 0)),
        ("goblin-2", (0, 0)),  # next to it
        ("goblin-3", (0, 1)),  # across the corner
    ]
    drill.apply(drill.plan(Undo()))
    assert list(drill.battle.combatants) == ["rurik"]


def test_where_there_is_no_room_for_all_nobody_joins() -> None:
    drill = Drill(map="..\n.#")
    with pytest.raises(Refusal) as refused:
        drill.join("goblin", at=(0, 0), count=4)
    assert refused.value.code == "place/full"
    assert drill.battle.combatants == {}


@pytest.mark.parametrize("count", [0, -1, 51])
def test_how_many_can_join(count: int) -> None:
    with pytest.raises(Refusal) as refused:
        Drill().join("goblin", count=count)
    assert refused.value.code == "message/invalid"


def test_nobody_says_which_ids_are_recorded() -> None:
    drill = Drill()
    sheet = drill.ruleset.sheet("goblin")
    refused = drill.refusal("gm", "join", options={"sheet": sheet, "entrants": [{"id": "gm", "name": "X"}]})
    assert refused.code == "declaration/unknown-option"


def test_numbers_stay_when_another_goblin_is_taken_back() -> None:
    drill = Drill()
    drill.join("goblin")
    drill.join("goblin")
    first = all_of(drill.history(), Declared)[0].seq
    drill.apply(drill.plan(Undo(first)))
    assert list(drill.battle.combatants) == ["goblin-2"]
    assert list(check_declarations(drill.history())) == []


def test_ids_in_other_scripts_verify_and_go_into_other_ledgers(
    database: str, server: str, make_database: Callable[[str], str]
) -> None:
    with combatlog.open(database) as opened, combatlog.open(make_database(server)) as other:
        _check_in_both(opened, other)


def _check_in_both(opened: combatlog.Ledger, other: combatlog.Ledger) -> None:
    fight = opened.new("Север", dice="table")
    fight.join("fighter", "Кирилл", (1, 1))
    fight.join("goblin", "李", (2, 1), side="foes", count=2)
    fight.start(dice=[20, 10, 1])
    fight.do("КИРИЛЛ", "attack")
    fight.do("кир", "strike", target="李 2", dice=[15, 4])
    assert fight.verify().findings == []
    lines = "\n".join(export_lines(opened.store, ["Север"]))
    other.import_events(BytesIO(lines.encode()))
    assert list(other.fight("Север").battle.combatants) == ["кирилл", "李", "李-2"]
    assert other.fight("Север").verify().findings == []
