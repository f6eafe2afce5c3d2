"""What a GM does at the live table, in a browser, at a real service; and the pages that only show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import Declared, Event, Noted, Rolled, Ruled
from projections.battle.timeline import standing
from tests.browser.accessible import Axe
from tests.browser.live import MIREL, House, Service, set_up
from tests.browser.test_play import choose, click_square, told

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(browser: Any, service: Service) -> House:
    return set_up(service, "Directing")


@pytest.fixture(autouse=True)
def leaving(browser: Any, house: House) -> Iterator[None]:
    yield
    house.everybody_leaves(browser, expected=("status of 403", "status of 404", "status of 409"))


@pytest.fixture
def gm(browser: Any, house: House) -> Page:
    page = house.enter(browser, "gm")
    page.locator("#tab-direct").click()
    return page


def part(page: Page, title: str) -> Locator:
    """A part of the panel, opened."""
    page.locator("details.part > summary").filter(has_text=title).first.click()
    return page.locator("details.part[open]")


def recorded(house: House) -> list[Event]:
    with house.ledger() as ledger:
        return ledger.fight(house.fight).history()


def test_somebody_joins_from_the_bestiary(gm: Page, house: House, browser: Any) -> None:
    osric = house.enter(browser, "osric")
    joining = part(gm, "Join")
    joining.get_by_label("Search the bestiary").fill("ogre")
    joining.get_by_role("button", name="Search").click()
    joining.locator(".choice").filter(has=gm.get_by_text("Ogre", exact=True)).click()
    joining.get_by_label("Name").fill("Mog")
    joining.get_by_role("button", name="Pick on the map").click()
    click_square(gm, 9, 3)
    assert joining.get_by_label("Where").input_value() == "9,3"
    joining.get_by_role("button", name="Join").click()
    osric.locator(".entry .who").get_by_text("Mog").wait_for()


def test_a_ruling_and_secrets(gm: Page, house: House, browser: Any) -> None:
    osric = house.enter(browser, "osric")
    ruling = part(gm, "Rule")
    ruling.get_by_label("Why").fill("the rope <i>snaps</i>")
    ruling.get_by_label("About").select_option("rurik")
    ruling.get_by_label("Add conditions").fill("prone")
    ruling.get_by_role("button", name="Rule").click()
    osric.locator(".conditions").get_by_text("prone").wait_for()
    ruling.locator("summary").click()
    rolling = part(gm, "Roll")
    rolling.get_by_label("The dice").fill("1d20")
    rolling.get_by_label("What for").fill("ambush")
    rolling.get_by_label("Only GMs see it").check()
    rolling.get_by_role("button", name="Roll").click()
    told(gm, "ambush")
    events = recorded(house)
    assert [event.reason for event in events if isinstance(event, Ruled)] == ["the rope <i>snaps</i>"]
    assert [event.purpose for event in events if isinstance(event, Rolled)][-1] == "ambush"
    assert "ambush" not in osric.content()


def test_what_is_hidden_is_revealed(gm: Page, house: House, browser: Any) -> None:
    osric = house.enter(browser, "osric")
    assert "Grimjaw" not in osric.content()
    revealing = part(gm, "Reveal")
    revealing.get_by_label("Grimjaw").check()
    revealing.get_by_role("button", name="Reveal").click()
    osric.locator(".entry .who").get_by_text("Grimjaw").wait_for()


def test_a_foe_plays_by_itself_and_says_why(gm: Page, house: House) -> None:
    gm.get_by_role("button", name="Play Snig's turn").click()
    steps = gm.locator(".steps li")
    steps.first.wait_for()
    assert all(text.strip() for text in steps.locator(".dim").all_inner_texts())


def test_a_correction_is_planned_before_it_is_made(gm: Page, house: House) -> None:
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("A mistake.")
    gm.locator(".now-line").get_by_text("A mistake.").wait_for()
    gm.locator(".correcting").get_by_label("Why").fill("never said")
    gm.get_by_role("button", name="Undo the last").click()
    gm.locator(".plan").get_by_text("taken back").wait_for()
    before = len(recorded(house))
    gm.get_by_role("button", name="Leave it").click()
    assert len(recorded(house)) == before
    gm.get_by_role("button", name="Undo the last").click()
    gm.get_by_role("button", name="Do it").click()
    told(gm, "A mistake.").first.get_by_text("never said").wait_for()
    gm.locator("#tab-direct").click()
    gm.get_by_role("button", name="Redo").click()
    gm.get_by_role("button", name="Do it").click()
    gm.locator(".plan").wait_for(state="hidden")
    assert any(isinstance(event, Noted) for event in recorded(house))


def test_what_was_forgotten_is_inserted(browser: Any, service: Service) -> None:
    house = set_up(service, "Inserting")
    gm = house.enter(browser, "gm")
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Snig grins.")
    gm.locator(".now-line").get_by_text("Snig grins.").wait_for()
    gm.locator("#tab-direct").click()
    inserting = part(gm, "Insert before")
    inserting.get_by_label("Who acts").select_option("osric")
    inserting.get_by_label("The action", exact=True).fill("dodge")
    inserting.get_by_role("button", name="Show the plan").click()
    gm.locator(".problem").wait_for()
    inserting.get_by_label("Who acts").select_option("snig")
    inserting.get_by_role("button", name="Show the plan").click()
    gm.locator(".plan").get_by_text("kept").wait_for()
    gm.get_by_role("button", name="Do it").click()
    gm.locator(".plan").wait_for(state="hidden")
    dodged, noted = [event for event in standing(recorded(house)) if isinstance(event, Declared)][-2:]
    assert (dodged.actor, dodged.action) == ("snig", "dnd5e:ability:dodge")
    assert noted.action == "core:note:note"
    house.everybody_leaves(browser, expected=("status of 409",))


def test_a_seat_is_given_and_taken_away(gm: Page, house: House, browser: Any) -> None:
    seats = part(gm, "Seats and links")
    seats.get_by_label("Name").fill("Zoë <script>")
    seats.get_by_label("As what").select_option("spectator")
    seats.get_by_role("button", name="Invite").click()
    link = seats.locator(".invitation")
    link.wait_for()
    page = browser.new_context().new_page()
    page.goto(link.inner_text())
    page.wait_for_selector(".page")
    assert page.locator("#tab-actions").count() == 0
    row = seats.locator("tr").filter(has_text="Zoë <script>")
    row.get_by_role("button", name="Take away").click()
    row.wait_for(state="detached")
    page.get_by_text("This seat was taken away, or has expired.").wait_for()
    house.complaints.clear()


def test_a_fork_needs_a_seat_at_all_fights(gm: Page, house: House, browser: Any) -> None:
    forking = part(gm, "Fork")
    forking.get_by_label("Name").fill("What if")
    forking.get_by_role("button", name="Fork").click()
    gm.locator(".problem").wait_for()
    assert "What if" in forking.get_by_label("Name").input_value()


@pytest.mark.parametrize("query", ["overlay", "screen"])
def test_pages_that_only_show(house: House, browser: Any, query: str) -> None:
    page = house.enter(browser, "spectator", query)
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        fight.note(f"Shown on the {query}.")
        turn = fight.battle.combatants[fight.battle.clock.turn or ""].name
    page.get_by_text(f"Shown on the {query}.").wait_for()
    assert page.locator("button:not(.entry button), form").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("[aria-current=true]").filter(has_text=turn[:5]).count() == 1
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.locator("svg.map").count() == (0 if query == "overlay" else 1)
    assert (background == "rgba(0, 0, 0, 0)") or query == "screen"
    assert page.locator("html.see-through").count() == (1 if query == "overlay" else 0)


def test_on_a_phone_the_map_comes_first_then_what_one_can_do(house: House, browser: Any) -> None:
    page = house.enter(browser, "mirel", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    tops = [page.locator(one).bounding_box() for one in (".board", ".side", ".combatants")]
    heights = [box["y"] for box in tops if box is not None]
    assert heights == sorted(heights)
    assert len(heights) == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", [{}, {"viewport": {"width": 360, "height": 740}}], ids=["desktop", "phone"])
def test_no_view_has_a_finding_of_axe(house: House, browser: Any, screen: dict[str, Any]) -> None:
    page = house.enter(browser, "gm", bypass_csp=True, **screen)
    page.locator(".choice").first.wait_for()
    axe = Axe(page, dark=not screen)
    axe.look("actions")
    page.locator(".cannot summary").first.click()
    choose(page, "ready")
    page.get_by_role("button", name="Declare").click()
    axe.look("draft")
    page.locator("#tab-direct").click()
    for summary in page.locator("details.part > summary").all():
        summary.click()
    page.get_by_role("button", name="Undo the last").click()
    page.locator(".plan").wait_for()
    axe.look("direct")
    for view in ("log", "event", "charts", "corrections", "report"):
        page.locator(f"#tab-{view}").click()
        axe.look(view)
    page.keyboard.press("?")
    axe.look("help")
    axe.expect_nothing()


def test_no_page_that_only_shows_has_a_finding_of_axe(house: House, browser: Any) -> None:
    """Nor the list of fights, nor the message for those who have no seat."""
    page = house.enter(browser, "host", bypass_csp=True)
    axe = Axe(page)
    for address in (f"/table/{house.fight}?overlay", f"/table/{house.fight}?screen", "/table", "/table/nowhere"):
        page.goto(f"{house.url}{address}")
        page.wait_for_selector(".overlay, .page, .alone [role=alert], .fights")
        axe.reload()
        axe.look(address)
    axe.expect_nothing()


def test_names_are_text_wherever_they_are_shown(house: House, browser: Any) -> None:
    """No markup comes alive, and no mark turns the direction of writing: in every panel, and in whatever is asked."""
    assert MIREL[-5] == "\u202e"
    pages = [house.enter(browser, seat) for seat in ("gm", "mirel", "host")]
    pages += [house.enter(browser, "spectator", query) for query in ("overlay", "screen")]
    gm, mirel, host, *_ = pages
    host.goto(f"{house.url}/table")
    host.locator(".fights").wait_for()
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        fight.note(f"{MIREL} hesitates.")
        fight.hurt(MIREL, 1, reason="<img src=x onerror=alert(1)>")
    for page in (gm, mirel):
        told(page, "hesitates")
        for tab in page.locator("[role=tab]").all():
            tab.click()
            for summary in page.locator("details.part > summary").all():
                summary.click()
            check_names(page)
    for page in pages:
        check_names(page)


def check_names(page: Page) -> None:
    assert page.locator("b, i:not(.ours), img, script:not([src]):not([type])").count() == 0
    assert "\u202e" not in page.content()
