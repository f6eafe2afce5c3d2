"""A GM and two players play a fight in three browsers, at a real service that restarts in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from ledger.events import AreaAffected, Damaged, Rolled, Undone
from projections.battle.timeline import standing
from tests.browser.conftest import Open
from tests.browser.live import House, Service, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

SQUARE = 40
EXPECTED = ("ERR_CONNECTION", "status of 409", "status of 422")
"""What browsers say of a service that is gone, and of answers that refuse something."""


@pytest.fixture
def house(browser: Any, service: Service) -> Iterator[House]:
    made = set_up(service, f"Playing {uuid4().hex[:8]}", consent="table", reaction_time=600)
    yield made
    made.everybody_leaves(browser, expected=EXPECTED)


def choose(page: Page, action: str) -> None:
    page.locator("#tab-actions").click()
    page.locator(".choice").filter(has=page.get_by_text(action, exact=True)).first.click()


def declare(page: Page) -> None:
    page.get_by_role("button", name="Declare").click()
    page.locator(".draft").wait_for(state="hidden")


def click_square(page: Page, x: int, y: int) -> None:
    """Where the map draws a square, by its own scale."""
    at = page.locator("svg.map").first.evaluate(
        "(svg, [x, y]) => { const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }",
        [(x + 0.5) * SQUARE, (y + 0.5) * SQUARE],
    )
    page.mouse.click(*at)


def told(page: Page, text: str) -> Locator:
    page.locator("#tab-log").click()
    line = page.locator(".rows .row").filter(has_text=text)
    line.first.wait_for()
    return line


def test_a_fight_with_a_reaction_an_area_and_a_mistake(browser: Any, house: House, tmp_path: Path, show: Open) -> None:
    gm, osric, mirel = (house.enter(browser, seat) for seat in ("gm", "osric", "mirel"))

    # Snig attacks Rurik, and Osric protects him.
    choose(gm, "attack")
    declare(gm)
    choose(gm, "strike")
    click_square(gm, 3, 3)
    assert gm.get_by_role("checkbox", name="Rurik").is_checked()
    declare(gm)
    mirel.get_by_text("The fight waits for Osric.").wait_for()
    assert mirel.get_by_role("button", name="protection").count() == 0
    osric.get_by_role("heading", name="Osric may react").wait_for()
    osric.get_by_text("s left to answer").wait_for()
    assert 500 < int(osric.locator(".countdown").inner_text().split()[0]) <= 601
    osric.get_by_role("button", name="protection").click()
    osric.get_by_role("heading", name="Osric may react").wait_for(state="hidden")
    assert told(osric, "Osric").count() >= 1
    gm.get_by_role("button", name="End Snig's turn").click()

    # Mirel reloads, and burns Snig; the preview shows who would be caught.
    mirel.reload()
    choose(mirel, "fireball")
    click_square(mirel, 4, 3)
    mirel.get_by_text("Friends in it: Mirel <b>the</b> \ufffdbold").wait_for()  # she spares the others
    assert mirel.locator(".token.aimed-at").count() == 2
    click_square(mirel, 8, 3)
    mirel.get_by_text("Friends in it").wait_for(state="hidden")
    mirel.get_by_text("Foes in it: Snig").wait_for()
    declare(mirel)
    fireball = told(gm, "fireball")

    # The service restarts. Then the GM takes the fireball back, and Mirel has to agree.
    house.service.stop()
    gm.get_by_text("The connection is lost").wait_for()
    house.service.start()
    gm.get_by_text("The connection is lost").wait_for(state="hidden")
    gm.locator("#tab-direct").click()
    gm.locator(".correcting").get_by_label("Why").fill("the bridge would have burnt")
    gm.get_by_role("button", name="Undo the last").click()
    gm.locator(".plan").get_by_text("taken back").wait_for()
    gm.get_by_role("button", name="Propose it").click()
    mirel.get_by_role("heading", name="Proposed: undo").wait_for()
    assert osric.get_by_role("button", name="agrees").count() == 0
    mirel.get_by_role("button", name="agrees", exact=False).first.click()
    for page in (gm, osric, mirel):
        page.get_by_role("heading", name="Proposed").wait_for(state="hidden")
        told(page, "fireball").first.get_by_text("Taken back by Gm").wait_for()
    told(gm, "fireball").first.get_by_text("the bridge would have burnt").wait_for()
    assert fireball.first.evaluate("row => row.classList.contains('gone')")

    # The ledger has it all, and the file shows it offline.
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        events = fight.history()
        assert fight.verify().stands
        assert any(isinstance(event, AreaAffected) for event in events)
        assert not any(isinstance(event, AreaAffected) for event in standing(events))
        assert [event.reason for event in events if isinstance(event, Undone)] == ["the bridge would have burnt"]
        last = events[-1].seq
    gm.locator("#tab-direct").click()
    gm.locator("summary").filter(has_text="Export").click()
    with gm.expect_download() as download:
        gm.get_by_role("link", name="Replay in a single file, with everything").click()
    path = tmp_path / "fight.html"
    download.value.save_as(path)
    replay = show(path)
    replay.keyboard.press("b")
    replay.keyboard.press("End")
    assert replay.locator(".now-line .dim").inner_text() == f"#{last}"
    replay.locator("input[type=range]").fill("3")
    assert replay.locator(".now-line .dim").inner_text() == "#4"


@pytest.mark.slow
def test_dice_that_are_rolled_by_hand(browser: Any, house: House) -> None:
    gm = house.enter(browser, "gm")
    gm.get_by_label("I roll the dice and type them in").check()
    choose(gm, "attack")
    declare(gm)
    choose(gm, "strike")
    gm.get_by_role("checkbox", name="Osric").check()
    declare(gm)
    gm.get_by_label("1d20").fill("19")
    gm.get_by_label("if it is a hit").fill("4")
    gm.get_by_role("button", name="Use these dice").click()
    gm.get_by_role("heading", name="Roll and type in").wait_for(state="hidden")
    told(gm, "Osric")
    with house.ledger() as ledger:
        events = ledger.fight(house.fight).history()
    assert [event.faces for event in events if isinstance(event, Rolled)][-2:] == [(19,), (4,)]
    assert [event.amount for event in events if isinstance(event, Damaged)] == [6]


@pytest.mark.slow
def test_a_player_acts_by_keyboard_alone(browser: Any, house: House) -> None:
    """Choose an action, walk the map to a square, and declare it. Keys may come faster than the page is drawn."""
    from playwright.sync_api import expect

    with house.ledger() as ledger:
        ledger.fight(house.fight).end_turn("Snig")
    mirel = house.enter(browser, "mirel")
    button = mirel.locator(".choice").filter(has=mirel.get_by_text("move", exact=True))
    button.focus()
    mirel.keyboard.press("Enter")
    mirel.keyboard.press("Escape")
    mirel.keyboard.press("m")
    mirel.locator("#map-cell:focus").wait_for(state="attached")
    for key in ["ArrowRight"] * 2 + ["ArrowDown"] * 3:
        mirel.keyboard.press(key)
    mirel.keyboard.press("Enter")
    expect(mirel.get_by_label("Where")).to_have_value("2,3")
    mirel.get_by_role("button", name="Declare").focus()
    mirel.keyboard.press("Enter")
    mirel.locator(".draft").wait_for(state="hidden")
    told(mirel, "moves")
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        assert fight.battle.combatants[fight.seen_by().who("mirel")].position == (2, 3)


@pytest.mark.slow
def test_what_is_refused_says_why_and_nothing_is_lost(browser: Any, house: House) -> None:
    osric = house.enter(browser, "osric")
    osric.locator(".cannot summary").first.click()
    osric.locator(".cannot dd").first.wait_for()
    osric.get_by_text("It is Snig's turn.").first.wait_for()


@pytest.mark.slow
def test_what_was_not_answered_is_said_again_by_the_same_key(browser: Any, house: House) -> None:
    """Until something else happens: then whoever looks knows whether it was done."""
    gm = house.enter(browser, "gm")
    keys: list[str | None] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.header_value("idempotency-key"))
        route.abort("connectionreset") if len(keys) == 1 else route.continue_()

    gm.route("**/declarations", lose_the_first)
    choose(gm, "dash")
    gm.get_by_role("button", name="Declare").click()
    gm.get_by_text("The service does not answer.").wait_for()
    declare(gm)
    told(gm, "dash")
    choose(gm, "drop prone")
    declare(gm)
    assert keys[0] == keys[1] != keys[2]
