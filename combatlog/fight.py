"""A fight and its commands. Every method makes a message and sends it; `seen_by` answers questions.

`combatlog.messages` has every message, `combatlog.handlers.command_handlers` what each does, and `combatlog.view` every
question.
"""

from __future__ import annotations

from copy import copy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from combatlog.argument_checks import ChecksArguments
from combatlog.messages import made

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from uuid import UUID

    from combatlog.backend import Backend
    from combatlog.hash_chains import Keeper
    from combatlog.messages.commands import Command
    from combatlog.messages.corrections import Correction
    from combatlog.messages.message import Message
    from combatlog.rules.autoplay.player import AutoPlayed, PlayLimits
    from combatlog.rules.engine.commands import Declaration, Reply
    from combatlog.rules.engine.corrections.plan import Plan
    from combatlog.rules.engine.resolution.referee import Outcome
    from combatlog.view import View
    from ledger.events import Data, Event, Face, Position
    from projections.battle.fold import Battle
    from projections.views import Seat

GM = "gm"


class Fight(ChecksArguments):
    """All that a player or a bot needs: a fight in a ledger, behind a service, or in memory.

    Every command takes the fields of its message by name, and `command_id`: a command that is repeated with the same
    id does nothing. Messages without a method are sent: `fight.send(SetReactions("rurik", {"*": "never"}))`.
    """

    outcome: Outcome | None = None
    """The outcome of the last command that was given here."""
    keeper: Keeper | None = None
    """Where chains of secrets for shared dice are kept: a link is revealed as soon as a roll waits for it."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def __eq__(self, other: object) -> bool:
        """Two are equal if they are the same fight at the same place."""
        return isinstance(other, Fight) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        return (id(self.backend),)

    @property
    def battle(self) -> Battle:
        """The state that the rules work on. It changes with every command; `state()` gives one to keep."""
        return self.backend.battle

    # Saying and asking

    def send(
        self, message: Message, *, seat: str | Seat | None = None, command_id: UUID | None = None, dry_run: bool = False
    ) -> Any:
        """Send a message; every other method does this. The seat decides whether it may be sent and what the answer
        tells; without a seat, the owner of the ledger sends it.

        A message that is sent again with the same `command_id` does nothing, and gives the same answer; another message
        with that id is refused. A dry run records nothing: it gives the plan of a correction, or the outcome that a
        command would have if all missing dice were low.
        """
        from combatlog.messages.message import checked_key

        answer = self.backend.send(message, seat=seat, key=checked_key(command_id), dry_run=dry_run)
        return answer if dry_run else self._noted(answer)

    def _noted(self, answer: Any) -> Any:
        from combatlog.rules.engine.resolution.referee import Outcome

        return self._told(answer) if isinstance(answer, Outcome) else answer

    def _with_links(self, outcome: Outcome) -> Outcome:
        """Go on for as long as rolls wait for links that are kept here."""
        if self.keeper is None or not outcome.waits_for_link or not (later := self.keeper.answer(self._alone())):
            return outcome
        from combatlog.rules.engine.resolution.referee import joined

        return joined([outcome, *later])

    def _alone(self) -> Self:
        """The same fight for the keeper's own answers, which would otherwise ask the keeper again."""
        fight = copy(self)
        fight.keeper = None
        return fight

    def seen_by(self, seat: str | Seat = GM, at: int | None = None) -> View:
        """The fight from a seat: `gm`, `players`, `players:SIDE`, `player:NAME,NAME`, `spectator` or `auditor`; or just
        the name of a combatant. Now, or after the event that has the number `at` there.

        The view answers every question: `explain`, `why_not`, `actions`, `aim`, `advise`, `report`, `replay` ...
        """
        return self.backend.view(seat, at)

    def state(self, at: int | None = None) -> Battle:
        """The state now, or as it was after the event `at`."""
        return self.seen_by(GM, at).state()

    def events(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        actor: str | None = None,
        kinds: Collection[str] = (),
        standing: bool = False,
    ) -> list[Event]:
        """The events from `first` to `last`, perhaps only of one actor's declarations or of some kinds; with
        `standing`, those that still count, in the order in which they happened."""
        return self.seen_by().events(first, last, actor=actor, kinds=kinds, standing=standing)

    def history(self, upto: int | None = None) -> list[Event]:
        """Every event from the first one on."""
        return self.backend.history(upto)

    # Declaring

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        """Declare something, given as the engine's own value; `do` takes names instead."""
        return self._told(self.backend.record(declaration, dice=dice, replies=replies, command_id=command_id))

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None) -> Outcome:
        """Answer the open window, given as the engine's own value; `react` takes names instead."""
        return self._told(self.backend.record(reply, dice=dice, command_id=command_id))

    def _told(self, outcome: Outcome) -> Outcome:
        self.outcome = self._with_links(outcome)
        return self.outcome

    def _say(self, kind: str, command_id: UUID | None, fields: Mapping[str, Any]) -> Outcome:
        return self.send(made(kind, **fields), command_id=command_id)

    def join(
        self,
        sheet: str | Path | Data,
        name: str | None = None,
        at: Position | None = None,
        *,
        packs: Sequence[str | Path] = (),
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Add a combatant: a sheet by name, a file as a Path, or the fields of a sheet.

        A second goblin is called Goblin 2. With `count`, that many join at once, around `at`: all of them or none.

        `overrides` are fields that differ from the sheet. `reactions` says what the combatant does with an offered
        reaction, by its name or `*` for all: `ask`, `always`, `never` or `when useful`.

        With `hidden`, it joins unrevealed: players do not see it until `reveal`.
        In a fight that has started, it has the `initiative` that you give, or rolls it if the rules say so.
        """
        if not packs and not isinstance(sheet, Path):
            return self._say("Join", command_id, {"sheet": sheet, "name": name, "at": at, **fields})
        said = made("Join", sheet="file", name=name, at=at, **fields)
        options = self._enlisted(said, sheet, packs)
        return self.do(GM, "join", options=options, dice=said.dice, by=said.by, command_id=command_id)

    def _enlisted(self, said: Any, sheet: str | Path | Data, packs: Sequence[str | Path]) -> Data:
        """Files are read where they are, so the sheet is sent as a whole."""
        from combatlog.handlers.command_handlers import enlisted
        from combatlog.rules.content.pack_files import packs_to_join
        from combatlog.rules.engine import ruleset as rulesets

        rules = rulesets.find(self.battle.encounter.ruleset)
        return enlisted(said, self.battle, sheet, packs_to_join(map(Path, packs), rules))

    def reveal(self, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Let the players see combatants that were unrevealed. What they did before stays unseen."""
        return self._say("Reveal", command_id, {"who": who, **fields})

    def conceal(self, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Keep combatants from the players' eyes, with all they do, until they are revealed."""
        return self._say("Conceal", command_id, {"who": who, **fields})

    def start(self, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Start the fight: initiative, the first round, the first turn."""
        return self._say("Start", command_id, fields)

    def do(self, who: str, action: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Declare an action by name. If a combatant may react on the way, the outcome has a window that waits."""
        return self._say("Declare", command_id, {"who": who, "action": action, **fields})

    def react(self, who: str, reaction: str | None, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Answer the open window; None lets it pass. Then the interrupted declaration continues."""
        return self._say("React", command_id, {"who": who, "reaction": reaction, **fields})

    def hit(self, target: str | None = None, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Make the obvious attack: take the action for it, if it takes one, and strike with the weapon in hand.

        `who` attacks, by default the combatant that has the turn; as in `cast` and `move`.
        """
        return self._say("Hit", command_id, {"target": target, **fields})

    def cast(
        self, spell: str, target: str | Sequence[str] = (), *, command_id: UUID | None = None, **fields: Any
    ) -> Outcome:
        """Cast a spell, by its name or the beginning of it."""
        return self._say("Cast", command_id, {"spell": spell, "targets": target, **fields})

    def move(self, to: Position, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Move to a square at the lowest price; `via` are squares to pass on the way, if the rules let one choose."""
        return self._say("Move", command_id, {"to": to, **fields})

    def end_turn(self, who: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """End the turn of `who`; the next one begins.

        The name is required: if two people end the same turn at the same time, one of them is refused. With `round`,
        only the turn in that round is ended, even if no other combatant has turns.
        """
        return self._say("EndTurn", command_id, {"who": who, **fields})

    def leave(self, who: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Take a combatant out of the fight, at any time.

        If it is its turn, the turn ends. If it is being asked something, it passes, and `dice` are for what follows.
        """
        return self._say("Leave", command_id, {"who": who, **fields})

    def conclude(self, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Conclude the fight; nothing more can be declared in it."""
        return self._say("Conclude", command_id, fields)

    def label(self, *labels: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Label the fight, also when it is over: `practice`, `archived`, or any tag; `remove` takes labels off.

        Practice and archived fights do not count in statistics across fights, and lists leave archived ones out.
        """
        return self._say("Label", command_id, {"add": labels, **fields})

    def rule(self, who: str | None = None, *, reason: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Make a ruling: set values, conditions, a square or a side, change the map, or settle an event's question.

        It is possible at any moment, even while a window waits. With `secret`, players do not see the ruling, only
        what it changes.
        """
        return self._say("Rule", command_id, {"who": who, "reason": reason, **fields})

    def roll(self, notation: str, purpose: str = "roll", *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Roll dice that the rules do not ask for: `1d20+3`, for `perception`, say. It is the GM's roll, or `who`'s.

        With `secret`, only the GM sees it.
        """
        return self._say("Roll", command_id, {"notation": notation, "purpose": purpose, **fields})

    def note(self, text: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Add a note at any moment, for everybody to read; with `secret`, for the GM only."""
        return self._say("Note", command_id, {"text": text, **fields})

    def hurt(
        self,
        who: str | Sequence[str],
        amount: int,
        type: str | None = None,
        *,
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Deal damage as the GM, by the rules: resistances, concentration, falling and dying count.

        `rule` sets a value instead. `dice` are for the rolls that follow, such as a save.
        """
        return self._say("Hurt", command_id, {"who": who, "amount": amount, "type": type, **fields})

    def heal(
        self,
        who: str | Sequence[str],
        amount: int,
        pool: str | None = None,
        *,
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Heal as the GM, by the rules: up to the maximum, and a fallen combatant wakes up.

        `pool` is what is healed, if there are several: `vit` in action_points, `temp_hp` in dnd5e.
        """
        return self._say("Heal", command_id, {"who": who, "amount": amount, "pool": pool, **fields})

    def rest(self, kind: str, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Have combatants take a `short` or a `long` rest, in a fight that is over or has not started.

        Without names, every combatant of a player rests, except the dead. In a short rest of dnd5e, `hit_dice` are
        spent: a number for all, or numbers by name. `dice` are their faces.
        """
        return self._say("Rest", command_id, {"kind": kind, "who": who, **fields})

    def auto(
        self,
        sides: Collection[str] = (),
        *,
        turns: int | None = None,
        rounds: int | None = None,
        to_end: bool = False,
        command_id: UUID | None = None,
    ) -> Iterator[AutoPlayed]:
        """Let sides play themselves. Each step is carried out when you ask for it.

        Without a limit, all sides play one turn, and some sides play until another one has to act. If it is
        repeated with the same `command_id`, nothing is recorded, and the steps are those of the first time.
        """
        from combatlog.messages.requests import Auto
        from combatlog.rules.autoplay.player import PlayLimits

        said = Auto.model_construct(sides=tuple(sides), turns=turns, rounds=rounds)
        if turns is None and rounds is None and not to_end and not sides:
            turns = 1
        command = said.command(command_id) if command_id is not None else None
        yield from played(self, PlayLimits(turns, rounds, to_end), sides, command)

    # Correcting

    def plan(self, correction: Correction, *, command_id: UUID | None = None) -> Plan:
        """What a correction would do: `Undo`, `Redo`, `Amend` or `Insert`. Nothing is recorded.

        Later declarations are resolved again with the dice they had. Whatever else the corrected fight
        needs can be decided beforehand: `dice` for new rolls, `later_replies` to new windows, and with `impossible`
        what to do with declarations that are no longer legal (`drop`, `keep` as a ruling, or `stop`). With `stop`, a
        plan that has any is `undecided`: it shows them, and cannot be applied.

        If a plan needs committed dice that were never rolled, `needs` says so, and the plan shows what happens before
        them. `apply` rolls them; `plan.complete()` then shows the rest.
        """
        return self.send(correction, command_id=command_id, dry_run=True)

    def apply(self, plan: Plan) -> Outcome:
        """Carry out a correction exactly as it was planned, in one append.

        It is refused if something else was recorded since then: make the plan again. It is also refused if the plan is
        `undecided`, or if the table has to agree to it. A plan that was applied before does nothing.
        """
        from combatlog.rules.engine.corrections.consent import require_consent

        require_consent(plan)
        return self._told(self.backend.apply(plan))

    def propose(self, message: Correction | Command, *, command_id: UUID | None = None) -> Outcome:
        """Propose a correction or a command to the players whose combatants it affects, in a fight with
        `consent: table`.

        If it affects none of the players' combatants, it is carried out at once. `Consent` and `Overrule` are the
        answers.
        """
        return self.send(made("Propose", message=message, by=message.by), command_id=command_id)


def played(fight: Fight, limits: PlayLimits, sides: Collection[str], command: UUID | None) -> Iterator[AutoPlayed]:
    """Automatic play, step by step. If this command was carried out before, its recorded steps are given again."""
    from combatlog.rules.autoplay import player
    from combatlog.rules.engine.commands import require_new_key

    if command is not None and (done := player.RecordedSteps(fight.history(), command)).steps:
        yield from islice(player.play(done, limits, sides), len(done.steps))
        return
    engine = fight.backend.in_memory()
    if command is not None:
        require_new_key(engine.course, command)  # also if there is nothing to play
    player.check_needs_no_dice(engine, limits, sides, fight.history)
    with player.naming_the_roller():
        yield from player.play(fight if command is None else player.Numbered(fight, command), limits, sides)
