"""A combatant's loadout: the features, actions and spells of its sheet, each of them a piece.

A sheet names pieces of the ruleset or brings definitions of its own, which are made into pieces here. So a fight
needs nothing but its sheets, and two combatants can have different pieces of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from projections.combatant import Combatant
from rules.dnd5e.archetype_registry import ARCHETYPES
from rules.dnd5e.economy import RENEWED
from rules.dnd5e.magic import Spell
from rules.dnd5e.pieces import (
    PIECES,
    Ability,
    Action,
    Activity,
    Contributor,
    Dnd5ePiece,
    Feature,
    Hook,
    Reaction,
    pieces_of,
    reactions_at,
)
from rules.dnd5e.proficiency import untrained_armor
from rules.dnd5e.sheet import Definition, Entry, Sheet, sheet_of
from rules.engine.pieces import Piece
from rules.engine.refusal import Refusal, choices, suggest

T = TypeVar("T", bound=Dnd5ePiece)
K = TypeVar("K")
V = TypeVar("V")


class FoundOnce(dict[K, V]):
    """Answers by question. Each is found out when it is first asked; nothing is asked more often in a fight."""

    def __init__(self, find: Callable[[K], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: K) -> V:
        found = self[key] = self._find(key)
        return found


@dataclass(frozen=True, slots=True)
class Loadout:
    features: tuple[Feature, ...]
    actions: tuple[Feature, ...]
    spells: tuple[Spell, ...]
    contributors: tuple[Contributor, ...]
    """The pieces that contribute to chains, in the order of the sheet."""
    by_ref: dict[str, Dnd5ePiece]
    declared: dict[str, str]
    """The refs of what can be declared, by name: what the ruleset has, and what the sheet brings."""
    those_with: FoundOnce[Hook, tuple[Contributor, ...]] = field(init=False, compare=False, repr=False)
    """The contributors that implement a method."""
    reactions_at: FoundOnce[str, tuple[Reaction[Any], ...]] = field(init=False, compare=False, repr=False)
    """The reactions at a moment that the sheet gives, and those that need no sheet."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "those_with", FoundOnce(self._those_with))
        object.__setattr__(self, "reactions_at", FoundOnce(self._reactions_at))

    def _those_with(self, hook: Hook) -> tuple[Contributor, ...]:
        return tuple(piece for piece in self.contributors if piece.implements(hook))

    def _reactions_at(self, moment: str) -> tuple[Reaction[Any], ...]:
        return tuple(own for own in reactions_at(moment) if not isinstance(own, Feature | Spell) or self.has(own))

    def has(self, piece: Piece) -> bool:
        return self.by_ref.get(piece.ref) is piece


def loadout_of(sheet: Sheet) -> Loadout:
    """The pieces of a sheet, or a refusal that names the first one it cannot have."""
    features = tuple(_pieces("features", sheet.features, Feature))
    actions = tuple(_pieces("actions", sheet.actions, Feature))
    spells = tuple(_pieces("spells", sheet.spells, Spell))
    for feature in (*features, *actions):
        feature.check_sheet(sheet)
    pieces: tuple[Dnd5ePiece, ...] = (*features, *actions, *spells)
    return Loadout(
        features,
        actions,
        spells,
        contributors=(*features, *_implied(sheet, features), *actions),
        by_ref={piece.ref: piece for piece in pieces},
        declared={
            **PIECES.refs(Activity),
            **{piece.name: piece.ref for piece in pieces if isinstance(piece, Activity)},
        },
    )


def _implied(sheet: Sheet, features: Iterable[Feature]) -> Iterator[Feature]:
    """What follows from its equipment: Dual Wielding with a weapon in the off hand, and what armour does to it."""
    known, listed = pieces_of(Feature), [feature.name for feature in features]
    if sheet.off_hand is not None and "dual_wielding" not in listed:
        yield known["dual_wielding"]
    if (sheet.suit is not None or untrained_armor(sheet) is not None) and "worn_armor" not in listed:
        yield known["worn_armor"]


def _pieces(section: str, entries: Iterable[Entry], kind: type[T]) -> Iterator[T]:
    for entry in entries:
        found = _shipped(section, entry) if isinstance(entry, str) else _own(section, entry)
        assert isinstance(found, kind)
        yield found


def _shipped(section: str, name: str) -> Piece:
    what = ARCHETYPES.types[section]
    found = PIECES.get(f"dnd5e:{what}:{name}")
    if not isinstance(found, Feature | Spell):  # no sheet lists what everybody can do
        known = sorted(piece.name for piece in (pieces_of(Feature) | pieces_of(Spell)).values() if piece.type == what)
        raise Refusal(
            f"sheet/unknown-{what}",
            f"The sheet has an unknown {what} {name!r}; it can have {choices(known)}.",
            what=name,
            available=known,
            suggestions=suggest(name, known),
        )
    return found


def _own(section: str, definition: Definition) -> Piece:
    check_name(definition.name)
    return ARCHETYPES.make(section, definition.archetype, name=definition.name, **definition.options)


def check_name(name: str) -> None:
    """Refuse the names of what everybody has: nobody could say which one was meant."""
    if name in _reserved_names() or name.startswith("slot_"):
        raise Refusal(
            "archetype/reserved-name",
            f"{name!r} is the name of something that everybody has; choose another name.",
            what=name,
        )


@cache
def _reserved_names() -> set[str]:
    """Call it only once all pieces are loaded."""
    return {*pieces_of(Ability), *pieces_of(Action), "opportunity_attack", *RENEWED, "hp", "temp_hp"}


# In a fight


def piece_of(combatant: Combatant, ref: str) -> Piece | None:
    """The piece with this ref as this combatant has it: its own, or else the ruleset's."""
    return sheet_of(combatant).loadout.by_ref.get(ref) or PIECES.get(ref)


def activities_of(combatant: Combatant) -> Iterator[Activity]:
    """Everything that this combatant could declare: what everybody can, and what its sheet adds."""
    for known in pieces_of(Activity).values():
        if isinstance(known, Ability | Action):
            yield known
    yield from (piece for piece in sheet_of(combatant).loadout.by_ref.values() if isinstance(piece, Activity))
