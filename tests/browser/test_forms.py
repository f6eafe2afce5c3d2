"""Every form of a GM at the live table, in a browser: what it says is recorded, as the service takes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import pytest

from combatlog.messages.commands import SetReactions
from ledger.events import Amended, EncounterClosed, Event, Noted, PoliciesSet, Position, Rolled
from tests.browser.conftest import Files
from tests.browser.live import MAP, House, Service, set_up
from tests.browser.test_directing import part
from tests.browser.test_play import choose, click_square
from tests.browser.test_replay import KEYS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow


@pytest.fixture
def house(browser: Any, service: Service) -> Iterator[House]:
    made = set_up(service, f"Forms {uuid4().hex[:8]}")
    yield made
    made.everybody_leaves(browser, expected=("status of 409", "status of 422"))


@pytest.fixture
def gm(browser: Any, house: House) -> Page:
    page = house.enter(browser, "gm")
    page.locator("#tab-direct").click()
    return page


def recorded(house: House) -> list[Event]:
    with house.ledger() as ledger:
        return ledger.fight(house.fight).history()


class Filled:
    """A form that is opened, filled in and sent, and then closed again."""

    def __init__(self, page: Page, title: str, button: str | None = None, *, goes: bool = False) -> None:
        """`goes`: it is not there any more once it was sent."""
        self.page, self.button, self.goes = page, button or title, goes
        self.form = part(page, title)

    def __enter__(self) -> Locator:
        return self.form

    def __exit__(self, *problem: object) -> None:
        if problem[0] is None:
            self.form.get_by_role("button", name=self.button, exact=True).click()
            self.page.locator("button.main:disabled").wait_for(state="detached")
            assert self.page.locator(".problem").all_inner_texts() == []
            if not self.goes:
                self.form.locator("summary").first.click()


def test_damage_healing_and_what_players_see(gm: Page, house: House, browser: Any) -> None:
    osric = house.enter(browser, "osric")

    def health(who: str) -> Locator:
        return osric.locator(".entry").filter(has_text=who).locator(".health-words")

    with Filled(gm, "Hurt") as form:
        form.get_by_label("Osric").check()
        form.get_by_label("How much").fill("5")
        form.get_by_label("Type").fill("fire")
        form.get_by_label("Why").fill("the bridge burns")
    full = full_health(house)
    health("Osric").get_by_text(f"{full - 5} of {full} hp").wait_for()
    with Filled(gm, "Heal") as form:
        form.get_by_label("Osric").check()
        form.get_by_label("How much").fill("3")
    health("Osric").get_by_text(f"{full - 2} of {full} hp").wait_for()
    with Filled(gm, "Reveal") as form:
        form.get_by_label("Grimjaw").check()
    osric.locator(".entry .who").get_by_text("Grimjaw").wait_for()
    with Filled(gm, "Conceal") as form:
        form.get_by_label("Grimjaw").check()
    osric.locator(".entry .who").get_by_text("Grimjaw").wait_for(state="detached")
    with Filled(gm, "Leave") as form:
        form.get_by_label("Who leaves").select_option("rurik")
        form.get_by_label("Why").fill("he falls off the bridge")
    osric.locator(".token").filter(has_text="Rurik").wait_for(state="detached")


def full_health(house: House) -> int:
    with house.ledger() as ledger:
        most = ledger.fight(house.fight).battle.combatants["osric"].vitals["hp"].maximum
    assert most is not None
    return most


def test_the_order_rulings_labels_rests_and_secrets(gm: Page, house: House, browser: Any) -> None:
    osric = house.enter(browser, "osric")
    with Filled(gm, "Set initiative") as form:
        form.get_by_label("Osric").fill("25")
        form.get_by_label("Why").fill("he was awake")
    osric.locator(".entry .who").first.get_by_text("Osric").wait_for()
    with Filled(gm, "Rule") as form:
        form.get_by_label("Why").fill("the door falls shut")
        form.get_by_label("Change the map").fill("8,3=# 9,3=~")
        form.get_by_label("About").select_option("rurik")
        form.get_by_label("Put it on the side").fill("foes")
        form.get_by_label("Set values").fill("hp=7")
    with Filled(gm, "Label") as form:
        form.get_by_label("Add").fill("practice, long-night")
    with Filled(gm, "Note") as form:
        form.get_by_label("Text").fill("nobody knows this")
        form.get_by_label("Only GMs see it").check()
    with Filled(gm, "Conclude", goes=True) as form:
        form.get_by_label("Why").fill("they flee")
    osric.locator(".now-line").get_by_text("over").wait_for()
    with Filled(gm, "Rest") as form:
        form.get_by_label("How long").select_option("long")
        form.get_by_label("Rurik").check()
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        battle, events = fight.battle, fight.history()
    assert battle.map is not None
    assert battle.map[3][8:10] == "#~"
    assert battle.combatants["rurik"].side == "foes"
    assert battle.combatants["rurik"].vitals["hp"].current > 7  # rested
    assert {*battle.labels} == {"practice", "long-night"}
    assert [event.text for event in events if isinstance(event, Noted)] == ["nobody knows this"]
    assert "nobody knows this" not in osric.content()
    assert [event.why for event in events if isinstance(event, EncounterClosed)] == ["they flee"]


def test_a_player_settles_what_it_does_with_reactions(browser: Any, house: House) -> None:
    osric = house.enter(browser, "osric")
    osric.locator(".choice, .cannot").first.wait_for()
    with Filled(osric, "Set reactions") as form:
        form.get_by_label("protection").select_option("never")
    settled = [event for event in recorded(house) if isinstance(event, PoliciesSet)]
    assert [(event.combatant, {**event.policies}) for event in settled] == [("osric", {"protection": "never"})]


def test_a_misread_die_is_amended(gm: Page, house: House) -> None:
    """A miss with a 2 was a hit with a 19. The page is at the roll, by its address."""
    with house.ledger() as ledger:
        fight = ledger.fight(house.fight)
        fight.send(SetReactions("osric", {"*": "never"}))
        fight.do("snig", "attack")
        done = fight.do("snig", "strike", target="rurik", dice=[2])
        roll = next(event for event in done.events if isinstance(event, Rolled))
    gm.locator(".now-line").get_by_text(f"#{done.events[-1].seq}").wait_for()
    gm.evaluate("seq => { location.hash = `#${seq}`; }", roll.seq)
    gm.get_by_label(f"The dice of event {roll.seq} really showed").fill("19")
    gm.get_by_role("button", name="Amend").click()
    gm.locator(".plan").get_by_text("1 new die is rolled.").wait_for()
    gm.get_by_role("button", name="Do it").click()
    gm.locator(".plan").wait_for(state="hidden")
    events = recorded(house)
    assert len([event for event in events if isinstance(event, Amended)]) == 1
    assert any(isinstance(event, Rolled) and event.faces == (19,) for event in events)


def test_exports_for_other_seats(gm: Page, house: House) -> None:
    """On their bytes: what a seat may not see is not in its file."""
    part(gm, "Export")
    found: dict[str, str] = {}
    for name in ("with everything", "for the players", "for spectators", "for another ledger", "as text"):
        with gm.expect_download() as download:
            gm.get_by_role("link", name=name).click()
        found[name] = download.value.path().read_text(encoding="utf-8")
    assert {name: "Grimjaw" in text for name, text in found.items()} == {
        "with everything": True,
        "for the players": False,
        "for spectators": False,
        "for another ledger": True,
        "as text": True,
    }
    assert json.loads(found["for another ledger"].splitlines()[0])


def test_a_fork_from_the_list_of_fights_is_closed(browser: Any, house: House) -> None:
    """Only a seat at all fights may fork. The fork goes its own way."""
    host = house.enter(browser, "host")
    host.get_by_role("link", name="All fights").click()
    with house.ledger() as ledger:
        name = ledger.fight(house.fight).battle.name
    host.get_by_role("link", name=name, exact=True).click()
    host.locator("#tab-direct").click()
    forking = part(host, "Fork")
    forking.get_by_label("Name").fill(f"What if {name}")
    forking.get_by_role("button", name="Fork", exact=True).click()
    forking.get_by_role("link", name="Go to the fork").click()
    host.get_by_role("heading", name=f"What if {name}").wait_for()
    host.locator("#tab-direct").click()
    with Filled(host, "Conclude", goes=True) as form:
        form.get_by_label("Why").fill("it was only a what-if")
    host.locator(".now-line").get_by_text("over").wait_for()
    with house.ledger() as ledger:
        assert not ledger.fight(house.fight).battle.clock.closed
        assert ledger.fight(f"What if {name}").battle.clock.closed


def test_the_way_of_a_move_and_who_may_react_are_shown_before(gm: Page, house: House) -> None:
    """Snig is next to Rurik and Osric: from 4,3 to 8,3 it is 4 steps, and the first leaves their reach."""
    choose(gm, "move")
    click_square(gm, 8, 3)
    shown = gm.locator(".way-there")
    shown.get_by_text("4 steps, 20 of movement").wait_for()
    shown.get_by_text("Rurik may react at 4,3: opportunity attack").wait_for()
    assert len((gm.locator(".aimed .way polyline").get_attribute("points") or "").split()) == 5
    shown.get_by_text("Osric may react at 4,3: opportunity attack").wait_for()
    assert gm.locator(".token.aimed-at").count() == 2
    gm.get_by_label("via").fill("4,5")  # 2 steps down, then 4 to the right
    shown.get_by_text("6 steps, 30 of movement").wait_for()
    gm.get_by_label("via").fill("")
    shown.get_by_text("4 steps, 20 of movement").wait_for()
    before = len(recorded(house))
    click_square(gm, 5, 1)  # a wall
    gm.locator(".foreseen .warning").get_by_text("5,1 is not an open square").wait_for()
    assert gm.locator(".way-there").count() == 0
    gm.keyboard.press("x")
    gm.locator(".draft").wait_for(state="hidden")
    assert len(recorded(house)) == before


class Rules(NamedTuple):
    """What joins, what has to be declared first, and how Ana moves."""

    joins: dict[str, tuple[str, str, Position | None]]
    before: tuple[str, str] | None
    action: str


RULES = {
    "action_points": Rules(
        {"Ana": ("duelist", "heroes", (2, 3)), "Bor": ("brigand", "foes", (9, 6))},
        None,
        "step",
    ),
    "skirmish": Rules(
        {
            "Rebels": ("rebel-player", "rebels", None),
            "Empire": ("imperial-player", "empire", None),
            "Ana": ("scout", "rebels", (2, 3)),
            "Bor": ("trooper", "empire", (9, 6)),
        },
        ("ana", "activate"),
        "move",
    ),
}


@pytest.mark.parametrize("ruleset", RULES)
def test_the_way_is_shown_by_any_rules(browser: Any, service: Service, house: House, ruleset: str) -> None:
    rules = RULES[ruleset]
    with service.ledger() as ledger:
        fight = ledger.new(f"Way {uuid4().hex[:8]}", ruleset, map=MAP, dice="seed:1")
        for name, (sheet, side, at) in rules.joins.items():
            fight.join(sheet, name, at, side=side, reactions={"*": "never"})
        fight.start()
        if rules.before is not None:
            fight.do(*rules.before)
    host = House(service, house.tokens, str(fight.id)).enter(browser, "host")
    host.get_by_label("For").select_option("ana")
    choose(host, rules.action)
    click_square(host, 2, 1)
    host.locator(".way-there").get_by_text("2 steps, 2 of movement").wait_for()


OWN_KEYS = {"a": "Actions", "s": "Direct"}


def test_every_key_at_the_live_table(browser: Any, house: House, files: Files) -> None:
    """Those of a replay, in a fight with corrections; and the table's own, which the help lists first."""
    page = House(house.service, house.tokens, files.fight).enter(browser, "host")
    page.keyboard.press("?")
    listed = [key.inner_text() for key in page.locator("dialog kbd").all()[:5]]
    page.keyboard.press("Escape")
    assert listed == ["a", "s", "q", "x", "f"]
    for check in dict.fromkeys(KEYS.values()):
        check(page, files.documents["gm"])
    for key, tab in OWN_KEYS.items():
        page.keyboard.press(key)
        page.locator("[role=tab][aria-selected=true]").get_by_text(tab).wait_for()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Back to now").wait_for()
    page.keyboard.press("f")
    page.get_by_role("button", name="Back to now").wait_for(state="hidden")


def test_letters_that_are_typed_are_not_keys_of_the_page(gm: Page) -> None:
    """Every key of a replay that is a letter, in a field of a form."""
    why = gm.locator(".correcting").get_by_label("Why")
    before = gm.locator(".now-line").inner_text()
    letters = "".join(key for key in KEYS if len(key) == 1) + "asqxf"
    why.focus()
    for letter in letters:
        gm.keyboard.press(letter)
    assert why.input_value() == letters
    assert gm.locator(".now-line").inner_text() == before
