"""The single file in a browser: what it shows, and that every key and every switch does what it says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from combatlog.testing import Drill, only
from ledger.events import AttackResolved, Data
from tests.browser.conftest import Files, Open
from tests.combatlog.web.test_document import states
from tests.optional import need_browser_tool

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def seq(page: Page) -> int:
    """The event that the page shows."""
    return int(page.locator(".now-line .dim").inner_text().removeprefix("#"))


def events(document: Data, *kinds: str) -> list[int]:
    """The numbers of the events that count, of some kinds or of all."""
    texts, rows = document["texts"], document["events"]
    order = document["counting"]["order"]
    return [rows[place][0] for place in order if not kinds or texts[rows[place][1]] in kinds]


def declarations(document: Data) -> list[int]:
    order, rows = document["counting"]["order"], document["events"]
    return [rows[place][0] for place in order if rows[place][0] == rows[place][2]]


def after(numbers: list[int], number: int, counting: list[int]) -> int:
    """The next of these events in the order of the fight."""
    return next(one for one in counting[counting.index(number) + 1 :] if one in numbers)


def before(numbers: list[int], number: int, counting: list[int]) -> int:
    return next(one for one in counting[: counting.index(number)][::-1] if one in numbers)


# What is shown


def shown_health(state: Data, who: str) -> str:
    one = state["who"][who]
    words = one.get("health") or ", ".join(
        f"{left}{'' if most is None else f' of {most}'} {name}" for name, (left, most) in one.get("vitals", {}).items()
    )
    return ", ".join(filter(None, ["fallen" if one.get("fallen") else "", words]))


@pytest.mark.parametrize("seat", ["gm", "players"])
def test_every_frame_shows_the_state_that_was_folded(files: Files, show: Open, seat: str) -> None:
    document = files.documents[seat]
    page = show(files.paths[seat])
    folded = states(document, "counting")
    slider = page.get_by_role("slider", name="Event")
    for place in range(0, len(folded), 23):
        slider.fill(str(place))
        state = folded[place]
        here = [who for who, one in state.get("who", {}).items() if not one.get("gone")]
        placed = [who for who, _ in state.get("order", []) if who in here]
        order = [*placed, *(who for who in here if who not in placed)]
        assert page.locator(".entry .health-words").all_inner_texts() == [shown_health(state, who) for who in order]
        on_map = page.locator(".board .token > title").all_text_contents()
        assert sorted(on_map) == sorted(state["who"][who]["name"] for who in here if "at" in state["who"][who])


def test_what_happens_is_drawn_on_the_map(files: Files, show: Open) -> None:
    document = files.documents["gm"]
    drawn = {row[8]["draw"][0]: row[0] for row in document["events"] if len(row) > 8 and "draw" in row[8]}
    page = show(files.paths["gm"], f"#{drawn['step']}")
    assert page.locator(".board .way polyline").count() == 1
    for kind, found in (("attack", ".attack line"), ("hurt", ".wound.hurt")):
        page.evaluate(f"location.hash = '#{drawn[kind]}'")
        page.wait_for_selector(f".board {found}")
    assert page.locator(".board .terrain.wall").count() == sum(row.count("#") for row in document_map(document))


def document_map(document: Data) -> list[str]:
    return list(states(document)[-1]["map"].values())


def test_an_area_and_a_large_creature(show: Open, tmp_path: Path) -> None:
    drill = Drill(map=(".........",) * 8, dice="seed:3")
    drill.join("wizard_5", "Mirel", (0, 1))
    drill.join("ogre", "Mog", (2, 1), side="foes")
    drill.start()
    if drill.battle.clock.turn == "mog":
        drill.end_turn("mog")
    drill.do("mirel", "burning_hands", to=(1, 1))
    page = show(written(drill, tmp_path))
    page.keyboard.press("End")
    assert page.locator(".board .area rect").count() > 3
    page.keyboard.press("j")
    assert page.locator(".board .area rect").count() == 0
    assert page.locator(".board .token.large .footprint").count() == 4


def test_an_opportunity_attack_and_a_line_through_cover(show: Open, tmp_path: Path) -> None:
    """Snig hits Rurik as he leaves; then Grub shoots at him past Snig, which is half cover."""
    drill = Drill(map=(".......",) * 4)
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes", reactions={"*": "always"})
    drill.join("goblin", "Grub", (6, 1), side="foes")
    drill.start(dice=[20, 10, 1])
    left = drill.do("rurik", "move", to=(0, 1), dice=[15, 3])
    drill.end_turn("rurik")
    drill.end_turn("snig")
    drill.do("grub", "attack")
    shot = drill.do("grub", "strike", target="rurik", weapon="shortbow", dice=[2])
    first, second = (only(done.events, AttackResolved).seq for done in (left, shot))
    page = show(written(drill, tmp_path), f"#{first}")
    page.locator(".board .attack.hit:not(.covered) text").get_by_text("hit, opportunity attack").wait_for()
    assert page.locator(".board .way").count() == 0
    page.evaluate(f"location.hash = '#{left.events[-1].seq}'")
    page.locator(".board .way polyline").wait_for(state="attached")
    assert page.locator(".board .attack").count() == 1
    page.evaluate(f"location.hash = '#{second}'")
    page.locator(".board .attack.miss.covered text").get_by_text("miss, cover +2").wait_for()


def written(drill: Drill, folder: Path, seat: str = "gm") -> Path:
    path = folder / "fight.html"
    path.write_text(drill.seen_by(seat).replay_page(), encoding="utf-8")
    return path


def test_the_scrubber_marks_rounds_turns_hits_deaths_and_corrections(files: Files, show: Open) -> None:
    document = files.documents["gm"]
    page = show(files.paths["gm"])

    def drawn(kind: str) -> int:
        return (page.locator(f".marks .{kind}").get_attribute("d") or "").count("M")

    assert drawn("round") == len(events(document, "round_started"))
    assert drawn("turn") == len(events(document, "turn_started"))
    assert drawn("correction") == len(document["corrections"]) == 2
    hits = [row for row in document["events"] if len(row) > 8 and row[8].get("draw", [""])[0] == "attack"]
    standing = set(events(document))
    assert drawn("hit") == sum(1 for row in hits if row[8]["draw"][3] and row[0] in standing)
    assert drawn("death") >= 1


def test_a_roll_is_shown_with_the_faces_that_were_dropped(show: Open, tmp_path: Path) -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 10, 5])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", replies={"osric": "protection"}, dice=[15, 8])
    page = show(written(drill, tmp_path), "#32")
    roll = page.locator(".row.current .dice").first
    assert roll.locator("s.face").inner_text().startswith("15")
    assert roll.locator("span.face").all_inner_texts() == ["8"]
    assert "+ 4 = 12" in roll.inner_text()
    page.keyboard.press("e")
    table = page.locator("table.modifiers tbody tr")
    assert table.nth(2).locator("td").all_inner_texts() == [
        "attack · features",
        "disadvantage",
        "protection",
        "Osric",
        "Protection fighting style reaction",
    ]
    assert page.locator(".tree button[aria-current]").inner_text().startswith("32")


def test_why_a_reaction_did_not_count(show: Open, tmp_path: Path) -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("paladin", "Osric", (1, 1))
    drill.start(dice=[20, 5])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="osric", dice=[2])
    page = show(written(drill, tmp_path))
    page.keyboard.press("End")
    page.keyboard.press("e")
    assert "protection" in page.locator(".why-not dt").all_inner_texts()


def test_the_badge_says_what_verify_found(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.get_by_text("✓ Verified").click()
    said = page.locator(".badge-more").inner_text()
    assert said.startswith("The record is as it was written")
    assert "UTC when this file was made" in said


def test_names_are_shown_as_they_are_and_nothing_in_them_runs(show: Open, tmp_path: Path) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    drill = Drill()
    drill.join("fighter", evil, (1, 1))
    drill.join("goblin", "\u202egnis\u200f constructor", (2, 1), side="__proto__")
    drill.start(dice=[20, 1])
    page = show(written(drill, tmp_path))
    assert page.locator(".entry .who").all_inner_texts() == [f"▶ {evil}", "�gnis� constructor"]
    assert page.title() == "drill"
    assert page.locator("#app img").count() == 0


def test_nothing_that_is_not_in_the_file_may_run(files: Files, browser: Any) -> None:
    """The policy of the file holds even where something got into the page."""
    page = browser.new_context().new_page()
    page.goto(f"file://{files.paths['gm']}")
    page.evaluate("""() => {
        window.refused = [];
        document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.effectiveDirective));
        const add = (name, given) => document.body.append(Object.assign(document.createElement(name), given));
        add("script", { textContent: "window.owned = true" });
        add("script", { src: "https://example.com/x.js" });
        add("img", { src: "https://example.com/x.png" });
        fetch("https://example.com/").catch(() => {});
    }""")
    page.wait_for_function("() => window.refused.length >= 4")
    assert page.evaluate("window.owned") is None
    assert sorted(page.evaluate("window.refused")) == ["connect-src", "img-src", "script-src-elem", "script-src-elem"]
    page.context.close()


# Corrections


def test_what_was_taken_back_is_struck_out_with_who_and_why(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    row = page.locator(f'.row.gone[data-seq="{files.taken_back}"]')
    assert "line-through" in row.locator(".text").evaluate("node => getComputedStyle(node).textDecorationLine")
    assert row.locator(".taken-back").inner_text().startswith("Taken back by gm with event ")
    assert row.locator(".taken-back").inner_text().endswith(": it was out of range")


def test_going_to_what_was_taken_back_shows_the_fight_as_it_was_believed(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.locator(f'.row.gone[data-seq="{files.taken_back}"] .text').click()
    assert seq(page) == files.taken_back
    believed = page.get_by_role("button", name="As it was believed")
    assert believed.get_attribute("aria-pressed") == "true"
    row = f'.row.gone[data-seq="{files.taken_back}"]'
    page.wait_for_selector(row, state="detached")  # nobody knew yet
    correction = files.documents["gm"]["corrections"][0]["seq"]
    page.evaluate(f"location.hash = '#{correction}'")
    page.wait_for_selector(row)
    believed.click()
    assert seq(page) in events(files.documents["gm"])


def test_corrections_are_shown_side_by_side(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.keyboard.press("c")
    first = page.locator(".correction").first
    assert first.locator("section h4").all_inner_texts() == ["Before", "After"]
    assert first.locator("section s").count() >= 1
    assert first.locator("svg.map").count() == 2
    document = files.documents["gm"]
    changes = [document["texts"][number] for number in document["corrections"][0]["changes"]]
    assert first.locator(":scope > ul li").all_inner_texts() == changes


# Finding things


def test_search_and_filters(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.keyboard.press("/")
    page.locator("#search:focus").wait_for()
    page.keyboard.type("mirel")
    rows = page.locator(".rows .row")
    assert page.locator(".filters .count").inner_text().endswith(" events")
    assert all("mirel" in text.lower() for text in page.locator(".rows .row .text").all_inner_texts()[:5])
    page.locator("#search").fill("no such words")
    assert page.locator(".rows").inner_text() == "Nothing in this fight matches."
    page.locator("#search").fill("")
    everything = rows.count()
    page.get_by_label("with").select_option("attacks")
    assert 0 < rows.count() < everything
    page.get_by_label("with").select_option("")
    page.get_by_label("Show").select_option("events")
    assert rows.count() == len(files.documents["gm"]["events"])
    page.get_by_label("what was taken back").uncheck()
    assert rows.count() == len(events(files.documents["gm"]))
    page.get_by_label("by anybody").select_option("gm")
    assert 0 < rows.count() < len(events(files.documents["gm"]))


def test_the_address_leads_to_an_event_and_follows_it(files: Files, show: Open) -> None:
    chosen = events(files.documents["gm"])[42]
    page = show(files.paths["gm"], f"#{chosen}")
    assert seq(page) == chosen
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => location.hash === '#{seq(page)}'")
    page.evaluate("location.hash = '#999999'")
    assert seq(page) != 999999


# Keys

Key = Callable[["Page", Data], None]


def stepping(key: str, kinds: tuple[str, ...] | None, way: int) -> Key:
    def check(page: Page, document: Data) -> None:
        counting = events(document)
        wanted = declarations(document) if kinds is None else events(document, *kinds) if kinds else counting
        begin = counting[len(counting) // 2]
        page.get_by_role("slider", name="Event").fill(str(len(counting) // 2))
        page.keyboard.press("Escape")
        assert seq(page) == begin
        page.keyboard.press(key)
        assert seq(page) == (after if way > 0 else before)(wanted, begin, counting)

    return check


TURN, ROUND = ("turn_started",), ("round_started",)


def plays(key: str) -> Key:
    def check(page: Page, document: Data) -> None:
        page.keyboard.press("Home")
        page.keyboard.press(key)
        page.get_by_role("button", name="Pause").wait_for()
        page.wait_for_function("() => document.querySelector('.now-line .dim').innerText !== '#1'")
        page.keyboard.press(key)
        page.get_by_role("button", name="Play").wait_for()

    return check


def goes(key: str, place: int) -> Key:
    def check(page: Page, document: Data) -> None:
        page.keyboard.press(key)
        assert seq(page) == events(document)[place]

    return check


def to_round(page: Page, document: Data) -> None:
    for number, begun in enumerate(events(document, "round_started"), 1):
        page.keyboard.press(str(number))
        assert seq(page) == begun
    page.keyboard.press("9")  # there is none
    assert seq(page) == begun


def speed(page: Page) -> str:
    return page.locator(".speed select").input_value()


def faster(page: Page, document: Data) -> None:
    page.keyboard.press("+")
    assert speed(page) == "4"
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert speed(page) == "1"
    page.keyboard.press("=")


def searches(page: Page, document: Data) -> None:
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement.id === 'search'")
    page.keyboard.type("begins")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.keyboard.press("n")
    first = seq(page)
    page.keyboard.press("n")
    assert seq(page) != first
    page.keyboard.press("N")
    assert seq(page) == first
    page.locator("#search").fill("")
    page.keyboard.press("Escape")


def opens(key: str, name: str) -> Key:
    def check(page: Page, document: Data) -> None:
        page.keyboard.press(key)
        assert page.locator("[role=tab][aria-selected=true]").inner_text().startswith(name)

    return check


def believes(page: Page, document: Data) -> None:
    page.keyboard.press("b")
    assert page.get_by_role("button", name="As it was believed").get_attribute("aria-pressed") == "true"
    page.keyboard.press("b")
    assert page.get_by_role("button", name="As it was believed").get_attribute("aria-pressed") == "false"


def walks(page: Page, document: Data) -> None:
    page.keyboard.press("m")
    page.wait_for_function("() => document.activeElement.id === 'map-cell'")
    begin = seq(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.innerText.startsWith('1,0: ')")
    assert page.locator(".cursor").count() == 1
    assert seq(page) == begin
    page.keyboard.press("Escape")
    assert page.locator(".cursor").count() == 0


def projects(page: Page, document: Data) -> None:
    page.keyboard.press("p")
    assert not page.locator(".side").is_visible()
    page.keyboard.press("p")
    assert page.locator(".side").is_visible()


def darkens(page: Page, document: Data) -> None:
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.keyboard.press("d")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light
    page.keyboard.press("d")


def helps(page: Page, document: Data) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")


KEYS: dict[str, Key] = {
    "k": plays("k"),
    " ": plays(" "),
    "ArrowRight": stepping("ArrowRight", (), 1),
    "ArrowLeft": stepping("ArrowLeft", (), -1),
    "l": stepping("l", None, 1),
    "j": stepping("j", None, -1),
    "ArrowDown": stepping("ArrowDown", TURN, 1),
    "t": stepping("t", TURN, 1),
    "ArrowUp": stepping("ArrowUp", TURN, -1),
    "T": stepping("T", TURN, -1),
    "PageDown": stepping("PageDown", ROUND, 1),
    "r": stepping("r", ROUND, 1),
    "PageUp": stepping("PageUp", ROUND, -1),
    "R": stepping("R", ROUND, -1),
    **dict.fromkeys("123456789", to_round),
    "0": goes("0", 0),
    "End": goes("End", -1),
    "Home": goes("Home", 0),
    "G": goes("G", -1),
    "g": goes("g", 0),
    **dict.fromkeys("+-=", faster),
    **dict.fromkeys("/nN", searches),
    "e": opens("e", "Why"),
    "c": opens("c", "Corrections"),
    "b": believes,
    "m": walks,
    "p": projects,
    "d": darkens,
    "?": helps,
    "Escape": helps,
}


def test_every_key(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    for check in dict.fromkeys(KEYS.values()):
        check(page, files.documents["gm"])


def test_no_key_is_left_out() -> None:
    """The keys above are those of the table from which the page takes them."""
    source = (Path(__file__).parents[2] / "combatlog/web/modules/keys.js").read_text(encoding="utf-8")
    listed = [line.partition("keys: [")[2].partition("]")[0] for line in source.splitlines() if "{ keys: [" in line]
    named = {key for keys in listed if not keys.startswith("...") for key in json.loads(f"[{keys}]")}
    assert named | set("123456789") == set(KEYS)


def test_keys_can_be_turned_off(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    begin = seq(page)
    page.keyboard.press("?")
    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    assert seq(page) == begin


def test_every_button_can_be_reached_and_used_by_keyboard(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.locator(".combatants .entry button").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".entry .economy").count() == 1
    page.locator("[role=tab]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Why"
    before = seq(page)
    page.get_by_role("button", name="Next turn").focus()
    page.keyboard.press("Space")
    assert seq(page) > before
    unreachable = page.evaluate("""() => [...document.querySelectorAll("button, select, input, summary")]
        .filter((node) => node.tabIndex < 0 && node.getAttribute("role") !== "tab").map((node) => node.outerHTML)""")
    assert unreachable == []


# Screens


def test_on_a_phone_nothing_is_cut_off(files: Files, show: Open) -> None:
    page = show(files.paths["gm"], viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for tab in page.locator("[role=tab]").all():
        tab.tap()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_by_role("button", name="Play").is_visible()
    page.evaluate("scrollTo(0, 0)")
    board, combatants = (page.locator(part).bounding_box() for part in (".board", ".combatants"))
    assert board is not None
    assert combatants is not None
    assert board["y"] + board["height"] <= combatants["y"]
    assert page.evaluate("document.querySelector('.scene').firstElementChild.className") == "board"
    footer = page.locator("footer").bounding_box()
    assert footer is not None
    assert footer["y"] + footer["height"] <= 741


@pytest.mark.parametrize("width", [820, 1400, 2560])
def test_tablet_desktop_and_projector_need_no_scrolling(files: Files, show: Open, width: int) -> None:
    page = show(files.paths["gm"], viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".rows .current").is_visible()


def test_dark_as_the_system_says(files: Files, show: Open) -> None:
    page = show(files.paths["gm"], color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(23, 24, 27)"


def test_on_paper_there_is_the_whole_story_and_no_controls(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.emulate_media(media="print")
    assert not page.locator("footer").is_visible()
    printed = page.locator(".printed p").all_inner_texts()
    document = files.documents["gm"]
    assert printed == [document["texts"][line[0]] for line in document["story"]]


def test_those_who_want_no_motion_get_none(files: Files, show: Open) -> None:
    page = show(files.paths["gm"], reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.querySelector('.token')).transitionDuration") == "0s"


# Screen readers


def test_every_event_is_announced(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.keyboard.press("ArrowRight")
    words = page.locator(".now-line").inner_text().partition("#")[2].partition(" ")[2].strip()
    page.wait_for_function(
        "([seq, words]) => document.querySelector('[aria-live]').innerText === `Event ${seq}: ${words}`",
        arg=[seq(page), words],
    )


def wait_until_at(page: Page, x: int, y: int) -> None:
    page.wait_for_function("([x, y]) => document.activeElement.innerText.startsWith(`${x},${y}: `)", arg=[x, y])


def test_the_map_can_be_walked_square_by_square(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.keyboard.press("End")
    who = states(files.documents["gm"], "counting")[-1]["who"]
    one = next(one for one in who.values() if "at" in one and "spaces" not in one and not one.get("gone"))
    x, y = one["at"]
    page.keyboard.press("m")
    wait_until_at(page, 0, 0)
    for across in range(1, x + 1):
        page.keyboard.press("ArrowRight")
        wait_until_at(page, across, 0)
    for down in range(1, y + 1):
        page.keyboard.press("ArrowDown")
        wait_until_at(page, x, down)
    assert one["name"] in page.evaluate("document.activeElement.innerText")
    assert page.locator("[role=grid]").get_attribute("aria-rowcount") == str(len(document_map(files.documents["gm"])))


def test_keys_may_come_faster_than_the_map_is_drawn(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.keyboard.press("m")
    wait_until_at(page, 0, 0)
    page.evaluate("""() => {
        for (const way of [..."RRRRRDDD"]) {
            const key = way === "R" ? "ArrowRight" : "ArrowDown";
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }
    }""")
    wait_until_at(page, 5, 3)


# Numbers


def curves(page: Page, title: str) -> dict[str, float]:
    """What the legend of a chart says at the event that is shown, by combatant."""
    page.locator("#tab-charts").click()
    entries = (
        page.locator("figure").filter(has=page.get_by_label(title, exact=True)).locator(".legend li").all_inner_texts()
    )
    named = (entry.strip().rpartition(": ") for entry in entries)
    return {name.removesuffix(" hp"): float(value) for name, _, value in named}


def test_the_points_left_are_those_that_the_statistics_leave(files: Files, show: Open) -> None:
    """What somebody has at the end is what it joined with, less the damage taken, by the read models."""
    page = show(files.paths["gm"])
    page.keyboard.press("End")
    taken: Counter[str] = Counter()
    for row in files.statistics["taken"]:  # one for each type of damage
        taken[row.actor] += row.damage
    left = {}
    for id, one in states(files.documents["gm"], "counting")[-1]["who"].items():
        left[one["name"]] = one["vitals"]["hp"][1] - taken[id]
    assert files.statistics["healing"] == []
    assert any(taken.values())
    assert curves(page, "Points left") == left


def test_the_luck_beside_the_charts_is_that_of_the_statistics(files: Files, show: Open) -> None:
    page = show(files.paths["gm"])
    page.locator("#tab-charts").click()
    shown = [row.locator("td, th").all_inner_texts()[:4] for row in page.locator(".charts tbody tr").all()]
    rows = [row for row in files.statistics["luck"] if row.attacks]
    expected = {(row.actor.title(), row.attacks, row.hits, float(row.expected_hits)) for row in rows}
    assert {(name, int(attacks), int(hits), float(likely)) for name, attacks, hits, likely in shown} == expected


VIEWS = ["log", "event", "charts", "corrections", "report"]


@pytest.mark.parametrize(
    ("options", "rules"),
    [({}, []), ({"color_scheme": "dark"}, ["color-contrast"]), ({"viewport": {"width": 360, "height": 740}}, [])],
    ids=["light", "dark", "phone"],
)
def test_no_view_has_a_finding_of_axe(files: Files, show: Open, options: dict[str, Any], rules: list[str]) -> None:
    """Only colours differ in the dark."""
    axe = need_browser_tool("axe-core/axe.min.js").read_text(encoding="utf-8")
    page = show(files.paths["gm"], **options)
    page.evaluate(axe)
    checked = {}
    for view in VIEWS:
        page.locator(f"#tab-{view}").click()
        checked[view] = findings(page, rules)
    page.locator(".entry button").first.click()
    page.locator(".badge summary").click()
    checked["details and badge"] = findings(page, rules)
    page.keyboard.press("p")
    page.keyboard.press("?")
    checked["projector and help"] = findings(page, rules)
    assert checked == {view: [] for view in checked}


def findings(page: Page, rules: list[str]) -> list[str]:
    """By rule, with the element; of these rules, or of all."""
    found: list[str] = page.evaluate(
        """async (rules) => (await axe.run(document, rules.length ? { runOnly: rules } : {})).violations
            .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`))""",
        rules,
    )
    return found
