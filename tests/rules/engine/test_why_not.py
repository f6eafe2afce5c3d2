"""What became of an effect that played no part in a declaration."""

from __future__ import annotations

from combatlog.rules.engine.menu import why_not
from combatlog.testing import Drill


def blessed() -> Drill:
    """Ilse has blessed herself and Rurik; it is his turn."""
    drill = Drill()
    drill.join("cleric", "Ilse", (1, 1))
    drill.join("fighter", "Rurik", (1, 2))
    drill.join("goblin", "Snig", (2, 2), side="foes")
    drill.start(dice=[20, 10, 1])
    drill.do("ilse", "bless", target=["ilse", "rurik"])
    drill.end_turn("ilse")
    return drill


def told(drill: Drill, name: str, seq: int | None = None) -> list[str]:
    return why_not(drill.history(), seq or len(drill.history()), name)


def since(drill: Drill, target: str) -> int:
    """The event with which somebody was blessed."""
    applied = (event for event in drill.history() if event.kind == "condition_applied")
    return next(event.seq for event in applied if event.target == target and "blessed" in event.condition)  # type: ignore[attr-defined]


def test_a_blessing_that_this_does_not_concern_says_what_it_does() -> None:
    drill = blessed()
    drill.do("rurik", "move", to=(1, 3))
    expected = [
        f"Rurik was blessed from event {since(drill, 'rurik')} (bless) on, but that does not affect this declaration. "
        "Adds 1d4 to attack rolls and saves.",
    ]
    assert told(drill, "bless") == expected
    assert told(drill, "blessed") == expected


def test_a_blessing_of_others_says_so() -> None:
    drill = blessed()
    drill.end_turn("rurik")
    drill.do("snig", "dash")
    assert told(drill, "blessed") == [
        f"Ilse was blessed from event {since(drill, 'ilse')} (bless) on, but had no part in this.",
        f"Rurik was blessed from event {since(drill, 'rurik')} (bless) on, but had no part in this.",
    ]


def test_a_blessing_that_was_lost_says_when_and_why() -> None:
    drill = blessed()
    drill.do("gm", "rule", target="ilse", options={"remove": ["concentrating"], "reason": "a loud noise"})
    ended = len(drill.history()) - 1  # the last event is the end of the concentration itself
    drill.do("rurik", "move", to=(1, 3))
    assert (
        f"Rurik was blessed from event {since(drill, 'rurik')} (bless) to event {ended} (concentration ended), "
        "so it had ended before this."
    ) in told(drill, "bless")


def test_what_counted_says_where() -> None:
    drill = blessed()
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[2, 1])
    assert told(drill, "bless")[0].startswith("It did apply: bless counts at event ")


def test_what_came_later_and_what_nobody_used() -> None:
    drill = blessed()
    cast = next(event.seq for event in drill.history() if getattr(event, "action", "") == "dnd5e:spell:bless")
    start = next(event.seq for event in drill.history() if getattr(event, "action", "") == "core:time:start")
    assert told(drill, "bless", start) == [f"bless was used only later, at event {cast}."]
    assert told(drill, "hold person") == ["Nobody had used hold person before this."]
    assert told(drill, "prone") == ["Nobody was prone at that moment."]
