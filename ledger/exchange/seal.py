"""Seals: signed statements about the last event of an encounter, kept outside the database.

The owner of the database can rewrite a whole hash chain or replace it with an old backup, but cannot make it match a
seal that was given away before.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.errors import Problem
from ledger.json_shapes import Documented

MAX_SEAL = 10_000
"""The most bytes that are read of a seal's file; a real seal has about 500."""


Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Seal(Documented, BaseModel):
    """A signed statement: the encounter had this many events, and the last one had this hash."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encounter: UUID
    name: str = Field(max_length=100)
    seq: int = Field(ge=1)
    head: Hash
    sealed_at: datetime
    public_key: Hash
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]

    def statement(self) -> bytes:
        """The signed bytes: everything but the signature, in a canonical form."""
        return _statement(self.model_dump(mode="json", exclude={"signature"}))


def _statement(fields: dict[str, object]) -> bytes:
    return json.dumps({"combatlog": "seal 1", **fields}, sort_keys=True, separators=(",", ":")).encode()


def make_seal(key: Ed25519PrivateKey, encounter: UUID, name: str, seq: int, head: bytes, now: datetime) -> Seal:
    unsigned = Seal(
        encounter=encounter,
        name=name,
        seq=seq,
        head=head.hex(),
        sealed_at=now,
        public_key=public_hex(key),
        signature="0" * 128,
    )
    return unsigned.model_copy(update={"signature": key.sign(unsigned.statement()).hex()})


def public_hex(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def read_seal(path: Path) -> Seal:
    """Read a seal from a file; the problem says what is wrong with the file."""
    try:
        with path.open("rb") as file:
            seal = Seal.model_validate_json(file.read(MAX_SEAL))
    except OSError as error:
        raise Problem(
            "seal/unreadable", f"The seal {path} cannot be read: {error.strerror}.", file=str(path)
        ) from error
    except ValidationError as error:
        raise Problem("seal/malformed", f"{path} is not a complete seal.", file=str(path)) from error
    return seal


def check_signature(seal: Seal) -> None:
    """Refuse a seal that was altered after it was signed, whoever signed it."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(seal.public_key))
    try:
        key.verify(bytes.fromhex(seal.signature), seal.statement())
    except InvalidSignature as error:
        raise Problem(
            "seal/altered", f"The seal of {seal.name!r} was altered after it was signed.", encounter=seal.name
        ) from error


def check_seal(seal: Seal, trusted: set[str]) -> None:
    """Refuse a seal that was altered, or signed with a key that is not trusted: anyone could have made it."""
    check_signature(seal)
    if seal.public_key not in trusted:
        raise Problem(
            "seal/unknown-key",
            f"The seal of {seal.name!r} is signed with the key {seal.public_key}, which is not trusted here.",
            encounter=seal.name,
            public_key=seal.public_key,
        )


def own_key(folder: Path) -> Ed25519PrivateKey:
    """This user's key, created on first use. Only the user can read it."""
    path = folder / "seal.key"
    try:
        if not path.exists():
            _write_key(path)
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii").strip()))
    except (OSError, ValueError) as error:
        raise Problem(
            "seal/no-key", f"The key for seals in {path} cannot be used ({error}).", file=str(path)
        ) from error


def _write_key(path: Path) -> None:
    """Write a new key, first under another name, so that no one ever reads half a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(Ed25519PrivateKey.generate().private_bytes_raw().hex())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another command was faster, and its key counts
    finally:
        draft.unlink()
