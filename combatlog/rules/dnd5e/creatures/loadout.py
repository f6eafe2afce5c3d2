"""The features, actions and spells of a sheet as pieces; area previews; why a feature did not apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from combatlog.rules.dnd5e.archetypes.areas_and_blasts import AreaPower
from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.dnd5e.attack.phases import DECLARED, make_attack
from combatlog.rules.dnd5e.attack.targeting import chosen_place, weapon_named
from combatlog.rules.dnd5e.attack.wielding import untrained_armor
from combatlog.rules.dnd5e.battlemap.areas import covered
from combatlog.rules.dnd5e.battlemap.space import nearest_square
from combatlog.rules.dnd5e.combatant_state import can_act
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import Entry, LegendaryEntry, PieceDefinition, Sheet, name_of, sheet_of
from combatlog.rules.dnd5e.economy import PASSING, in_words
from combatlog.rules.dnd5e.hazards_and_optional_rules import Lamp
from combatlog.rules.dnd5e.legendary_actions import OutOfTurnMove
from combatlog.rules.dnd5e.pieces import (
    PIECES,
    Ability,
    Action,
    Activity,
    Contributor,
    Dnd5eCondition,
    Dnd5ePiece,
    Feature,
    Hook,
    Reaction,
    pieces_of,
    reactions_at,
)
from combatlog.rules.dnd5e.spells.casting import Spell
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.menu import spent_at
from combatlog.rules.engine.pieces import Piece
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.ruleset_types import AreaPreview, preview_area
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

T = TypeVar("T", bound=Dnd5ePiece)
K = TypeVar("K")
V = TypeVar("V")


class FoundOnce(dict[K, V]):
    """A dict that computes and keeps each missing value, because fights look these up constantly."""

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
    legendary: tuple[OutOfTurnMove, ...]
    lair: tuple[OutOfTurnMove, ...]
    contributors: tuple[Contributor, ...]
    """The pieces that contribute to chains, in the order of the sheet."""
    by_ref: dict[str, Dnd5ePiece]
    activities: tuple[Activity, ...]
    """The activities that the sheet adds."""
    declared: dict[str, str]
    """The refs of everything that can be declared, by name: the ruleset's activities and the sheet's own."""
    those_with: FoundOnce[Hook, tuple[Contributor, ...]] = field(init=False, compare=False, repr=False)
    """The contributors that implement a method."""
    reactions_at: FoundOnce[str, tuple[Reaction[Any], ...]] = field(init=False, compare=False, repr=False)
    """The reactions at a moment: the sheet's, and those that any combatant has."""
    unconditional_at: FoundOnce[str, tuple[Reaction[Any], ...]] = field(init=False, compare=False, repr=False)
    """The same, without those that come with a condition."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "those_with", FoundOnce(self._those_with))
        object.__setattr__(self, "reactions_at", FoundOnce(self._reactions_at))
        object.__setattr__(self, "unconditional_at", FoundOnce(self._unconditional_at))

    @property
    def lamps(self) -> list[Lamp]:
        """The light that the creature itself sheds."""
        shed = [light for feature in self.features if (light := feature.sheds()) is not None]
        return [Lamp(at="0,0", bright=bright, dim=dim) for bright, dim in shed]

    def _those_with(self, hook: Hook) -> tuple[Contributor, ...]:
        return tuple(piece for piece in self.contributors if piece.implements(hook))

    def _reactions_at(self, moment: str) -> tuple[Reaction[Any], ...]:
        return tuple(own for own in reactions_at(moment) if not isinstance(own, Feature | Spell) or self.has(own))

    def _unconditional_at(self, moment: str) -> tuple[Reaction[Any], ...]:
        return tuple(own for own in self.reactions_at[moment] if not isinstance(own, Dnd5eCondition))

    def has(self, piece: Piece) -> bool:
        return self.by_ref.get(piece.ref) is piece


def loadout_of(sheet: Sheet) -> Loadout:
    """The pieces of a sheet. Refuses the first one that the sheet cannot have."""
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
    """The features that come with certain fields of a sheet."""
    known = pieces_of(Feature)
    for name, field_of_it in COMES_WITH.items():
        if getattr(sheet, field_of_it) and name not in map(name_of, sheet.features):
            yield known[name]


COMES_WITH = {
    "legendary_action": "legendary",
    "legendary_resistance": "legendary_resistances",
    "lair_action": "lair",
}


def _legend(sheet: Sheet, known: dict[str, Activity], entry: LegendaryEntry) -> OutOfTurnMove:
    move = _move(sheet, known, entry.name, entry.definition, entry.cost)
    return replace(move, stride=entry.stride, once=entry.once)


def _move(
    sheet: Sheet, known: dict[str, Activity], name: str, definition: PieceDefinition | None, cost: int = 1
) -> OutOfTurnMove:
    """A legendary or lair action: a weapon or action of the sheet, a common ability, or its own definition."""
    if definition is not None:
        made = _own("actions", definition)
        assert isinstance(made, Activity)
        return OutOfTurnMove(name, made, cost)
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
    return OutOfTurnMove(name, does, cost)


def _implied(sheet: Sheet, features: Iterable[Feature]) -> Iterator[Feature]:
    """Features implied by equipment: Dual Wielding with an off-hand weapon, and the drawbacks of worn armour."""
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
    if not isinstance(found, Feature | Spell):  # sheets do not list what every combatant can do
        known = sorted(piece.name for piece in (pieces_of(Feature) | pieces_of(Spell)).values() if piece.type == what)
        raise Refusal(
            f"sheet/unknown-{what}",
            f"The sheet has an unknown {what} {name!r}; it can have {choices(known)}.",
            what=name,
            available=known,
            suggestions=suggest(name, known),
        )
    return found


def _own(section: str, definition: PieceDefinition) -> Piece:
    for name in filter(None, (definition.name, definition.options.get("pool"))):
        check_name(name)
    return ARCHETYPES.make(section, definition.archetype, name=definition.name, **definition.options)


def check_name(name: str) -> None:
    """Refuse names that every combatant already uses for something, because they would be ambiguous."""
    if name in _reserved_names() or name.startswith("slot_"):
        raise Refusal(
            "archetype/reserved-name",
            f"{name!r} is the name of something that every combatant has; choose another name.",
            what=name,
        )


@cache
def _reserved_names() -> set[str]:
    """Call it only once all pieces are loaded."""
    return {*pieces_of(Ability), *pieces_of(Action), "opportunity_attack", *PASSING, "hp", "temp_hp"}


# In a fight


def piece_of(combatant: Combatant, ref: str) -> Piece | None:
    """The piece with this ref: the combatant's own, or else the ruleset's."""
    return sheet_of(combatant).loadout.by_ref.get(ref) or PIECES.get(ref)


def activities_of(combatant: Combatant) -> Iterator[Activity]:
    """Everything that this combatant could declare: the common activities and those of its sheet."""
    yield from _everybodys()
    yield from sheet_of(combatant).loadout.activities


@cache
def _everybodys() -> list[Activity]:
    """Call it only once all pieces are loaded."""
    return [known for known in pieces_of(Activity).values() if isinstance(known, Ability | Action)]


def aim(battle: Battle, actor: Combatant, action: str, place: Position) -> AreaPreview:
    """Preview an area. Checks range and sight, but not whose turn it is or the cost."""
    area = piece_of(actor, action)
    if not isinstance(area, AreaPower):
        name = action.rsplit(":", 1)[1]
        raise Refusal("aim/no-area", f"{name} does not cover an area.", who=actor.id, what=name)
    at = chosen_place(battle, actor, area, place)
    area.check_direction(actor, at)
    squares = covered(grid_of(battle.map), area.extent, nearest_square(actor, at), at)
    return preview_area(actor, action, at, squares, area.caught_at(battle, actor, at))


def obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    """Why a reaction or feature did not apply, in sentences; empty if no combatant has one by this name."""
    present = before.by_initiative(before.present())
    return [_of(before, declared, piece, one) for one in present for piece in _called(name, one)]


def _called(name: str, combatant: Combatant) -> list[Dnd5ePiece]:
    """The reactions and features with this name that the combatant has."""
    general = pieces_of(Reaction).get(name)
    held = [piece for piece in sheet_of(combatant).loadout.by_ref.values() if piece.name == name]
    pieces = held or ([general] if general is not None and general.is_held(combatant) else [])
    return [piece for piece in pieces if isinstance(piece, Reaction | Feature)]


def _of(before: Battle, declared: Declared, piece: Dnd5ePiece, one: Combatant) -> str:
    if isinstance(piece, Reaction):
        return _of_reaction(before, declared, piece, one)
    return f"{one.name} has {piece.title}, but it contributed nothing to this declaration."


def _of_reaction(before: Battle, declared: Declared, reaction: Reaction[Any], reactor: Combatant) -> str:
    if not can_act(reactor):
        return f"{reactor.name} could not act."
    for resource, amount in reaction.reaction_price(reactor).items():
        if reactor.economy.left(resource) < amount:
            return f"{reactor.name}'s {in_words(resource)} was spent{spent_at(reactor, resource)}."
    attack = _attack(before, declared)
    why = reaction.obstacle(attack, reactor) if attack and DECLARED in reaction.moments else None
    if why is not None:
        return f"{reactor.name} was not offered {reaction.title}: {why}."
    return f"{reactor.name} was not offered {reaction.title}: it was not triggered, or would have made no difference."


def _attack(before: Battle, declared: Declared) -> Attack | None:
    """The declared attack, if it is a weapon attack."""
    actor = before.combatants.get(declared.actor)
    activity = piece_of(actor, declared.action) if actor else None
    if not isinstance(activity, Activity) or "weapon" not in activity.tags or actor is None:
        return None
    target = before.combatants.get(declared.targets[0]) if declared.targets else None
    try:
        return make_attack(before, actor, target, weapon_named(actor, declared.weapon)) if target else None
    except Refusal:
        return None
