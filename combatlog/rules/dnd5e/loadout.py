"""A combatant's loadout: the features, actions and spells of its sheet, each of them a piece.

A sheet names pieces of the ruleset or brings definitions of its own, which are made into pieces here. So a fight
needs nothing but its sheets, and two combatants can have different pieces of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from combatlog.rules.dnd5e.archetype_registry import ARCHETYPES
from combatlog.rules.dnd5e.economy import PASSING
from combatlog.rules.dnd5e.magic import Spell
from combatlog.rules.dnd5e.moves import Move
from combatlog.rules.dnd5e.pieces import (
    PIECES,
    Ability,
    Action,
    Activity,
    Condition,
    Contributor,
    Dnd5ePiece,
    Feature,
    Hook,
    Reaction,
    pieces_of,
    reactions_at,
)
from combatlog.rules.dnd5e.proficiency import untrained_armor
from combatlog.rules.dnd5e.sheet import Definition, Entry, LegendaryEntry, Sheet, name_of, sheet_of
from combatlog.rules.dnd5e.surroundings import Lamp
from combatlog.rules.engine.pieces import Piece
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from projections.combatant import Combatant

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
    legendary: tuple[Move, ...]
    lair: tuple[Move, ...]
    contributors: tuple[Contributor, ...]
    """The pieces that contribute to chains, in the order of the sheet."""
    by_ref: dict[str, Dnd5ePiece]
    activities: tuple[Activity, ...]
    """What can be declared because the sheet brings it."""
    declared: dict[str, str]
    """The refs of what can be declared, by name: what the ruleset has, and what the sheet brings."""
    those_with: FoundOnce[Hook, tuple[Contributor, ...]] = field(init=False, compare=False, repr=False)
    """The contributors that implement a method."""
    reactions_at: FoundOnce[str, tuple[Reaction[Any], ...]] = field(init=False, compare=False, repr=False)
    """The reactions at a moment that the sheet gives, and those that need no sheet."""
    unconditional_at: FoundOnce[str, tuple[Reaction[Any], ...]] = field(init=False, compare=False, repr=False)
    """The same without those that only a condition gives."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "those_with", FoundOnce(self._those_with))
        object.__setattr__(self, "reactions_at", FoundOnce(self._reactions_at))
        object.__setattr__(self, "unconditional_at", FoundOnce(self._unconditional_at))

    @property
    def lamps(self) -> list[Lamp]:
        """The light that it sheds by itself."""
        shed = [light for feature in self.features if (light := feature.sheds()) is not None]
        return [Lamp(at="0,0", bright=bright, dim=dim) for bright, dim in shed]

    def _those_with(self, hook: Hook) -> tuple[Contributor, ...]:
        return tuple(piece for piece in self.contributors if piece.implements(hook))

    def _reactions_at(self, moment: str) -> tuple[Reaction[Any], ...]:
        return tuple(own for own in reactions_at(moment) if not isinstance(own, Feature | Spell) or self.has(own))

    def _unconditional_at(self, moment: str) -> tuple[Reaction[Any], ...]:
        return tuple(own for own in self.reactions_at[moment] if not isinstance(own, Condition))

    def has(self, piece: Piece) -> bool:
        return self.by_ref.get(piece.ref) is piece


def loadout_of(sheet: Sheet) -> Loadout:
    """The pieces of a sheet, or a refusal that names the first one it cannot have."""
    features = (*_pieces("features", sheet.features, Feature), *_that_come_with(sheet))
    actions = tuple(_pieces("actions", sheet.actions, Feature))
    spells = tuple(_pieces("spells", (*sheet.spells, *(innate.spell for innate in sheet.innate)), Spell))
    for feature in (*features, *actions):
        feature.check_sheet(sheet)
    pieces: tuple[Dnd5ePiece, ...] = (*features, *actions, *spells)
    by_name = {piece.name: piece for piece in pieces if isinstance(piece, Activity)}
    by_ref = {piece.ref: piece for piece in pieces}
    return Loadout(
        features,
        actions,
        spells,
        legendary=tuple(_legend(sheet, by_name, entry) for entry in sheet.legendary),
        lair=tuple(
            _move(sheet, by_name, name_of(entry), None if isinstance(entry, str) else entry) for entry in sheet.lair
        ),
        contributors=(*features, *_implied(sheet, features), *actions),
        by_ref=by_ref,
        activities=tuple(piece for piece in by_ref.values() if isinstance(piece, Activity)),
        declared={
            **PIECES.refs(Activity),
            **{piece.name: piece.ref for piece in pieces if isinstance(piece, Activity)},
        },
    )


def _that_come_with(sheet: Sheet) -> Iterator[Feature]:
    """The features that fields of a sheet stand for."""
    known = pieces_of(Feature)
    for name, field_of_it in COMES_WITH.items():
        if getattr(sheet, field_of_it) and name not in map(name_of, sheet.features):
            yield known[name]


COMES_WITH = {
    "legendary_action": "legendary",
    "legendary_resistance": "legendary_resistances",
    "lair_action": "lair",
}


def _legend(sheet: Sheet, known: dict[str, Activity], entry: LegendaryEntry) -> Move:
    move = _move(sheet, known, entry.name, entry.definition, entry.cost)
    return replace(move, stride=entry.stride, once=entry.once)


def _move(sheet: Sheet, known: dict[str, Activity], name: str, definition: Definition | None, cost: int = 1) -> Move:
    """A weapon or an action that the sheet has, what everybody can do, or one of its own."""
    if definition is not None:
        made = _own("actions", definition)
        assert isinstance(made, Activity)
        return Move(name, made, cost)
    does = sheet.weapon(name) or known.get(name) or pieces_of(Ability).get(name)
    if does is None:
        available = [*(weapon.name for weapon in sheet.arms), *known]
        raise Refusal(
            "sheet/unknown-move",
            f"The sheet lists {name!r} among its legendary or lair actions, but has neither a weapon nor an action of "
            f"this name; it has {choices(available)}.",
            what=name,
            available=available,
            suggestions=suggest(name, available),
        )
    return Move(name, does, cost)


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
    for name in filter(None, (definition.name, definition.options.get("pool"))):
        check_name(name)
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
    return {*pieces_of(Ability), *pieces_of(Action), "opportunity_attack", *PASSING, "hp", "temp_hp"}


# In a fight


def piece_of(combatant: Combatant, ref: str) -> Piece | None:
    """The piece with this ref as this combatant has it: its own, or else the ruleset's."""
    return sheet_of(combatant).loadout.by_ref.get(ref) or PIECES.get(ref)


def activities_of(combatant: Combatant) -> Iterator[Activity]:
    """Everything that this combatant could declare: what everybody can, and what its sheet adds."""
    yield from _everybodys()
    yield from sheet_of(combatant).loadout.activities


@cache
def _everybodys() -> list[Activity]:
    """Call it only once all pieces are loaded."""
    return [known for known in pieces_of(Activity).values() if isinstance(known, Ability | Action)]
