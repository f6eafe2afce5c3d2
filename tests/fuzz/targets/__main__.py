"""`python -m tests.fuzz.targets NAME [--seconds N]`: fuzz one target, led by coverage."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp

from tests.fuzz.targets import NAMES

CORPUS = Path(__file__).parents[1] / "corpus"
INSTRUMENTED = ["ledger", "projections", "combatlog", "cli", "yaml", "json"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.targets", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    fuzz(given.name, given.seconds)


def fuzz(name: str, seconds: int) -> None:
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED):
        target = import_module(f"tests.fuzz.targets.{name}")
        for ruleset in ("dnd5e", "action_points", "skirmish"):
            import_module(f"rules.{ruleset}")  # a fight would load them later, where nobody looks at coverage
    kept = CORPUS / name
    kept.mkdir(parents=True, exist_ok=True)
    found = Path(mkdtemp(prefix=f"fuzz-{name}-"))
    for number, seed in enumerate(target.SEEDS):
        (found / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={kept}/", "-rss_limit_mb=1500", "-timeout=10"]
    atheris.Setup([sys.argv[0], str(found), str(kept), *options], target.target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
