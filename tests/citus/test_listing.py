"""Lists of fights on several nodes: in no common order, but each of them once, page by page."""

from __future__ import annotations

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore

NAMES = [f"fight {number}" for number in range(12)]


def test_pages_have_every_fight_once(ledger: LedgerStore, nodes: list[str]) -> None:
    for name in NAMES:
        Referee(ledger).open(Opening(name=name))
    for node in nodes:
        with LedgerStore.open(node) as there:
            page = there.page(5)
            found = [listed.name for listed in page]
            while page.next is not None:
                page = there.page(5, str(page.next))
                found += [listed.name for listed in page]
            assert (sorted(found), page.total) == (sorted(NAMES), len(NAMES))


def test_names_are_found_by_how_they_begin(ledger: LedgerStore, nodes: list[str]) -> None:
    for name in ("Bridge ambush", "bridge", "a_b", "axb"):
        Referee(ledger).open(Opening(name=name))
    with LedgerStore.open(nodes[-1]) as there:
        assert sorted(there.names("BRI")) == ["Bridge ambush", "bridge"]
        assert there.names("a_") == ["a_b"]
        assert len(there.names()) == 4
