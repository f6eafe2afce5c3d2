"""A command of a plug-in has a form at the live table, without any code for the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.events import Noted
from tests.browser import live
from tests.browser.test_directing import part
from tests.browser.test_play import told
from tests.combatlog.messages.test_plugins import installed_in

pytestmark = pytest.mark.slow


def test_a_player_and_a_gm_taunt(browser: Any, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", installed_in(tmp_path))
    with live.served(database) as service:
        house = live.set_up(service, "Taunting")
        osric = house.enter(browser, "osric")
        taunting = part(osric, "Taunt")
        assert taunting.get_by_label("Who taunts").count() == 0  # it is whom the player plays
        assert taunting.get_by_label("With which words").input_value() == "Ha!"
        taunting.get_by_label("Whom").select_option("snig")
        taunting.get_by_role("button", name="Taunt").click()
        told(osric, "osric taunts snig: Ha!")
        gm = house.enter(browser, "gm")
        gm.locator("#tab-direct").click()
        taunting = part(gm, "Taunt")
        taunting.get_by_label("Who taunts").select_option("snig")
        taunting.get_by_label("Whom").select_option("rurik")
        taunting.get_by_label("With which words").fill("Is that all?")
        taunting.get_by_role("button", name="Taunt").click()
        told(gm, "snig taunts rurik: Is that all?")
        with house.ledger() as ledger:
            notes = [event for event in ledger.fight(house.fight).history() if isinstance(event, Noted)]
        assert len(notes) == 2
        house.everybody_leaves(browser, expected=())
