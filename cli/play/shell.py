"""The loop of the shell: it reads a line, carries it out, and shows the result and what others did."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from threading import Event, Thread

from cli.command import problem_behind
from cli.context import CommandSettings, Implied
from cli.play.dice_prompts import Cancelled, Declaring, show_problem
from cli.play.player_input import PipedPrompt, PlayerPrompt, TerminalPrompt, reply_to, split
from cli.play.shell_help import completions, is_usage_error
from cli.play.shell_seat import PromptContext, ShellSeat, seat_at
from cli.play.verbs import LeaveShell, Verbs
from cli.render.fight_state import print_state
from cli.render.terminal import say
from combatlog import Following, Ledger, RecordedFight
from ledger.errors import DatabaseProblem
from ledger.store.database import home_folder

_HISTORY = "play-history"


class Shell:
    def __init__(self, seat: ShellSeat, asker: PlayerPrompt | None = None) -> None:
        self.seat = seat
        self.asker = asker or self._asker()
        self.declaring = Declaring(seat, self.asker)
        self.verbs = Verbs(seat, self.declaring)
        self._began: PromptContext = seat.moment
        self._draft = ""

    def _asker(self) -> PlayerPrompt:
        if not sys.stdin.isatty():
            return PipedPrompt()
        return TerminalPrompt(
            home_folder() / _HISTORY, lambda text: completions(self.verbs, text), self.seat.status, self._begin
        )

    def _begin(self) -> None:
        """The player begins to type a line, which refers to what the prompt shows now."""
        self._began = self.seat.moment

    def run(self) -> None:
        """Run until the player leaves."""
        while True:
            try:
                self._one_line()
            except (LeaveShell, EOFError):
                return
            except KeyboardInterrupt:
                continue

    def _one_line(self) -> None:
        draft, self._draft = self._draft, ""
        self._guarded(self.seat.refresh)
        self._began = self.seat.moment
        line = self.asker.line(self.seat.title, draft)
        self._guarded(lambda: self._obey(line), line)

    def _guarded(self, do: Callable[[], None], line: str = "") -> None:
        """Show problems and go on. If the connection to the database is lost, the line can be tried again."""
        try:
            do()
        except (Cancelled, KeyboardInterrupt):
            say("Nothing was recorded.", "dim")
        except (LeaveShell, EOFError):
            raise
        except Exception as error:
            if (problem := problem_behind(error)) is not None:
                show_problem(problem)
                self._draft = line if isinstance(problem, DatabaseProblem) else ""
            elif is_usage_error(error):
                say(error.format_message(), "bold")  # type: ignore[attr-defined]
            else:
                raise

    def _obey(self, line: str) -> None:
        words = split(line)
        if self._is_stale(line):
            return
        if self._is_asked():
            self._answer(words)
        elif words:
            self.verbs.do(words)
        else:
            self._end_turn()

    def _is_stale(self, line: str) -> bool:
        """Whether the situation has changed since the player began to type the line."""
        before = self._began if line.strip() else self.seat.moment
        self.seat.refresh()
        if self.seat.moment == before:
            return False
        say(f"Nothing was done: {self._what_is_now()}", "bold yellow")
        if line.strip():
            self._draft = line
            say("Your line is back; press Enter if you still mean it.", "dim")
        return True

    def _what_is_now(self) -> str:
        moment, name = self.seat.moment, self.seat.name
        if moment.asked is not None:
            return f"{name(moment.asked)} is asked to react now."
        return f"it is {name(moment.turn)}'s turn now." if moment.turn is not None else "no turn is in progress now."

    def news(self, seq: int | None) -> None:
        """Show what was recorded, here or elsewhere. Called by the thread that follows the fight."""
        if seq is None or seq > self.seat.shown:
            self.asker.interrupt(lambda: self._guarded(self.seat.refresh))

    # Reactions

    def _is_asked(self) -> bool:
        asked = self.seat.moment.asked
        return asked is not None and self.seat.plays(asked)

    def _answer(self, words: list[str]) -> None:
        """The beginning of a reaction's name, or an empty line to let it pass; any other line is an ordinary one."""
        reply = reply_to(self.seat, words)
        if reply is not None:
            self.declaring.answer(reply)
        else:
            self.verbs.do(words)

    def _end_turn(self) -> None:
        turn = self.seat.battle.clock.turn
        if turn is None or not self.seat.plays(turn):
            return
        left = self.seat.left()
        if self.declaring.confirm(f"End {self.seat.name(turn)}'s turn?" + (f" ({left} left)" if left else "")):
            self.verbs.do(["end"])


def play(ledger: Ledger, reference: str, own: Collection[str]) -> None:
    """Open the shell on a fight, and close it again."""
    fight = ledger.fight(reference)
    battle = fight.state()
    seat = seat_at(fight, battle, [fight.seen_by().who(name) for name in own])
    shell = Shell(seat)
    CommandSettings.ledger, CommandSettings.fight, CommandSettings.raises = ledger, fight, True
    CommandSettings.implied = Implied(battle.name, "the shell")
    CommandSettings.confirm = shell.declaring.confirm
    print_state(battle)
    follower = FightFollower(fight, shell.news)
    follower.start()
    try:
        shell.run()
    finally:
        follower.stop()
        CommandSettings.ledger = CommandSettings.fight = CommandSettings.implied = CommandSettings.confirm = None
        CommandSettings.raises = False
    say(f"{battle.name} stays as it is; `combatlog play` comes back to it.", "dim")


_AGAIN = 1.0
"""Seconds before it tries to reconnect to the database."""


class FightFollower:
    """Reports the number of each recorded event, in a thread of its own; None if events may have been missed.

    The thread that plays does the rest."""

    def __init__(self, fight: RecordedFight, news: Callable[[int | None], None]) -> None:
        self._fight = fight
        self._news = news
        self._stopped = Event()
        self._following: Following | None = None
        self._thread = Thread(target=self._follow, name="follower", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._following is not None:
            self._following.stop()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                self._following = self._fight.follow()
                for event in self._following:
                    self._news(event.seq)
            except Exception as lost:
                if self._stopped.is_set() or problem_behind(lost) is None:
                    return
            self._stopped.wait(_AGAIN)
            self._news(None)  # it may have missed events in between
