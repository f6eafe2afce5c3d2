"""Given a fight, when somebody declares something with these dice, then these events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from ledger.errors import Problem
from ledger.events import Event, Face
from rules.content.scenario import look_up
from rules.engine import ruleset as rulesets
from rules.engine.core_actions import CORE
from rules.engine.fight import Declaration, Fight, Opening, Reply

E = TypeVar("E", bound=Event)


class Drill:
    """A fight in memory, resolved by the same code as one in the ledger, with dice given by hand."""

    def __init__(self, *, ruleset: str = "dnd5e", map: str | None = None, dice: str = "table", **options: Any) -> None:
        rows = tuple(map.strip("\n").split("\n")) if map else None
        self.fight = Fight.open(Opening(name="drill", ruleset=ruleset, dice=dice, map=rows, options=options))
        self.ruleset = rulesets.find(ruleset)

    def join(self, sheet: str | dict[str, Any], name: str, at: tuple[int, int] | None = None, **more: Any) -> None:
        """Somebody joins. `more` may have side, controller, policies and overrides of the sheet."""
        data = self.ruleset.sheet(sheet) if isinstance(sheet, str) else sheet
        known = {key: more.pop(key) for key in ("side", "controller", "policies") if key in more}
        options = {"sheet": data, "name": name, "position": at, "overrides": more, **known}
        self.do("gm", "join", options=options)

    def start(self, *dice: Face) -> list[Event]:
        return self.do("gm", "start", dice=dice)

    def do(
        self,
        actor: str,
        action: str,
        *,
        target: str | Sequence[str] = (),
        to: tuple[int, int] | None = None,
        weapon: str | None = None,
        dice: Sequence[Face] | None = None,
        options: dict[str, Any] | None = None,
        replies: dict[str, str | list[str | None] | None] | None = None,
    ) -> list[Event]:
        declaration = Declaration(
            actor=actor,
            action=next((ref for ref in CORE if ref.endswith(f":{action}")), action),
            targets=(target,) if isinstance(target, str) else tuple(target),
            destination=to,
            weapon=weapon,
            options=options or {},
        )
        given = [
            Reply(reactor=reactor, reaction=reaction)
            for reactor, reactions in (replies or {}).items()
            for reaction in (reactions if isinstance(reactions, list) else [reactions])
        ]
        return self.fight.declare(declaration, dice=dice, replies=given)

    def react(self, actor: str, reaction: str | None, dice: Sequence[Face] | None = None) -> list[Event]:
        return self.fight.react(Reply(reactor=actor, reaction=reaction), dice=dice)

    def refusal(self, *args: Any, **kwargs: Any) -> str:
        """The code with which a declaration is refused; it must leave no trace."""
        before = list(self.fight.events)
        try:
            self.do(*args, **kwargs)
        except Problem as problem:
            assert self.fight.events == before
            return problem.code
        raise AssertionError("it was not refused")

    def __getitem__(self, path: str) -> Any:
        """A value of the state, as in a scenario's `expect`."""
        return look_up(self.fight.battle, path)


def protected_duel() -> Drill:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(20, 10, 5)
    return drill


def only(events: Sequence[Event], kind: type[E]) -> E:
    """The one event of this kind."""
    (found,) = all_of(events, kind)
    return found


def all_of(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]
