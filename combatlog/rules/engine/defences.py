"""What protects somebody from a type of damage, or exposes them to it."""

from __future__ import annotations

from enum import StrEnum


class Defence(StrEnum):
    RESISTANCE = "resistance"
    VULNERABILITY = "vulnerability"
    IMMUNITY = "immunity"
