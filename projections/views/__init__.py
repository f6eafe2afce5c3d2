"""What a viewer may see of a fight: one pure function for events, one for the state.

`view(event, viewer)` gives an event complete, reduced, or not at all (None); `table.HOW_SEEN` says which kind is seen
how, and a kind that is not in it is not seen. `seen_battle` reduces the folded state in the same way: nothing is
folded a second time. `Onlooker` goes along with a fight and knows, at every event, what its seat may see.

| seat | sees |
|---|---|
| gm, auditor | everything |
| players, player | their own side as it is; the others as anybody would see them |
| spectator | everybody as anybody would see them |

Hidden from everyone but the GM and auditors: combatants that are unrevealed or hidden, with all they do; of those who
are known by sight only, the sheet, the armour class, the hit points (shown as `health.Health`), the resources and the
dice; cards that lie face down; the seed of the dice. Reasons and other prose are left out: they may name anybody, and
no code may read them to find out.

`numbers.Numbers` counts what a seat sees, so that the numbers of events tell nothing about what it does not see. What a
fight shows in addition is `secrets.Shown`.
"""

from projections.views.health import Health
from projections.views.onlooker import Onlooker
from projections.views.seats import Role, Seat, whole_only
from projections.views.state import Outline, SeenBattle, seen_battle
from projections.views.table import HOW_SEEN, view
from projections.views.viewer import Viewer

__all__ = [
    "HOW_SEEN",
    "Health",
    "Onlooker",
    "Outline",
    "Role",
    "Seat",
    "SeenBattle",
    "Viewer",
    "seen_battle",
    "view",
    "whole_only",
]
