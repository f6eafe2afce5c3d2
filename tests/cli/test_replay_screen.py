"""The replay screen, driven by keys at three widths."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from cli.render.full_screens import KEYS, Prompt, ReadingScreen, ReplayScreen
from combatlog import Undo
from combatlog.testing import Drill
from ledger.errors import Problem
from projections.review.replay import Replay

Walk = Callable[[ReplayScreen, Pilot[None]], Awaitable[None]]


def duel() -> Replay:
    """Two rounds: Rurik dodges, Snig strikes and misses; the strike is taken back."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Old Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "dodge")
    drill.end_turn("rurik")
    drill.do("old-snig", "attack")
    drill.do("old-snig", "strike", target="rurik", dice=[2, 8])
    strike = drill.history()[-1].declaration
    drill.end_turn("old-snig")
    drill.end_turn("rurik")
    drill.apply(drill.plan(Undo(strike, reason="it did not happen")))
    return Replay(drill.history())


def walked(screen: ReplayScreen, walk: Walk, columns: int = 80) -> ReplayScreen:
    async def run() -> None:
        async with screen.run_test(size=(columns, 36)) as pilot:
            await walk(screen, pilot)

    asyncio.run(run())
    return screen


def shown(screen: ReplayScreen) -> list[str]:
    """The lines on the screen, as text."""
    root = screen.screen_stack[0]
    return ["".join(segment.text for segment in strip) for strip in root._compositor.render_strips()]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_all_keys_are_on_the_screen_at_every_width(columns: int) -> None:
    async def look(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.pause()
        seen = " ".join(shown(screen)).replace("\xa0", " ")
        for keys, word, _, _ in KEYS:
            assert f"{keys} {word}".strip() in seen
        assert "Rurik joins the heroes" in seen

    walked(ReplayScreen(duel()), look, columns)


def test_steps_by_declaration_and_by_turn_in_both_directions() -> None:
    replay = duel()
    at: list[tuple[str, int]] = []

    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        for key in ("t", "down", "t", "T", "T", "up"):
            await pilot.press(key)
            event = replay.frames[screen.frame]
            at.append((event.kind, event.seq))

    walked(ReplayScreen(replay), walk)
    turns = [event.seq for event in replay.frames if event.kind == "turn_started"]
    dodge = next(event.seq for event in replay.frames if getattr(event, "action", "") == "dnd5e:ability:dodge")
    assert at[:5] == [
        ("turn_started", turns[0]),
        ("declared", dodge),
        ("turn_started", turns[1]),
        ("turn_started", turns[0]),
        ("encounter_opened", 1),
    ]
    assert at[5] == ("encounter_opened", 1)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "kind"), [("r2", "round_started"), ("round 2", "round_started"), ("7", "rolled")])
def test_a_prompt_goes_to_a_round_or_an_event(typed: str, kind: str) -> None:
    replay = duel()

    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("colon")
        assert isinstance(screen.screen, Prompt)
        await pilot.press(*(("space" if char == " " else char) for char in typed), "enter")
        event = replay.frames[screen.frame]
        assert event.round == 2 if kind == "round_started" else event.seq == 7

    walked(ReplayScreen(replay), walk)


def test_what_is_no_place_changes_nothing() -> None:
    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("colon", *"nowhere", "enter")
        assert screen.frame == 0
        await pilot.press("colon", "escape")
        assert screen.frame == 0
        assert not isinstance(screen.screen, Prompt)

    walked(ReplayScreen(duel()), walk)


def test_search_goes_on_from_where_it_is() -> None:
    replay = duel()
    found: list[str] = []

    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("slash", *"MISSES", "enter")
        found.append(replay.frames[screen.frame].kind)
        first = screen.frame
        await pilot.press("n")
        assert screen.frame == first  # the only one, so it comes round to it again
        await pilot.press("slash", *"dragon", "enter")
        assert screen.frame == first

    walked(ReplayScreen(replay), walk)
    assert found == ["attack_resolved"]


def test_help_and_explanation_open_and_close() -> None:
    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        for key in ("question_mark", "e"):
            await pilot.press("right", key)
            assert isinstance(screen.screen, ReadingScreen)
            await pilot.press("escape")
            assert not isinstance(screen.screen, ReadingScreen)
        assert screen.frame == 2

    walked(ReplayScreen(duel()), walk)


def test_fork_here_asks_for_a_name_and_shows_a_refusal() -> None:
    made: list[tuple[str, int]] = []

    def fork(name: str, at: int) -> str:
        made.append((name, at))
        if at > 1:
            raise Problem("fork/mid-command", "Event 2 is in the middle of a command.")
        return "forked"

    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("f", *"what", "enter")
        await pilot.press("right", "f", *"if", "enter")
        await pilot.pause()
        said = [notice.message for notice in screen._notifications]
        assert said == ["forked", "Event 2 is in the middle of a command."]

    walked(ReplayScreen(duel(), fork=fork), walk)
    assert made == [("what", 1), ("if", 2)]


def test_what_was_taken_back_is_marked_in_words() -> None:
    replay = duel()
    strike, undone = next(
        (seq, by) for seq, by in replay.taken_back.items() if replay.events[seq - 1].kind == "declared"
    )

    async def walk(screen: ReplayScreen, pilot: Pilot[None]) -> None:
        await pilot.press("colon", *str(strike), "enter")
        await pilot.pause()
        assert any(f"(taken back by {undone})" in line for line in shown(screen))

    walked(ReplayScreen(replay), walk, 120)
