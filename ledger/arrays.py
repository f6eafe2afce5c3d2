"""Arrays in PostgreSQL's binary format.

psycopg inspects every element of a list each time it sends one, to find out its type. The ledger knows the types of
what it appends, and appending is what it does most.
"""

from __future__ import annotations

from struct import Struct
from typing import ClassVar

import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

_HEADER = Struct(">iiIii")  # dimensions, has nulls, type of the elements, their count, index of the first
_LENGTH = Struct(">i")


class Blobs(list[bytes]):
    """What PostgreSQL calls bytea[]."""


class Texts(list[str]):
    """What PostgreSQL calls text[]."""


class _ArrayDumper(Dumper):
    format = Format.BINARY
    element: ClassVar[int]

    def packed(self, elements: list[bytes]) -> Buffer:
        parts = [_HEADER.pack(1, 0, self.element, len(elements), 1)]
        for element in elements:
            parts += (_LENGTH.pack(len(element)), element)
        return b"".join(parts)


class _BlobsDumper(_ArrayDumper):
    element = psycopg.adapters.types["bytea"].oid
    oid = psycopg.adapters.types["bytea"].array_oid

    def dump(self, obj: Blobs) -> Buffer:
        return self.packed(obj)


class _TextsDumper(_ArrayDumper):
    element = psycopg.adapters.types["text"].oid
    oid = psycopg.adapters.types["text"].array_oid

    def dump(self, obj: Texts) -> Buffer:
        return self.packed([text.encode() for text in obj])


psycopg.adapters.register_dumper(Blobs, _BlobsDumper)
psycopg.adapters.register_dumper(Texts, _TextsDumper)
