"""Two fights that differ only in secrets cannot be told apart by what a player receives: not by the events and their
numbers, nor by the state, the log, reports, exports, explanations, advice, plans or refusals.

Times, the ids of fights and commands are left out: they are different in every fight.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from cli.render.fight_state import Roster
from cli.render.text_map import draw_map
from combatlog import Insert, Undo
from combatlog.messages.commands import SetInitiative
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.summary import summaries
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Declared
from projections.report.markdown import seen_battle_report as markdown
from projections.report.seat_report import seat_report
from projections.story.event_words import in_words
from projections.story.telling import tell
from projections.views import SeatView
from projections.views.seat_view import shown_lines
from projections.views.state import battle_state
from tests.effort import examples
from tests.rules.veils_ruleset import by_every_ruleset, is_veiled, join_unseen

DIFFERENT_ANYWAY = {"encounter", "command", "recorded_at", "opened", "id"}
"""Ids and times, which are different in every fight."""

ASIDES = ("roll", "note", "rule", "hurt", "join", "initiative", "insert", "undo", "plot")
"""What a GM may do in secret."""
secrets = st.fixed_dictionaries(
    {
        "ac": st.integers(8, 18),
        "hp": st.integers(100, 120),
        "bonus": st.integers(0, 3),
        "con": st.integers(8, 16),
        "dex": st.integers(6, 9),
        "resistances": st.sampled_from([[], ["fire"]]),
        "walks": st.lists(st.sampled_from([(8, 8), (9, 8), (8, 9)]), max_size=2, unique=True),
        "prowls": st.lists(st.sampled_from([(1, 2), (1, 4)]), max_size=2, unique=True),
        "asides": st.lists(st.sampled_from(ASIDES), max_size=3),
    }
)


def fight(secret: dict[str, Any], ruleset: str = "dnd5e") -> Drill:
    """Rurik hits an ogre twice and misses once; the ogre hits back for 6; Grak does in the dark what it likes.

    Skulk prowls into Rurik's reach and out of it again, and nobody notices.
    """
    sheet = {
        "ac": secret["ac"],
        "hp": secret["hp"],
        "abilities": {
            "str": 10 + 2 * secret["bonus"],
            "dex": secret["dex"],
            "con": secret["con"],
            "int": 5,
            "wis": 7,
            "cha": 7,
        },
        "resistances": secret["resistances"],
        "weapons": [{"name": "greatclub", "damage": "1d8", "damage_type": "bludgeoning"}],
    }
    drill = Drill(ruleset)
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("ogre", "Oog", (2, 1), side="foes", overrides=sheet)
    join_unseen(drill, "ogre", "Grak", (9, 9), overrides={"hp": secret["hp"]})
    join_unseen(drill, "goblin", "Skulk", (5, 5))
    drill.start(dice=[20, 10, 3, 5])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="oog", dice=[20, 8, 8])
    drill.end_turn("rurik")
    drill.do("oog", "attack")
    drill.do("oog", "strike", target="rurik", dice=[19, 6 - secret["bonus"]])
    drill.end_turn("oog")
    for square in secret["prowls"]:
        drill.do("skulk", "move", to=square)
    drill.end_turn("skulk")
    for square in secret["walks"]:
        drill.do("grak", "move", to=square)
    for what in secret["asides"]:
        aside(drill, what)
    drill.end_turn("grak")
    drill.do("rurik", "dodge")
    drill.apply(drill.plan(Undo(reason="he would rather strike")))
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="oog", dice=[1])
    drill.note("The ground shakes.")
    return drill


def aside(drill: Drill, what: str) -> None:
    """What the GM does in secret."""
    if what == "roll":
        drill.roll("1d20", "perception", who="rurik", secret=True, dice=[12])
    elif what == "note":
        drill.note("Grak is nervous.", secret=True)
    elif what == "rule":
        drill.rule("grak", note="it is asleep", reason="it is tired")
    elif what == "plot":
        if is_veiled(drill):
            drill.rule("oog", add=["plotting"], reason="it has a plan", secret=True)
    elif what == "hurt":
        drill.hurt("grak", 3)
    elif what == "join":
        square = (7, 10 - len(drill.battle.combatants))  # another one for each of them
        join_unseen(drill, "goblin", f"Lurk{drill.battle.seq}", square, dice=[5])
    elif what == "initiative":
        drill.send(SetInitiative({"grak": 2 + drill.battle.seq % 2}, reason="it is slow"))
    elif what == "insert":
        first = next(e.seq for e in drill.history() if isinstance(e, Declared) and e.actor == "rurik")
        options = {"amount": 2, "reason": "it fell"}
        drill.apply(drill.plan(Insert("gm", "hurt", targets="grak", options=options, before=first, reason="forgotten")))
    else:
        drill.note("A mistake", secret=True)
        drill.apply(drill.plan(Undo(reason="Grak is not there yet")))


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_ids(item) for key, item in value.items() if key not in DIFFERENT_ANYWAY}
    return [without_ids(item) for item in value] if isinstance(value, list | tuple) else value


def on_screen(seen: SeatView) -> str:
    console = Console(file=StringIO(), width=120)
    battle = seen.battle
    console.print(Roster(battle, 120))
    for line in draw_map(battle, 120):
        console.print(line)
    return console.file.getvalue()  # type: ignore[attr-defined]


def received(drill: Drill, seat: str = "players") -> dict[str, Any]:
    """Everything that a player gets."""
    return watched(drill, seat) | asked(drill, seat)


def watched(drill: Drill, seat: str) -> dict[str, Any]:
    """What comes by itself: events, state, words, story, glances, screen, reports, files."""
    seen = drill.seen_by(seat)
    declarations = dict.fromkeys(event.declaration for event in seen.seen)
    return {
        "events": [without_ids(event.model_dump(mode="json")) for event in seen.seen],
        "words": [in_words(event, seen.cast) for event in seen.seen],
        "story": [line.text for line in tell(seen.seen, declarations, seen.cast)],
        "state": without_ids(dict(battle_state(seen.battle))),
        "glances": {who: glance.model_dump() for who, glance in summaries(seen.battle).items()},
        "screen": on_screen(seen),
        "cast": dict(seen.cast.names),
        "report": without_ids(seat_report(seen).model_dump(mode="json")),
        "file": [without_ids(json.loads(line)) for line in shown_lines(seen)],
        "markdown": markdown(seen).replace(f"{seen.battle.encounter.recorded_at:%Y-%m-%d %H:%M}", ""),
        "sizes": [len(json.dumps(without_ids(event.model_dump(mode="json")))) for event in seen.seen],
    }


def asked(drill: Drill, seat: str) -> dict[str, Any]:
    """What players ask for: explanations, what they can do, advice, resources, corrections, plans, earlier states."""
    last = drill.seen_by(seat).last
    questions: dict[str, Callable[[], Any]] = {
        **{f"explain {number}": partial(explained, drill, number, seat) for number in range(1, last + 2)},
        "actions": lambda: [section.model_dump() for section in drill.seen_by(seat).actions("rurik")],
        "advice": lambda: [advice.model_dump() for advice in drill.seen_by(seat).advise("rurik")],
        "economy": lambda: [change.model_dump(mode="json") for change in drill.seen_by(seat).economy("rurik")],
        "corrections": lambda: [entry.to_json() for entry in drill.seen_by(seat).corrections()],
        "diff": lambda: [
            difference.to_json() for difference in drill.seen_by(seat, last - 4).diff(drill.seen_by(seat)).state
        ],
        "earlier": lambda: battle_state(drill.seen_by(seat, last // 2).battle),
        "replay": lambda: [line.text for line in drill.seen_by(seat).replay().story],
        "plan": lambda: drill.seen_by(seat).seen_plan(plan_of(drill, seat)).to_json(),
        **{f"who is {name!r}": partial(drill.seen_by(seat).who, name) for name in ("grak", "gra", "oog", "grok")},
        **{f"actions of {name}": partial(drill.seen_by(seat).actions, name) for name in ("grak", "oog")},
        "why not": lambda: drill.seen_by(seat).why_not(last, "parry"),
    }
    return {name: without_ids(answer(question)) for name, question in questions.items()}


def plan_of(drill: Drill, seat: str) -> Plan:
    """To take back Rurik's first strike, which the seat knows by another number than the GM."""
    seen = drill.seen_by(seat)
    strike = next(e for e in seen.seen if isinstance(e, Declared) and e.action.endswith(":strike"))
    return drill.plan(Undo(seen.recorded(strike.seq), reason="Grak was in the way", impossible="drop"))


def explained(drill: Drill, number: int, seat: str) -> Any:
    return drill.seen_by(seat).explain(number).to_json()


def answer(question: Callable[[], Any]) -> Any:
    """What is answered or, if it is refused, how."""
    try:
        return question()
    except Problem as problem:
        return {"code": problem.code, "sentence": problem.sentence, "facts": dict(problem.facts)}


@pytest.mark.slow
@by_every_ruleset
@given(one=secrets, other=secrets)
@examples(10)
def test_fights_that_differ_only_in_secrets_are_the_same_to_players(
    ruleset: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    for seat in ("players", "player:rurik", "spectator"):
        assert received(fight(one, ruleset), seat) == received(fight(other, ruleset), seat)


@by_every_ruleset
def test_they_are_not_the_same_to_the_gm(ruleset: str) -> None:
    """The property would mean nothing if the fights did not differ."""
    usual: dict[str, Any] = {"ac": 11, "hp": 100, "bonus": 0, "con": 10, "dex": 8, "resistances": [], "walks": []}
    usual |= {"asides": [], "prowls": []}
    asides = ["roll", "join", "initiative", "insert", "undo", "plot"]
    one, other = (
        fight(usual, ruleset),
        fight(usual | {"ac": 13, "walks": [(8, 8)], "prowls": [(1, 2), (1, 4)], "asides": asides}, ruleset),
    )
    assert watched(one, "gm")["events"] != watched(other, "gm")["events"]
    told = watched(other, "players") | {
        key: value for key, value in asked(other, "players").items() if "gra" not in key
    }
    assert "grak" not in json.dumps(told, default=str).lower()
    plotting = [any("is plotting" in said for said in watched(other, seat)["words"]) for seat in ("gm", "players")]
    assert plotting == [is_veiled(other), False]
    assert "grak" in json.dumps(watched(other, "gm"), default=str).lower()
