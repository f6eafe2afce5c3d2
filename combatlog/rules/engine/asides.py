"""What belongs to no combatant's action: a roll that somebody asks for, and a note. Both can be for the GM alone."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared, NoteAbout, Noted
from projections.views.secrets import NOTE
from projections.views.secrets import ROLL_ASIDE as ROLL

FOR_THE_GM = "whether it is for the GM alone"


class AsideRoll(Options):
    dice: str = Field(min_length=1, max_length=60, description="what is rolled, such as 1d20+3")
    purpose: str = Field(default="roll", min_length=1, max_length=60, description="what it is for")
    secret: bool = Field(default=False, description=FOR_THE_GM)


class Note(Options):
    text: str = Field(min_length=1, max_length=2000, description="what is noted")
    secret: bool = Field(default=False, description=FOR_THE_GM)


def roll_aside(table: Table, rules: Ruleset, declared: Declared) -> None:
    said = AsideRoll.read(declared.options)
    roller = table.combatant(declared.targets[0]).id if declared.targets else GM
    table.roll(said.purpose, roller, said.dice)


def note(table: Table, rules: Ruleset, declared: Declared) -> None:
    about = table.combatant(declared.targets[0]).id if declared.targets else None
    table.record(Noted, about=NoteAbout.SAID, text=Note.read(declared.options).text, who=about, by=declared.by)


__all__ = ["NOTE", "ROLL", "AsideRoll", "Note", "note", "roll_aside"]
