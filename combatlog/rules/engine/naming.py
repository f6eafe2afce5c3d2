"""Names of combatants: the id that follows from a name, and who is meant by what somebody types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category, normalize

from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.refusal import Refusal, choices, listing, suggest, unknown
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def combatant_id(name: str) -> str:
    """The id that follows from a combatant's name: `Osric the Bold` is `osric-the-bold`, `Ægir` is `ægir`.

    Letters and digits of every script count, in one form and one case, so that whoever types a name in another way
    gets the same id. Everything else is a hyphen: no id can carry control codes or marks that change the direction.
    """
    found = _key(name)
    if not found:
        raise Refusal("join/name", f"{name!r} has no letters or digits; choose another name.", name=name)
    return found


def full_name(combatant: Combatant) -> str:
    """Its name, with its id where nobody could tell that from the name."""
    return combatant.name if _key(combatant.name) == combatant.id else f"{combatant.name} ({combatant.id})"


def older_id(name: str) -> str:
    """The id that older versions made of a name, from `a` to `z` and digits only. Recorded joins still rely on it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _key(name: str) -> str:
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    words = "".join(char if category(char)[0] in "LNM" else " " for char in folded).split()
    return "-".join(word for word in words if any(category(char)[0] in "LN" for char in word))


def with_ids(battle: Battle, said: Declaration) -> Declaration:
    """What somebody says, with the ids of those whom it names."""
    known = battle.combatants
    if (said.actor in known or said.actor == GM) and all(map(known.__contains__, said.targets)):
        return said
    targets = tuple(id_of(battle, target) for target in said.targets)
    return said.model_copy(update={"actor": id_of(battle, said.actor), "targets": targets})


def id_of(battle: Battle, name: str) -> str:
    """The id of whoever is meant. A name that fits nobody stays as it is: the rules refuse it where it matters."""
    if name in battle.combatants or name == GM:
        return name
    found = _meant(battle.combatants.values(), name)
    if len(found) > 1:
        found = [combatant for combatant in found if combatant.present] or found
    if len(found) > 1:
        ids = [combatant.id for combatant in found]
        sentence = f"{name!r} could be {choices(ids)}; write more of the name."
        raise Refusal("combatant/ambiguous", sentence, name=name, available=ids)
    return found[0].id if found else GM if _key(name) == GM else name


def known_id(battle: Battle, name: str) -> str:
    """The id of whoever is meant, still in the fight or not, the GM included; or a refusal that says who there is."""
    found = id_of(battle, name)
    if found not in battle.combatants and found != GM:
        raise unknown_combatant(battle, name)
    return found


def _meant(combatants: Iterable[Combatant], name: str) -> list[Combatant]:
    """Those with this name in any spelling, or else those with a word that begins like it."""
    key = _key(name)
    if not key:
        return []
    keys = [(combatant, {combatant.id, _key(combatant.name)}) for combatant in combatants]
    exact = [combatant for combatant, own in keys if key in own]
    return exact or [combatant for combatant, own in keys if any(f"-{key}" in f"-{one}" for one in own)]


def unknown_combatant(battle: Battle, name: str) -> Refusal:
    """The refusal of somebody who is not in the fight, or no longer."""
    present = [combatant.id for combatant in battle.present()]
    others = f"the combatants are {listing(present)}" if present else "nobody has joined"
    sentence = f"There is no {name!r} in this fight; {others}."
    return unknown("declaration/unknown-combatant", sentence, name, present, suggestions=_suggested(battle, name))


def _suggested(battle: Battle, name: str) -> list[str]:
    """Ids whose name, or a word of it, is spelled like this."""
    spelled = {part: one.id for one in battle.present() for part in (*one.id.split("-"), *one.name.split())}
    whole = {one.name: one.id for one in battle.present()} | {one.id: one.id for one in battle.present()}
    meant = spelled | whole
    return list(dict.fromkeys(meant[spelling] for spelling in suggest(name, meant)))
