"""What each seat may see of a fight: redacted events, the state as the seat sees it, and the numbers it counts by.

`redacted(event, viewer)` gives an event whole, reduced, or not at all (None); `redaction.HOW_SEEN` says which kind is
seen how, and a kind that is missing there is not seen. `seen_battle` reduces the folded state in the same way: nothing
is folded a second time. `SeatView` follows a fight and knows, at every event, what its seat may see.

| seat | sees |
|---|---|
| gm, auditor | everything |
| players, player | their own side as it is; the others as any onlooker would see them |
| spectator | every combatant as any onlooker would see it |

Hidden from all seats but the GM and auditors: combatants that are unrevealed or hidden, with all they do; of combatants
that are known by sight only, the sheet, the armour class, the hit points (shown as `ApparentHealth`), the resources and
the dice; cards that lie face down; the seed of the dice. Reasons and other prose are omitted: they may name any
combatant, and no code may read them to find out.

`SeatNumbering` counts what a seat sees, so that event numbers tell nothing about unseen events. `ShownDetail` lists
what a fight can show in addition.
"""

from projections.views.redacted_events import ApparentHealth
from projections.views.redaction import HOW_SEEN, redacted
from projections.views.seat_view import SeatView
from projections.views.seats import Role, Seat, whole_only
from projections.views.state import CombatantOutline, SeenBattle, seen_battle
from projections.views.visibility import Viewer

__all__ = [
    "HOW_SEEN",
    "ApparentHealth",
    "CombatantOutline",
    "Role",
    "Seat",
    "SeatView",
    "SeenBattle",
    "Viewer",
    "redacted",
    "seen_battle",
    "whole_only",
]
