"""What the shell understands: its own verbs, the actions of the acting combatant, and every command of `combatlog`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.declare import say_preview
from cli.play.dice_prompts import Cancelled, Declaring
from cli.play.player_input import TypedWords, read
from cli.play.shell_help import command_names, run_command, show_help
from cli.play.shell_seat import ShellSeat, possible
from cli.render.terminal import say
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.declarations.core_actions import core_ref
from combatlog.rules.engine.naming import combatant_id
from combatlog.rules.engine.resolution.turns import turn_in_progress
from ledger.errors import Problem, choices, suggest
from ledger.events import AttackResolved, CheckResolved, Declared, Rolled, SaveResolved

GM = "gm"
_LONGEST_ACTION = 3


class LeaveShell(Exception):
    """The player leaves the shell."""


class NotUnderstood(Problem):
    """The line was not understood."""


@dataclass(frozen=True, slots=True)
class Verb:
    do: Callable[[Verbs, Sequence[str]], None]
    usage: str
    about: str


class Verbs:
    def __init__(self, seat: ShellSeat, declaring: Declaring) -> None:
        self.seat = seat
        self.declaring = declaring
        self._in_hand: dict[str, str | None] = {}
        """The weapon that each combatant used last."""

    # Finding out what a line means

    def do(self, words: Sequence[str], actor: str | None = None) -> None:
        """Carry out a line, for the combatant whose turn it is unless it names another."""
        first = words[0].lower()
        own = self.actions(actor)
        found = _beginning(words, own)
        if first in VERBS and not (first == "help" and found is not None and len(words) > 1):
            VERBS[first].do(self, words[1:])
        elif found is not None:
            name, count = found
            self._act(name, words[count:], actor)
        elif first in command_names():
            self.run(first, words[1:])
        elif (combatant := self._combatant(words)) is not None:
            self.do(words[1:], combatant)
        else:
            self._begun(words, actor, own)

    def _begun(self, words: Sequence[str], actor: str | None, own: Sequence[str]) -> None:
        """Carry out what begins with the first word, if it is the only match."""
        typed = words[0].lower()
        able = possible(self.seat)
        known = [*VERBS, *(name for name in own if name.replace("_", " ") in able), *command_names()]
        found = list(dict.fromkeys(name for name in known if name.replace("_", " ").startswith(typed)))
        if len(found) == 1:
            self.do([found[0], *words[1:]], actor)
            return
        if found:
            sentence = f"{words[0]!r} could be {choices(found)}; write more of it."
            raise NotUnderstood("play/ambiguous", sentence, name=words[0], available=found)
        near = suggest(typed, [*known, *own, *self.seat.names.values()])
        sentence = f"{words[0]!r} means nothing here."
        raise NotUnderstood("play/not-understood", sentence, name=words[0], suggestions=near)

    def actions(self, actor: str | None = None) -> list[str]:
        """The names of the actions of the acting combatant."""
        return self.seat.actions(actor or self.seat.battle.clock.turn)

    def _combatant(self, words: Sequence[str]) -> str | None:
        """The combatant whose whole name comes first, if other words follow."""
        try:
            known = combatant_id(words[0])
        except Problem:
            return None
        return known if known in self.seat.battle.combatants and len(words) > 1 else None

    # Declaring

    def _act(self, action: str, words: Sequence[str], actor: str | None) -> None:
        said = self._read(words)
        who = actor or self.seat.battle.clock.turn
        if who is None and said.names:  # no turn is in progress, so the first combatant named acts
            who = said.names.pop(0)
        declaration = Declaration(
            actor=self._acting(who),
            action=action,
            targets=tuple(said.names),
            destination=said.place,
            weapon=said.weapon,
            options=said.options,
        )
        self.declare(declaration, said)

    def declare(self, declaration: Declaration, said: TypedWords) -> None:
        self.declaring.carry_out(declaration, said.faces)

    def _acting(self, actor: str | None = None) -> str:
        who = actor or turn_in_progress(self.seat.battle)
        if not self.seat.plays(who):
            sentence = f"It is {self.seat.name(who)}'s turn, who is not played here."
            raise Problem("play/not-yours", sentence, who=who, available=list(self.seat.own))
        return who

    def _read(self, words: Sequence[str]) -> TypedWords:
        return read(words, self.seat.battle, self.choose)

    def choose(self, question: str, options: Sequence[str]) -> str:
        """Let the player choose an option, by its number or the beginning of its name; Enter takes the first."""
        say(question)
        for number, option in enumerate(options, 1):
            say(f"  {number}  {option}")
        typed = self.declaring.ask("Which? [1] ")
        if not typed:
            return options[0]
        if typed.isdigit() and 1 <= int(typed) <= len(options):
            return options[int(typed) - 1]
        found = [option for option in options if option.lower().startswith(typed.lower())]
        if len(found) == 1:
            return found[0]
        raise NotUnderstood("play/ambiguous", f"{typed!r} is not one of {choices(options)}.", available=list(options))

    def hit(self, words: Sequence[str]) -> None:
        if self._left_to_service("hit", words):
            return
        said = self._read(words)
        actor = self._acting()
        ways = self.seat.ways_to_hit(said.names[0] if said.names else None, actor, said.weapon)
        self.declare(self._chosen(actor, ways), said)

    def _left_to_service(self, name: str, words: Sequence[str]) -> bool:
        """Whether the line was left to the service, because it cannot be computed here."""
        if not self.seat.works_it_out:
            self._acting()
            self.run(name, words)
        return not self.seat.works_it_out

    def _chosen(self, actor: str, ways: Sequence[Declaration]) -> Declaration:
        """The only way, the way with the weapon used before, or the one that the player chooses."""
        by_weapon = {way.weapon or way.action: way for way in ways}
        if len(by_weapon) == 1:
            return ways[0]
        if (held := self._in_hand.get(actor)) not in by_weapon:
            held = self.choose(f"{self.seat.name(actor)} can hit with:", list(by_weapon))
        self._in_hand[actor] = held
        return by_weapon[held or ""]

    def cast(self, words: Sequence[str]) -> None:
        if self._left_to_service("cast", words):
            return
        actor = self._acting()
        spells = self.seat.ruleset.spells(self.seat.battle.combatants[actor])
        if not spells:
            raise Problem("play/what", f"{self.seat.name(actor)} has no spells.", who=actor)
        if not words:
            raise Problem("play/what", f"Name a spell: {choices(spells)}.", available=spells)
        spell, count = _beginning(words, spells) or (words[0], 1)
        said = self._read(words[count:])
        way = self.seat.fight.seen_by().way_to_cast(
            spell, said.names, actor=self._acting(), to=said.place, options=said.options
        )
        self.declare(way, said)

    def move(self, words: Sequence[str]) -> None:
        if self._left_to_service("move", words):
            return
        said = self._read(words)
        if said.place is None:
            raise Problem("play/what", "Name a square, such as 4,2.")
        way = self.seat.fight.seen_by().way_to_move(said.place, via=said.via, actor=self._acting())
        if say_preview(self.seat.fight, way).provoked and not self.declaring.confirm("Move there?"):
            raise Cancelled
        self.declare(way, said)

    def end_turn(self, words: Sequence[str]) -> None:
        self._core("end-turn", self._acting(), words)

    def start(self, words: Sequence[str]) -> None:
        self._core("start", GM, words)

    def _core(self, action: str, actor: str, words: Sequence[str]) -> None:
        self.declare(Declaration(actor=actor, action=core_ref(action)), self._read(words))

    # Looking and correcting

    def why(self, words: Sequence[str]) -> None:
        """`why`, `why 44`, `why not bless`, `why 44 not bless`."""
        rest = list(words)
        seq = rest.pop(0) if rest and rest[0].isdigit() else str(self._last_decided())
        if rest and rest[0].lower() == "not":
            self.run("explain", [seq, "--why-not", "_".join(rest[1:])])
        else:
            self.run("explain", [seq])

    def _last_decided(self) -> int:
        """The last event that was decided by dice; without one, the last event."""
        events = self.seat.fight.backend.latest(60)
        decided = [e for e in events if isinstance(e, AttackResolved | CheckResolved | SaveResolved | Rolled)]
        return (decided or events)[-1].seq

    def amend(self, words: Sequence[str]) -> None:
        """Amend the last declaration, unless another is named."""
        named = bool(words) and words[0].isdigit()
        self.run("amend", words if named else [str(self._last_declared()), *words])

    def _last_declared(self) -> int:
        events = self.seat.fight.backend.latest(200)
        return next(event.seq for event in reversed(events) if isinstance(event, Declared))

    def ordinary(self, words: Sequence[str]) -> None:
        """Run a command of `combatlog` that has the same name as an action."""
        if words:
            self.run(words[0], words[1:])

    def run(self, name: str, words: Sequence[str]) -> None:
        """Run a command. If it lacks dice, ask for them and run it again."""
        faces: list[str] = []
        while True:
            try:
                outcome = run_command(name, [*words, *(["--dice", ",".join(faces)] if faces else [])])
            except Problem as problem:
                if problem.code != "dice/too-few" or not problem.facts.get("rolls"):
                    raise
                faces += self.declaring.asked_for(problem.facts["rolls"][0])
                continue
            if outcome is not None:
                self.seat.show_outcome(outcome, told=True)
            return

    def help(self, words: Sequence[str]) -> None:
        show_help(self, words)

    def quit(self, words: Sequence[str]) -> None:
        raise LeaveShell


def _ordinary(name: str) -> Callable[[Verbs, Sequence[str]], None]:
    return lambda verbs, words: verbs.run(name, words)


VERBS: dict[str, Verb] = {
    "hit": Verb(Verbs.hit, "hit snig 15 6", "attack with the weapon in hand; `hit` alone: the same target again"),
    "cast": Verb(Verbs.cast, "cast bless osric mira", "cast a spell at combatants or at a square"),
    "move": Verb(
        Verbs.move,
        "move 4,2",
        "go to a square, optionally via others (move 6,2 via 4,1 5,1); first shows what that costs and provokes",
    ),
    "end": Verb(Verbs.end_turn, "end", "end the turn, as Enter does"),
    "start": Verb(Verbs.start, "start", "start the fight"),
    "undo": Verb(_ordinary("undo"), "undo", "take back what was said last; `undo 34`: earlier"),
    "redo": Verb(_ordinary("redo"), "redo", "take that back"),
    "amend": Verb(Verbs.amend, "amend --add advantage", "correct what was said last; `amend 34 ...`: earlier"),
    "why": Verb(Verbs.why, "why", "explain the last roll; `why 34`, `why not bless`"),
    "run": Verb(Verbs.ordinary, "run log --last 9", "a command of combatlog where an action has the same name"),
    "help": Verb(Verbs.help, "help", "show this; `? strike` explains an action"),
    "?": Verb(Verbs.help, "?", "the same"),
    "quit": Verb(Verbs.quit, "quit", "leave; the fight stays as it is"),
    "exit": Verb(Verbs.quit, "exit", "the same"),
}
"""By the word that is typed."""


def _beginning(words: Sequence[str], names: Sequence[str]) -> tuple[str, int] | None:
    """The longest name that the words begin with, written with spaces or underscores, and its number of words."""
    known = {name.replace("_", " ").lower(): name for name in names}
    for count in range(min(_LONGEST_ACTION, len(words)), 0, -1):
        typed = " ".join(words[:count]).replace("_", " ").lower()
        if typed in known:
            return known[typed], count
    return None
