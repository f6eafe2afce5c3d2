"""An attack in four phases: declare, attack chain, roll, damage. Each has its window where others may react.

Conditions and features contribute to the chains; nothing here knows any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ledger.events import (
    AttackResolved,
    Change,
    ChangeOp,
    DamagePart,
    Offer,
    ReactionUsed,
    Rolled,
    RollModifier,
)
from projections.battle import Battle
from projections.combatant import Combatant
from rules.chain import Chain, Consumption, Modifier
from rules.dice import d20, mode_of, parse
from rules.dnd5e.economy import REACTION
from rules.dnd5e.pieces import PIECES, Contributor, Reaction
from rules.dnd5e.sheet import AbilityScore, Weapon, sheet_of
from rules.dnd5e.vitality import can_act, is_hostile, suffer
from rules.grid import distance
from rules.table import Table

STAGES = ("base", "features", "conditions", "equipment", "situational")
CRITICAL = 20

DECLARED = "attack.declared"
ROLLED = "attack.rolled"
HIT = "attack.hit"
DAMAGED = "attack.damaged"


@dataclass(slots=True)
class Attack:
    """An attack under way, as the pieces see it."""

    battle: Battle
    attacker: Combatant
    target: Combatant
    weapon: Weapon
    ability: AbilityScore
    melee: bool
    chosen: dict[str, str] = field(default_factory=dict)
    """Reactions taken so far: the reaction's ref by reactor."""

    @property
    def range(self) -> int:
        """Feet between the two; 0 where positions are not kept."""
        return feet_between(self.attacker, self.target)


def feet_between(one: Combatant, other: Combatant) -> int:
    if one.position is None or other.position is None:
        return 0
    return 5 * distance(one.position, other.position)


def resolve_attack(table: Table, attacker: Combatant, target: Combatant, weapon: Weapon) -> AttackResolved:
    attack = Attack(
        battle=table.battle,
        attacker=attacker,
        target=target,
        weapon=weapon,
        ability=attack_ability(attacker, weapon),
        melee=not weapon.is_ranged and feet_between(attacker, target) <= weapon.reach,
    )
    _open_window(table, attack, DECLARED)
    chain = attack_chain(attack)
    chain.record(table)
    for consumption in chain.reactions_consumed:
        _use_reaction(table, consumption)
    roll = _roll_attack(table, attack, chain)
    resolved = _evaluate(table, attack, chain, roll)
    if resolved.hit:
        with table.because_of(resolved):
            _deal_damage(table, attack, resolved.critical)
    return resolved


# Phase 0: declare


def _open_window(table: Table, attack: Attack, moment: str) -> None:
    offers = [offer for reactor in table.battle.present() if (offer := _offer(attack, reactor, moment))]
    for choice in table.window(moment, attack.attacker.id, offers):
        attack.chosen[choice.reactor] = choice.reaction


def _offer(attack: Attack, reactor: Combatant, moment: str) -> Offer | None:
    if obstacle_to_reacting(reactor):
        return None
    open_to = [
        reaction
        for reaction in reactions_of(reactor)
        if reaction.moment == moment and reaction.obstacle(attack, reactor) is None
    ]
    useful = tuple(reaction.ref for reaction in open_to if reaction.is_useful(attack, reactor))
    refs = tuple(reaction.ref for reaction in open_to)
    return Offer(reactor=reactor.id, reactions=refs, useful=useful) if refs else None


def obstacle_to_reacting(reactor: Combatant) -> str | None:
    if not can_act(reactor):
        return f"{reactor.id} cannot act"
    if reactor.economy.left(REACTION) < 1:
        return f"{reactor.id}'s reaction is spent"
    return None


def reactions_of(combatant: Combatant) -> Iterator[Reaction]:
    for name in sheet_of(combatant).features:
        feature = PIECES[f"dnd5e:feature:{name}"]
        if isinstance(feature, Reaction):
            yield feature


def _use_reaction(table: Table, consumption: Consumption) -> None:
    used = table.record(
        ReactionUsed,
        reactor=consumption.reactor,
        reaction=consumption.reaction,
        reason=consumption.reason,
    )
    with table.because_of(used):
        name = consumption.reaction.rsplit(":", 1)[1]
        table.spend(table.battle.combatants[consumption.reactor], REACTION, 1, name)


# Phase 1: the attack chain


def attack_ability(attacker: Combatant, weapon: Weapon) -> AbilityScore:
    """Strength in melee, dexterity at range; with a finesse weapon the better of the two."""
    sheet = sheet_of(attacker)
    if "finesse" in weapon.properties:
        return max((AbilityScore.STR, AbilityScore.DEX), key=sheet.modifier)
    return AbilityScore.DEX if weapon.is_ranged else AbilityScore.STR


def attack_chain(attack: Attack) -> Chain:
    chain = Chain("attack", STAGES, _base_attack(attack))
    chain.add(*_contributions(attack, lambda piece, owner: piece.on_attack(attack, owner)))
    chain.add(*_situation(attack))
    return chain


def _base_attack(attack: Attack) -> Iterator[Modifier]:
    sheet = sheet_of(attack.attacker)
    ability, attacker, weapon = attack.ability, attack.attacker.id, attack.weapon
    yield bonus("base", f"dnd5e:score:{ability}", attacker, f"{ability} modifier", sheet.modifier(ability))
    yield bonus("base", "dnd5e:score:proficiency", attacker, "proficiency bonus", sheet.proficiency_bonus)
    if weapon.bonus:
        yield bonus("equipment", weapon_ref(weapon), attacker, f"magic {weapon.name}", weapon.bonus)


def _situation(attack: Attack) -> Iterator[Modifier]:
    """What the place of the two does to the roll."""
    weapon, attacker = attack.weapon, attack.attacker
    if weapon.range is None or attack.melee:
        return
    if attack.range > weapon.range[0]:
        yield disadvantage(attacker.id, "dnd5e:situation:long_range", "beyond normal range")
    if any(feet_between(attacker, foe) <= 5 and can_act(foe) for foe in _placed_foes(attack)):
        yield disadvantage(attacker.id, "dnd5e:situation:close_combat", "a hostile creature is within 5 feet")


def _placed_foes(attack: Attack) -> list[Combatant]:
    return [
        other for other in attack.battle.present() if other.position is not None and is_hostile(attack.attacker, other)
    ]


def _contributions(attack: Attack, ask: Callable[[Contributor, Combatant], Iterable[Modifier]]) -> Iterator[Modifier]:
    """Everything that anybody's features and conditions add, in initiative order."""
    for owner in attack.battle.by_initiative(attack.battle.present()):
        for contributor in contributors_of(owner):
            yield from ask(contributor, owner)


def contributors_of(combatant: Combatant) -> Iterator[Contributor]:
    refs = [f"dnd5e:feature:{name}" for name in sheet_of(combatant).features]
    for ref in [*refs, *combatant.conditions]:
        contributor = PIECES.get(ref)
        if isinstance(contributor, Contributor):
            yield contributor


# Phase 2: roll and evaluate


def _roll_attack(table: Table, attack: Attack, chain: Chain) -> Rolled:
    mode = mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))
    return table.roll("attack", attack.attacker.id, d20(mode), mode=mode, modifiers=_as_roll_modifiers(chain))


def _as_roll_modifiers(chain: Chain) -> list[RollModifier]:
    return [
        RollModifier(source=modifier.source, amount=modifier.change.amount or 0)
        for modifier in chain.of(ChangeOp.BONUS)
    ]


def _evaluate(table: Table, attack: Attack, chain: Chain, roll: Rolled) -> AttackResolved:
    _open_window(table, attack, ROLLED)
    natural = int(roll.kept[0])
    threshold = min([m.change.amount or CRITICAL for m in chain.of(ChangeOp.CRITICAL_FROM)], default=CRITICAL)
    against = sheet_of(attack.target).ac
    hit = natural != 1 and (natural == 20 or roll.total >= against)
    return table.record(
        AttackResolved,
        attacker=attack.attacker.id,
        target=attack.target.id,
        weapon=attack.weapon.name,
        hit=hit,
        critical=hit and natural >= threshold,
        roll=natural,
        total=roll.total,
        against=against,
        cause=roll.seq,
    )


# Phase 3: damage


def _deal_damage(table: Table, attack: Attack, critical: bool) -> None:
    _open_window(table, attack, HIT)
    chain = damage_chain(attack, critical)
    chain.record(table)
    parts = list(_roll_damage(table, attack, chain))
    suffer(table, attack.target, parts, attack.attacker.id)
    _open_window(table, attack, DAMAGED)


def damage_chain(attack: Attack, critical: bool) -> Chain:
    chain = Chain("damage", STAGES, _base_damage(attack))
    chain.add(*_contributions(attack, lambda piece, owner: piece.on_damage(attack, owner)))
    if critical:
        chain.add(*[_doubled(modifier) for modifier in chain.of(ChangeOp.DICE)])
    return chain


def _base_damage(attack: Attack) -> Iterator[Modifier]:
    sheet, weapon, attacker = sheet_of(attack.attacker), attack.weapon, attack.attacker.id
    label = weapon.damage_type
    yield Modifier(
        "base",
        weapon_ref(weapon),
        attacker,
        f"{weapon.name} damage",
        Change(op=ChangeOp.DICE, dice=weapon.damage, label=label),
    )
    yield bonus(
        "base",
        f"dnd5e:score:{attack.ability}",
        attacker,
        f"{attack.ability} modifier",
        sheet.modifier(attack.ability),
        label,
    )
    if weapon.bonus:
        yield bonus("equipment", weapon_ref(weapon), attacker, f"magic {weapon.name}", weapon.bonus, label)


def _doubled(modifier: Modifier) -> Modifier:
    """A critical hit rolls the dice, and only the dice, once more."""
    return Modifier("situational", modifier.source, modifier.owner, f"critical: {modifier.reason}", modifier.change)


def _roll_damage(table: Table, attack: Attack, chain: Chain) -> Iterator[DamagePart]:
    """One roll for all dice; each part keeps the source of its points."""
    dice = chain.of(ChangeOp.DICE)
    added = _as_roll_modifiers(chain)
    text = "+".join(modifier.change.dice or "0" for modifier in dice)
    roll = table.roll("damage", attack.attacker.id, text, modifiers=added)
    at = 0
    for modifier in dice:
        notation = parse(modifier.change.dice or "0")
        faces = roll.faces[at : at + notation.count]
        at += notation.count
        points = sum(map(int, notation.kept(faces))) + notation.constant
        yield DamagePart(source=modifier.source, amount=points, damage_type=modifier.change.label)
    for modifier in chain.of(ChangeOp.BONUS):
        yield DamagePart(source=modifier.source, amount=modifier.change.amount or 0, damage_type=modifier.change.label)


# Small makers, for pieces too


def bonus(stage: str, source: str, owner: str, reason: str, amount: int, label: str | None = None) -> Modifier:
    return Modifier(stage, source, owner, reason, Change(op=ChangeOp.BONUS, amount=amount, label=label))


def disadvantage(
    owner: str, source: str, reason: str, stage: str = "situational", consumes: Consumption | None = None
) -> Modifier:
    return Modifier(stage, source, owner, reason, Change(op=ChangeOp.DISADVANTAGE), consumes)


def advantage(owner: str, source: str, reason: str, stage: str = "situational") -> Modifier:
    return Modifier(stage, source, owner, reason, Change(op=ChangeOp.ADVANTAGE))


def weapon_ref(weapon: Weapon) -> str:
    return f"dnd5e:weapon:{weapon.name.lower().replace(' ', '_')}"
