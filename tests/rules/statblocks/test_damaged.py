"""Files whose fields are not what they should be: each is read, or refused, and never crashes."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog.importers.statblocks.stat_block_formats import open_source
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from ledger.errors import Problem
from tests.effort import examples

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    "avrae": SAMPLES / "avrae.json",
    "dnd-beyond": SAMPLES / "dnd_beyond.json",
    "foundry": SAMPLES / "foundry" / "fvtt-Actor-fen-brute.json",
    "5e-bits": SAMPLES.parents[3] / "docs" / "examples" / "marsh.json",
}
ODD = st.sampled_from([None, True, -1, 10**30, 1.5, "", "2d6", "x" * 300, [], [None], {}, {"value": None}])


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in a document."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in inside for place in [(*path, key), *places(value, (*path, key))]]


def with_odd(data: Any, path: tuple[Any, ...], odd: Any) -> Any:
    changed = copy.deepcopy(data)
    inside = changed
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = odd
    return changed


@pytest.mark.parametrize("format", FILES)
@given(chosen=st.data())
@examples(40)
def test_an_odd_value_anywhere_does_no_harm(
    format: str, chosen: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = json.loads(FILES[format].read_text())
    place = chosen.draw(st.sampled_from(places(whole)))
    path = tmp_path_factory.mktemp("odd") / "odd.json"
    path.write_text(json.dumps(with_odd(whole, place, chosen.draw(ODD))))
    try:
        done = CompendiumSource(open_source(path, format)).imported("odd")
    except Problem:
        return
    assert done.pack.sheets or done.pack.entries or done.unusable


@pytest.mark.parametrize(
    ("format", "sample", "place", "odd"),
    [
        ("dnd-beyond", "dnd_beyond.json", ("data", "classSpells", 0, "characterClassId"), {"value": None}),
        ("dnd-beyond", "dnd_beyond.json", ("data", "classes", 0, "id"), []),
        ("foundry", "foundry/fvtt-Actor-ilva.json", ("system", "details"), "2d6"),
    ],
)
def test_an_odd_value_leaves_the_rest_readable(
    format: str, sample: str, place: tuple[Any, ...], odd: Any, tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(with_odd(json.loads((SAMPLES / sample).read_text()), place, odd)))
    assert CompendiumSource(open_source(path, format)).imported("odd").pack.sheets


@pytest.mark.parametrize("odd", [None, -1, [None], [{}]])
def test_odd_licences_of_open5e_do_no_harm(odd: Any, tmp_path: Path) -> None:
    folder = shutil.copytree(SAMPLES / "open5e", tmp_path / "open5e")
    documents = json.loads((folder / "Document.json").read_text())
    (folder / "Document.json").write_text(json.dumps(with_odd(documents, (0, "fields", "licenses"), odd)))
    assert CompendiumSource(open_source(folder, "open5e")).imported("odd").pack.sheets


@pytest.mark.parametrize("name", ["Document", "CreatureAction"])
def test_an_open5e_entry_without_fields_is_refused(name: str, tmp_path: Path) -> None:
    folder = shutil.copytree(SAMPLES / "open5e", tmp_path / "open5e")
    (folder / f"{name}.json").write_text(json.dumps([{"pk": "odd", "fields": None}]))
    with pytest.raises(Problem) as refused:
        open_source(folder, "open5e")
    assert refused.value.code == "pack-import/not-open5e"


def test_an_unreadable_creature_is_named_and_the_others_are_imported(tmp_path: Path) -> None:
    actors = [json.loads(path.read_text()) for path in sorted((SAMPLES / "foundry").iterdir())]
    actors[0]["system"]["traits"] = "none at all"
    actors[0]["system"]["attributes"]["movement"] = [1, 2]
    path = tmp_path / "actors.json"
    path.write_text(json.dumps(actors))
    done = CompendiumSource(open_source(path)).imported("actors")
    assert [line.name for line in done.unusable] == ["fen-brute"]
    assert set(done.pack.sheets) == {"ilva", "reed_archer"}
