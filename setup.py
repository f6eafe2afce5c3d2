"""The one thing that pyproject.toml cannot say: a README whose links and pictures also work on PyPI."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
RELATIVE_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")


def readme_for_pypi() -> str:
    """Relative links lead to the repository, as it was at this version, and pictures to their files there."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    repository, tag = project["urls"]["Repository"], f"v{project['version']}"

    def absolute(link: re.Match[str]) -> str:
        picture, text, path = link.groups()
        return f"{picture}[{text}]({repository}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return RELATIVE_LINK.sub(absolute, (HERE / "README.md").read_text("utf-8"))


setup(long_description=readme_for_pypi(), long_description_content_type="text/markdown")
