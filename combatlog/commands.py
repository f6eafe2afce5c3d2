"""The commands of a fight as methods: each makes a message and sends it. `combatlog.handlers` says what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.base import Kept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path
    from uuid import UUID

    from combatlog.documents.dice import SharedDiceData
    from combatlog.messages.commands import Join
    from ledger.events import Data, Position
    from rules.autoplay.auto import Played
    from rules.engine.outcome import Outcome

GM = "gm"


class Commands(Kept):
    """Every command takes the fields of its message by name (`combatlog.messages`), and `command_id`: a command that
    is repeated with the same id does nothing."""

    def _say(self, kind: str, command_id: UUID | None, fields: Mapping[str, Any]) -> Outcome:
        from combatlog.messages import commands
        from combatlog.messages.message import message

        outcome: Outcome = self.send(message(getattr(commands, kind), **fields), command_id=command_id)
        return outcome

    def join(
        self,
        sheet: str | Path | Data,
        name: str | None = None,
        at: Position | None = None,
        *,
        packs: Sequence[str | Path] = (),
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Add a combatant: a sheet by name, a file as a Path, or the fields of a sheet.

        A second goblin is called Goblin 2. With `count`, that many join at once, around `at`: all of them or none.

        `overrides` are fields that differ from the sheet. `reactions` says what the combatant does with an offered
        reaction, by its name or `*` for all: `ask`, `always`, `never` or `when useful`.

        With `hidden`, it joins unrevealed: players do not see it until `reveal`.
        Whoever joins a fight that has started has the `initiative` that is set, or rolls it if the rules say so.
        """
        from pathlib import Path

        from combatlog.messages.commands import Join
        from combatlog.messages.message import message

        if not packs and not isinstance(sheet, Path):
            return self._say("Join", command_id, {"sheet": sheet, "name": name, "at": at, **fields})
        said = message(Join, sheet="file", name=name, at=at, **fields)
        return self.do(
            GM,
            "join",
            options=self._enlisted(said, sheet, packs),
            dice=said.dice,
            by=said.by,
            command_id=command_id,
        )

    def _enlisted(self, said: Join, sheet: str | Path | Data, packs: Sequence[str | Path]) -> Data:
        """Files are read where they are, so the sheet is sent as a whole."""
        from pathlib import Path

        from combatlog.handlers import enlisted
        from rules.content.pack_checks import packs_to_join
        from rules.engine import ruleset as rulesets

        rules = rulesets.find(self.battle.encounter.ruleset)
        return enlisted(said, self.battle, sheet, packs_to_join(map(Path, packs), rules))

    def reveal(self, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Let the players see combatants that were unrevealed. What they did until now stays unseen."""
        return self._say("Reveal", command_id, {"who": who, **fields})

    def conceal(self, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Keep combatants from the players' eyes, with all they do, until they are revealed."""
        return self._say("Conceal", command_id, {"who": who, **fields})

    def start(self, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Start the fight: initiative, the first round, the first turn."""
        return self._say("Start", command_id, fields)

    def do(self, who: str, action: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Declare an action by name. If a combatant may react on the way, the outcome has a window that waits."""
        return self._say("Declare", command_id, {"who": who, "action": action, **fields})

    def react(self, who: str, reaction: str | None, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Answer the open window; None lets it pass. What waited for the answer goes on."""
        return self._say("React", command_id, {"who": who, "reaction": reaction, **fields})

    def hit(self, target: str | None = None, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Make the obvious attack: take the action for it, if it takes one, and strike with the weapon in hand.

        `who` attacks, by default the combatant that has the turn; as in `cast` and `move`.
        """
        return self._say("Hit", command_id, {"target": target, **fields})

    def cast(
        self, spell: str, target: str | Sequence[str] = (), *, command_id: UUID | None = None, **fields: Any
    ) -> Outcome:
        """Cast a spell, by its name or the beginning of it."""
        return self._say("Cast", command_id, {"spell": spell, "targets": target, **fields})

    def move(self, to: Position, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Move to a square at the lowest price; `via` are squares to pass on the way, if the rules let one choose."""
        return self._say("Move", command_id, {"to": to, **fields})

    def sit(self, *combatants: str, anchor: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Sit down as the player of these combatants, at a fight with shared dice, with a chain that has this anchor.

        `combatlog.Keeper` makes chains, and keeps them. Sitting down again replaces the chain.
        """
        return self._say("Sit", command_id, {"combatants": combatants, "anchor": anchor, **fields})

    def give_link(self, who: str, secret: str | None, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Give the link that a roll of shared dice waits for; None withholds it, which `verify` lists."""
        return self._say("GiveLink", command_id, {"who": who, "secret": secret, **fields})

    def waits_for_link(self) -> str:
        """Whose player a roll of shared dice waits for; refused if none waits."""
        from ledger.errors import Problem

        waiting = self.shared_dice()["waiting"]
        if waiting is None:
            raise Problem("dice/no-question", "No roll waits for a link.")
        return waiting["party"]

    def shared_dice(self) -> SharedDiceData:
        """Who has sat down with a chain for shared dice, and the roll that waits for a link."""
        from combatlog.documents.dice import shared_dice_data

        return shared_dice_data(self.battle)

    def end_turn(self, who: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """End the turn of `who`; the next one begins.

        The name is needed: if two people end the same turn at the same time, one of them is refused. With the `round`
        that somebody saw, it is that turn and no other, even if nobody else has turns.
        """
        return self._say("EndTurn", command_id, {"who": who, **fields})

    def leave(self, who: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Take a combatant out of the fight, at any time.

        If it has the turn, that ends. If it is waited for, it passes, and `dice` are for what had waited for it.
        """
        return self._say("Leave", command_id, {"who": who, **fields})

    def set_initiative(self, values: Mapping[str, int], *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Set or correct the initiative of combatants. The turn in progress goes on; the others stay in their order."""
        return self._say("SetInitiative", command_id, {"values": values, **fields})

    def set_reactions(
        self, who: str, policies: Mapping[str, str], *, command_id: UUID | None = None, **fields: Any
    ) -> Outcome:
        """Change what a combatant does from now on with reactions that it is offered: `ask`, `always`, `never` or `when
        useful`, by the name of the reaction, or `*` for all others. It is possible while a window waits."""
        return self._say("SetReactions", command_id, {"who": who, "policies": policies, **fields})

    def conclude(self, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Conclude the fight; nothing more can be declared in it."""
        return self._say("Conclude", command_id, fields)

    def label(self, *labels: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Label the fight, also when it is over: `practice`, `archived`, or any tag; `remove` takes labels off.

        Practice and archived fights do not count in statistics across fights, and lists leave archived ones out.
        """
        return self._say("Label", command_id, {"add": labels, **fields})

    def rule(self, who: str | None = None, *, reason: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Make a ruling: set values, conditions, a square or a side, change the map, or settle an event's question.

        It is possible at any moment, even while a window waits. With `secret`, players do not see the ruling, only
        what it changes.
        """
        return self._say("Rule", command_id, {"who": who, "reason": reason, **fields})

    def roll(self, notation: str, purpose: str = "roll", *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Roll dice that the rules do not ask for: `1d20+3`, for `perception`, say. It is the GM's roll, or `who`'s.

        With `secret`, only the GM sees it, whoever's roll it is.
        """
        return self._say("Roll", command_id, {"notation": notation, "purpose": purpose, **fields})

    def note(self, text: str, *, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Note something, at any moment, for everybody to read; with `secret`, for the GM alone."""
        return self._say("Note", command_id, {"text": text, **fields})

    def hurt(
        self,
        who: str | Sequence[str],
        amount: int,
        type: str | None = None,
        *,
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Deal damage as the GM, by the rules: resistances, concentration, falling and dying count.

        `rule` sets a value instead. `dice` are for what the damage calls for, such as a save.
        """
        return self._say("Hurt", command_id, {"who": who, "amount": amount, "type": type, **fields})

    def heal(
        self,
        who: str | Sequence[str],
        amount: int,
        pool: str | None = None,
        *,
        command_id: UUID | None = None,
        **fields: Any,
    ) -> Outcome:
        """Heal as the GM, by the rules: up to the maximum, and a combatant that had fallen wakes up.

        `pool` is what is healed, if there are several: `vit` in action_points, `temp_hp` in dnd5e.
        """
        return self._say("Heal", command_id, {"who": who, "amount": amount, "pool": pool, **fields})

    def rest(self, kind: str, *who: str, command_id: UUID | None = None, **fields: Any) -> Outcome:
        """Have combatants take a `short` or a `long` rest, in a fight that is over or has not started.

        Without names, every combatant of a player rests, except the dead. In a short rest of dnd5e, `hit_dice` are
        spent: as many by each, or by name. `dice` are their faces.
        """
        return self._say("Rest", command_id, {"kind": kind, "who": who, **fields})

    def auto(
        self,
        sides: Collection[str] = (),
        *,
        turns: int | None = None,
        rounds: int | None = None,
        to_end: bool = False,
        command_id: UUID | None = None,
    ) -> Iterator[Played]:
        """Let sides play themselves, step by step: each step is carried out when it is asked for.

        Without a limit, all sides play one turn, and some sides play until another one has to act. From `command_id`
        follow the ids of the commands that it makes (`rules.autoplay.auto.command_of_step`).
        """
        from rules.autoplay.auto import Limits, Numbered, play
        from rules.autoplay.rehearsal import check_needs_no_dice, naming_the_roller

        if turns is None and rounds is None and not to_end and not sides:
            turns = 1
        limits = Limits(turns, rounds, to_end)
        check_needs_no_dice(self._in_memory(), limits, sides, self.history)
        with naming_the_roller():
            yield from play(self if command_id is None else Numbered(self, command_id), limits, sides)
