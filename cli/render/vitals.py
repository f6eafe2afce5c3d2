"""Health as a bar and as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from projections.combatant import Combatant, Vital
from projections.phrases import name_of
from projections.views.health import Health
from projections.views.state import Outline

BAR = 6
"""How wide a bar is."""


def common_pool(combatants: Sequence[Combatant]) -> str | None:
    """The one pool that everybody has, if nobody has another with a maximum; it can then title its column."""
    if any(isinstance(combatant, Outline) for combatant in combatants):
        return None
    names = {name for combatant in combatants for name in _bounded(combatant)}
    return names.pop() if len(names) == 1 else None


def vitals(combatant: Combatant, bar: int, *, with_unit: bool) -> Text:
    if isinstance(combatant, Outline):
        return _looks(combatant.health)
    pools = _bounded(combatant).items()
    return Text(" ").join(_vital(vital, name_of(name) if with_unit else "", bar) for name, vital in pools)


_LOOKS = {
    Health.UNHURT: "green",
    Health.HURT: "green",
    Health.BLOODIED: "yellow",
    Health.NEARLY_DOWN: "red",
    Health.DOWN: "dim",
}


def _looks(health: Health | None) -> Text:
    return Text(health.value, _LOOKS[health]) if health is not None else Text("")


def extra_vitals(combatant: Combatant) -> list[str]:
    """Pools without a maximum that are not empty, such as temporary hit points."""
    return [f"{vital.current} {name_of(name)}" for name, vital in combatant.pools().items() if not vital.maximum]


def _bounded(combatant: Combatant) -> dict[str, Vital]:
    return {name: vital for name, vital in combatant.vitals.items() if vital.maximum}


def _vital(vital: Vital, unit: str, bar: int) -> Text:
    maximum = vital.maximum or 0
    numbers = Text(f"{vital.current}/{maximum} {unit}".rstrip())
    return Text(" ").join((_bar(vital.current, maximum, bar), numbers)) if bar else numbers


def _bar(current: int, maximum: int, width: int) -> Text:
    full = round(width * min(1.0, current / maximum))
    full = max(full, 1) if current > 0 else 0
    colour = "green" if 2 * full > width else "yellow" if full > 1 else "red"
    return Text("█" * full, style=colour).append("░" * (width - full), style="dim")
