"""Combat Ledger from Python: record fights, correct them, and read what happened and why.

    import combatlog

    with combatlog.open() as ledger:
        fight = ledger.new("Bridge ambush", dice="seed:7")
        fight.join("fighter", "Rurik", at=(3, 2))
        fight.join("goblin", "Snig", at=(4, 2), side="foes")
        fight.start()
        for event in fight.events():
            print(combatlog.say(event))

docs/python.md is the guide. Names are imported when they are first used, so that a program which only reads never
loads the rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str

    from combatlog import events as events
    from combatlog import testing as testing
    from combatlog.aio import AsyncFight as AsyncFight
    from combatlog.aio import AsyncLedger as AsyncLedger
    from combatlog.aio import connect_async as connect_async
    from combatlog.aio import open_async as open_async
    from combatlog.fight import Fight as Fight
    from combatlog.fight_setup import PackImport as PackImport
    from combatlog.fight_setup import carry_over as carry_over
    from combatlog.fight_setup import creature as creature
    from combatlog.fight_setup import creatures as creatures
    from combatlog.fight_setup import import_pack as import_pack
    from combatlog.follow import Following as Following
    from combatlog.hash_chains import Chain as Chain
    from combatlog.hash_chains import ChainFile as ChainFile
    from combatlog.hash_chains import Keeper as Keeper
    from combatlog.importers.logs.import_logs import ImportedLog as ImportedLog
    from combatlog.lake import Lake as Lake
    from combatlog.lake import compact_lake as compact_lake
    from combatlog.lake import open_lake as open_lake
    from combatlog.ledger import Ledger as Ledger
    from combatlog.messages.corrections import Amend as Amend
    from combatlog.messages.corrections import Insert as Insert
    from combatlog.messages.corrections import Redo as Redo
    from combatlog.messages.corrections import Undo as Undo
    from combatlog.recorded import RecordedFight as RecordedFight
    from combatlog.remote.http_client import Patience as Patience
    from combatlog.remote.remote_ledger import RemoteLedger as RemoteLedger
    from combatlog.rules.engine.commands import Declaration as Declaration
    from combatlog.rules.engine.commands import Opening as Opening
    from combatlog.rules.engine.commands import Reply as Reply
    from combatlog.rules.engine.corrections.amend import Forgotten as Forgotten
    from combatlog.rules.engine.corrections.plan import Plan as Plan
    from combatlog.rules.engine.refusal import Refusal as Refusal
    from combatlog.rules.engine.resolution.referee import Outcome as Outcome
    from combatlog.rules.engine.status import Member as Member
    from combatlog.seats import HeldSeat as HeldSeat
    from combatlog.seats import Invitation as Invitation
    from combatlog.seats import Seats as Seats
    from combatlog.view import View as View
    from ledger.errors import Problem as Problem
    from ledger.events import Event
    from projections.battle.fold import Battle as Battle
    from projections.statistics.question import Report as Report

_NAMES = {
    "combatlog": ("__version__", "connect", "events", "open", "say", "testing"),
    "combatlog.aio": ("AsyncFight", "AsyncLedger", "connect_async", "open_async"),
    "combatlog.fight": ("Fight",),
    "combatlog.fight_setup": ("PackImport", "carry_over", "creature", "creatures", "import_pack"),
    "combatlog.follow": ("Following",),
    "combatlog.hash_chains": ("Chain", "ChainFile", "Keeper"),
    "combatlog.importers.logs.import_logs": ("ImportedLog",),
    "combatlog.lake": ("Lake", "compact_lake", "open_lake"),
    "combatlog.ledger": ("Ledger",),
    "combatlog.messages.corrections": ("Amend", "Insert", "Redo", "Undo"),
    "combatlog.recorded": ("RecordedFight",),
    "combatlog.remote.http_client": ("Patience",),
    "combatlog.remote.remote_ledger": ("RemoteLedger",),
    "combatlog.rules.engine.commands": ("Declaration", "Opening", "Reply"),
    "combatlog.rules.engine.corrections.amend": ("Forgotten",),
    "combatlog.rules.engine.corrections.plan": ("Plan",),
    "combatlog.rules.engine.refusal": ("Refusal",),
    "combatlog.rules.engine.resolution.referee": ("Outcome",),
    "combatlog.rules.engine.status": ("Member",),
    "combatlog.seats": ("HeldSeat", "Invitation", "Seats"),
    "combatlog.view": ("View",),
    "ledger.errors": ("Problem",),
    "projections.battle.fold": ("Battle",),
    "projections.statistics.question": ("Report",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}
"""The module that each public name comes from."""
__all__ = sorted(_MODULES)


def open(url: str | None = None, *, replica: str | None = None) -> Ledger:
    """Open a ledger: the one at this URL, the one in COMBATLOG_DATABASE_URL, or the embedded one.

    With the URL of a `replica`, it is read from there. Then the first URL is that of the primary server, which says how
    far the replica is; if it is not there, the replica is read as it is.
    """
    from combatlog.ledger import Ledger
    from ledger.store.database import locate
    from ledger.store.ledger import LedgerStore as Store
    from ledger.store.replica import open_replica

    if replica is not None:
        return Ledger(open_replica(replica, url))
    return Ledger(Store.open(locate(url)))


def connect(url: str, token: str | None = None, *, patience: Patience | None = None) -> RemoteLedger:
    """Open a ledger behind a service, from the seat of the token; an invitation link contains one.

    It has the interface of any other ledger. The service decides what is recorded, once, even if an answer is lost on
    the way; you read what the seat may see. docs/client.md is the guide.
    """
    from combatlog.remote.remote_ledger import connect

    return connect(url, token, patience=patience)


def say(event: Event) -> str:
    """What happened, in one sentence."""
    from projections.story.event_words import in_words

    return in_words(event)


def __dir__() -> list[str]:
    return [*__all__]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("combatlog")
    if name in ("events", "testing"):
        return import_module(f"combatlog.{name}")
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'combatlog' has no attribute {name!r}")
