"""Files that people give: scenarios, sheets, maps."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from combatlog.rules.content.files import MAX_FILE, read_text, read_yaml, read_yaml_text
from combatlog.rules.content.limits import MAX_DEPTH, MAX_NUMBER, MAX_TEXT, MAX_VALUES, check_data
from combatlog.rules.content.scenario import Scenario, play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.grid.squares import read_map
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Problem
from tests.cases import each
from tests.effort import examples

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
)


@each(
    ("text", "code"),
    [
        (BOMB, "file/alias"),
        ("&a [*a]", "file/alias"),
        ("[" * 100_000, "input/too-much"),
        ("a: " + "{a: " * 5_000, "input/too-much"),
        ("- " * 100_000 + "x", "input/too-much"),
        ("[" + "x," * (3 * MAX_VALUES) + "]", "input/too-much"),
        ("a: " + "9" * 10_000, "file/malformed"),
        ("a: 0x" + "f" * 50_000, "input/not-plain"),
        (f"a: {MAX_NUMBER + 1}", "input/not-plain"),
        ("a: .nan", "input/not-plain"),
        ("a: .inf", "input/not-plain"),
        ("a: 2001-01-01", "input/not-plain"),
        ("a: 2001-99-99", "file/malformed"),
        ("!!set {a, b}", "input/not-plain"),
        ("a: !!binary aGk=", "input/not-plain"),
        ("? [a]\n: b", "file/malformed"),
        ("~: b", "input/not-plain"),
        ('a: "\\ud800"', "file/malformed"),
        ("!!python/object/apply:os.system [true]", "file/malformed"),
        ("a: " + "x" * (MAX_TEXT + 1), "input/too-long"),
        ("{a: 1", "file/malformed"),
        ("\x00", "file/malformed"),
        ('a: "x\\0"', "input/not-text"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_yaml_that_is_refused(text: str, code: str) -> None:
    with pytest.raises(Problem) as caught:
        read_yaml_text(text, "file")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("\ud800", "input/not-text"),
        ({"\udfff": 1}, "input/not-text"),
        ([float("nan")], "input/not-plain"),
        ({None: 2}, "input/not-plain"),
        ([0] * (MAX_VALUES + 1), "input/too-much"),
        (10**5000, "input/not-plain"),
    ],
    ids=["surrogate", "surrogate in a name", "nan", "nothing as a name", "too many", "huge"],
)
def test_data_that_is_refused(data: object, code: str) -> None:
    with pytest.raises(Problem) as caught:
        check_data(data)
    assert caught.value.code == code


def test_what_is_just_within_the_limits_is_read() -> None:
    assert read_yaml_text("[" * MAX_DEPTH + "]" * MAX_DEPTH, "file")
    assert read_yaml_text(f"a: {MAX_NUMBER}", "file") == {"a": MAX_NUMBER}
    assert read_yaml_text("x" * MAX_TEXT, "file") == "x" * MAX_TEXT


@pytest.mark.parametrize(
    ("content", "code"), [(b"x" * (MAX_FILE + 1), "file/too-large"), (b"\xff\xfe", "file/not-text")]
)
def test_files_that_are_refused(tmp_path: Path, content: bytes, code: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_text(file)
    assert caught.value.code == code


def test_a_name_with_a_null_character_is_no_file() -> None:
    with pytest.raises(Problem, match="cannot be read: embedded null byte") as caught:
        read_text(Path("a\0b"))
    assert caught.value.code == "file/unreadable"


def test_a_device_that_never_ends_is_not_read_to_its_end() -> None:
    with pytest.raises(Problem) as caught:
        read_text(Path("/dev/zero"))
    assert caught.value.code == "file/not-a-file"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4),
    max_leaves=20,
)
KEYS = [*Scenario.model_fields, "do", "actor", "target", "dice", "sheet", "as", "at", "options", "script", "expect"]
SCENARIOS = st.recursive(
    PLAIN | st.sampled_from(["fighter", "goblin", "start", "strike", "rurik", "seed:1", "table", "....\n....\n"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)


@examples(300)
@given(text=st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        check_data(read_yaml_text(text, "file"))
    except Problem as problem:
        assert problem.sentence


@examples(300)
@given(data=st.dictionaries(st.sampled_from(KEYS), SCENARIOS, max_size=7))
def test_any_scenario_is_played_or_refused(tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]) -> None:
    file = tmp_path_factory.mktemp("fuzz") / "scenario.yaml"
    file.write_text(yaml.safe_dump({"encounter": "fuzz", **data}, allow_unicode=True), "utf-8", "replace")
    try:
        fight, _ = play_in_memory(read_scenario(file))
    except Problem as problem:
        assert problem.sentence
    else:
        assert fight.events


@examples(200)
@given(sheet=SCENARIOS, overrides=SCENARIOS, name=st.text(max_size=70) | PLAIN)
def test_any_sheet_joins_or_is_refused(sheet: object, overrides: object, name: object) -> None:
    fight = FightEngine.open(Opening(name="fuzz", dice="seed:1"))
    options = {"sheet": sheet, "overrides": overrides, "name": name}
    try:
        fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    except Problem:
        assert len(fight.events) == 1


@examples(500)
@given(text=st.text(alphabet="0123456789dFkhl+-{},/ x²९", max_size=30))
def test_any_dice_string_is_parsed_or_refused(text: str) -> None:
    try:
        notation = parse(text)
    except Problem as problem:
        assert problem.code == "dice/notation"
    else:
        assert 0 <= notation.count <= 200


@examples(200)
@given(rows=st.lists(st.text(alphabet=".#~X\u202e", max_size=12), max_size=12))
def test_any_map_is_read_or_refused(rows: list[str]) -> None:
    try:
        grid = read_map(rows)
    except Problem as problem:
        assert problem.code.startswith("map/")
    else:
        assert (grid.width, grid.height) == (len(rows[0]), len(rows))


def test_read_yaml_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "sheet.yaml"
    file.write_text("[")
    with pytest.raises(Problem, match=r"sheet\.yaml"):
        read_yaml(file)
