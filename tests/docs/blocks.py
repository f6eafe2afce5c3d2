"""Documents with Python in them: every block runs, in order, and prints what the block of text after it says.

`python -m tests.docs.blocks docs/python.md` writes what they print now into a document.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from ledger.store.database import URL_VARIABLE, EmbeddedPostgres

_BLOCK = re.compile(r"(?P<code>```python\n(?P<source>.*?)```\n)(?P<printed>\n```text\n.*?```\n)?", re.DOTALL)


def sources(document: str) -> list[str]:
    """The blocks of Python in a document."""
    return [found["source"] for found in _BLOCK.finditer(document)]


def with_output(document: str, name: str) -> str:
    """The document with what its blocks print. They share their variables, as in one program."""
    shared: dict[str, Any] = {"__name__": name}

    def run(found: re.Match[str]) -> str:
        printed = StringIO()
        line = document[: found.start()].count("\n") + 1
        with redirect_stdout(printed):
            exec(compile("\n" * line + found["source"], name, "exec"), shared)
        return found["code"] + (f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() else "")

    return _BLOCK.sub(run, document)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        os.environ[URL_VARIABLE] = server.start()
        try:
            for path in map(Path, sys.argv[1:]):
                path.write_text(with_output(path.read_text("utf-8"), path.name), "utf-8")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
