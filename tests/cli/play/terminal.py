"""A shell in a real terminal, for tests: what is typed is counted, and what is shown is waited for."""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType
from typing import Any, Self

import pexpect

from ledger.store.database import HOME_VARIABLE

_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
CTRL_C, CTRL_D = "\x03", "\x04"


class Terminal:
    """A command about a fight, 80 columns wide unless it is resized."""

    def __init__(
        self,
        place: dict[str, str],
        home: str,
        fight: str,
        *options: str,
        columns: int = 80,
        command: str = "play",
    ) -> None:
        """`place` are variables of the environment: where the ledger is, or the service."""
        environment = {**os.environ, **place, HOME_VARIABLE: home}
        # A test's terminal does not answer where its cursor is.
        environment |= {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "", "LINES": ""}
        self.process: Any = pexpect.spawn(
            sys.executable,
            ["-m", "cli.app", command, fight, *options],
            env={name: value for name, value in environment.items() if value},
            dimensions=(50, columns),
            encoding="utf-8",
            timeout=60,
        )
        self.typed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.process.close(force=True)

    def sees(self, *texts: str) -> str:
        """Wait until these are shown, one after the other; returns what was shown up to the last one."""
        shown = ""
        for text in texts:
            found = self.process.expect([_anyhow(text), pexpect.TIMEOUT, pexpect.EOF])
            assert found == 0, f"{text!r} is not shown; instead:\n{plain(self.process.before)[-1500:]}"
            shown += self.process.before + self.process.after
        return plain(shown)

    def types(self, line: str) -> Self:
        """Type a line and press Enter."""
        self.typed += len(line) + 1
        self.process.send(f"{line}\r")
        return self

    def presses(self, key: str) -> Self:
        self.process.send(key)
        return self

    def ends(self) -> int:
        self.process.expect(pexpect.EOF)
        self.process.close()
        return int(self.process.exitstatus)


def _anyhow(text: str) -> str:
    """The text however it is broken into lines, and whatever colours it has."""
    gap = r"(?:\s|\x1b\[[0-9;?]*[a-zA-Z])+"
    code = r"(?:\x1b\[[0-9;?]*[a-zA-Z])*"
    return gap.join(code.join(map(re.escape, word)) for word in text.split(" "))


def plain(shown: str) -> str:
    return _CODES.sub("", shown)
