"""Damage: what an attack or spell deals, and how much of it reaches the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from combatlog.rules.dnd5e.combatant_state import conditions_of, contributions, is_dead, those_with
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.enums import DamageType
from combatlog.rules.dnd5e.hit_points import is_bloodied, suffer
from combatlog.rules.dnd5e.modifiers import STAGES, as_roll_modifiers, bonus, dice, halved, multiplied
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.reactions import open_window, record_consuming
from combatlog.rules.engine.dice.dice_notation import DiceFormula, parse
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import Defence
from ledger.events import ChainModified, Change, ChangeOp, DamagePart, Event, Rolled
from projections.battle.combatant import Combatant

HIT = "attack.hit"
DAMAGED = "damage.taken"

TAKEN_STAGES = ("reduction", "halving", "resistance", "vulnerability", "immunity")
SURROUNDINGS = "dnd5e:situation:surroundings"
"""The source of damage that no combatant deals."""
_DEALT = (ChangeOp.DICE, ChangeOp.BONUS)
"""The changes in a damage chain that deal damage. The others say how it is dealt."""
REROLL = "reroll"
"""A flag of the damage chain: dice of the weapon that show 1 or 2 are rerolled once."""


# Phase 3 of an attack


def deal_attack_damage(table: Table, attack: Attack, critical: bool) -> None:
    open_window(table, attack, HIT)
    chain = damage_chain(attack, critical)
    record_consuming(table, chain)
    harm = Harm(
        battle=attack.battle,
        target=attack.target,
        dealer=attack.attacker,
        source=attack.spell or attack.weapon.ref,
        types=types_of(chain),
        critical=critical,
        attack=attack,
    )
    taken = taken_chain(harm)
    record_consuming(table, taken)
    inflict(table, harm, roll_damage(table, attack.attacker.id, chain), taken)
    attack.dealt = harm.parts


def damage_chain(attack: Attack, critical: bool) -> ModifierChain:
    chain = ModifierChain("damage", STAGES, _base_damage(attack))
    chain.add(*contributions(attack.battle, Contributor.on_damage, lambda piece, owner: piece.on_damage(attack, owner)))
    chain.add(*attack.extras)
    if not critical:
        return chain
    doubled = critically(chain)
    doubled.add(
        *contributions(attack.battle, Contributor.on_critical, lambda piece, owner: piece.on_critical(attack, owner))
    )
    return doubled


def critically(chain: ModifierChain) -> ModifierChain:
    """The damage chain of a critical hit, which doubles the dice, but neither bonuses nor constants."""
    return ModifierChain(chain.name, chain.stages, [*chain, *filter(None, map(_doubled, chain.of(ChangeOp.DICE)))])


def _base_damage(attack: Attack) -> Iterator[Modifier]:
    sheet, weapon, attacker = sheet_of(attack.attacker), attack.weapon, attack.attacker.id
    label = weapon.damage_type
    dealt = weapon.bloodied if weapon.bloodied is not None and is_bloodied(attack.attacker) else weapon.damage
    yield dice("base", attack.spell or weapon.ref, attacker, f"{weapon.name} damage", dealt, label)
    is_printed = weapon.to_hit is not None  # then its damage is the whole, as on the sheet
    modifier = sheet.modifier(attack.ability)
    # The off hand adds no ability modifier unless it is negative.
    if not is_printed and attack.spell is None and (not attack.off_hand or modifier < 0):
        source = f"dnd5e:score:{attack.ability}"
        yield bonus("base", source, attacker, f"{attack.ability} modifier", modifier, label)
    if weapon.bonus and not is_printed:
        yield bonus("equipment", weapon.ref, attacker, f"magic {weapon.name}", weapon.bonus, label)
    for extra in weapon.extra:
        reason = f"{weapon.name}, {extra.damage_type} damage"
        yield dice("equipment", weapon.ref, attacker, reason, extra.damage, extra.damage_type)


def _doubled(modifier: Modifier) -> Modifier | None:
    """The same dice once more, without the constant; None if there are no dice."""
    only_dice = dice_of(modifier.change.dice or "0")
    if not only_dice:
        return None
    reason = f"critical: {modifier.reason}"
    return dice("situational", modifier.source, modifier.owner, reason, only_dice, modifier.change.label)


@lru_cache(maxsize=1024)
def dice_of(notation: str) -> str:
    """The dice of a notation without its constant: `2d6` of `2d6+5`. Empty if there are none."""
    return "+".join(f"{group.count}{group.die.name}" for group in parse(notation).groups)


def types_of(chain: ModifierChain) -> tuple[str, ...]:
    changes = [modifier.change for modifier in chain if modifier.change.op in _DEALT]
    return tuple(dict.fromkeys([change.label for change in changes if change.label is not None]))


def roll_damage(table: Table, roller: str, chain: ModifierChain, purpose: str = "damage") -> list[DamagePart]:
    """Roll all dice at once; each part keeps its source."""
    throws = chain.of(ChangeOp.DICE)
    text = "+".join([modifier.change.dice or "0" for modifier in throws])
    roll = table.roll(purpose, roller, text, modifiers=as_roll_modifiers(chain), chain=chain.name)
    parts = []
    at = 0
    for modifier in throws:
        notation = parse(modifier.change.dice or "0")
        faces = [int(face) for face in roll.faces[at : at + notation.count]]
        at += notation.count
        parts.append(_part(modifier, sum(faces) + notation.constant))
        parts += _rerolled(table, roller, chain, modifier, notation, faces)
    return parts + [_part(modifier, modifier.change.amount or 0) for modifier in chain.of(ChangeOp.BONUS)]


def _part(modifier: Modifier, amount: int) -> DamagePart:
    return _damage_part(modifier.source, amount, modifier.change.label)


@lru_cache(maxsize=4096)
def _damage_part(source: str, amount: int, damage_type: str | None) -> DamagePart:
    """A damage part. They are frozen and few, so they are cached."""
    return DamagePart(source=source, amount=amount, damage_type=damage_type)


def _rerolled(
    table: Table, roller: str, chain: ModifierChain, thrown: Modifier, notation: DiceFormula, faces: Sequence[int]
) -> Iterator[DamagePart]:
    """The damage gained by rerolling 1s and 2s, in a roll of its own.
    Only the weapon's own dice are rerolled, including those that a critical hit adds.
    """
    for reroll in chain.of(ChangeOp.FLAG, REROLL):
        own = [modifier.source for modifier in chain.of(ChangeOp.DICE) if modifier.stage == "base"]
        low = [at for at, face in enumerate(faces) if face <= 2]
        if low and thrown.source in own:
            text = "+".join(f"1{notation.dice[at].name}" for at in low)
            again: Rolled = table.roll(reroll.source.rsplit(":", 1)[1], roller, text)
            gained = again.total - sum(faces[at] for at in low)
            yield DamagePart(source=reroll.source, amount=gained, damage_type=thrown.change.label)


# The damage that reaches the target


DAMAGE_TAKEN = "damage_taken"


def taken_chain(harm: Harm) -> ModifierChain:
    """The effects of the target's features, conditions and resistances on the damage."""
    innate = harm.attack.reductions if harm.attack else ()
    chain = ModifierChain(DAMAGE_TAKEN, TAKEN_STAGES, innate, of=harm.target.id, stage_of=_stage_of)
    if harm.saved:
        chain.add(halved("halving", harm.source, harm.target.id, "saved for half"))
    for contributor in those_with(Contributor.on_harm, harm.target):
        chain.add(*contributor.on_harm(harm, harm.target))
    chain.add(*_nature(harm))
    return chain


def _stage_of(forgotten: Change) -> str:
    """The stage for a change that an amendment adds. Resistance counts before vulnerability, and only once."""
    if forgotten.op is ChangeOp.DIVIDE:
        return "resistance"
    return "vulnerability" if forgotten.op is ChangeOp.MULTIPLY and forgotten.amount else TAKEN_STAGES[-1]


def typed(chain: str, forgotten: Change, recorded: Sequence[Event]) -> Change:
    """Give amended extra damage the type that the attack or spell deals, unless a type was given."""
    if chain == DAMAGE_TAKEN and forgotten.op is not ChangeOp.BONUS:
        sentence = "Damage that is taken can only be modified by numbers and by defences."
        raise Refusal("amend/without-effect", sentence, name=chain, ruleset="dnd5e")
    if chain != "damage" or forgotten.label is not None:
        return forgotten
    dealt = (event.change.label for event in recorded if isinstance(event, ChainModified) and event.chain == chain)
    return forgotten.model_copy(update={"label": next((label for label in dealt if label is not None), None)})


_FORGOTTEN = {
    Defence.RESISTANCE: (ChangeOp.DIVIDE, 2),
    Defence.VULNERABILITY: (ChangeOp.MULTIPLY, 2),
    Defence.IMMUNITY: (ChangeOp.MULTIPLY, 0),
}


def check_type(kind: str) -> None:
    known = [one.value for one in DamageType]
    if kind not in known:
        sentence = f"There is no damage type {kind!r}; the types are {listing(known)}."
        raise unknown("damage/unknown-type", sentence, kind, known)


def forgotten_defence(defence: Defence, against: str | None) -> tuple[str, Change]:
    """The chain to which a forgotten resistance, vulnerability or immunity belongs, and its change."""
    if against is not None:
        check_type(against)
    op, amount = _FORGOTTEN[defence]
    return DAMAGE_TAKEN, Change(op=op, amount=amount, label=against)


def _nature(harm: Harm) -> Iterator[Modifier]:
    sheet, target = sheet_of(harm.target), harm.target.id
    yield from _nature_against_plain_weapons(harm)
    for kind in harm.types:
        if kind in sheet.resistances:
            yield halved("resistance", "dnd5e:nature:resistance", target, f"resistant to {kind}", kind)
        if kind in sheet.vulnerabilities:
            yield multiplied("vulnerability", "dnd5e:nature:vulnerability", target, f"vulnerable to {kind}", 2, kind)
        if kind in sheet.immunities:
            yield multiplied("immunity", "dnd5e:nature:immunity", target, f"immune to {kind}", 0, kind)


def _nature_against_plain_weapons(harm: Harm) -> Iterator[Modifier]:
    """Resistances and immunities to damage from nonmagical attacks."""
    sheet, target = sheet_of(harm.target), harm.target.id
    if not sheet.nonmagical_resistances and not sheet.nonmagical_immunities:
        return
    if harm.attack is None or not _is_plain(harm.attack, sheet):
        return
    for kind in harm.types:
        what = f"{kind} from nonmagical attacks"
        if kind in sheet.nonmagical_resistances:
            yield halved("resistance", "dnd5e:nature:resistance", target, f"resistant to {what}", kind)
        if kind in sheet.nonmagical_immunities:
            yield multiplied("immunity", "dnd5e:nature:immunity", target, f"immune to {what}", 0, kind)


def _is_plain(attack: Attack, sheet: Sheet) -> bool:
    """Whether an attack is nonmagical, and its weapon not of a metal that overcomes this creature's resistance."""
    weapon = attack.weapon
    if attack.spell is not None or weapon.is_magical:
        return False
    if any(held.makes_magical for held in conditions_of(attack.attacker)):
        return False
    return not (weapon.silvered and sheet.except_silvered) and not (weapon.adamantine and sheet.except_adamantine)


def inflict(table: Table, harm: Harm, parts: Sequence[DamagePart], taken: ModifierChain) -> None:
    """Apply the damage that gets through, then let others react."""
    harm.parts = (*parts, *reductions(taken, parts))
    suffer(table, harm)
    open_window(table, harm, DAMAGED)


def hurt(table: Table, target: Combatant, amount: int, kind: str | None) -> None:
    """Deal damage that comes from no combatant. It opens no reaction window."""
    if kind is not None:
        check_type(kind)
    if is_dead(target):
        raise Refusal("hurt/dead", f"{target.name} is dead and cannot be hurt any more.", who=target.id)
    harm = Harm(table.battle, target, None, SURROUNDINGS, (kind,) if kind is not None else ())
    taken = taken_chain(harm)
    taken.record(table)
    parts = [DamagePart(source=SURROUNDINGS, amount=amount, damage_type=kind)]
    harm.parts = (*parts, *reductions(taken, parts))
    suffer(table, harm)


def reductions(taken: ModifierChain, parts: Iterable[DamagePart]) -> list[DamagePart]:
    """The change by each modifier, per damage type: negative, or positive for vulnerability; never below 0 damage."""
    if not len(taken):
        return []
    left: dict[str | None, int] = {}
    for part in parts:
        left[part.damage_type] = left.get(part.damage_type, 0) + part.amount
    changed: list[DamagePart] = []
    resisted: list[tuple[str, str | None]] = []
    for modifier in taken:
        key = (modifier.stage, modifier.change.label)
        if modifier.stage == "resistance" and key in resisted:
            continue  # several resistances to the same type count as one
        resisted.append(key)
        changed += _reduce(modifier, left)
    return changed


def _reduce(modifier: Modifier, left: dict[str | None, int]) -> Iterator[DamagePart]:
    amount = modifier.change.amount or 0
    to_take = -amount
    for kind, before in left.items():
        if modifier.change.label not in (None, kind) or before <= 0:
            continue
        if modifier.change.op is ChangeOp.BONUS:
            after = before - min(before, to_take)
            to_take -= before - after
        else:
            after = before * amount if modifier.change.op is ChangeOp.MULTIPLY else before // amount
        left[kind] = after
        if after != before:
            yield DamagePart(source=modifier.source, amount=after - before, damage_type=kind)
