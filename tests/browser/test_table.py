"""The live table in a browser, at a real service: it opens from a link, follows the fight, and survives a restart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.browser.live import House, Service, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(browser: Any, service: Service) -> House:
    return set_up(service, "Looking on")


@pytest.fixture(autouse=True)
def leaving(browser: Any, house: House) -> Iterator[None]:
    yield
    house.everybody_leaves(browser, expected=("ERR_CONNECTION_REFUSED", "status of 401", "status of 409"))


def shows(page: Page, text: str) -> None:
    page.locator(".now-line").get_by_text(text).wait_for()


def test_a_link_leads_to_the_fight_as_the_seat_sees_it(browser: Any, house: House) -> None:
    gm, osric = house.enter(browser, "gm"), house.enter(browser, "osric")
    assert gm.url == osric.url == f"{house.url}/table/{house.fight}"
    gm.locator(".entry .who").get_by_text("Grimjaw").wait_for()
    assert osric.locator(".entry .who").all_inner_texts() == ["▶ Snig", "Mirel <b>the</b> \ufffdbold", "Rurik", "Osric"]
    assert "Grimjaw" not in osric.content()
    assert house.tokens["osric"] not in osric.content()
    assert osric.evaluate("document.cookie") == ""


def test_what_others_record_is_shown_at_once(browser: Any, house: House) -> None:
    pages = [house.enter(browser, seat) for seat in ("gm", "osric", "spectator")]
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("The bridge creaks.")
    for page in pages:
        shows(page, "The bridge creaks.")
    pages[1].locator("[role=status].sr-only").filter(has_text="The bridge creaks.").wait_for(state="attached")


def test_whoever_looks_at_the_past_stays_there(browser: Any, house: House) -> None:
    page = house.enter(browser, "gm")
    page.keyboard.press("Home")
    before = page.locator(".now-line .dim").inner_text()
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Meanwhile.")
    page.locator("#tab-log").click()
    page.locator(".rows").get_by_text("Meanwhile.").wait_for()
    assert page.locator(".now-line .dim").inner_text() == before
    page.get_by_role("button", name="Back to now").click()
    shows(page, "Meanwhile.")


def test_a_reload_and_a_restart(browser: Any, house: House) -> None:
    page = house.enter(browser, "osric")
    page.reload()
    page.wait_for_selector(".page")
    house.service.stop()
    page.get_by_text("The connection is lost").wait_for()
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Said while nobody listened.")
    house.service.start()
    shows(page, "Said while nobody listened.")
    page.get_by_text("The connection is lost").wait_for(state="hidden")


def streams(house: House) -> int:
    return int(httpx.get(f"{house.url}/readyz").json()["streams"])


def test_all_tabs_share_one_stream(browser: Any, house: House) -> None:
    first = house.enter(browser, "osric")
    others = [first.context.new_page() for _ in range(3)]
    for page in others:
        page.goto(first.url)
        page.wait_for_selector(".page")
    assert streams(house) == 1
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Everybody hears it.")
    for page in (first, *others):
        shows(page, "Everybody hears it.")
    first.close()
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Also with one less.")
    shows(others[0], "Also with one less.")
    assert streams(house) == 1
    for page in others[:2]:
        page.goto(f"{house.url}/table")  # leaves, in another way
        page.wait_for_selector(".fights")
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("To the last one.")
    shows(others[2], "To the last one.")
    assert streams(house) == 1


def test_a_browser_without_shared_workers(browser: Any, house: House) -> None:
    context = browser.new_context()
    context.add_init_script("delete globalThis.SharedWorker")
    page = context.new_page()
    page.goto(f"{house.url}/join?token={house.tokens['osric']}")
    page.wait_for_selector(".page")
    with house.ledger() as ledger:
        ledger.fight(house.fight).note("Also on a phone.")
    shows(page, "Also on a phone.")


def test_a_seat_that_is_taken_away(browser: Any, house: House) -> None:
    with house.ledger() as ledger:
        made = ledger.seats.invite("spectator", house.fight, name="Nosy")
    house.tokens["nosy"] = made.token
    page = house.enter(browser, "nosy")
    httpx.delete(
        f"{house.url}/v1/encounters/{house.fight}/seats/{made.seat.id}",
        headers={"Authorization": f"Bearer {house.tokens['gm']}"},
    ).raise_for_status()
    page.get_by_text("This seat was taken away, or has expired.").wait_for()


def test_without_a_seat_the_page_says_what_to_do(browser: Any, house: House) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{house.url}/table/{house.fight}")
    page.get_by_role("alert").get_by_text("Open the invitation link that the GM gave you.").wait_for()


def test_nothing_but_the_service_is_asked_and_nothing_else_may_run(browser: Any, house: House) -> None:
    page = house.enter(browser, "gm")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answer = page.reload()
    page.wait_for_selector(".page")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert [url for url in asked if not url.startswith((f"{house.url}/", "data:,"))] == []


def test_a_replay_on_the_server_and_the_list_of_fights(browser: Any, house: House) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{house.url}/join?token={house.tokens['host']}")
    page.get_by_role("link", name="Looking on", exact=True).wait_for()
    page.get_by_role("link", name="Replay of Looking on").click()
    page.wait_for_selector(".page")
    page.keyboard.press("End")
    assert page.locator(".entry .who").count() == 5
    assert page.locator(".live").count() == 0


def test_a_player_finds_only_its_own_fight_in_the_list(browser: Any, house: House) -> None:
    """And cannot open one."""
    with house.ledger() as ledger:
        ledger.new("Elsewhere")
    page = house.enter(browser, "osric")
    page.goto(f"{house.url}/table")
    page.wait_for_selector(".fights li")
    assert page.locator(".fights li > a:first-child").all_inner_texts() == ["Looking on"]
    assert page.get_by_role("heading", name="New fight").count() == 0
    page.get_by_role("link", name="Looking on", exact=True).click()
    page.wait_for_selector(".page.live")


def test_a_gm_opens_a_fight_from_the_list(browser: Any, house: House) -> None:
    page = house.enter(browser, "host")
    page.get_by_role("link", name="All fights").click()
    page.get_by_label("Name").fill("Looking on")
    page.get_by_label("Map").fill("....\n.##.\n....")
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("alert").get_by_text("There is already an encounter named").wait_for()
    page.get_by_label("Name").fill("Opened <b>here</b>")
    page.get_by_label("Where the dice come from").fill("table")
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("heading", name="Opened <b>here</b>").wait_for()
    page.locator(".now-line").get_by_text("Before the fight").wait_for()
    with house.ledger() as ledger:
        battle = ledger.fight("Opened <b>here</b>").battle
    assert (battle.map, battle.encounter.dice) == (("....", ".##.", "...."), "table")


def test_the_address_leads_to_an_event_of_a_live_fight(browser: Any, house: House) -> None:
    page = house.enter(browser, "gm")
    page.goto(f"{house.url}/table/{house.fight}#3")
    page.reload()
    page.locator(".now-line .dim").get_by_text("#3").wait_for()
    page.get_by_role("button", name="Back to now").click()
    page.evaluate("location.hash = '#4'")
    page.locator(".now-line .dim").get_by_text("#4").wait_for()
