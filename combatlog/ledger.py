"""A ledger: the fights in it, and questions across all of them."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from threading import local
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack
from uuid import UUID
from weakref import WeakSet

from combatlog.argument_checks import ChecksArguments
from combatlog.messages import made
from combatlog.recorded import LedgerBackend, RecordedFight
from ledger.errors import Problem
from ledger.store import encounters
from ledger.store.encounters import Page, joined_pages
from ledger.store.replica import ReplicaLag, lag_of_replica

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from typing import IO

    from combatlog.backend import RecordBackend
    from combatlog.fight_setup import Map
    from combatlog.follow import Broadcast, Following
    from combatlog.importers.logs.import_logs import ImportedLog
    from combatlog.messages.message import Count, Message, Seconds
    from combatlog.messages.questions import FightFilter, LedgerMessage
    from combatlog.rules.autoplay.simulate import Record
    from combatlog.rules.engine.commands import Opening
    from combatlog.rules.engine.resolution.referee import Referee
    from combatlog.rules.engine.status import Member
    from combatlog.rules.exchange.importing import ImportedEvents
    from combatlog.rules.verification.verify import VerificationReport as Verification
    from combatlog.seats import HeldSeat, Seats
    from combatlog.webhooks import Webhooks
    from ledger.events import Data
    from ledger.exchange.seal import Seal
    from ledger.store.integrity_checks import GuardFinding
    from ledger.store.ledger import LedgerStore as Store
    from ledger.store.positions import LogPosition
    from projections.battle.encounter_list import EncounterProgress
    from projections.lake.reading import LakeReader
    from projections.lake.writing import LakeWriteResult
    from projections.readmodels.reading import DescribedTable, QueryAnswer
    from projections.readmodels.session import ReadModelLag
    from projections.report.models import CampaignReport
    from projections.statistics.question import Report
    from projections.statistics.scope import StatisticScope
    from projections.views import Seat

    Reference = str | UUID | RecordedFight


class FightSelection(TypedDict, total=False):
    """Which fights a statistic is about; by default all but forks, practice and archived ones."""

    fights: Sequence[Reference]
    campaign: str | None
    since: date | None
    """The first day on which they may have begun, in UTC."""
    until: date | None
    """The last day."""
    with_undone: bool
    """Also count what was taken back."""
    forks: bool
    """Also count forks. Fights that are named always count."""
    practice: bool
    """Also count practice fights."""
    archived: bool
    """Also count archived fights."""


class Ledger(ChecksArguments):
    """Use it in a `with` block, or close it. Any number of threads may use it at once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._followings: WeakSet[Following] = WeakSet()
        self._memory: local | SimpleNamespace = local()

    @property
    def referee(self) -> Referee:
        """Each thread has its own, so threads share no fight in memory, like processes."""
        known: Referee | None = getattr(self._memory, "referee", None)
        if known is None:
            from combatlog.rules.engine.resolution.referee import Referee

            known = self._memory.referee = Referee(self.store)
        return known

    def share_memory(self) -> Self:
        """Keep the fights in memory for all threads, so that a new thread need not read them again.

        The caller has to make sure that only one thread at a time uses the ledger.
        """
        self._memory = SimpleNamespace()
        return self

    @cached_property
    def webhooks(self) -> Webhooks:
        """URLs to which a service delivers the events of a fight."""
        from combatlog.webhooks import Webhooks

        return Webhooks(self)

    @cached_property
    def seats(self) -> Seats:
        """Who may take part over a network, and as what."""
        from combatlog.seats import Seats

        return Seats(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stop_following()
        self.store.close()

    def _stop_following(self) -> None:
        for following in list(self._followings):
            following.stop()

    def replica_lag(self) -> ReplicaLag | None:
        """How far the replica lags behind its primary; None if this ledger is not read from a replica."""
        return lag_of_replica(self.store)

    def send(
        self,
        message: Message,
        *,
        fight: Reference | None = None,
        seat: HeldSeat | Seat | str | None = None,
        command_id: UUID | None = None,
        dry_run: bool = False,
    ) -> Any:
        """The answer to a message, of the type `message.answer`; with a seat, as much as that seat may see.

        A message to a fight is sent with the `fight` that it is for, and a seat in it; see `Fight.send`.
        """
        from combatlog.handlers.ledger_answers import of_ledger
        from combatlog.seats import HeldSeat

        if fight is None:
            return self._answer(of_ledger(message), seat if isinstance(seat, HeldSeat) else None, command_id)
        sits = seat.seat if isinstance(seat, HeldSeat) else seat
        return self.fight(fight).send(message, seat=sits, command_id=command_id, dry_run=dry_run)

    def _answer(self, message: LedgerMessage, seat: HeldSeat | None, command_id: UUID | None) -> Any:
        from combatlog.handlers.ledger_answers import answer

        return answer(self, message, seat, command_id)

    # Fights

    def new(
        self,
        name: str,
        ruleset: str = "dnd5e",
        *,
        dice: str = "random",
        map: Map | None = None,
        options: Data | None = None,
        packs: Sequence[str | Path] = (),
        labels: Sequence[str] = (),
        by: str = "gm",
        command_id: UUID | None = None,
    ) -> RecordedFight:
        """Open a fight under a name that is not taken.

        `dice` says where faces come from: `random`, `committed`, `seed:N`, or `table` (given with each command).
        `labels` are its first labels, such as `practice`.
        """
        from combatlog.fight_setup import opening

        return self.begin(opening(name, ruleset, dice, map, options, packs, by, labels), command_id=command_id)

    def begin(self, opening: Opening, *, command_id: UUID | None = None) -> RecordedFight:
        """Open a fight, given as a value; `new` takes names instead."""
        from combatlog.messages.ledger_commands import Open

        return self.send(Open.model_construct(**opening.model_dump()), command_id=command_id)

    @property
    def address(self) -> str:
        """Where it is: two that are opened at the same address hold the same fights."""
        return self.store.url

    def backend(self, id: UUID) -> RecordBackend:
        """Where a fight of this ledger is kept."""
        return LedgerBackend(self, id)

    def fight(self, reference: Reference) -> RecordedFight:
        """The fight with this name or id; refused if there is none."""
        return RecordedFight(self, self.store.require(reference_of(reference)))

    def has(self, reference: Reference) -> bool:
        """Whether there is a fight with this name or id."""
        try:
            return bool(self.fight(reference).id)
        except Problem as problem:
            if problem.code not in ("ledger/unknown-encounter", "seat/not-here"):
                raise
            return False

    def list(self, limit: int | None = None, after: Reference | None = None, *, archived: bool = False) -> Page:
        """The newest fights first: all of them, or a page of as many as the limit says; archived ones if asked for.

        The page says how many fights there are, and `next`: give it as `after` to get the page that follows.
        """
        from combatlog.messages.questions import PAGE

        pages: list[Page] = []
        following, missing = reference_of(after) if after is not None else None, limit
        while True:
            size = PAGE if missing is None else min(missing, PAGE)
            pages.append(self.send(made("ListFights", limit=size, after=following, archived=archived)))
            following = str(pages[-1].next)
            missing = missing - len(pages[-1]) if missing is not None else None
            if pages[-1].next is None or missing == 0:
                return joined_pages(pages)

    def progress(self, page: Page) -> Mapping[UUID, EncounterProgress]:
        """How far the fights of a page have got, by id: not started, in a round, or over."""
        from projections.battle.encounter_list import progress_on

        return progress_on(page)

    def names(self, begin: str = "", limit: Count = 500) -> Sequence[str]:
        """Names that begin like this, in any case; without a beginning, those of the newest fights."""
        return self.store.names(begin, limit)

    def follow(self, after: int | LogPosition | None = None) -> Following:
        """Every event of every fight as it is recorded: after a position that a `Following` had, or from now on."""
        from combatlog.follow import follow_ledger

        return self.keep(follow_ledger(self.store, after))

    @cached_property
    def broadcast(self) -> Broadcast:
        """What streams of this ledger's fights share."""
        from combatlog.follow import Broadcast

        return Broadcast(self.store, self.keep)

    def check_following(self) -> None:
        """Refuse if new events can never be followed here."""
        self.store.check_following()

    def keep(self, following: Following) -> Following:
        """Stop it when the ledger is closed."""
        self._followings.add(following)
        return following

    # Questions across fights

    def statistics(self, statistic: str, by: str = "actor", **where: Unpack[FightSelection]) -> Sequence[Report]:
        """A statistic such as `hits`, `damage` or `luck`, broken down by `actor`, `weapon`, `round` ..."""
        from projections.statistics.statistic_names import By, Statistic, named

        said = made("Statistics", statistic=named(Statistic, statistic), by=named(By, by), **_filter(where))
        return self.send(said)

    def plot(
        self, path: str | Path, statistic: str, figure: str | None = None, **where: Unpack[FightSelection]
    ) -> None:
        """Draw a figure into a file, .svg or .png; by default that of the statistic, if it has one."""
        from projections.plots.figure_basics import check_file
        from projections.plots.figures import figure_of
        from projections.statistics.statistic_names import Figure, Statistic, named

        chosen = named(Figure, figure) if figure is not None else figure_of(named(Statistic, statistic))
        path = Path(path)
        check_file(path)
        path.write_bytes(self.figure(chosen, path.suffix[1:].lower(), **where))

    def figure(self, figure: str, form: str = "svg", **where: Unpack[FightSelection]) -> bytes:
        """A figure as an SVG or PNG file has it."""
        from projections.statistics.statistic_names import Figure, named

        return self.send(made("DrawFigure", figure=named(Figure, figure), format=form, **_filter(where)))

    def report(self, campaign: str) -> CampaignReport:
        """The fights of a campaign in numbers, without what-ifs; `RecordedFight.report` has those of one fight."""

        return self.send(made("ReportCampaign", campaign=campaign))

    def roster(self, campaign: str) -> Sequence[Member]:
        """The characters of a campaign, each as it stands in the newest of its fights; no forks, no practice."""

        return self.send(made("ListCharacters", campaign=campaign))

    def sql(self, query: str, *, seconds: Seconds = 10.0) -> QueryAnswer:
        """The answer to one SELECT over the read models, as a database user who can do nothing else."""
        from projections.readmodels.reading import ask
        from projections.readmodels.session import current_session

        with current_session(self.store) as session:
            return ask(session.conn, query, seconds=seconds)

    def lag(self) -> ReadModelLag:
        """How many recorded events are not in the read models yet, and so in no statistic; and why.

        Usually none, because every statistic first updates the read models. During a long import, events wait.
        """
        from projections.readmodels.session import lag_of

        return lag_of(self.store)

    def tables(self) -> Sequence[DescribedTable]:
        """The tables of the read models with what they mean."""
        from projections.readmodels.reading import describe
        from projections.readmodels.session import session

        with session(self.store) as opened:
            return describe(opened.conn)

    # Keeping and moving records

    def verify(
        self, fights: Iterable[Reference] | None = None, seals: Sequence[Seal] = (), *, jobs: int = 1
    ) -> Iterator[Verification]:
        """Verify fights one by one, by default all recorded and all sealed ones, in `jobs` processes."""
        from combatlog.rules.verification.verify import verify_encounters

        chosen = self.ids(seals) if fights is None else fights
        return verify_encounters(self.store, map(reference_of, chosen), seals, jobs)

    def check_guards(self) -> Sequence[GuardFinding]:
        """Check the ledger as a whole: its tables, functions, names, seeds and read models."""

        return self.send(made("VerifyLedger")).findings

    def ids(self, seals: Sequence[Seal] = ()) -> Sequence[UUID]:
        """Every fight that has an event, and every sealed one, even if its events are gone."""
        return tuple(dict.fromkeys([*self._recorded(), *(seal.encounter for seal in seals)]))

    def _recorded(self) -> Sequence[UUID]:
        return self.store.recorder.select_encounters()

    def sealed(self, seals: Sequence[Seal]) -> Sequence[UUID]:
        """The fight of each seal, which may have been imported under another name since."""
        from combatlog.rules.exchange.import_renaming import sealed_here

        return tuple(sealed_here(self.store, seal) for seal in seals)

    def begun(self) -> Sequence[UUID]:
        """Every fight, in the order they began."""
        return encounters.encounter_ids(self.store.recorder)

    def export(self, fights: Iterable[Reference] | None = None) -> Iterator[str]:
        """Fights as lines of JSON that another ledger can import, by default all of them."""
        from ledger.exchange.export import export_lines

        chosen = self.begun() if fights is None else fights
        return export_lines(self.store, map(reference_of, chosen))

    def export_tables(self, folder: str | Path, format: str = "csv", fight: Reference | None = None) -> dict[str, Path]:
        """Write the read models into a folder as `csv` or `parquet`, of one fight or of all; the files by table."""
        from projections.readmodels.table_files import export_tables

        chosen = self.store.require(reference_of(fight)) if fight is not None else None
        return export_tables(self.store, Path(folder), format, chosen)

    def write_lake(
        self, where: str | Path, progress: Callable[[int, int], None] = lambda done, total: None, *, jobs: int = 1
    ) -> LakeWriteResult:
        """Write what was recorded since the last time into a lake of Parquet files; `combatlog.open_lake` reads it.

        It is in a folder, or at a URL such as s3://bucket/folder. Many fights are folded in `jobs` processes.

        If it is interrupted, the next call continues. `progress` is called with the work done and the total.
        """
        from projections.lake.writing import write_lake

        return write_lake(self.store, where, progress, jobs=jobs)

    def import_events(
        self,
        file: IO[bytes],
        *,
        rename: Mapping[str, str | None] | None = None,
        rename_taken: bool = False,
        skip_existing: bool = False,
    ) -> ImportedEvents:
        """Import what another ledger exported: hashes are checked, ids stay, and all of it is imported or nothing.

        `rename` gives fights another name if theirs is taken here, by the name in the file; None means any free name.
        With `rename_taken`, all such fights get one. An id follows from a name, so they are copied: the copy says where
        it comes from, and verifying it checks that nothing else changed. With `skip_existing`, fights that still
        conflict with those here are left out with their forks, and listed.
        """

        said = made("ImportFights", rename=rename, rename_taken=rename_taken, skip_existing=skip_existing, file=file)
        return self.send(said)

    def whole_fights(self) -> Record:
        """A function that records fights which were played elsewhere, such as in a simulation, in any process."""
        from combatlog.rules.autoplay.simulate import record_in

        return partial(record_in, self.store.url)

    def import_log(
        self,
        format: str,
        files: Sequence[str | Path],
        *,
        campaign: str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> ImportedLog:
        """Record fights from the logs of another tool. Events that were imported before are skipped.

        `format` names the tool, such as `fireball`; with `dry_run`, nothing is recorded. `progress` is called with
        the bytes that were read and the total.
        """

        how = {"campaign": campaign, "dry_run": dry_run, "packed": True, "progress": progress}
        return self.send(made("ImportLogs", format=format, files=list(files), **how))


def reference_of(fight: Reference) -> str:
    return str(fight.id if isinstance(fight, RecordedFight) else fight)


def _filter(where: FightSelection) -> dict[str, Any]:
    """The fights of a statistic, as a message has them."""
    said: dict[str, Any] = {**where}
    said["fight"] = tuple(map(reference_of, said.pop("fights", ())))
    said["undone"] = said.pop("with_undone", None)
    return said


def scope_in(source: Store | LakeReader, **where: Unpack[FightSelection]) -> StatisticScope:
    """The fights that a statistic is about, in a ledger or a lake."""
    from combatlog.messages.questions import FightFilter

    return scope_of(source, FightFilter.of(**_filter(where)))


def scope_of(source: Store | LakeReader, chosen: FightFilter) -> StatisticScope:
    from projections.statistics import answers

    return answers.scope_of(
        source,
        chosen.fight,
        chosen.campaign,
        chosen.since,
        chosen.until,
        with_undone=chosen.undone,
        with_forks=chosen.forks,
        with_practice=chosen.practice,
        with_archived=chosen.archived,
    )
