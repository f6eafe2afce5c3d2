"""What a live table asks: a reaction with a countdown, dice, and consent; and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from combatlog.messages.corrections import Undo
from ledger.events import ReactionDeclined, Rolled, Undone
from projections.battle.consent import OVERRULE
from tests.browser.accessible import Axe
from tests.browser.live import House, Service, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

EXPECTED = ("status of 409", "status of 422")


@pytest.fixture
def house(browser: Any, service: Service) -> Iterator[House]:
    made = asked(service, reaction_time=600, consent="table")
    yield made
    made.everybody_leaves(browser, expected=EXPECTED)


def asked(service: Service, dice: str = "seed:11", **rules: Any) -> House:
    """Snig attacks Rurik, and Osric may protect him."""
    house = set_up(service, f"Asking {uuid4().hex[:8]}", dice, **rules)
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        fight.do("snig", "attack")
        fight.do("snig", "strike", target="rurik")
        assert fight.battle.window is not None
    return house


def test_the_countdown_is_right_though_the_clock_of_the_browser_is_wrong(browser: Any, house: House) -> None:
    wrong = datetime.now(UTC) + timedelta(hours=1)
    osric = house.enter(browser, "osric", prepare=lambda page: page.clock.set_fixed_time(wrong))
    osric.locator(".countdown").wait_for()
    assert 500 < int(osric.locator(".countdown").inner_text().split()[0]) <= 602
    assert abs(osric.evaluate("Date.now()") / 1000 - wrong.timestamp()) < 1


def test_nothing_that_is_asked_has_a_finding_of_axe(browser: Any, house: House) -> None:
    """A reaction, then dice that are typed in, then a correction; which the GM makes although nobody has agreed."""
    osric, gm = (house.enter(browser, seat, bypass_csp=True) for seat in ("osric", "gm"))
    looks = {page: Axe(page) for page in (osric, gm)}
    for page, axe in looks.items():
        page.locator(".reaction .countdown").wait_for()
        axe.look("reaction")
    osric.keyboard.press("q")
    osric.locator("#reaction-title:focus").wait_for()
    osric.get_by_role("button", name="Let it pass").click()
    osric.locator(".reaction").wait_for(state="hidden")

    gm.get_by_label("I roll the dice and type them in").check()
    roll_by_hand(gm)
    looks[gm].look("dice")
    gm.get_by_label("1d20").fill("7")
    gm.get_by_role("button", name="Use these dice").click()
    gm.locator(".dice-form").wait_for(state="hidden")

    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        assert [event.faces for event in fight.history() if isinstance(event, Rolled)][-1] == (7,)
        strike = next(event.seq for event in fight.history() if event.kind == "attack_resolved")
        fight.propose(Undo(seq=fight.history()[strike - 1].declaration, reason="a mistake", impossible="drop"))
    for page, axe in looks.items():
        page.locator(".consent").wait_for()
        axe.look("consent")
    assert osric.get_by_role("button", name="Overrule").count() == 0
    assert gm.get_by_role("button", name="Overrule").is_disabled()
    gm.get_by_label("Overrule them, because").fill("the rules are clear")
    gm.get_by_role("button", name="Overrule").click()
    for page in (osric, gm):
        page.locator(".consent").wait_for(state="hidden")
    with house.ledger() as ledger:
        events = ledger.fight(house.fight).history()
    assert [event.reason for event in events if isinstance(event, Undone)] == ["a mistake"]
    assert any(getattr(event, "action", "") == OVERRULE for event in events)
    for axe in looks.values():
        axe.expect_nothing()


def roll_by_hand(gm: Page) -> None:
    gm.locator("#tab-direct").click()
    gm.locator("details.part > summary").filter(has_text="Roll").click()
    gm.locator("details.part[open]").get_by_label("The dice").fill("1d20")
    gm.locator("details.part[open]").get_by_role("button", name="Roll").click()
    gm.locator(".dice-form").wait_for()


def test_when_the_time_is_up_somebody_rolls_for_the_table(browser: Any, service: Service) -> None:
    """Where dice are rolled at the table, the service cannot go on by itself."""
    house = asked(service, "table", reaction_time=1)
    gm = house.enter(browser, "gm")
    gm.get_by_text("The time is up.").wait_for()
    gm.get_by_role("button", name="Go on without an answer").click()
    gm.locator(".dice-form, .problem").wait_for()
    assert gm.locator(".problem").all_inner_texts() == []
    gm.get_by_label("1d20").fill("3")
    gm.get_by_role("button", name="Use these dice").click()
    gm.locator(".reaction").wait_for(state="hidden")
    with house.ledger() as ledger:
        events = ledger.fight(house.fight).history()
    assert [event.decided_by for event in events if isinstance(event, ReactionDeclined)] == ["time"]
    house.everybody_leaves(browser, expected=EXPECTED)
