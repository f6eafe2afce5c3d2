"""A player's hash chain of secrets for shared dice, and the folder in which a player keeps one for each fight."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from combatlog.messages.commands import GiveLink, Sit
from combatlog.messages.message import message
from ledger.errors import Problem
from ledger.store.database import home_folder

if TYPE_CHECKING:
    from combatlog.fight import Fight
    from combatlog.rules.engine.resolution.referee import Outcome

LENGTH = 4096
"""The number of rolls that a chain lasts for. After that, the player needs a new one."""
FOLDER_VARIABLE = "COMBATLOG_CHAINS"
_LONGEST = 2**20
_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Chain(BaseModel):
    """A secret, hashed again and again: the last hash is the anchor, and links are revealed from there backwards."""

    model_config = ConfigDict(extra="forbid")

    secret: _Hex
    length: int = Field(default=LENGTH, ge=1, le=_LONGEST)
    revealed: int = Field(default=0, ge=0)
    """How many links were revealed, as far as this file knows."""
    asked: _Hex | None = None
    """The roll that the last of them was revealed for, by the hash of the host's link."""

    @classmethod
    def new(cls, length: int = LENGTH) -> Chain:
        return cls(secret=secrets.token_bytes(32).hex(), length=length)

    @property
    def anchor(self) -> str:
        return self.link(0)

    def link(self, number: int) -> str:
        """The link that is revealed as this one, from 1; 0 is the anchor."""
        link = bytes.fromhex(self.secret)
        for _ in range(self.length - number):
            link = sha256(link).digest()
        return link.hex()

    def links(self) -> Iterator[str]:
        """Every link, the secret itself first and the anchor last."""
        link = bytes.fromhex(self.secret)
        for _ in range(self.length):
            yield link.hex()
            link = sha256(link).digest()
        yield link.hex()

    def for_roll(self, binding: str, last: str | None = None) -> Chain:
        """The chain after a link was revealed for a roll: for the same roll the same link, for another one the next.

        A link is never revealed for a second roll, even if the first one was never made: the host knows it by now.
        `last` is the last recorded link.
        """
        spent = self._number(last) if last is not None else 0
        if binding == self.asked and self.revealed > spent:
            return self
        number = max(self.revealed, spent) + 1
        if number > self.length:
            raise Problem(
                "chain/used-up", "Every link of this chain was revealed; sit down with a new one.", found=self.length
            )
        return self.model_copy(update={"revealed": number, "asked": binding})

    def _number(self, link: str) -> int:
        for before, known in enumerate(self.links()):
            if known == link:
                return self.length - before
        raise Problem(
            "chain/not-yours",
            "The recorded links do not belong to this chain; it was replaced by another one.",
        )


class ChainFile:
    """A chain in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, chain: Chain) -> None:
        """Keep a new chain; refused if there is one already."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(chain.model_dump_json())
        except FileExistsError as error:
            raise Problem(
                "file/exists", f"{self.path} exists already; it may be the only copy of a chain.", path=str(self.path)
            ) from error
        except OSError as error:
            raise self._unwritable(error) from error

    def read(self) -> Chain:
        try:
            return Chain.model_validate_json(self.path.read_bytes()[:10_000])
        except OSError as error:
            raise Problem(
                "chain/unreadable", f"The chain {self.path} cannot be read: {error.strerror}.", path=str(self.path)
            ) from error
        except ValidationError as error:
            raise Problem("chain/malformed", f"{self.path} is not a chain of secrets.", path=str(self.path)) from error

    def reveal(self, binding: str, last: str | None = None) -> str:
        """The link for a roll. The file notes that it was revealed before the link is given out."""
        if not re.fullmatch(r"[0-9a-f]{64}", binding):
            raise Problem("chain/binding", "A roll is known by 64 hexadecimal digits.", found=binding)
        with self._alone():
            chain = self.read().for_roll(binding, last)
            self._write(chain)
        return chain.link(chain.revealed)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two processes must not reveal the same link for two rolls."""
        import fcntl

        try:
            lock = os.open(self.path.with_suffix(".lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _write(self, chain: Chain) -> None:
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(chain.model_dump_json())
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> Problem:
        sentence = f"{self.path} cannot be written: {error.strerror}."
        return Problem("file/unwritable", sentence, path=str(self.path))


class Keeper:
    """The chains that are kept on this machine, one for each player at each fight."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(os.environ.get(FOLDER_VARIABLE) or home_folder() / "chains")

    def file(self, fight: Fight, party: str) -> ChainFile | None:
        """The chain with which a player sits at a fight, if it is kept here."""
        dice = fight.seen_by().shared_dice()
        seated = dice["parties"].get(party)
        file = self._file(dice["encounter"], seated["anchor"]) if seated is not None else None
        return file if file is not None and file.path.exists() else None

    def sit(self, fight: Fight, *combatants: str, by: str | None = None, length: int = LENGTH) -> Outcome:
        """Make a chain for the player of these combatants, and register it in the fight."""
        chain = Chain.new(length)
        self._file(fight.seen_by().shared_dice()["encounter"], chain.anchor).keep(chain)
        return fight.send(message(Sit, combatants=combatants, anchor=chain.anchor, by=by))

    def answer(self, fight: Fight, *, by: str | None = None) -> list[Outcome]:
        """Reveal links for as long as the fight waits for one that is kept here."""
        outcomes: list[Outcome] = []
        while (outcome := self._answer(fight, by)) is not None:
            outcomes.append(outcome)
        return outcomes

    def _answer(self, fight: Fight, by: str | None) -> Outcome | None:
        dice = fight.seen_by().shared_dice()
        waiting = dice["waiting"]
        if waiting is None:
            return None
        seated = dice["parties"].get(waiting["party"])
        file = self._file(dice["encounter"], seated["anchor"]) if seated is not None else None
        if seated is None or file is None or not file.path.exists():
            return None
        link = file.reveal(waiting["binding"], seated["last"])
        return fight.send(message(GiveLink, who=waiting["party"], secret=link, by=by))

    def _file(self, encounter: str, anchor: str) -> ChainFile:
        return ChainFile(self.folder / encounter / f"{anchor[:32]}.json")
