"""A fight in a ledger."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Self

from combatlog.fight import Fight

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
    from uuid import UUID

    from combatlog.chains import Keeper
    from combatlog.follow import Following
    from combatlog.ledger import Ledger
    from combatlog.watching import Watching
    from ledger.events import Data, Event, Face
    from ledger.seal import Seal
    from projections.battle import Battle
    from projections.views import Seat
    from rules.engine.commands import Declaration, Reply
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome
    from rules.engine.verify import Report


class RecordedFight(Fight):
    def __init__(self, ledger: Ledger, id: UUID, outcome: Outcome | None = None) -> None:
        self.ledger = ledger
        self.id = id
        self.outcome = outcome
        self.keeper: Keeper | None = None
        """Where chains of secrets for shared dice are kept: a link is revealed as soon as a roll waits for it."""

    def __repr__(self) -> str:
        return f"<fight {self.id}>"

    def fork(
        self, name: str, at: int | None = None, *, by: str = "gm", command_id: UUID | None = None
    ) -> RecordedFight:
        """A new fight that shares the past of this one up to the event `at`, and goes its own way from there."""
        from combatlog.messages.message import message
        from combatlog.messages.requests import Fork

        said = message(Fork, name=name, at=at, by=by)
        command = said.command(command_id) if command_id is not None else None
        outcome = self.ledger.referee.fork(str(self.id), at, name, by=by, command=command)
        return RecordedFight(self.ledger, outcome.state.id, outcome)

    def follow(self, after: int | None = None) -> Following:
        """The events after the event `after`, then every new one as it is recorded; by default only new ones."""
        from combatlog.follow import follow_fight

        return self.ledger.keep(follow_fight(self.ledger.store, self.id, after))

    async def stream(self, after: int | None = None) -> AsyncIterator[Event]:
        """Every event after the event `after`, from the first one on without it, for as long as somebody reads:
        `async for event in fight.stream()`."""
        from asyncio import to_thread

        with self.follow(after or 0) as following:
            while (event := await to_thread(next, following, None)) is not None:
                yield event

    def watch(self, seat: str | Seat = "gm") -> Watching:
        """Follow the fight from a seat, also across restarts of the database: what a second screen needs."""
        from combatlog.watching import Watching

        self.ledger.check_following()
        return Watching(self, self.seat(seat))

    def export_seen(self, seat: str | Seat) -> Iterator[str]:
        """What a seat saw, as lines of JSON to keep: what it is, and then each event with its proof.

        A proof tells nothing about what is not seen. `verify_shown` checks the lines against the whole log.
        """
        from projections.views.shown import shown_lines

        hashes = {row.seq: row.hash for _, row in self.ledger.store.history(self.id)}
        return shown_lines(self.seen_by(seat), hashes)

    def verify_shown(self, lines: Iterable[str], seat: str | Seat = "gm") -> Report:
        """Check the fight as `verify` does, and that it is what a seat was shown, by lines of `export_seen`.

        From a seat that does not see everything: only that it is what this seat was shown, by its own numbers.
        """
        from rules.engine.shown import Shown, check_own, check_shown

        shown, viewer = Shown.read(lines), self.seat(seat) if isinstance(seat, str) else seat
        if not viewer.sees_all:
            return check_own(self.ledger.store, self.id, shown, viewer)
        report = self.verify()
        found = check_shown(self.ledger.store, self.id, shown) if report.stands else []
        return report.model_copy(update={"shown": len(shown.events), "findings": [*report.findings, *found]})

    def verify(self, seals: Sequence[Seal] = ()) -> Report:
        """Check that the fight is as it was recorded: numbers, hashes, seals, and every declaration resolved again."""
        from rules.engine.verify import verify

        return verify(self.ledger.store, str(self.id), seals)

    def _checked(self, seat: Seat) -> Data | None:
        from datetime import UTC, datetime

        from combatlog.web.document.checked import checked

        return checked(self.verify(), seat, datetime.now(UTC))

    def seal(self) -> Seal:
        """Sign what the fight is now. A rewritten history cannot agree with a seal that is kept elsewhere."""
        from rules.engine.sealing import seal_encounter

        return seal_encounter(self.ledger.store, str(self.id))

    # Where it is kept

    @property
    def battle(self) -> Battle:
        return self.ledger.referee.fight(str(self.id)).battle

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        referee = self.ledger.referee
        return self._with_links(
            referee.declare(str(self.id), declaration, dice=dice, replies=replies, command=command_id)
        )

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None) -> Outcome:
        return self._with_links(self.ledger.referee.answer(str(self.id), reply, dice=dice, command=command_id))

    def _with_links(self, outcome: Outcome) -> Outcome:
        """Go on for as long as rolls wait for links that are kept here."""
        if self.keeper is not None and outcome.waits_for_link and (later := self.keeper.answer(self._without_keeper())):
            from rules.engine.outcome import joined

            outcome = joined([outcome, *later])
        self.outcome = outcome
        return outcome

    def _without_keeper(self) -> Self:
        """The same fight for the keeper's own answers, which would otherwise ask the keeper again."""
        fight = copy(self)
        fight.keeper = None
        return fight

    def time_up(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        self.outcome = self.ledger.referee.time_up(str(self.id), dice=dice, by=by, command=command_id)
        return self.outcome

    def _apply(self, plan: Plan) -> Outcome:
        self.outcome = self.ledger.referee.apply(plan)
        return self.outcome

    def state(self, at: int | None = None) -> Battle:
        from projections.reading import read_battle

        return read_battle(self.ledger.store, str(self.id), at=at)

    def latest(self, count: int) -> list[Event]:
        return self.ledger.store.read_last(self.id, count)

    def introductions(self) -> list[Event]:
        from ledger.registry import stored_names
        from projections.cast import INTRODUCTIONS

        return self.ledger.store.read_kinds(self.id, stored_names(INTRODUCTIONS))

    def history(self, upto: int | None = None) -> list[Event]:
        return self.ledger.store.find(str(self.id), upto=upto).events

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        return self.ledger.referee.plan(str(self.id), make, command=command)

    def _in_memory(self) -> FightInMemory:
        return self.ledger.referee.fight(str(self.id))
