"""The fight that the attacks on committed dice are made on, and what people do in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

import combatlog
from combatlog import RecordedFight
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections.amend import Forgotten
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import last, plan_undo
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.dice_sources import CommittedDice
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.testing import all_of
from ledger.events import Event, Face, Rolled
from ledger.store.ledger import LedgerStore, encounter_id

SEED = bytes(range(32))
NAME = "Attacked dice"
D20, D6 = Die.with_sides(20), Die.with_sides(6)
CLOSE = Declaration(actor="gm", action="core:time:close")
NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
STRIKE = Declaration(actor="rurik", action="strike", targets=("snig",))
FOG = Forgotten(what="disadvantage", source="fog")
PEOPLE = (("fighter", "Rurik", "heroes", (1, 1), 12), ("goblin", "Snig", "foes", (2, 1), 200))


def face(number: int, die: Die = D20, index: int = 0, seed: bytes = SEED) -> Face:
    """The face that a number has in the fight of these tests."""
    return CommittedDice(seed, encounter_id(NAME)).face(seed, die, number, index)


def joining(people: Sequence[tuple[str, str, str, tuple[int, int], int]] = PEOPLE) -> Iterator[Declaration]:
    sheets = rulesets.find("dnd5e")
    for sheet, who, side, place, hp in people:
        options = {"sheet": sheets.sheet(sheet), "name": who, "side": side, "position": place, "overrides": {"hp": hp}}
        yield Declaration(actor="gm", action="core:time:join", options=options)


def opened(foe: str = "goblin", seed: bytes = SEED) -> FightEngine:
    """It is the turn of Rurik, who has attacked and may strike at Snig: real dice decided who begins."""
    fight = FightEngine.open(Opening(name=NAME, dice="committed"), seed=seed)
    rurik, (_, *snig) = PEOPLE
    for declaration in joining([rurik, (foe, *snig)]):
        fight.declare(declaration)
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    fight.declare(Declaration(actor="rurik", action="attack"))
    return fight


def rolls(events: Sequence[Event]) -> list[tuple[int | None, tuple[Face, ...]]]:
    return [(roll.drawn, roll.faces) for roll in all_of(events, Rolled)]


def strike(fight: FightEngine) -> list[tuple[int | None, tuple[Face, ...]]]:
    return rolls(fight.declare(STRIKE))


def undo(fight: FightEngine, what: set[int] | None = None) -> None:
    plan = plan_undo(fight, what or last(fight), by="gm", reason="test", remedies=Remedies(Impossible.DROP))
    fight.take_in(plan.new)


@pytest.fixture
def recorded(cli_database: str, ledger_at: Callable[[str], LedgerStore]) -> RecordedFight:
    """The same fight in a ledger, where the seed is SEED. Rurik struck at Snig, and then a note was made."""
    store = ledger_at(cli_database)
    fight = opened()
    store.append(fight.events, seed=SEED)
    public = combatlog.Ledger(store).fight(NAME)
    public.declare(STRIKE)
    return public


@pytest.fixture
def ledger_at() -> Iterator[Callable[[str], LedgerStore]]:
    opened: list[LedgerStore] = []

    def at(url: str) -> LedgerStore:
        opened.append(LedgerStore.open(url))
        return opened[-1]

    yield at
    for ledger in opened:
        ledger.close()
