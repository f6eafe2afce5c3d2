"""Declare an action or answer a reaction: ask for the dice, one roll after the other, and record the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.options import read_dice
from cli.play.player_input import PlayerPrompt
from cli.play.shell_seat import ShellSeat
from cli.render.problem_hints import print_problem
from cli.render.terminal import console, say
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.resolution.dry_run import Foreseen
from combatlog.rules.engine.resolution.referee import Outcome
from ledger.errors import Problem
from ledger.events import Face
from projections.story.phrases import or_list
from projections.story.rolls_needed import RollNeeded, roll_in_words, rolls_in_words

_CANCEL = {"cancel", "undo", "stop"}
Key = tuple[str, str, str]


class Cancelled(Exception):
    """The player cancelled. Nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Faces that were typed before a reaction was offered."""

    declaration: int
    faces: Sequence[Face]
    meant_for: Sequence[Key]


class Declaring:
    def __init__(self, seat: ShellSeat, asker: PlayerPrompt) -> None:
        self.seat = seat
        self.asker = asker
        self._kept: Kept | None = None

    def carry_out(self, said: Declaration | Reply, faces: Sequence[Face] = ()) -> Outcome:
        """Ask for the missing dice, record the declaration, and show what followed."""
        given, course = self._completed(said, list(faces))
        sent = given[: course.used] if course.waits else given
        outcome, sent = self._recorded(said, sent)
        self.seat.show_outcome(outcome)
        if left := outcome.left_over(sent):
            self._say(f"Not needed after all: {_listed(left)}.")
        self._keep(outcome, said, given[len(sent) :])
        return outcome

    def answer(self, reply: Reply) -> Outcome:
        """Answer a reaction. Faces that were typed before are used if the rolls are still the same."""
        kept, self._kept = self._kept, None
        window = self.seat.battle.window
        if kept is None or window is None or kept.declaration != window.declaration:
            return self.carry_out(reply)
        course = self.seat.foresee(reply, kept.faces)
        made = [roll.key for roll in course.made]
        if made == list(kept.meant_for)[: len(made)]:
            return self.carry_out(reply, kept.faces)
        self._say(f"It takes other dice now; {_listed(kept.faces)} is put aside.")
        return self.carry_out(reply)

    def _recorded(self, said: Declaration | Reply, sent: list[Face]) -> tuple[Outcome, list[Face]]:
        """Record the declaration. Dice rolled elsewhere may lead to a roll that could not be foreseen."""
        while True:
            try:
                return self._record(said, sent), sent
            except Problem as problem:
                if problem.code != "dice/too-few" or not problem.facts.get("rolls"):
                    raise
                sent = self._asked(_unforeseen(problem), said, sent)

    def _record(self, said: Declaration | Reply, faces: Sequence[Face]) -> Outcome:
        dice = list(faces) or None
        fight = self.seat.fight
        return fight.answer(said, dice=dice) if isinstance(said, Reply) else fight.declare(said, dice=dice)

    def _completed(self, said: Declaration | Reply, given: list[Face]) -> tuple[list[Face], Foreseen]:
        """The faces, completed with those still to be rolled before the end or the next reaction; and what follows."""
        given, course = self._fitting(said, given)
        while (roll := self._missing(course, given)) is not None:
            given = self._asked(roll, said, given)
            course = self.seat.foresee(said, given)
        return given, course

    def _fitting(self, said: Declaration | Reply, given: list[Face]) -> tuple[list[Face], Foreseen]:
        """The faces if they fit the dice. Otherwise they were for other rolls, which are then asked for by name."""

        try:
            return given, self.seat.foresee(said, given)
        except Problem as problem:
            if problem.code != "dice/impossible-face":
                raise
            show_problem(problem)
            return [], self.seat.foresee(said, [])

    def _missing(self, course: Foreseen, given: Sequence[Face]) -> RollNeeded | None:
        """The next roll made by hand: those of table dice, or all of them once a face was given."""
        asks = bool(given) or "table" in self.seat.battle.encounter.dice
        return course.rolls[0] if asks and course.rolls else None

    def _asked(self, roll: RollNeeded, said: Declaration | Reply, given: list[Face]) -> list[Face]:
        """The faces, with the answer to the question about the next roll. The answer may cover more than one roll."""
        question = f"{roll_in_words(roll, self.seat.names)}: "
        while True:
            text = self._typed(question)
            if text == "?":
                self._list_all(said, given)
                continue
            faces = [*given, *(read_dice(text) or [])]
            try:
                self.seat.foresee(said, faces)
                return faces
            except Problem as problem:
                if not problem.code.startswith("dice/"):
                    raise
                show_problem(problem)

    def _typed(self, question: str) -> str:
        text = self.ask(question)
        if text.lower() in _CANCEL:
            raise Cancelled
        return text or "?"

    def ask(self, question: str) -> str:
        """The answer to a question; empty for Enter alone."""
        try:
            return self.asker.answer(question).strip()
        except (KeyboardInterrupt, EOFError):
            raise Cancelled from None

    def confirm(self, question: str) -> bool:
        """Whether the answer is yes: Enter, y or yes."""
        return self.ask(f"{question} [Y/n] ").lower() in ("", "y", "yes")

    def asked_for(self, roll: dict[str, object]) -> list[str]:
        """Ask for the faces of a roll that a problem names."""
        needed = RollNeeded.model_validate(roll)
        typed = self._typed(f"{roll_in_words(needed, self.seat.names)}: ")
        return [] if typed == "?" else [str(face) for face in read_dice(typed) or []]

    def _list_all(self, said: Declaration | Reply, given: Sequence[Face]) -> None:
        for line in rolls_in_words(self.seat.fight.seen_by().needed_rolls(said, given), self.seat.names):
            self._say(f"  {line}")
        self._say("Type the faces, as many as you have; or cancel.")

    def _keep(self, outcome: Outcome, said: Declaration | Reply, rest: Sequence[Face]) -> None:
        if not rest or outcome.window is None:
            return
        waiting = outcome.window.waiting
        assert waiting is not None
        passing = self.seat.foresee(Reply(reactor=waiting.reactor), rest, through_windows=True)
        meant_for = [roll.key for roll in passing.made]
        self._kept = Kept(outcome.window.declaration, rest, meant_for)

    def _say(self, text: str) -> None:
        say(text, "dim")


def _unforeseen(problem: Problem) -> RollNeeded:
    """The roll that it stopped at, among all that it may need."""
    rolls = [RollNeeded.model_validate(roll) for roll in problem.facts["rolls"]]
    stopped = problem.facts.get("roller"), problem.facts.get("purpose")
    return next((roll for roll in rolls if (roll.roller, roll.purpose) == stopped), rolls[0])


def _listed(faces: Sequence[Face]) -> str:
    return ", ".join(map(str, faces))


HINTS = {
    "window/waiting": "Type a reaction, or press Enter to let it pass.",
    "turn/other": "Enter ends the turn.",
    "turn/not-started": "Type start.",
    "turn/cannot-act": "Enter ends the turn.",
    "strike/out-of-reach": "Move closer, such as move 4,2.",
    "hit/whom": "Such as hit snig.",
    "database/unreachable": "Your line is back; press Enter to try again.",
    "play/ambiguous": "? lists what you can type.",
    "play/not-understood": "? lists what you can type.",
}
"""By code. The hints of the command line do not apply here."""


def show_problem(problem: Problem) -> None:
    meant = problem.facts.get("suggestions") or ()
    hint = f"Did you mean {or_list(list(meant))}?" if meant else HINTS.get(problem.code)
    print_problem(console(), problem, hint, soft_wrap=False)
