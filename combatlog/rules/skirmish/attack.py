"""An attack in steps: declare, roll, reroll, modify, spend surges, check accuracy and dodge, damage, aftermath.

The steps do not know any card, condition or token: they open windows and collect what these contribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish import attachments, vitality
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL, STAGES, SkirmishAttack, modifier
from combatlog.rules.skirmish.cards import play_card, playable, refs_of, useful
from combatlog.rules.skirmish.cards import useful as useful_of
from combatlog.rules.skirmish.library import AbilityType, LibraryAbility, library_of
from combatlog.rules.skirmish.pieces import holders
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.sheet import (
    FOR_ATTACKER,
    FOR_DEFENDER,
    ask,
    figure_sheet,
    is_in_play,
    player_of,
    spend_token,
    spendable_tokens,
)
from combatlog.rules.skirmish.targeting import accuracy_needed, target_spaces
from combatlog.rules.skirmish.vocabulary import (
    DICE,
    DISABLED,
    VICTORY_POINTS,
    Symbol,
    Timing,
    pool_notation,
    ref,
    symbols,
)
from ledger.events import AttackResolved, Change, ChangeOp, Face, Offer, Position, ReactionChosen
from projections.battle.combatant import Combatant

DECLARED = "attack.declared"
ROLLED = "attack.rolled"
RESOLVED = "attack.resolved"
SURGE = "attack.surge"

POOLS = "pools"
"""The chain that determines which dice are rolled."""


def resolve_attack(
    table: Table,
    attacker: Combatant,
    defender: Combatant,
    movement_after: int = 0,
    source: str = "",
    space: Position | None = None,
    gains: Sequence[LibraryAbility] = (),
) -> AttackResolved:
    """Resolve an attack aimed at one of the target's spaces: the nearest one, unless the attacker chooses another.

    `gains` are the abilities that the card that caused the attack adds to it.
    """
    aimed_at = space or next(iter(target_spaces(table.battle, attacker, defender)), None)
    attack = SkirmishAttack.between(table.battle, attacker, defender, aimed_at)
    attack.movement_after, attack.movement_source = movement_after, source
    _use_passives(table, attack)
    for ability in gains:
        carry_out(Play(table, player_of(table.battle, attacker), ability, attacker, attack))
    for piece, owner in holders(attack):
        piece.when_declared(table, attack, owner)
    _open_moment(table, attack, DECLARED)
    _roll_pools(table, attack)
    usual_rerolls(table, attack)
    _open_moment(table, attack, ROLLED)
    _apply_modifiers(table, attack)
    _spend_surges(table, attack)
    resolved = _evaluate(table, attack)
    with table.because_of(resolved):
        vitality.resolve_after_attack(table, attack, resolved.hit)
        _open_moment(table, attack, RESOLVED)
    return resolved


# Cards and tokens


def _use_passives(table: Table, attack: SkirmishAttack) -> None:
    library = library_of(table.battle)
    for figure in (attack.attacker, attack.defender):
        for ability in map(library.special, figure_sheet(figure).abilities):
            if ability.type is AbilityType.PASSIVE:
                carry_out(Play(table, player_of(table.battle, figure), ability, figure, attack))


def _open_moment(table: Table, attack: SkirmishAttack, moment: str) -> None:
    """Let both players play cards and spend tokens, one at a time, until they pass."""
    asked = [figure for figure in (attack.attacker, attack.defender) if is_in_play(figure)]
    while asked:
        offers = {player_of(table.battle, figure).id: figure for figure in asked}
        chosen = table.window(moment, attack.attacker.id, list(_offers(table, attack, moment, asked)))
        asked = [offers[choice.reactor] for choice in chosen]
        for choice in chosen:
            with table.because_of(choice):
                _use(table, attack, offers[choice.reactor], choice)


def _offers(table: Table, attack: SkirmishAttack, moment: str, figures: list[Combatant]) -> Iterator[Offer]:
    for figure in figures:
        player = player_of(table.battle, figure)
        cards = playable(table.battle, player, figure, _timings(attack, figure, moment), attack)
        if moment == ROLLED:
            cards = [card for card in cards if not card.ability.is_before_roll]
        elif moment == DECLARED:
            cards = [card for card in cards if not card.ability.is_after_roll]
        spendable = _spendable(attack, figure) if moment == DECLARED else []
        attached = attachments.usable_in(attack, player, figure, _timings(attack, figure, moment), moment == ROLLED)
        refs = refs_of(cards) + spendable + list(attached)
        changing = [name for name, one in attached.items() if one.changes_something]
        if refs:
            yield Offer(reactor=player.id, reactions=tuple(refs), useful=tuple(useful(cards) + spendable + changing))


def _timings(attack: SkirmishAttack, figure: Combatant, moment: str) -> tuple[Timing, ...]:
    if moment == RESOLVED:
        return (Timing.AFTER_DEFENDING if figure is attack.defender else Timing.AFTER_ATTACK,)
    if figure is attack.defender:
        return (Timing.DEFENDING,)
    return (Timing.DECLARING, Timing.ATTACKING) if moment == DECLARED else (Timing.ATTACKING,)


def _spendable(attack: SkirmishAttack, figure: Combatant) -> list[str]:
    if figure.id in attack.token_spenders:
        return []
    return spendable_tokens(figure, FOR_ATTACKER if figure is attack.attacker else FOR_DEFENDER)


def _use(table: Table, attack: SkirmishAttack, figure: Combatant, choice: ReactionChosen) -> None:
    if choice.reaction.startswith("skirmish:token:"):
        _spend_token(table, attack, figure, choice.reaction)
        return
    player = table.battle.combatants[choice.reactor]
    if attachments.is_use(choice.reaction):
        attachments.use(table, player, choice.reaction, figure, attack)
        return
    play_card(table, player, library_of(table.battle).by_ref[choice.reaction], figure, attack)


def _spend_token(table: Table, attack: SkirmishAttack, figure: Combatant, token: str) -> None:
    kind, symbol = spend_token(table, figure, token)
    attack.token_spenders.append(figure.id)
    attack.spent_tokens.append(symbol)
    attack.modify("tokens", ref("token", kind), figure.id, f"{kind} token spent", symbol, 1)


# Dice


def _roll_pools(table: Table, attack: SkirmishAttack) -> None:
    for piece, owner in holders(attack):
        piece.on_pools(attack, owner)
    attack.settle_pools(_recorded(table, POOLS, attack.pool_changes))
    _roll(table, attack, attack.attacker, ATTACK_POOL, attack.attack_pool)
    _roll(table, attack, attack.defender, DEFENSE_POOL, attack.defense_pool)


def _roll(table: Table, attack: SkirmishAttack, figure: Combatant, purpose: str, pool: list[str]) -> None:
    if pool:
        rolled = table.roll(purpose, figure.id, pool_notation(pool), chain=POOLS)
        attack.faces += zip(pool, rolled.faces, strict=True)


# Modifiers and surges


def _apply_modifiers(table: Table, attack: SkirmishAttack) -> None:
    for piece, owner in holders(attack):
        piece.on_results(attack, owner)
    attack.modifiers += innate_modifiers(attack.attacker, attack.defender)
    attack.modifiers = _recorded(table, "attack", attack.modifiers)
    attack.modifiers += _recorded(table, "evade", _evaded(attack))


def _recorded(table: Table, name: str, modifiers: Iterable[Modifier]) -> list[Modifier]:
    """Record a chain, and return its modifiers as recorded, because an amendment may have changed them."""
    chain = ModifierChain(name, STAGES, modifiers)
    chain.record(table)
    return list(chain)


def _evaded(attack: SkirmishAttack) -> Iterator[Modifier]:
    """The modifiers for evades, which cancel surges, and for a dodge, which cancels the whole attack."""
    defender = attack.defender.id
    cancelled = min(attack.total(Symbol.SURGE), attack.total(Symbol.EVADE))
    if cancelled:
        yield modifier(
            "evade", ref("result", "evade"), defender, "each evade cancels a surge", Symbol.SURGE, -cancelled
        )
    if attack.is_dodged:
        change = Change(op=ChangeOp.FLAG, label=Symbol.DODGE)
        yield Modifier("evade", ref("die", "white"), defender, "the attack is dodged", change)


_DEFENSIVE = (Symbol.BLOCK, Symbol.EVADE)


def innate_modifiers(attacker: Combatant, defender: Combatant) -> Iterator[Modifier]:
    """The modifiers on the deployment cards: block and evade for the defender, all others for the attacker."""
    for figure, is_defending in ((attacker, False), (defender, True)):
        for symbol, amount in figure_sheet(figure).innate.items():
            if (symbol in _DEFENSIVE) is is_defending:
                source = ref("figure", figure.id)
                yield modifier("innate", source, figure.id, f"{figure.name}'s deployment card", symbol, amount)


def _spend_surges(table: Table, attack: SkirmishAttack) -> None:
    """Let the attacker use surge abilities, each at most once, and play cards that add surges, until it passes."""
    player = player_of(table.battle, attack.attacker)
    before = list(attack.modifiers)
    attack.card_stage = "surges"
    while True:
        abilities = _affordable(attack)
        cards = _cards_for_surges(attack, player)
        options = [*abilities, *refs_of(cards)]
        chosen = ask(table, SURGE, player, attack.attacker.id, options, useful=options)
        if chosen is None:
            break
        with table.because_of(chosen):
            if chosen.reaction in abilities:
                _use_surge(table, attack, player, abilities[chosen.reaction])
            else:
                _use(table, attack, attack.attacker, chosen)
    attack.modifiers = before + _recorded(table, "surges", attack.modifiers[len(before) :])


def _affordable(attack: SkirmishAttack) -> dict[str, LibraryAbility]:
    """The unused surge abilities that can be paid for, by ref."""
    if attack.attacker.has(DISABLED):
        return {}
    left = attack.total(Symbol.SURGE)
    unused = map(library_of(attack.battle).surge, attack.unused_surges)
    return {ability.ref: ability for ability in unused if ability.surge_cost <= left}


def _cards_for_surges(attack: SkirmishAttack, player: Combatant) -> list[Situation]:
    """The cards that would pay for another surge ability."""
    cards = playable(attack.battle, player, attack.attacker, (Timing.ATTACKING,), attack)
    return [card for card in cards if card.ability.is_for_surge_step and card.changes_something]


def _use_surge(table: Table, attack: SkirmishAttack, player: Combatant, ability: LibraryAbility) -> None:
    owner = attack.attacker.id
    attack.used_surges.append(ability.id)
    attack.modify("surges", ability.ref, owner, f"spent on {ability.id}", Symbol.SURGE, -ability.surge_cost)
    for part in ability.surge_parts:
        if part.symbol is not None:
            attack.modify("surges", ability.ref, owner, f"surge: {ability.id}", part.symbol, part.amount)
        elif part.condition is not None:
            attack.conditions.append((part.condition, ability.ref))
        elif part.points is not None:
            table.gain(player, VICTORY_POINTS, part.points, ability.id, ability.ref)
    carry_out(Play(table, player, ability, attack.attacker, attack))


# The outcome


def _evaluate(table: Table, attack: SkirmishAttack) -> AttackResolved:
    """A ranged attack needs accuracy equal to the distance in spaces. A dodged attack always misses."""
    needed = accuracy_needed(table.battle, attack.attacker, attack.defender)
    accuracy = attack.total(Symbol.ACCURACY)
    return table.record(
        AttackResolved,
        attacker=attack.attacker.id,
        target=attack.defender.id,
        hit=accuracy >= needed and not attack.is_dodged,
        roll=attack.rolled(Symbol.ACCURACY),
        total=accuracy,
        against=needed,
    )


REROLL = "attack.reroll"


def usual_rerolls(table: Table, attack: SkirmishAttack) -> None:
    """Offer both figures the rerolls of their own dice from their deployment cards and cards played before the roll."""
    for figure, pool, own in (
        (attack.attacker, ATTACK_POOL, figure_sheet(attack.attacker).attack_rerolls),
        (attack.defender, DEFENSE_POOL, figure_sheet(attack.defender).defense_rerolls),
    ):
        reroll(table, attack, figure, [pool], own + attack.rerolls.pop(pool, 0))


def reroll(
    table: Table, attack: SkirmishAttack, figure: Combatant, pools: Sequence[str], times: int, advised: bool = False
) -> None:
    """Let the figure's player reroll dice of these pools, one by one, until it passes."""
    player = player_of(table.battle, figure)
    for _ in range(times):
        dice = {name: place for pool in pools for name, place in _fresh(attack, pool).items()}
        useful = [name for name, place in dice.items() if _is_worth_it(attack, figure, place)] if advised else []
        chosen = ask(table, REROLL, player, figure.id, list(dice), useful)
        if chosen is None:
            return
        with table.because_of(chosen):
            _roll_again(table, attack, dice[chosen.reaction])
            _let_opponent_answer(table, attack, figure)


def _roll_again(table: Table, attack: SkirmishAttack, place: int) -> None:
    colour, _ = attack.faces[place]
    is_attack = place < len(attack.attack_pool)
    roller, pool = (attack.attacker, ATTACK_POOL) if is_attack else (attack.defender, DEFENSE_POOL)
    rolled = table.roll(f"{pool} reroll", roller.id, pool_notation([colour]))
    attack.faces[place] = (colour, rolled.faces[0])
    attack.rerolled.append(place)


def _let_opponent_answer(table: Table, attack: SkirmishAttack, figure: Combatant) -> None:
    """Let the other player play a card in response to the reroll."""
    other = attack.defender if figure is attack.attacker else attack.attacker
    player = player_of(table.battle, other)
    cards = playable(table.battle, player, other, (Timing.OPPONENT_REROLLS,), attack)
    chosen = ask(table, "die.rerolled", player, figure.id, refs_of(cards), useful_of(cards))
    if chosen is not None:
        with table.because_of(chosen):
            play_card(table, player, library_of(table.battle).by_ref[chosen.reaction], other, attack)


def places_of(attack: SkirmishAttack, pool: str) -> dict[str, int]:
    """The dice of a pool, by ref, with their places among all dice."""
    first, dice = (0, attack.attack_pool) if pool == ATTACK_POOL else (len(attack.attack_pool), attack.defense_pool)
    return {ref("die", f"{pool}_{n}_{colour}"): first + n - 1 for n, colour in enumerate(dice, start=1)}


def _fresh(attack: SkirmishAttack, pool: str) -> dict[str, int]:
    """The dice of a pool that have not been rerolled yet."""
    return {name: place for name, place in places_of(attack, pool).items() if place not in attack.rerolled}


_WORTH = {Symbol.DAMAGE: 1.0, Symbol.SURGE: 0.5, Symbol.BLOCK: 1.0, Symbol.EVADE: 0.5, Symbol.DODGE: 4.0}


def _is_worth_it(attack: SkirmishAttack, figure: Combatant, place: int) -> bool:
    """Whether a reroll is likely to improve the die: it shows less than its average or, on the other side, more."""
    colour, face = attack.faces[place]
    usual = sum(worth_of(one) for one in DICE[colour].faces) / len(DICE[colour].faces)
    is_own = (place < len(attack.attack_pool)) is (figure is attack.attacker)
    return worth_of(face) < usual if is_own else worth_of(face) > usual


def worth_of(face: Face) -> float:
    return sum((_WORTH.get(symbol, 0.0) * amount for symbol, amount in symbols(face).items()), 0.0)


def some_die_is_worth_it(attack: SkirmishAttack, figure: Combatant, pools: Sequence[str]) -> bool:
    """Whether a player who rerolls when it is useful would reroll one of these dice."""
    if not attack.is_rolled or (attack.is_dodged and figure is attack.defender):
        return False
    places = [place for pool in pools for place in _fresh(attack, pool).values()]
    return any(_is_worth_it(attack, figure, place) for place in places)
