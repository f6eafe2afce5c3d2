"""What events add to the story of which a part is not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ledger.events import Event
from projections.phrases import a, counted, name_of
from projections.story.attacks import attack
from projections.story.scene import Clause, Scene
from projections.views.seen import (
    SeenAttack,
    SeenCards,
    SeenCheck,
    SeenHealed,
    SeenHurt,
    SeenInitiative,
    SeenJoined,
    SeenSave,
)

_START = "core:time:start"


def _joined(e: SeenJoined, scene: Scene) -> Iterator[Clause]:
    yield Clause(None, scene.words(e))


def _initiative(e: SeenInitiative, scene: Scene) -> Iterator[Clause]:
    if scene.action == _START:
        values = ("" if entry.value is None else f" {entry.value}" for entry in e.order)
        order = [f"{scene.name(entry.combatant)}{value}" for entry, value in zip(e.order, values, strict=True)]
        yield Clause(None, f"initiative {', '.join(order)}")


def _save(e: SeenSave, scene: Scene) -> Iterator[Clause]:
    total = f" ({e.total})" if e.total is not None else ""
    yield Clause(e.saver, "makes" if e.success else "fails", f"{a(name_of(e.save))} save{total}")


def _check(e: SeenCheck, scene: Scene) -> Iterator[Clause]:
    if not any(made.cause == e.seq for made in scene.attacks):
        quality = f", {name_of(e.quality)}" if e.quality else ""
        yield Clause(e.checker, "makes" if e.success else "fails", f"{a(name_of(e.check))} check ({e.total}{quality})")


def _hurt(e: SeenHurt, scene: Scene) -> Iterator[Clause]:
    yield Clause(e.target, "takes", "damage")
    if e.health is not None:
        yield Clause(e.target, "is", e.health.value)


def _healed(e: SeenHealed, scene: Scene) -> Iterator[Clause]:
    yield Clause(e.target, "is", "healed")
    if e.health is not None:
        yield Clause(e.target, "is", e.health.value)


def _cards(e: SeenCards, scene: Scene) -> Iterator[Clause]:
    if scene.action == _START:
        return
    if (e.origin, e.to) == ("deck", "hand"):
        yield Clause(e.owner, "draws", counted(e.count, "card"))
    else:
        yield Clause(None, scene.words(e))


SEEN_PIECES: dict[type[Event], Callable[[Any, Scene], Iterable[Clause]]] = {
    SeenJoined: _joined,
    SeenInitiative: _initiative,
    SeenAttack: attack,
    SeenSave: _save,
    SeenCheck: _check,
    SeenHurt: _hurt,
    SeenHealed: _healed,
    SeenCards: _cards,
}
