"""The commands of a fight: each is one declaration, or the answer to a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.base import Kept, listed_replies

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path
    from uuid import UUID

    from combatlog.base import Replies
    from combatlog.documents.dice import SharedDiceData
    from ledger.events import Data, Face, Position
    from rules.autoplay.auto import Played
    from rules.engine.outcome import Outcome

GM = "gm"


class Commands(Kept):
    """Every command takes `by`, who says it if not the one who acts, and `command_id`: a command that is repeated
    with the same id does nothing."""

    def join(
        self,
        sheet: str | Path | Data,
        name: str | None = None,
        at: Position | None = None,
        *,
        count: int = 1,
        side: str = "heroes",
        controller: str | None = None,
        hidden: bool = False,
        reactions: Mapping[str, str] | None = None,
        overrides: Data | None = None,
        packs: Sequence[str | Path] = (),
        initiative: int | None = None,
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Add a combatant: a sheet by name, a file as a Path, or the fields of a sheet.

        A second goblin is called Goblin 2. With `count`, that many join at once, around `at`: all of them or none.

        `overrides` are fields that differ from the sheet. `reactions` says what the combatant does with an offered
        reaction, by its name or `*` for all: `ask`, `always`, `never` or `when useful`.

        With `hidden`, it joins unrevealed: players do not see it until `reveal`.
        Whoever joins a fight that has started has the `initiative` that is set, or rolls it if the rules say so.
        """
        from pathlib import Path

        from rules.content.enlisting import enlist
        from rules.content.pack_checks import packs_to_join
        from rules.content.packs import packs_of
        from rules.engine import ruleset as rulesets

        opened = self.battle
        rules = rulesets.find(opened.encounter.ruleset)
        enlistment = enlist(
            rules,
            sheet,
            [*packs_of(opened), *packs_to_join(map(Path, packs), rules)],
            name=name,
            side=side,
            position=at,
            controller=controller,
            overrides=overrides,
            policies=reactions,
            hidden=hidden,
        )
        if count != 1:
            enlistment["count"] = count
        if initiative is not None:
            enlistment["initiative"] = initiative
        return self.do(GM, "join", options=enlistment, dice=dice, by=by, command_id=command_id)

    def reveal(self, *who: str, by: str | None = None, command_id: UUID | None = None) -> Outcome:
        """Let the players see combatants that were unrevealed. What they did until now stays unseen."""
        return self.do(GM, "reveal", target=who, by=by, command_id=command_id)

    def conceal(self, *who: str, by: str | None = None, command_id: UUID | None = None) -> Outcome:
        """Keep combatants from the players' eyes, with all they do, until they are revealed."""
        return self.do(GM, "conceal", target=who, by=by, command_id=command_id)

    def start(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Start the fight: initiative, the first round, the first turn."""
        return self.do(GM, "start", dice=dice, by=by, command_id=command_id)

    def do(
        self,
        actor: str,
        action: str,
        *,
        target: str | Sequence[str] = (),
        to: Position | None = None,
        weapon: str | None = None,
        options: Data | None = None,
        dice: Sequence[Face] | None = None,
        replies: Replies = (),
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Declare an action by name. If somebody has to be asked on the way, the outcome has a window that waits."""
        from rules.engine.commands import Declaration
        from rules.engine.core_actions import core_ref

        declaration = Declaration(
            actor=actor,
            action=core_ref(action),
            targets=(target,) if isinstance(target, str) else tuple(target),
            destination=to,
            weapon=weapon,
            options=options or {},
            by=by,
        )
        return self.declare(declaration, dice=dice, replies=listed_replies(replies), command_id=command_id)

    def react(
        self,
        reactor: str,
        reaction: str | None,
        *,
        options: Data | None = None,
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        as_seen: bool = False,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Answer the open window; None lets it pass. What waited for the answer goes on.

        With `as_seen`, its way, and its target if none is named, are found as the side of the reactor sees the map.
        """
        from rules.engine.commands import Reply

        reply = Reply(reactor=reactor, reaction=reaction, options=options or {}, by=by, as_seen=as_seen or None)
        return self.answer(reply, dice=dice, command_id=command_id)

    def sit(self, *combatants: str, anchor: str, by: str | None = None, command_id: UUID | None = None) -> Outcome:
        """Sit down as the player of these combatants, at a fight with shared dice, with a chain that has this anchor.

        `combatlog.Keeper` makes chains, and keeps them. Sitting down again replaces the chain.
        """
        return self.do(
            combatants[0], "sit", target=combatants[1:], options={"anchor": anchor}, by=by, command_id=command_id
        )

    def reveal_link(self, party: str, secret: str, *, by: str | None = None, command_id: UUID | None = None) -> Outcome:
        """Give the link that a roll of shared dice waits for. The roll is made, and what waited for it goes on."""
        return self.react(party, "link", options={"secret": secret}, by=by, command_id=command_id)

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

    def withhold_link(
        self, party: str, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Record that a player does not give the link that a roll waits for. The roll is made with real dice, if faces
        are given, and with the host's link alone otherwise; `verify` lists it."""
        return self.react(party, None, dice=dice, by=by, command_id=command_id)

    def end_turn(
        self,
        who: str,
        *,
        round: int | None = None,
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """End the turn of `who`; the next one begins.

        The name is needed: if two people end the same turn at the same time, one of them is refused. With the `round`
        that somebody saw, it is that turn and no other, even if nobody else has turns.
        """
        from rules.engine.commands import Declaration
        from rules.engine.turns import END_TURN

        declaration = Declaration(actor=who, action=END_TURN, by=by, round=round)
        return self.declare(declaration, dice=dice, command_id=command_id)

    def leave(
        self,
        actor: str,
        *,
        why: str = "left the fight",
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Take a combatant out of the fight, at any time.

        If it has the turn, that ends. If it is waited for, it passes, and `dice` are for what had waited for it.
        """
        from rules.engine.naming import known_id

        window = self.battle.window
        waiting = window.waiting if window is not None else None
        if waiting is not None and waiting.reactor == known_id(self.battle, actor):
            self.react(actor, None, dice=dice, by=by)
            dice = None
        return self.do(actor, "leave", options={"why": why}, dice=dice, by=by, command_id=command_id)

    def set_initiative(
        self,
        values: Mapping[str, int],
        *,
        reason: str = "",
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Set or correct the initiative of combatants. The turn in progress goes on; the others stay in their order."""
        given: dict[str, Any] = {"values": dict(values), "reason": reason}
        options = {key: value for key, value in given.items() if value or key == "values"}
        return self.do(GM, "initiative", options=options, by=by, command_id=command_id)

    def set_reactions(
        self, actor: str, policies: Mapping[str, str], *, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Change what a combatant does from now on with reactions that it is offered: `ask`, `always`, `never` or `when
        useful`, by the name of the reaction, or `*` for all others. It is possible while a window waits."""
        return self.do(actor, "policies", options={"policies": dict(policies)}, by=by, command_id=command_id)

    def close(
        self, *, why: str = "the fight is over", by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Close the fight; nothing more can be declared in it."""
        return self.do(GM, "close", options={"why": why}, by=by, command_id=command_id)

    def label(
        self,
        *labels: str,
        remove: Sequence[str] = (),
        why: str | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Label the fight, also when it is over: `practice`, `archived`, or any tag.

        Practice and archived fights do not count in statistics across fights, and lists leave archived ones out.
        """
        said: dict[str, Any] = {"add": list(labels), "remove": list(remove), "why": why}
        given = {key: value for key, value in said.items() if value}
        return self.do(GM, "label", options=given, by=by, command_id=command_id)

    def rule(
        self,
        subject: str | None = None,
        *,
        reason: str,
        set: Mapping[str, int] | None = None,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
        to: Position | None = None,
        side: str | None = None,
        terrain: Mapping[str, str] | None = None,
        note: str | None = None,
        answers: int | None = None,
        secret: bool = False,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Make a ruling: set values, conditions, a square or a side, change the map, or settle an event's question.

        It is possible at any moment, even while a window waits. With `secret`, players do not see the ruling, only
        what it changes.
        """
        ruling: dict[str, Any] = {
            "reason": reason,
            "set": dict(set or {}),
            "add": list(add),
            "remove": list(remove),
            "to": to,
            "side": side,
            "terrain": dict(terrain or {}),
            "note": note,
            "answers": answers,
            "secret": secret,
        }
        given = {key: value for key, value in ruling.items() if value or key == "reason"}
        return self.do(GM, "rule", target=subject or (), options=given, by=by, command_id=command_id)

    def roll(
        self,
        notation: str,
        purpose: str = "roll",
        *,
        who: str | None = None,
        secret: bool = False,
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Roll dice that the rules do not ask for: `1d20+3`, for `perception`, say. It is the GM's roll, or `who`'s.

        With `secret`, only the GM sees it, whoever's roll it is.
        """
        said = {"dice": notation, "purpose": purpose, "secret": secret}
        given = {key: value for key, value in said.items() if value}
        return self.do(GM, "roll", target=who or (), options=given, dice=dice, by=by, command_id=command_id)

    def note(
        self,
        text: str,
        *,
        about: str | None = None,
        secret: bool = False,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Note something, at any moment, for everybody to read; with `secret`, for the GM alone."""
        given = {"text": text, "secret": True} if secret else {"text": text}
        return self.do(GM, "note", target=about or (), options=given, by=by, command_id=command_id)

    def hurt(
        self,
        who: str | Sequence[str],
        amount: int,
        type: str | None = None,
        *,
        reason: str = "",
        dice: Sequence[Face] | None = None,
        replies: Replies = (),
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Deal damage as the GM, by the rules: resistances, concentration, falling and dying count.

        `rule` sets a value instead. `dice` are for what the damage calls for, such as a save.
        """
        said = {"amount": amount, "type": type, "reason": reason}
        given = {key: value for key, value in said.items() if value}
        return self.do(GM, "hurt", target=who, options=given, dice=dice, replies=replies, by=by, command_id=command_id)

    def heal(
        self,
        who: str | Sequence[str],
        amount: int,
        pool: str | None = None,
        *,
        reason: str = "",
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        """Heal as the GM, by the rules: up to the maximum, and whoever had fallen wakes up.

        `pool` is what is healed, if there are several: `vit` in action_points, `temp_hp` in dnd5e.
        """
        said = {"amount": amount, "pool": pool, "reason": reason}
        given = {key: value for key, value in said.items() if value}
        return self.do(GM, "heal", target=who, options=given, by=by, command_id=command_id)

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
