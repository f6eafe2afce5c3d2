"""What is remembered from earlier decisions never differs from what a player without any memory would work out."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import pairwise

import pytest

from combatlog.rules.autoplay.player import PlayLimits, choose, play
from combatlog.rules.autoplay.scoring import Score, rank, score
from combatlog.rules.autoplay.simulate import SimulationPlan, begin
from combatlog.rules.content.scenario import Scenario
from combatlog.rules.dnd5e.autoplay.estimate_cache import ASKED, MINDING_THE_TURN, MOST, EstimateCache, clear_estimates
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.pieces import PIECES, Contributor
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration
from combatlog.testing import Drill
from ledger.events import Data
from projections.battle.fold import Battle
from tests.rules.dnd5e.autoplay.support import PILLARS

PARTIES = {
    "caution": (("rogue", "cleric"), ("hobgoblin", "goblin")),
    "rage": (("barbarian", "monk"), ("orc", "wolf")),
    "spells": (("wizard", "bard"), ("bandit_captain", "skeleton")),
    "oaths": (("paladin", "warlock"), ("ogre", "dual_wielder")),
}
DECISIONS = 24


def sheet_with_a_trait() -> Data:
    """A fighter that hits better while it is bloodied."""
    better = {"to": "attack", "bonus": 5, "when": {"bloodied": True}}
    fury = {"name": "fury", "archetype": "trait", "contributes": [better]}
    sheet = rulesets.find("dnd5e").sheet("fighter")
    return {**sheet, "features": [*sheet["features"], fury]}


def fight_of(party: str) -> SimulationPlan:
    heroes, foes = PARTIES[party]
    sides = [("heroes", 1, heroes), ("foes", 8, foes)]
    combatants = [
        {"sheet": sheet, "as": f"{side} {row} {sheet}", "side": side, "at": [column, 1 + 2 * row]}
        for side, column, sheets in sides
        for row, sheet in enumerate(sheets)
    ]
    described = {"encounter": party, "map": PILLARS.strip(), "combatants": combatants}
    return SimulationPlan(Scenario.model_validate(described), 1, 5)


def told(found: Score | None) -> object:
    return found and (found.words, found.total, found.metrics)


def judged(battle: Battle) -> list[object]:
    """Everything the one whose turn it is could do, with every measurement."""
    rules, turn = rulesets.find("dnd5e"), battle.clock.turn
    assert turn is not None
    return [told(found) for found in rank(rules.options(battle, battle.combatants[turn]), rules.metrics())]


@pytest.mark.slow
@pytest.mark.parametrize("party", PARTIES)
def test_every_decision_is_the_one_of_a_player_without_memory(party: str) -> None:
    """The memory is that of another fight with the same sheets and of all decisions before; then there is none."""
    clear_estimates()
    remembered: list[tuple[object, object]] = []

    def choose_and_note(battle: Battle) -> Score | None:
        chosen = choose(battle)
        remembered.append((told(chosen), judged(battle)))
        return chosen

    plan = fight_of(party)
    for number in range(2):
        _play(plan, number, choose_and_note)
    fresh: list[tuple[object, object]] = []

    def choose_afresh(battle: Battle) -> Score | None:
        clear_estimates()
        chosen = choose(battle)
        clear_estimates()
        fresh.append((told(chosen), judged(battle)))
        return chosen

    for number in range(2):
        _play(plan, number, choose_afresh)
    assert len(remembered) > 20
    assert remembered == fresh


def _play(plan: SimulationPlan, number: int, chooser: object) -> None:
    fight = begin(plan, number)
    choosers = dict.fromkeys(("heroes", "foes"), chooser)
    for made, _ in enumerate(play(fight, PlayLimits(rounds=6), choosers=choosers)):  # type: ignore[arg-type]
        if made > DECISIONS:
            return


def _set(who: str, **values: int) -> Declaration:
    options = {"set": values, "reason": "to see what the player makes of it"}
    return Declaration(actor="gm", action="core:ruling:rule", targets=(who,), options=options)


RECKLESS = Declaration(actor="hero", action="reckless_attack")
ENDS = [Declaration(actor=who, action="core:time:end-turn") for who in ("hero", "ally", "foe")]
STORIES: dict[str, tuple[Data | str, list[Declaration]]] = {
    "a pool of its own is used up": ("rogue", [_set("hero", sneak_attack=0), _set("hero", sneak_attack=1)]),
    "it is bloodied": (sheet_with_a_trait(), [_set("hero", hp=5), _set("hero", hp=40)]),
    "the enemy has fewer hit points": ("barbarian", [_set("foe", hp=4), _set("foe", hp=1)]),
    "the enemy has no reaction left": ("fighter", [_set("foe", reaction=0), _set("foe", reaction=1)]),
    "a condition depends on whose turn it is": ("barbarian", [RECKLESS, *ENDS]),
    "its action is spent": ("barbarian", [_set("hero", action=0, attacks=1), _set("hero", action=1)]),
}


@pytest.mark.parametrize("story", STORIES)
def test_nothing_outlasts_what_it_depends_on(story: str) -> None:
    sheet, changes = STORIES[story]
    clear_estimates()
    remembered = list(_judgements(sheet, changes, with_memory=True))
    fresh = list(_judgements(sheet, changes, with_memory=False))
    assert remembered == fresh
    assert any(one != other for one, other in pairwise(fresh))


def _judgements(sheet: Data | str, changes: list[Declaration], *, with_memory: bool) -> Iterator[list[object]]:
    """What the one whose turn it is could do at first, and after each change."""
    drill = Drill(map=PILLARS.strip())
    drill.join(sheet, "Hero", (2, 2))
    drill.join("fighter", "Ally", (3, 1))
    drill.join("orc", "Foe", (3, 2), side="foes")
    drill.join("orc", "Other", (1, 3), side="foes")
    drill.start(dice=[20, 10, 1, 1])
    for change in (None, *changes):
        if change is not None:
            drill.declare(change)
        if not with_memory:
            clear_estimates()
        yield judged(drill.fight.battle)


@pytest.mark.parametrize("party", PARTIES)
def test_what_an_option_hopes_for_is_never_less_than_its_score(party: str) -> None:
    fight = begin(fight_of(party), 0)
    metrics = fight.ruleset.metrics()
    bounded = 0
    for made, _ in enumerate(play(fight, PlayLimits(rounds=2))):
        if fight.battle.clock.turn is None or fight.battle.window is not None or made > DECISIONS:
            continue
        for option in fight.ruleset.options(fight.battle, fight.battle.combatants[fight.battle.clock.turn]):
            for aim in option.aims() if option.is_open() else ():
                bound = option.bound(aim)
                bounded += bound is not None
                assert bound is None or score(option, aim, metrics).total <= bound + 1e-9
    assert bounded > 100


@pytest.mark.parametrize("party", PARTIES)
def test_an_attack_from_elsewhere_is_worth_no_more_than_its_bound(party: str) -> None:
    fight = begin(fight_of(party), 0)
    for made, _ in enumerate(play(fight, PlayLimits(rounds=2))):
        turn = fight.battle.clock.turn
        if turn is None or fight.battle.window is not None or made > DECISIONS:
            continue
        outlook = Outlook(fight.battle, fight.battle.combatants[turn])
        for place in outlook.reachable:
            assert outlook.closer(place) <= outlook.at_most(place)


@pytest.mark.parametrize(("ally", "hopes_for_too_much"), [((1, 3), True), ((7, 2), False)])
def test_a_sneak_attack_from_elsewhere_needs_an_ally_next_to_the_target(
    ally: tuple[int, int], hopes_for_too_much: bool
) -> None:
    drill = Drill()
    drill.join("rogue", "Hero", (1, 1))
    drill.join("fighter", "Ally", ally)
    drill.join("orc", "Foe", (8, 2), side="foes")
    drill.start(dice=[20, 10, 1])
    outlook = Outlook(drill.fight.battle, drill.fight.battle.combatants["hero"])
    assert (outlook.at_most((2, 1)) < outlook.capability((2, 1))) is hopes_for_too_much


def _asking(word: str) -> set[str]:
    """The conditions and features whose contributions to odds mention a word in their source."""
    hooks = [hook.__name__ for hook in ASKED]
    pieces = [piece for piece in PIECES.values() if isinstance(piece, Contributor)]
    said = {piece.ref: [inspect.getsource(getattr(type(piece), hook)) for hook in hooks] for piece in pieces}
    return {ref for ref, sources in said.items() if any(word in source for source in sources)}


def test_every_condition_that_depends_on_the_turn_is_remembered_with_it() -> None:
    assert _asking("clock") == MINDING_THE_TURN


def test_no_piece_made_in_code_depends_on_wounds() -> None:
    """Those made from data do, by their circumstances, which are looked at."""
    assert _asking("bloodied") == set()


@pytest.mark.parametrize("party", PARTIES)
def test_metrics_that_do_not_concern_an_option_are_zero(party: str) -> None:
    fight = begin(fight_of(party), 0)
    metrics, turn = fight.ruleset.metrics(), fight.battle.clock.turn
    assert turn is not None
    for option in fight.ruleset.options(fight.battle, fight.battle.combatants[turn]):
        for aim in option.aims() if option.is_open() and option.concerns is not None else ():
            others = set(metrics) - set(option.concerns or ())
            assert {name: metrics[name].measure(option, aim) for name in others} == dict.fromkeys(others, 0)


def test_a_memory_starts_afresh_when_it_is_full() -> None:
    memory = EstimateCache()
    asked: list[int] = []

    def work_out(key: int) -> int:
        asked.append(key)
        return key

    for key in [*range(MOST), 0]:
        assert memory.recall(key, lambda key=key: work_out(key)) == key  # type: ignore[misc]
    assert asked == list(range(MOST))
    memory.recall(MOST, lambda: work_out(MOST))
    memory.recall(0, lambda: work_out(0))
    assert asked[-2:] == [MOST, 0]


def test_the_same_state_has_the_same_number() -> None:
    memory = EstimateCache()
    assert memory.number_of(("a", 1)) == memory.number_of(("a", 1)) != memory.number_of(("a", 2))
