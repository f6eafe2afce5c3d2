"""The fights of a generation: one of each ruleset, with every sort of correction, a fork, and an end.

What they come to is reckoned by hand in the generation's `expected.yaml`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from combatlog import Keeper, Ledger
from combatlog.messages.commands import GiveLink
from combatlog.rules.content.scenario import opening_of, play, read_scenario
from combatlog.rules.engine.commands import GM, Declaration, Opening, Reply
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.corrections.insert import before, plan_insert
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import one, plan_redo, plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from ledger.events import Declared, Event, Rolled
from ledger.registry import GENESIS, chained_hash, encode
from projections.battle.timeline import standing

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "scenarios"


class Story:
    """A scenario in the ledger, and what people did about it afterwards."""

    def __init__(self, ledger: Ledger, file: Path, name: str, steps: int | None = None) -> None:
        scenario = read_scenario(file)
        self.referee, self.name = ledger.referee, name
        script = scenario.script[:steps]
        fight = ledger.begin(opening_of(scenario, name))
        played = play(scenario.model_copy(update={"script": script}), fight)
        assert [step.differences for step in played] == [[] for _ in script]

    def say(self, action: str, actor: str = GM, **options: object) -> None:
        self.referee.declare(self.name, Declaration(actor=actor, action=action, options=options))

    def end_turn(self) -> None:
        whose = self.referee.battle(self.name).clock.turn
        self.say("core:time:end-turn", actor=whose or GM)

    def declared(self, actor: str, action: str) -> int:
        """The last declaration of this action that stands."""
        events = standing(self.referee.fight(self.name).events)
        found = [e for e in events if isinstance(e, Declared) and e.actor == actor and e.action.endswith(f":{action}")]
        return found[-1].seq

    def roll_of(self, declaration: int) -> int:
        """The first roll of a declaration."""
        events = self.referee.fight(self.name).events
        return next(e.seq for e in events if isinstance(e, Rolled) and e.declaration == declaration)

    def correct(self, make: Callable[[FightEngine], Plan]) -> None:
        self.referee.apply(self.referee.plan(self.name, make))

    def undo(self, seq: int) -> None:
        remedies = Remedies(Impossible.DROP)
        self.correct(
            lambda fight: plan_undo(fight, one(fight, seq), by=GM, reason="it was a mistake", remedies=remedies)
        )

    def redo(self) -> None:
        self.correct(lambda fight: plan_redo(fight, by=GM, reason="it was none"))

    def amend(self, seq: int, amendment: Amendment, *dice: int) -> None:
        remedies = Remedies(Impossible.DROP, dice=dice or None)
        self.correct(lambda fight: plan_amend(fight, seq, amendment, by=GM, reason="put right", remedies=remedies))

    def insert(self, seq: int, forgotten: Declaration) -> None:
        """Before the declaration that an event belongs to."""
        self.correct(lambda fight: plan_insert(fight, before(fight, seq), forgotten, by=GM, reason="it was forgotten"))

    def fork(self, name: str) -> None:
        self.referee.fork(self.name, None, name, by=GM)


def bridge(ledger: Ledger) -> None:
    """Osric's Protection was forgotten; his Dodge is taken back and stands again; the closing reveals the seed."""
    story = Story(ledger, HERE / "bridge.yaml", "Old bridge")
    protection = Amendment(replies=(Reply(reactor="osric", reaction="protection"),))
    story.amend(story.declared("snig", "strike"), protection, 8)
    story.undo(story.declared("osric", "dodge"))
    story.redo()
    story.fork("Old bridge, what if")
    shoot(ledger.referee, story.name)
    story.end_turn()
    story.say("core:time:leave", actor="mila", why="her part is done")
    story.say("core:time:close", why="the goblin runs")
    story.say("core:time:label", add=["archived", "riverlands"], why="long ago")
    shoot(ledger.referee, "Old bridge, what if")
    ledger.referee.declare("Old bridge, what if", Declaration(actor=GM, action="core:time:close"))


def shoot(referee: Referee, name: str) -> None:
    """With dice that follow from the encounter's secret: a fork has one of its own."""
    for declaration in (
        Declaration(actor=referee.battle(name).clock.turn or GM, action="core:time:end-turn"),
        Declaration(actor="rurik", action="attack"),
        Declaration(actor="rurik", action="strike", targets=("snig",), weapon="longbow"),
    ):
        referee.declare(name, declaration)


def duel(ledger: Ledger) -> None:
    """Two rounds; the second attack was misread, and the first is taken back."""
    story = Story(ledger, SCENARIOS / "action_points" / "five_rounds.yaml", "Old duel", steps=8)
    defend = story.declared("ana", "defend")
    story.undo(defend)
    attack = story.declared("bor", "attack")
    story.amend(attack, Amendment(faces={story.roll_of(attack): (-1, -1, -1, 0)}))
    story.fork("Old duel, another evening")


def skirmish(ledger: Ledger) -> None:
    """One round with cards; the scout's attack is taken back, and stands again. A note had been forgotten before it."""
    story = Story(ledger, SCENARIOS / "skirmish" / "three_rounds.yaml", "Old skirmish", steps=13)
    story.undo(story.declared("scout", "attack"))
    story.redo()
    story.say("core:ruling:rule", note="who saw the scout?", reason="a question came up")
    story.say("core:reaction:policies", actor="scout", policies={"*": "never"})
    forgotten = Declaration(actor=GM, action="core:ruling:rule", options={"note": "fog", "reason": "it was said"})
    story.insert(story.declared("scout", "attack"), forgotten)


def log(ledger: Ledger) -> None:
    """Another tool's log: a roll, and what somebody said."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Old log.txt"
        path.write_text("[2026-01-07 20:15] Rurik: attack 2d20kh1 (~~4~~, 15) + 5 = 20\nRurik: That will hurt.\n")
        ledger.import_log("dice", [path], campaign="riverlands")


def visitors(ledger: Ledger) -> None:
    """Another table also had an "Old duel". Its fight is imported under another name, and goes on here."""
    theirs = FightEngine.open(Opening(name="Old duel", dice="table"))
    theirs.declare(Declaration(actor=GM, action="core:ruling:rule", options={"note": "rain", "reason": "April"}))
    ledger.import_events(BytesIO(exported(theirs.events)), rename={"Old duel": "Old duel elsewhere"})
    rule = Declaration(actor=GM, action="core:ruling:rule", options={"note": "sun", "reason": "May"})
    ledger.referee.declare("Old duel elsewhere", rule)


def keep(ledger: Ledger) -> None:
    """A door, a change of sides, and a reaction that comes too late."""
    Story(ledger, HERE / "keep.yaml", "Old keep")


def oath(ledger: Ledger) -> None:
    """Dice of host and player together: one link is revealed, and one withheld."""
    fight = ledger.begin(Opening(name="Old oath", dice="shared"))
    fight.join("fighter", name="Rurik", at=(1, 1))
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder))
        keeper.sit(fight, "rurik", length=8)
        fight.roll("1d20", "luck", who="rurik")
        keeper.answer(fight)
    fight.roll("1d20", "fate", who="rurik")
    fight.send(GiveLink("rurik", None, dice=[7]))
    fight.conclude()


def exported(events: Sequence[Event]) -> bytes:
    head, lines = GENESIS, []
    for event in events:
        name, state = encode(event)
        head = chained_hash(head, event.encounter, event.seq, name, state)
        place = {"encounter": str(event.encounter), "seq": event.seq}
        lines.append(json.dumps({**place, "name": name, "state": state.decode(), "hash": head.hex()}))
    return "\n".join(lines).encode()


STORIES = (bridge, duel, skirmish, visitors, log, keep, oath)


def tell_all(ledger: Ledger) -> None:
    for story in STORIES:
        story(ledger)
