"""Dates that everything can express: PostgreSQL, Parquet, plots and their time zones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2200, 1, 1, tzinfo=UTC) - timedelta(microseconds=1)


def is_expressible(when: datetime) -> bool:
    """Whether it is a moment, which takes an offset from UTC, at which somebody can have recorded something."""
    if when.tzinfo is None:
        return False
    return EARLIEST.year < when.year < LATEST.year or EARLIEST <= when <= LATEST  # years suffice for almost all


def nearest_expressible(when: datetime) -> datetime:
    """For what a ledger has already. A date without an offset is taken for one in UTC, as all of ours are."""
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return min(max(moment, EARLIEST), LATEST)
