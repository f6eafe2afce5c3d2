"""What an installation brings and what it leaves alone: packages of others are called `rules` and `service`, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from ledger.store.database import URL_VARIABLE
from tests.optional import need_distributions
from tests.support import copy_checkout

OWN_NAMES = {"combatlog", "ledger", "projections", "cli"}

pytestmark = pytest.mark.slow


def pip(*arguments: str | Path) -> None:
    ran = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the checkout, so that nothing of an earlier build gets in and nothing stays behind."""
    folder = tmp_path_factory.mktemp("wheel")
    checkout = copy_checkout(folder / "checkout")
    pip("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, checkout)
    (built,) = folder.glob("*.whl")
    return built


class Environment:
    """A virtual environment that gets what the wheel requires from the environment of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        (packages,) = folder.rglob("site-packages")
        required = [path for path in sys.path if path.endswith("-packages")]
        (packages / "required.pth").write_text("\n".join(required))

    def pip(self, *arguments: str | Path) -> None:
        pip("--python", self.programs / "python", *arguments)

    def install(self, *arguments: str | Path) -> None:
        """As if nothing were installed yet, since the environment of the tests has combatlog, too."""
        self.pip("install", "--quiet", "--ignore-installed", "--no-index", *arguments)

    def run(self, program: str, *arguments: str | Path, cwd: Path, **variables: str) -> str:
        command = [self.programs / program, *arguments]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMBATLOG"))}
        ran = subprocess.run(command, cwd=cwd, env=kept | variables, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("venv"))


def test_the_wheel_installs_four_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        names = {name.partition("/")[0] for name in files.namelist()}
    (metadata,) = names - OWN_NAMES
    assert metadata == f"{wheel.name.rsplit('-', 3)[0]}.dist-info"
    assert names - {metadata} == OWN_NAMES


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    """Those that are not Python code are listed in pyproject.toml, where one is easily forgotten."""
    checkout = wheel.parent / "checkout"
    files = (path for name in OWN_NAMES for path in (checkout / name).rglob("*") if path.is_file())
    with zipfile.ZipFile(wheel) as installed:
        missing = {path.relative_to(checkout).as_posix() for path in files} - set(installed.namelist())
    assert missing == set()


PLAY = """
import json
import sys

import rules
import service

import combatlog
import combatlog.service.app

with combatlog.open() as ledger:
    fight = ledger.new("Bridge", dice="table")
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("goblin", "Snig", (2, 1), side="foes")
    fight.start(dice=[20, 1])
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="snig", dice=[10, 4])
    left = fight.battle.combatants["snig"].vitals["hp"].current

files = {name: module.__file__ for name, module in sys.modules.items() if getattr(module, "__file__", None)}
print(json.dumps({"left": left, "files": files}))
"""
BY_HAND = (
    "new Alley --dice table",
    "join Alley fighter --as Rurik --at 1,1",
    "join Alley goblin --as Snig --side foes --at 2,1",
    "start Alley --dice 20,1",
    "do Alley rurik attack",
    "do Alley rurik strike --target snig --dice 10,4",
)
"""The same fight. Rurik has +5 and 1d8+3: a 10 hits armour class 15, and 4 + 3 is all that Snig has."""
KILLED = "Rurik strikes Snig with a longsword: 15 against AC 15, hit; Snig loses 7 hp (0 left) and dies"

PROJECT = {
    "play.py": PLAY,
    "rules/__init__.py": "HOUSE_RULE = 'a 20 always hits'\n",
    "rules/dnd5e/__init__.py": "raise ImportError('this belongs to the project')\n",
    "rules/engine.py": "raise ImportError('this belongs to the project')\n",
    "service/__init__.py": "PORT = 8000\n",
    "service/app.py": "raise ImportError('this belongs to the project')\n",
}
"""Somebody's own packages. Some of their modules have names that combatlog uses below its own."""


def play(environment: Environment, folder: Path, database: str) -> dict[str, Path]:
    """Play two fights from a folder, by import and with the command. Returns the file of each module imported."""
    variables = {URL_VARIABLE: database, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    played = json.loads(environment.run("python", "play.py", cwd=folder, **variables))
    assert played["left"] == 0
    for line in BY_HAND:
        environment.run("combatlog", *line.split(), cwd=folder, **variables)
    assert KILLED in environment.run("combatlog", "log", "Alley", "--last", "1", cwd=folder, **variables)
    return {name: Path(file) for name, file in played["files"].items()}


def of_packages(files: dict[str, Path], *packages: str) -> dict[str, Path]:
    return {name: file for name, file in files.items() if name.partition(".")[0] in packages}


def test_a_project_with_packages_of_the_same_names_keeps_its_own(
    wheel: Path, environment: Environment, tmp_path: Path, database: str
) -> None:
    environment.install("--no-deps", wheel)
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    files = play(environment, tmp_path, database)
    assert of_packages(files, "rules", "service") == {
        "rules": tmp_path / "rules" / "__init__.py",
        "service": tmp_path / "service" / "__init__.py",
    }
    ours = of_packages(files, *OWN_NAMES)
    assert {"combatlog.rules.dnd5e", "combatlog.service.app"} <= set(ours)
    assert [file for file in ours.values() if not file.is_relative_to(environment.folder)] == []
    assert {name: (tmp_path / name).read_text() for name in PROJECT} == PROJECT


USE_THEIRS = """
import rules
import service

rules.add_rule("strike", rules.predicate(lambda who: who == "rurik"))
assert rules.test_rule("strike", "rurik")
assert not rules.test_rule("strike", "snig")
assert not service.Service("watch", pid_dir=".").is_running()
"""


def test_distributions_of_the_same_names_stay_what_they_are(
    wheel: Path, environment: Environment, tmp_path: Path, database: str
) -> None:
    """`rules` checks permissions and `service` makes daemons."""
    theirs = need_distributions("rules==3.5", "service==0.6.0", folder=tmp_path / "wheels")
    environment.install("--find-links", theirs, "rules", "service")
    before = installed_files(environment)
    environment.install("--no-deps", wheel)
    after = installed_files(environment)
    assert {path: after.get(path) for path in before} == before
    (tmp_path / "play.py").write_text(PLAY)
    files = of_packages(play(environment, tmp_path, database), "rules", "service")
    assert all(file.is_relative_to(environment.folder) for file in files.values())
    environment.run("python", "-c", USE_THEIRS, cwd=tmp_path)
    environment.pip("uninstall", "--quiet", "--yes", "combatlog")
    assert installed_files(environment) == before
    environment.run("python", "-c", USE_THEIRS, cwd=tmp_path)


def installed_files(environment: Environment) -> dict[str, bytes]:
    """What an installation writes; not what Python compiles when a module is imported first."""
    paths = (path for path in environment.folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path): path.read_bytes() for path in paths}
