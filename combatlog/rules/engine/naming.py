"""Names of combatants: the id derived from a name, and the combatant that a typed name refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category, normalize

from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.refusal import Refusal, choices, listing, suggest, unknown
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def combatant_id(name: str) -> str:
    """The id derived from a combatant's name: `Osric the Bold` gives `osric-the-bold`, `Ægir` gives `ægir`.

    Letters and digits of all scripts are kept, normalized and in lower case, so that different spellings of a name give
    the same id. Everything else becomes a hyphen: no id contains control codes or marks that change the direction.
    """
    found = _key(name)
    if not found:
        raise Refusal("join/name", f"{name!r} has no letters or digits; choose another name.", name=name)
    return found


def full_name(combatant: Combatant) -> str:
    """The combatant's name, with its id if that cannot be derived from the name."""
    return combatant.name if _key(combatant.name) == combatant.id else f"{combatant.name} ({combatant.id})"


def older_id(name: str) -> str:
    """The id that older versions derived, with only `a` to `z` and digits. Recorded joins still rely on it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _key(name: str) -> str:
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    words = "".join(char if category(char)[0] in "LNM" else " " for char in folded).split()
    return "-".join(word for word in words if any(category(char)[0] in "LN" for char in word))


def with_ids(battle: Battle, said: Declaration) -> Declaration:
    """The declaration with names of combatants replaced by their ids."""
    known = battle.combatants
    if (said.actor in known or said.actor == GM) and all(map(known.__contains__, said.targets)):
        return said
    targets = tuple(id_of(battle, target) for target in said.targets)
    return said.model_copy(update={"actor": id_of(battle, said.actor), "targets": targets})


def id_of(battle: Battle, name: str) -> str:
    """The id of the named combatant. An unknown name is returned unchanged: the rules refuse it where it matters."""
    if name in battle.combatants or name == GM:
        return name
    found = _meant(battle.combatants.values(), name)
    if len(found) > 1:
        found = [combatant for combatant in found if combatant.present] or found
    if len(found) > 1:
        ids = [combatant.id for combatant in found]
        sentence = f"{name!r} could be {choices(ids)}; type more of the name."
        raise Refusal("combatant/ambiguous", sentence, name=name, available=ids)
    return found[0].id if found else GM if _key(name) == GM else name


def known_id(battle: Battle, name: str) -> str:
    """The id of the named combatant, even if it has left, or of the GM; an unknown name is refused."""
    found = id_of(battle, name)
    if found not in battle.combatants and found != GM:
        raise unknown_combatant(battle, name)
    return found


def _meant(combatants: Iterable[Combatant], name: str) -> list[Combatant]:
    """The combatants with this name in any spelling or, failing that, with a word that begins with it."""
    key = _key(name)
    if not key:
        return []
    keys = [(combatant, {combatant.id, _key(combatant.name)}) for combatant in combatants]
    exact = [combatant for combatant, own in keys if key in own]
    return exact or [combatant for combatant, own in keys if any(f"-{key}" in f"-{one}" for one in own)]


def unknown_combatant(battle: Battle, name: str) -> Refusal:
    """The refusal of a combatant that is not in the fight, or no longer."""
    present = [combatant.id for combatant in battle.present()]
    others = f"the combatants are {listing(present)}" if present else "nobody has joined"
    sentence = f"There is no {name!r} in this fight; {others}."
    return unknown("declaration/unknown-combatant", sentence, name, present, suggestions=_suggested(battle, name))


def _suggested(battle: Battle, name: str) -> list[str]:
    """The ids of combatants whose name, or a word of it, has a similar spelling."""
    spelled = {part: one.id for one in battle.present() for part in (*one.id.split("-"), *one.name.split())}
    whole = {one.name: one.id for one in battle.present()} | {one.id: one.id for one in battle.present()}
    meant = spelled | whole
    return list(dict.fromkeys(meant[spelling] for spelling in suggest(name, meant)))
